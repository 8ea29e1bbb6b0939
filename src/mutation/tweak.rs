//! The ways in which a count comes out wrong.

use super::choice::Choice;

/// One more or one less.
pub const OFF_BY_ONE: u8 = 0;
/// Another number in its place.
pub const SWAPPED: u8 = 1;
/// Nothing was counted.
pub const ZEROED: u8 = 2;
/// Everything was counted twice.
pub const DOUBLED: u8 = 3;

/// A wrong count in the place of a right one; `None` where the kind of mistake makes no difference to it. `other` is the number
/// that may stand in its place by mistake.
pub fn count<const KIND: u8>(right: u64, other: u64, choice: &mut dyn Choice) -> Option<u64> {
    let wrong = match KIND {
        OFF_BY_ONE if right > 0 && choice.once_in(2) => right - 1,
        OFF_BY_ONE => right + 1,
        SWAPPED => other,
        ZEROED => 0,
        _ => right * 2,
    };
    (wrong != right).then_some(wrong)
}

/// A wrong quotient of counts in the place of a right one, within 0 to 1; `None` where there is none that differs by more than any
/// tolerance.
pub fn fraction<const KIND: u8>(part: u64, whole: u64, choice: &mut dyn Choice) -> Option<f64> {
    if whole == 0 {
        return None;
    }
    let wrong = match KIND {
        // One trial in very many makes no difference that can be told from rounding.
        OFF_BY_ONE if whole > 1_000 => return None,
        OFF_BY_ONE if part == whole || part > 0 && choice.once_in(2) => part - 1,
        OFF_BY_ONE => part + 1,
        SWAPPED => whole.checked_sub(part)?,
        ZEROED => 0,
        _ => part * 2,
    };
    let (wrong, right) = (wrong as f64 / whole as f64, part as f64 / whole as f64);
    (wrong <= 1.0 && (wrong - right).abs() > 2e-4).then_some(wrong)
}

/// A quotient as an emitter states it: 0 of nothing is 0.
pub fn quotient(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
