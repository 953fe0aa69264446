//! What a floor is to be like, and how far a floor is from it. Knows nothing of how it is measured.

use std::fmt;
use std::ops::RangeInclusive;

use crate::game::{Position, Tile, Tower};
use crate::inspect::Player;

/// Something that is wanted of a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What is measured.
    pub measure: Measure,
    /// What it is to be.
    pub wanted: Wanted,
}

/// What can be measured of a floor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Final HP under best play.
    Optimum,
    /// Decisions of best play.
    Decisions,
    /// Critical decisions of best play.
    Critical,
    /// Forced decisions of best play.
    Forced,
    /// Decisions of best play at which some action that is not lethal costs value.
    Costly,
    /// Decisions of best play at which some fight in reach would be lethal.
    Lethal,
    /// Decisions of best play at which opening some door would lose.
    WrongDoors,
    /// Turn of the first losing action beside best play.
    FirstLosing,
    /// Share of the reachable states that are lost, in percent.
    LostStates,
    /// Winning sets.
    WinningSets,
    /// Legal actions of the first decision.
    FirstActions,
    /// How an agent that always plays the same fares: final HP, or lost.
    Agent(Player),
    /// HP that the choices of a rule along best play would cost together.
    ValueLost(Player),
    /// Final HP under best play after some actions, in order, from the start.
    After(Vec<Position>),
}

/// What a measure is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A number in this range, both ends counted.
    Within(RangeInclusive<i64>),
    /// None: the boss is not defeated.
    Lost,
    /// Any number: the boss is defeated.
    Won,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// A number.
    Number(i64),
    /// The boss is not, or cannot be, defeated. Where that is known, so many HP are missing.
    Lost(Option<i64>),
    /// There is none of it on this floor.
    Nothing,
    /// It cannot be measured: an action is not legal, nothing can be won, a limit was reached.
    Unknown,
}

/// A target that no floor with this map can meet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// An action where there is none.
    #[error("`{measure}`: there is nothing to do at {at}")]
    NoAction {
        /// What was to be measured.
        measure: String,
        /// Where.
        at: Position,
    },
    /// A share beyond its bounds.
    #[error("`{0}`: a share is from 0 to 100 percent")]
    NoShare(String),
    /// A range below everything that there is.
    #[error("`{0}`: it is never below {1}")]
    TooLow(String, i64),
}

impl Measured {
    /// The number, if it is one.
    pub fn number(self) -> Option<i64> {
        if let Measured::Number(number) = self { Some(number) } else { None }
    }
}

impl Target {
    /// Checks that it can be met at all.
    ///
    /// # Errors
    /// [`TargetError`].
    pub fn check(&self, tower: &Tower) -> Result<(), TargetError> {
        let measure = || self.measure.to_string();
        if let Measure::After(actions) = &self.measure {
            let is_action =
                |at: &&Position| matches!(tower.tile(**at), Some(Tile::Door(_) | Tile::Monster(_) | Tile::Shop));
            if let Some(at) = actions.iter().find(|at| !is_action(at)) {
                return Err(TargetError::NoAction { measure: measure(), at: *at });
            }
        }
        match (&self.measure, &self.wanted) {
            (Measure::LostStates, Wanted::Within(range)) if *range.start() > 100 || *range.end() < 0 => {
                Err(TargetError::NoShare(self.to_string()))
            }
            (measure, Wanted::Within(range)) if *range.end() < measure.least() => {
                Err(TargetError::TooLow(self.to_string(), measure.least()))
            }
            _ => Ok(()),
        }
    }

    /// How far what was measured is from what is wanted: 0 if it is met, else from 1 (just missed) towards 2.
    pub fn distance(&self, measured: Measured) -> f64 {
        let missed = |by: i64| 1.0 + saturating(by);
        match (&self.wanted, measured) {
            (_, Measured::Unknown | Measured::Nothing) => 2.0,
            (Wanted::Within(range), Measured::Number(number)) => match number {
                _ if range.contains(&number) => 0.0,
                below if below < *range.start() => missed(range.start().saturating_sub(below)),
                above => missed(above.saturating_sub(*range.end())),
            },
            (Wanted::Lost, Measured::Lost(_)) | (Wanted::Won, Measured::Number(_)) => 0.0,
            (Wanted::Lost, Measured::Number(number)) => missed(number.max(1)),
            // Nearly won is nearer than hopeless, and farther than won with a little.
            (Wanted::Within(range), Measured::Lost(Some(missing))) => {
                missed(missing.saturating_add(*range.start().max(&1)))
            }
            (Wanted::Won, Measured::Lost(Some(missing))) => missed(missing),
            (_, Measured::Lost(None)) => 2.0,
        }
    }
}

