//! A table: a frame with what a reader must know to read it. Knows nothing of how it is written down.

use polars_core::frame::DataFrame;

use super::batch::{Configuration, Floor};

/// A table, ready for any exporter.
#[derive(Clone, Debug)]
pub struct Table {
    /// What its files are called.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands below it: definitions, method, remarks on floors; a line each.
    pub notes: Vec<String>,
    /// Its rows. Columns are named in snake case, with the unit last where the name does not say it (`cost_usd`).
    pub frame: DataFrame,
}

/// The remarks that belong below every table of these floors: the floors' own, and what helped humans on them.
pub fn floor_notes(floors: &[Floor<'_>]) -> impl Iterator<Item = String> {
    let own = |floor: &Floor<'_>| Some(format!("{}: {}.", floor.name, floor.note?.trim_end_matches('.')));
    let helped = (floors.iter())
        .flat_map(|floor| floor.configurations.iter().filter_map(|configuration| helped(floor.name, configuration)));
    floors.iter().filter_map(own).chain(helped)
}

/// How many decisions a human took back on a floor, and before how many he was shown state values; nothing if none.
fn helped(floor: &str, configuration: &Configuration<'_>) -> Option<String> {
    let (mut taken_back, mut hinted, mut decisions) = (0, 0, 0);
    for episode in &configuration.episodes {
        taken_back += episode.taken_back;
        hinted += episode.hinted;
        decisions += episode.decisions.len();
    }
    let name = &configuration.name;
    let what = format!("took back {taken_back} decisions, and was shown state values before {hinted} of {decisions}");
    (taken_back > 0 || hinted > 0).then(|| format!("{floor}: {name} {what}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::batch::floors;
    use crate::report::sample::episode;

    #[test]
    fn what_helped_a_human_is_said_below() {
        let mut played = episode("me", "none", "f").values(&[68, 60]).done();
        (played.taken_back, played.hinted) = (3, 1);
        let analyses = [played, episode("greedy", "none", "f").values(&[68]).done()];
        let notes: Vec<String> = floor_notes(&floors(&analyses)).collect();
        assert_eq!(notes, ["f: me took back 3 decisions, and was shown state values before 1 of 2."]);
    }
}
