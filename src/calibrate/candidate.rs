//! A choice of values for everything that is varied, and how far the floor is from its targets with them.

use super::Limits;
use super::parameter::Parameter;
use super::probe::Probe;
use super::target::{Measure, Measured, Target};
use crate::game::Tower;
use crate::inspect::Player;

/// Values, one a parameter, with what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The values, in the order of the parameters.
    pub values: Vec<i64>,
    /// What was measured, in the order of the targets.
    pub measured: Vec<Measured>,
    /// Final HP under best play.
    pub optimum: Measured,
    /// How far it is from all targets together: 0 if it meets them.
    pub distance: f64,
}

impl Candidate {
    /// Measures the floor with some values; nothing if it turns out to be farther from the targets than `farthest`.
    pub fn measure(
        tower: &Tower,
        parameters: &[Parameter],
        targets: &[Target],
        values: Vec<i64>,
        limits: &Limits,
        farthest: f64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let varied = floor(tower, parameters, &values);
        let probe = Probe::new(varied, limits, stop);
        let optimum = probe.as_ref().map_or(Measured::Unknown, Probe::optimum);
        let wins = matches!(optimum, Measured::Number(_));
        let mut distance = 0.0;
        let mut measured = vec![Measured::Unknown; targets.len()];
        let mut order: Vec<usize> = (0..targets.len()).collect();
        order.sort_by_key(|index| effort(&targets[*index].measure));
        for index in order {
            let target = &targets[index];
            measured[index] = match (&target.measure, &probe) {
                (Measure::Optimum, _) => optimum,
                (measure, Ok(probe)) => probe.measure(measure, wins),
                (_, Err(_)) => Measured::Unknown,
            };
            distance += target.distance(measured[index]);
            if distance > farthest || stop() {
                return None;
            }
        }
        // Nothing is learnt from a floor that cannot be won but how far it is from being won.
        if let (Measured::Lost(missing), true) = (optimum, distance > 0.0) {
            distance += missing.map_or(1.0, |missing| missing as f64 / (missing as f64 + 1_000.0));
        }
        Some(Candidate { values, measured, optimum, distance })
    }

    /// How many targets it meets.
    pub fn met(&self, targets: &[Target]) -> usize {
        let pairs = targets.iter().zip(&self.measured);
        pairs.filter(|(target, measured)| target.distance(**measured) == 0.0).count()
    }
}

/// What is cheap is measured first: it may spare the rest.
fn effort(measure: &Measure) -> u32 {
    match measure {
        Measure::Optimum | Measure::FirstActions => 0,
        Measure::Agent(Player::Lookahead) => 3,
        Measure::Agent(Player::PublishedRoute) => 4,
        Measure::Agent(_) => 2,
        _ => 1,
    }
}

/// A floor with some values put in.
pub fn floor(tower: &Tower, parameters: &[Parameter], values: &[i64]) -> Tower {
    let mut varied = tower.clone();
    varied.origin = None;
    for (parameter, value) in parameters.iter().zip(values) {
        parameter.put(&mut varied, *value);
    }
    varied
}
