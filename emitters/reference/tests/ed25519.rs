//! The signatures of the Python template, against the vectors of RFC 8032 and against another implementation.

mod carried;

use std::io::ErrorKind;
use std::process::Command;

use ed25519_dalek::{Signer, SigningKey};

/// Seed, message, public key and signature in hexadecimal: RFC 8032, section 7.1, tests 1, 2, 3 and SHA(abc).
const VECTORS: [[&str; 4]; 4] = [
    [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24\
         655141438e7a100b",
    ],
    [
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "72",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee\
         b00d291612bb0c00",
    ],
    [
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "af82",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d\
         c027beceea1ec40a",
    ],
    [
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e\
         2a9ac94fa54ca49f",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17a\
         d9bef1177331a704",
    ],
];

const SIGN: &str = "
import sys, ed25519
for line in sys.argv[1:]:
    seed, message = (bytes.fromhex(word) for word in line.split(':'))
    print(ed25519.public_key(seed).hex(), ed25519.sign(seed, message).hex())
";

/// Public key and signature of each seed and message, as the template makes them; `None` where there is no Python on this machine.
fn signed(lines: &[String]) -> Option<Vec<String>> {
    let ended = Command::new("python3")
        .args(["-B", "-c", SIGN])
        .args(lines)
        .current_dir(carried::root().join("emitters/python"))
        .output();
    let output = match ended {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("not run: there is no python3 on this machine");
            return None;
        }
        ended => ended.expect("python3 starts"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("hexadecimal").lines().map(str::to_owned).collect())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_vectors_of_the_standard() {
    let Some(signed) = signed(&VECTORS.map(|[seed, message, ..]| format!("{seed}:{message}"))) else { return };
    assert_eq!(signed, VECTORS.map(|[_, _, public, signature]| format!("{public} {signature}")));
}

/// Seeds of one repeated byte and messages of every length up to 63: the second implementation agrees on each.
#[test]
fn another_implementation_signs_the_same() {
    let cases: Vec<([u8; 32], Vec<u8>)> =
        (0..64).map(|index: u8| ([index.wrapping_mul(37); 32], (0..index).collect())).collect();
    let lines: Vec<String> =
        cases.iter().map(|(seed, message)| format!("{}:{}", hexadecimal(seed), hexadecimal(message))).collect();
    let Some(signed) = signed(&lines) else { return };
    assert_eq!(signed.len(), cases.len());
    for ((seed, message), theirs) in cases.iter().zip(signed) {
        let key = SigningKey::from_bytes(seed);
        let (public, signature) = (key.verifying_key().to_bytes(), key.sign(message).to_bytes());
        assert_eq!(theirs, format!("{} {}", hexadecimal(&public), hexadecimal(&signature)));
    }
}