/// From 0 for nothing towards 1 for very much.
fn saturating(by: i64) -> f64 {
    /// Half of it.
    const MIDDLE: f64 = 100.0;
    let by = by as f64;
    by / (by + MIDDLE)
}

impl Measure {
    /// The least that it can be: whoever wins has an HP left.
    fn least(&self) -> i64 {
        i64::from(matches!(self, Measure::Optimum | Measure::Agent(_) | Measure::After(_)))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.measure, self.wanted)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Optimum => f.write_str("optimum"),
            Measure::Decisions => f.write_str("decisions"),
            Measure::Critical => f.write_str("critical"),
            Measure::Forced => f.write_str("forced"),
            Measure::Costly => f.write_str("costly"),
            Measure::Lethal => f.write_str("lethal"),
            Measure::WrongDoors => f.write_str("wrong-doors"),
            Measure::FirstLosing => f.write_str("first-losing"),
            Measure::LostStates => f.write_str("lost-states"),
            Measure::WinningSets => f.write_str("winning-sets"),
            Measure::FirstActions => f.write_str("first-actions"),
            Measure::Agent(player) => f.write_str(player.name()),
            Measure::ValueLost(player) => write!(f, "value-lost {player}"),
            Measure::After(actions) => {
                f.write_str("after")?;
                actions.iter().try_for_each(|at| match at.floor {
                    0 => write!(f, " {},{}", at.x, at.y),
                    floor => write!(f, " {floor}:{},{}", at.x, at.y),
                })
            }
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: i64, open: i64| if end == open { String::new() } else { end.to_string() };
        match self {
            Wanted::Within(range) if range.start() == range.end() => write!(f, "{}", range.start()),
            Wanted::Within(range) => {
                write!(f, "{}..{}", end(*range.start(), i64::MIN), end(*range.end(), i64::MAX))
            }
            Wanted::Lost => f.write_str("lost"),
            Wanted::Won => f.write_str("won"),
        }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measured::Number(number) => write!(f, "{number}"),
            Measured::Lost(_) => f.write_str("lost"),
            Measured::Nothing => f.write_str("none"),
            Measured::Unknown => f.write_str("not known"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn target(wanted: Wanted) -> Target {
        Target { measure: Measure::Optimum, wanted }
    }

    #[test]
    fn lost_and_won_are_met_by_what_they_say() {
        let [lost, won] = [Wanted::Lost, Wanted::Won].map(target);
        assert_eq!((lost.distance(Measured::Lost(None)), won.distance(Measured::Number(3))), (0.0, 0.0));
        assert!(lost.distance(Measured::Number(3)) < lost.distance(Measured::Number(30)));
        assert!(won.distance(Measured::Lost(Some(3))) < won.distance(Measured::Lost(Some(30))));
        assert!(won.distance(Measured::Lost(Some(30))) < won.distance(Measured::Lost(None)));
        assert_eq!(lost.distance(Measured::Unknown), 2.0);
        // However far a floor that is won is below the range, one that is not won is farther.
        let far = target(Wanted::Within(2_000..=2_010));
        for (hp, missing) in [(1, 1), (13, 1), (1, 400)] {
            assert!(far.distance(Measured::Number(hp)) < far.distance(Measured::Lost(Some(missing))), "{hp} {missing}");
        }
    }

    proptest! {
        #[test]
        fn a_range_is_met_within_and_missed_by_more_the_farther(
            from in any::<i64>(), to in any::<i64>(), one in any::<i64>(), other in any::<i64>(),
        ) {
            let (from, to) = (from.min(to), from.max(to));
            let distance = |number| target(Wanted::Within(from..=to)).distance(Measured::Number(number));
            prop_assert_eq!(distance(one) == 0.0, (from..=to).contains(&one));
            prop_assert!(distance(one) == 0.0 || (1.0..=2.0).contains(&distance(one)));
            let (near, far) = (one.min(other), one.max(other));
            if near >= to {
                prop_assert!(distance(near) <= distance(far));
            }
        }
    }
}
