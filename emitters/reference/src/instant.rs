//! The instant of emission.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// An instant, to the second; it shows itself as RFC 3339 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant(i64);

impl Instant {
    /// The present one.
    pub fn now() -> Self {
        Instant(match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
        })
    }

    /// The same time of day so many days later; a day has 86,400 seconds in UTC as computers keep it.
    pub fn days_later(self, days: u32) -> Self {
        Instant(self.0.saturating_add(i64::from(days) * 86_400))
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&utc(self.0))
    }
}

/// An instant, in seconds since 1970, as RFC 3339 in UTC. Outside the years 0 to 9999, which RFC 3339 cannot write, the nearest that it can.
fn utc(seconds: i64) -> String {
    const FIRST: i64 = -62_167_219_200;
    const LAST: i64 = 253_402_300_799;
    let seconds = seconds.clamp(FIRST, LAST);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// Year, month and day of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
///
/// Years are counted from March, so that the leap day is a year's last and months have a regular pattern of lengths.
fn civil(days: i64) -> (i64, i64, i64) {
    const DAYS_TO_1970: i64 = 719_468; // from 0000-03-01
    const DAYS_IN_400_YEARS: i64 = 146_097;
    let days = days + DAYS_TO_1970;
    let (era, day) = (days.div_euclid(DAYS_IN_400_YEARS), days.rem_euclid(DAYS_IN_400_YEARS));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_on_both_sides_of_leap_days_and_year_ends() {
        for (seconds, written) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_210_096, "2024-02-29T12:34:56Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (i64::MAX, "9999-12-31T23:59:59Z"),
            (i64::MIN, "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), written);
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        let mut last = civil(-800_000);
        for day in -799_999..800_000 {
            let next = civil(day);
            let same_month = (last.0, last.1, last.2 + 1);
            let next_month = if last.1 == 12 { (last.0 + 1, 1, 1) } else { (last.0, last.1 + 1, 1) };
            assert!(next == same_month || (last.2 >= 28 && next == next_month), "{last:?} then {next:?}");
            last = next;
        }
    }
}
