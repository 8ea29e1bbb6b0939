//! Instants in UTC as the schema writes them: `2026-05-01T12:00:00Z`, with any number of decimals of a second.

use jiff::civil::Date;

/// A real instant. Ordered in time; decimals count, however many there are, and a leap second stands after the second before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant<'t> {
    date: Date,
    hour: u8,
    minute: u8,
    /// 60 for a leap second.
    second: u8,
    /// Digits after the decimal point without trailing zeros, so that they compare as text.
    decimals: &'t str,
}

/// Why a text is no instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoInstant {
    /// It is not even written as one; the schema's pattern reports that.
    Form,
    /// The form is right, and the calendar or the clock has no such day, hour, minute or second: the part that is wrong.
    Calendar(&'static str),
}

impl<'t> Instant<'t> {
    /// Reads an instant.
    ///
    /// # Errors
    /// Where the text has not the schema's form, or names no real instant. RFC 3339 (section 5.7) lets the second 60 stand
    /// only in a leap second, and those are inserted at the end of a month in UTC.
    pub fn parse(text: &'t str) -> Result<Self, NoInstant> {
        let parts = split(text).ok_or(NoInstant::Form)?;
        let [year, month, day, hour, minute, second] = parts.numbers;
        let date = Date::new(year, month as i8, day as i8).map_err(|_| NoInstant::Calendar("no such day"))?;
        let (hour, minute, second) = (hour as u8, minute as u8, second as u8);
        if hour > 23 {
            return Err(NoInstant::Calendar("an hour ends with the 23rd"));
        }
        if minute > 59 {
            return Err(NoInstant::Calendar("an hour has 60 minutes"));
        }
        let leap = second == 60 && hour == 23 && minute == 59 && date == date.last_of_month();
        if second > 59 && !leap {
            return Err(NoInstant::Calendar("a minute has 60 seconds, and a leap second only at the end of a month"));
        }
        Ok(Instant { date, hour, minute, second, decimals: parts.decimals.trim_end_matches('0') })
    }
}

struct Parts<'t> {
    numbers: [i16; 6],
    decimals: &'t str,
}

/// The parts of `YYYY-MM-DDThh:mm:ss(.d+)?Z`; `None` for any other form.
fn split(text: &str) -> Option<Parts<'_>> {
    let body = text.strip_suffix('Z')?;
    let (body, decimals) = match body.split_once('.') {
        Some((_, "")) => return None,
        Some((body, decimals)) => (body, decimals),
        None => (body, ""),
    };
    let form = b"dddd-dd-ddTdd:dd:dd";
    let fits = |(&form, &byte): (&u8, &u8)| if form == b'd' { byte.is_ascii_digit() } else { byte == form };
    let well_formed = body.len() == form.len()
        && form.iter().zip(body.as_bytes()).all(fits)
        && decimals.bytes().all(|byte| byte.is_ascii_digit());
    if !well_formed {
        return None;
    }
    let number = |from: usize, to: usize| body.get(from..to).and_then(|digits| digits.parse().ok());
    let numbers = [number(0, 4)?, number(5, 7)?, number(8, 10)?, number(11, 13)?, number(14, 16)?, number(17, 19)?];
    Some(Parts { numbers, decimals })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_instants_are_ordered_in_time() {
        let ordered = [
            "2026-05-01T00:00:00Z",
            "2026-05-01T00:00:00.05Z",
            "2026-05-01T00:00:00.1Z",
            "2026-05-01T00:00:00.1000000000001Z",
            "2026-05-01T00:00:01Z",
            "2026-05-01T23:59:59Z",
            "2026-06-30T23:59:60Z",
            "2026-07-01T00:00:00Z",
        ];
        let read: Vec<_> = ordered.iter().map(|text| Instant::parse(text).expect(text)).collect();
        assert!(read.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Instant::parse("2026-05-01T00:00:00Z"), Instant::parse("2026-05-01T00:00:00.000Z"));
    }

    #[test]
    fn what_the_pattern_lets_through_and_no_calendar_has() {
        for text in [
            "2026-02-30T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-10T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-05-01T24:00:00Z",
            "2026-05-01T25:61:00Z",
            "2026-05-01T12:60:00Z",
            "2026-05-01T12:00:60Z",
            "2026-06-29T23:59:60Z",
            "2026-06-30T23:59:61Z",
        ] {
            assert!(matches!(Instant::parse(text), Err(NoInstant::Calendar(_))), "{text}");
        }
        assert!(Instant::parse("2028-02-29T00:00:00Z").is_ok());
        assert!(Instant::parse("0000-02-29T00:00:00Z").is_ok());
    }

    #[test]
    fn another_form_is_for_the_schema() {
        for text in ["", "Z", "2026-05-01", "2026-05-01T00:00:00", "2026-05-01T00:00:00.Z", "2026-05-01T00:00:00+00:00"]
        {
            assert_eq!(Instant::parse(text), Err(NoInstant::Form), "{text}");
        }
        assert_eq!(Instant::parse("2026-05-01t00:00:00Z"), Err(NoInstant::Form));
        assert_eq!(Instant::parse("２026-05-01T00:00Z"), Err(NoInstant::Form));
    }
}
