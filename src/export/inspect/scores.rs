//! What an episode scored, and what a log's scores come to. Knows nothing of messages.

use serde_json::{Map, Value, json};

use crate::analysis::EpisodeAnalysis;
use crate::eval::Ending;

/// The scores, in the order in which they are shown.
pub const NAMES: [&str; 4] = ["won", "final_hp", "gap", "losing_turn"];

/// What an episode scored: a number for each of [`NAMES`], none where it has none. An unfinished episode has none at all.
pub fn of(analysis: &EpisodeAnalysis) -> [Option<i64>; 4] {
    let Some(ending) = analysis.ending else { return [None; 4] };
    let final_hp = analysis.final_hp();
    [
        Some(i64::from(ending == Ending::Won)),
        Some(final_hp),
        analysis.optimum.hp().map(|optimum| optimum.saturating_sub(final_hp)),
        analysis.losing.as_ref().map(|losing| losing.turn.into()),
    ]
}

/// The same as a sample holds them.
pub fn of_sample(analysis: &EpisodeAnalysis) -> Map<String, Value> {
    let explained = |name: &str| match (name, &analysis.losing) {
        ("losing_turn", Some(losing)) => Some(format!(
            "{} {}; the value before it was {}, {} earlier decisions had lowered it",
            losing.text, losing.target, losing.before, losing.earlier_losses
        )),
        ("won", _) => analysis.ending.map(|ending| ending.to_string()),
        ("gap", _) => analysis.optimum.hp().map(|optimum| format!("the optimum is {optimum}")),
        _ => None,
    };
    let scored = NAMES.into_iter().zip(of(analysis));
    scored
        .filter_map(|(name, value)| {
            let mut score = json!({ "value": value? });
            if let Some(explanation) = explained(name) {
                score["explanation"] = explanation.into();
            }
            Some((name.to_owned(), score))
        })
        .collect()
}

/// Sums over the samples of a log.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    samples: usize,
    sums: [(usize, f64); 4],
}

impl Tally {
    /// Counts a sample in.
    pub fn add(&mut self, scores: [Option<i64>; 4]) {
        self.samples += 1;
        for ((scored, sum), score) in self.sums.iter_mut().zip(scores) {
            if let Some(score) = score {
                (*scored, *sum) = (*scored + 1, *sum + score as f64);
            }
        }
    }

    /// The means, as a log's results hold them.
    pub fn results(&self) -> Vec<Value> {
        let mean = |(scored, sum): (usize, f64)| if scored == 0 { None } else { Some(sum / scored as f64) };
        (NAMES.into_iter().zip(self.sums))
            .map(|(name, counted)| {
                let metric =
                    mean(counted).map(|value| json!({ "mean": { "name": "mean", "value": value, "params": {} } }));
                json!({
                    "name": name,
                    "scorer": name,
                    "reducer": "mean",
                    "scored_samples": counted.0,
                    "unscored_samples": self.samples - counted.0,
                    "params": {},
                    "metrics": metric.unwrap_or_else(|| json!({})),
                })
            })
            .collect()
    }
}

/// The scorers, as a log's head names them.
pub fn scorers() -> Vec<Value> {
    let scorer =
        |name| json!({ "name": name, "options": {}, "metrics": [{ "name": "mean", "options": {} }], "metadata": {} });
    NAMES.into_iter().map(scorer).collect()
}
