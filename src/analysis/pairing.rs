//! Two players set side by side: episodes paired by floor and repeat, how their results differ, and where two episodes
//! part. Knows nothing of how a comparison is shown.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::decision::{ActionValue, EpisodeAnalysis};
use super::keys;
use super::statistics::{Interval, mcnemar, mean, mean_interval, sign_flips};
use crate::solver::Worth;

/// Two episodes on the same floor with the same repeat, both finished.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// That of the one.
    pub one: &'a EpisodeAnalysis,
    /// That of the other.
    pub other: &'a EpisodeAnalysis,
}

/// How the results of some pairs differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences {
    /// Pairs.
    pub pairs: usize,
    /// Pairs that both have won.
    pub both: usize,
    /// Pairs that only the one has won.
    pub only_one: usize,
    /// Pairs that only the other has won.
    pub only_other: usize,
    /// Two-sided p-value of the wins, by McNemar's exact test; none without pairs.
    pub p_wins: Option<f64>,
    /// Mean of the other's final HP less the one's, a lost episode counting as 0; none without pairs.
    pub hp: Option<f64>,
    /// Bootstrap interval for it; none with fewer than two pairs.
    pub hp_interval: Option<Interval>,
    /// Two-sided p-value of it, by the permutation test for pairs; none without pairs.
    pub p_hp: Option<f64>,
}

/// The first decision at which two episodes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Parting {
    /// Its number, from 1.
    pub turn: u32,
    /// What the state before it is worth.
    #[serde(flatten, with = "keys::value_before")]
    #[schemars(with = "keys::value_before::ValueBeforeKeys")]
    pub before: Worth,
    /// What the one did; none if its episode had ended.
    pub one: Option<ActionValue>,
    /// What the other did; none if its episode had ended.
    pub other: Option<ActionValue>,
}

/// Pairs the finished episodes of two players by floor and repeat, in the order of the first's.
pub fn pairs<'a>(one: &[&'a EpisodeAnalysis], other: &[&'a EpisodeAnalysis]) -> Vec<Pair<'a>> {
    fn place(episode: &EpisodeAnalysis) -> (&str, u32) {
        (episode.key.floor.as_str(), episode.key.repeat)
    }
    let others: BTreeMap<_, _> = other.iter().map(|episode| (place(episode), *episode)).collect();
    (one.iter())
        .filter_map(|one| Some(Pair { one, other: others.get(&place(one))? }))
        .filter(|pair| pair.one.is_finished() && pair.other.is_finished())
        .collect()
}

impl Pair<'_> {
    /// The other's final HP less the one's.
    pub fn hp(&self) -> i64 {
        self.other.final_hp() - self.one.final_hp()
    }

    /// Whether one of them has won and one has not.
    pub fn changed_outcome(&self) -> bool {
        self.one.is_won() != self.other.is_won()
    }

    /// Where they part; none if they are the same to the end.
    pub fn parting(&self) -> Option<Parting> {
        let length = self.one.decisions.len().max(self.other.decisions.len());
        (0..length).find_map(|index| {
            let [one, other] = [self.one, self.other].map(|episode| episode.decisions.get(index));
            let [did, other_did] = [one, other].map(|decision| decision.and_then(|decision| decision.action()));
            let what = |action: Option<&ActionValue>| action.map(|action| (action.number, action.target));
            (what(did) != what(other_did)).then(|| Parting {
                turn: index as u32 + 1,
                before: one.or(other).map_or(Worth::UNKNOWN, |decision| decision.before),
                one: did.cloned(),
                other: other_did.cloned(),
            })
        })
    }
}

/// How the results of some pairs differ.
pub fn differences(pairs: &[Pair<'_>]) -> Differences {
    let won = |one: bool, other: bool| {
        pairs.iter().filter(|pair| pair.one.is_won() == one && pair.other.is_won() == other).count()
    };
    let (only_one, only_other) = (won(true, false), won(false, true));
    let hp: Vec<i64> = pairs.iter().map(Pair::hp).collect();
    let in_fractions: Vec<f64> = hp.iter().map(|hp| *hp as f64).collect();
    let some = !pairs.is_empty();
    Differences {
        pairs: pairs.len(),
        both: won(true, true),
        only_one,
        only_other,
        p_wins: some.then(|| mcnemar(only_one, only_other)),
        hp: mean(&in_fractions),
        hp_interval: mean_interval(&in_fractions),
        p_hp: some.then(|| sign_flips(&hp)),
    }
}
