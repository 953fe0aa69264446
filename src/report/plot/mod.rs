//! Figures of a batch: the state value along every episode, where and when value is lost, results against the optimum and
//! against what they took. Reads analyses; the same analyses give the same bytes.

mod axis;
mod curve;
mod final_hp;
mod ground;
mod label;
mod layout;
mod legend;
mod losing;
mod panel;
mod spending;
mod state_value;
mod style;
mod value_lost;

use super::batch::Floor;
use crate::eval::floor::BatchFloor;

/// A figure, ready to be written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What its files are called, without extension.
    pub stem: String,
    /// Its heading.
    pub title: String,
    /// The figure, without `style` attributes, which the page's policy forbids, and without ids that another figure has for
    /// another shape.
    pub svg: String,
}

/// What the names of figures that there may be several of begin with.
pub const KINDS: [&str; 3] = ["state-value-", "losing-", "value-lost-"];

/// All figures of these floors that have something to show. `games` are the floors themselves, found by name; a floor that
/// is not among them gets no picture of its map.
pub fn all(floors: &[Floor<'_>], games: &[&BatchFloor]) -> Vec<Plot> {
    let mut stems = Stems::default();
    let mut plots = Vec::new();
    for floor in floors {
        plots.push(Plot {
            stem: stems.free("state-value", floor.name),
            title: state_value::title(floor),
            svg: state_value::state_value(floor),
        });
        let game = games.iter().find(|game| game.name() == floor.name);
        if let Some((title, svg)) = game.and_then(|game| losing::heat_map(floor, game)) {
            plots.push(Plot { stem: stems.free("losing", floor.name), title, svg });
        }
        if let Some((title, svg)) = value_lost::value_lost(floor) {
            plots.push(Plot { stem: stems.free("value-lost", floor.name), title, svg });
        }
    }
    let over_all = [("final-hp", final_hp::final_hp(floors)), ("spending", spending::spending(floors))];
    for (stem, figure) in over_all {
        if let Some((title, svg)) = figure {
            plots.push(Plot { stem: stem.into(), title, svg });
        }
    }
    plots
}

/// Names of files, none twice.
#[derive(Default)]
struct Stems(Vec<String>);

impl Stems {
    /// `KIND-FLOOR`, with what file systems dislike replaced, and numbered if that name is taken.
    fn free(&mut self, kind: &str, floor: &str) -> String {
        let safe = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
        let plain = format!("{kind}-{}", floor.chars().map(safe).collect::<String>());
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).find(|stem| !self.0.contains(stem));
        let stem = free.unwrap_or(plain);
        self.0.push(stem.clone());
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_file_can_have_are_replaced_and_kept_apart() {
        let mut stems = Stems::default();
        let found = ["../etc", "a/b", "a_b", "魔塔"].map(|floor| stems.free("losing", floor));
        assert_eq!(found, ["losing-.._etc", "losing-a_b", "losing-a_b-2", "losing-魔塔"]);
    }
}
