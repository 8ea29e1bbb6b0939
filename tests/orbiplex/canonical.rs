//! Canonical JSON: the vectors of RFC 8785, and what it cannot represent.

use conform::family::orbiplex::canonical::{Fault, bytes};

use super::read;

fn canonical(json: &str) -> String {
    let document = read(json);
    String::from_utf8(bytes(document.root(), &[]).expect("canonical")).expect("UTF-8")
}

/// The table of number samples in appendix B of RFC 8785: a double's bits and how it is written.
const NUMBERS: &[(u64, &str)] = &[
    (0x0000_0000_0000_0000, "0"),
    (0x8000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
    (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
    (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
    (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"),
    (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"),
    (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
];

#[test]
fn numbers_are_written_as_ecmascript_writes_them() {
    for &(bits, expected) in NUMBERS {
        // An exponent keeps the literal from being an integer, which would have to be exact.
        let literal = format!("{:e}", f64::from_bits(bits));
        assert_eq!(canonical(&format!("[{literal}]")), format!("[{expected}]"), "{bits:016x}");
    }
    for (written, expected) in
        [("1.0", "1"), ("-0", "0"), ("-0.0", "0"), ("1E2", "100"), ("9007199254740991", "9007199254740991")]
    {
        assert_eq!(canonical(written), expected, "{written}");
    }
}

#[test]
fn keys_are_ordered_by_utf16_code_units() {
    let text = r#"{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }"#;
    let ordered: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&canonical(text)).expect("JSON");
    let values: Vec<&str> = ordered.values().map(|value| value.as_str().expect("a string")).collect();
    assert_eq!(
        values,
        [
            "Carriage Return",
            "One",
            "Control",
            "Latin Small Letter O With Diaeresis",
            "Euro Sign",
            "Emoji: Grinning Face",
            "Hebrew Letter Dalet With Dagesh",
        ]
    );
}

#[test]
fn the_sample_of_section_3_comes_out_byte_for_byte() {
    let text = r#"{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false] }"#;
    assert_eq!(
        canonical(text),
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
}

#[test]
fn strings_are_kept_code_point_for_code_point() {
    let composed_and_not = "[\"\u{e9}\",\"e\u{301}\",\"\u{7f}\u{2028}/\"]";
    assert_eq!(canonical(composed_and_not), composed_and_not);
    assert_eq!(canonical(r#"["\u00e9","e\u0301","\u007f\u2028\/"]"#), composed_and_not);
}

#[test]
fn numbers_that_doubles_lose_have_no_form() {
    for literal in ["9007199254740993", "-9007199254740993", "18446744073709551616", "9223372036854775807"] {
        let document = read(&format!(r#"{{"a":[1,{literal}]}}"#));
        let fault = bytes(document.root(), &[]).expect_err(literal);
        assert!(matches!(fault, Fault::Number(_)));
        assert_eq!(fault.at().pointer(), "/a/1");
    }
}

#[test]
fn duplicate_keys_have_no_form() {
    let document = read(r#"{"b":1,"a":{"x":1,"y":2,"\u0078":3}}"#);
    let fault = bytes(document.root(), &[]).expect_err("a duplicate");
    assert!(matches!(fault, Fault::DuplicateKey(_)));
    assert_eq!(fault.at().place().column, 25);
}
