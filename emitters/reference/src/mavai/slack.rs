//! A criterion's budget of optional checks that may fail in a trial.

/// A declared slack: digits for a count, digits and `%` for a share of the optional checks that apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slack {
    Count(u64),
    Percent(u64),
}

impl Slack {
    /// Reads a slack as it is written; `None` where it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let (digits, of): (_, fn(u64) -> Self) =
            text.strip_suffix('%').map_or((text, Self::Count as fn(u64) -> Self), |digits| (digits, Self::Percent));
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // The only failure left is a number that is too great, and any such number tolerates everything.
        Some(of(digits.parse().unwrap_or(u64::MAX)))
    }

    /// How many of the optional checks that apply to a trial may fail in it.
    pub fn allowance(self, optional: usize) -> u64 {
        match self {
            Self::Count(count) => count,
            Self::Percent(percent) => {
                let share = u128::from(percent) * optional as u128 / 100;
                u64::try_from(share).unwrap_or(u64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_rounded_down_and_exact() {
        for (slack, optional, allowed) in [
            ("2", 1, 2),
            ("0", 5, 0),
            ("50%", 5, 2),
            ("40%", 5, 2),
            ("20%", 3, 0),
            ("29%", 100, 29),
            ("100%", 3, 3),
            ("007%", 100, 7),
            ("0%", 9, 0),
        ] {
            assert_eq!(
                Slack::parse(slack).map(|slack| slack.allowance(optional)),
                Some(allowed),
                "{slack} of {optional}"
            );
        }
        assert_eq!(Slack::parse("99999999999999999999999").map(|slack| slack.allowance(3)), Some(u64::MAX));
    }

    #[test]
    fn what_is_no_slack_is_refused() {
        for text in ["", "%", "12.5%", "-1", "+1", "2 ", "1%%", "٣"] {
            assert_eq!(Slack::parse(text), None, "{text:?}");
        }
    }
}
