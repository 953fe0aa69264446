//! The order in which every table and picture lists things: floors as they come in, then configurations as they come
//! in. Knows episodes' analyses; knows nothing of frames or drawings.

use std::collections::BTreeMap;

use crate::analysis::EpisodeAnalysis;
use crate::solver::Worth;

/// A floor with what was played on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor<'a> {
    /// Its name in the batch.
    pub name: &'a str,
    /// Its title, for people.
    pub title: &'a str,
    /// The remark that belongs under everything that shows this floor.
    pub note: Option<&'a str>,
    /// What the first state is worth, by all that the episodes tell of it.
    pub optimum: Worth,
    /// Who played on it: at least one.
    pub configurations: Vec<Configuration<'a>>,
}

/// An agent under a prompt, with its episodes on one floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration<'a> {
    /// What tables call it.
    pub name: String,
    /// Its episodes, as they came in: at least one.
    pub episodes: Vec<&'a EpisodeAnalysis>,
}

impl<'a> Floor<'a> {
    /// All episodes on the floor, configuration by configuration.
    pub fn episodes(&self) -> impl Iterator<Item = &'a EpisodeAnalysis> {
        self.configurations.iter().flat_map(|configuration| configuration.episodes.iter().copied())
    }
}

/// Sorts analyses by floor, then configuration, each in the order of its first appearance.
pub fn floors<'a>(analyses: impl IntoIterator<Item = &'a EpisodeAnalysis>) -> Vec<Floor<'a>> {
    let (mut floor_ranks, mut configuration_ranks) = (BTreeMap::new(), BTreeMap::new());
    let mut ranked: Vec<(usize, usize, &EpisodeAnalysis)> = analyses
        .into_iter()
        .map(|episode| {
            let floor = rank(&mut floor_ranks, episode.key.floor.as_str());
            let configuration =
                rank(&mut configuration_ranks, (episode.key.agent.as_str(), episode.key.prompt.as_str()));
            (floor, configuration, episode)
        })
        .collect();
    ranked.sort_by_key(|(floor, configuration, _)| (*floor, *configuration));
    ranked.chunk_by(|a, b| a.0 == b.0).filter_map(floor_of).collect()
}

/// Every configuration with the number of its floors and all its episodes (at least one), floor by floor; in the order of
/// first appearance.
pub fn configurations<'a>(floors: &[Floor<'a>]) -> Vec<(usize, Vec<&'a EpisodeAnalysis>)> {
    let mut places = BTreeMap::new();
    let mut found: Vec<(usize, Vec<&EpisodeAnalysis>)> = Vec::new();
    for configuration in floors.iter().flat_map(|floor| &floor.configurations) {
        let key = configuration.episodes.first().map(|episode| (&episode.key.agent, &episode.key.prompt));
        let place = rank(&mut places, key);
        if place == found.len() {
            found.push((0, Vec::new()));
        }
        found[place].0 += 1;
        found[place].1.extend(&configuration.episodes);
    }
    found
}

/// The position of `key` among the keys seen so far, itself included.
fn rank<K: Ord>(ranks: &mut BTreeMap<K, usize>, key: K) -> usize {
    let next = ranks.len();
    *ranks.entry(key).or_insert(next)
}

fn floor_of<'a>(ranked: &[(usize, usize, &'a EpisodeAnalysis)]) -> Option<Floor<'a>> {
    let (_, _, first) = ranked.first()?;
    Some(Floor {
        name: &first.key.floor,
        title: &first.floor_title,
        note: ranked.iter().find_map(|(_, _, episode)| episode.floor_note.as_deref()),
        optimum: ranked.iter().fold(Worth::UNKNOWN, |known, (_, _, episode)| known.and(episode.optimum)),
        configurations: ranked.chunk_by(|a, b| a.1 == b.1).filter_map(configuration_of).collect(),
    })
}

fn configuration_of<'a>(ranked: &[(usize, usize, &'a EpisodeAnalysis)]) -> Option<Configuration<'a>> {
    let (_, _, first) = ranked.first()?;
    Some(Configuration {
        name: first.key.configuration(),
        episodes: ranked.iter().map(|(_, _, episode)| *episode).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::episode;

    #[test]
    fn order_is_that_of_first_appearance() {
        let analyses = [
            episode("zeta", "none", "b").done(),
            episode("alpha", "route", "b").done(),
            episode("zeta", "none", "a").done(),
            episode("alpha", "route", "a").note("reconstructed").done(),
            episode("zeta", "none", "b").repeat(1).done(),
        ];
        let floors = floors(&analyses);
        let listed: Vec<(&str, Vec<(&str, usize)>)> = floors
            .iter()
            .map(|f| (f.name, f.configurations.iter().map(|c| (c.name.as_str(), c.episodes.len())).collect()))
            .collect();
        assert_eq!(
            listed,
            [("b", vec![("zeta", 2), ("alpha / route", 1)]), ("a", vec![("zeta", 1), ("alpha / route", 1)])]
        );
        assert_eq!(floors[1].note, Some("reconstructed"));
        assert_eq!(floors[0].episodes().map(|e| e.key.repeat).collect::<Vec<_>>(), [0, 1, 0]);
    }
}
