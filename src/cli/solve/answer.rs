//! What `mota solve` prints.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::output::{RouteStep, hero_line};
use super::Algorithm;
use crate::game::Hero;
use crate::solver::goal::Goal;

/// What `mota solve --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SolveOutput {
    /// The floor's name.
    pub(super) floor: String,
    /// The search that was used.
    pub(super) algorithm: Algorithm,
    /// What was to be as high as possible.
    pub(super) goal: String,
    /// The goal's value of the best route; null if the search finds no way to defeat the boss, or is not the exact one.
    pub(super) value: Option<i64>,
    /// Whether that is proven to be the best; with null, that the boss cannot be defeated.
    pub(super) proven: bool,
    /// No play has a higher value; null if nothing can be won, or no bound is known.
    pub(super) upper_bound: Option<i64>,
    /// The upper bound less the value; null if one of them is.
    pub(super) gap: Option<i64>,
    /// The hero after defeating the boss; null if the search finds no way to.
    pub(super) r#final: Option<Hero>,
    /// States expanded, of the exact search in all its passes; of branch and bound, states made.
    pub(super) states: u64,
    /// Published and corrected: wins taken from the queue. Exact: times that the boss could be defeated at once.
    pub(super) wins: u64,
    /// Exact: passes of growing width.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) passes: Option<u32>,
    /// Published and corrected: states past the limit of decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ends_at_limit: Option<u64>,
    /// Published and corrected: nodes of the merged graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<NodesOutput>,
    /// Seconds that the search took.
    pub(super) seconds: f64,
    /// The most memory that the process has had, in MB; null where the system does not say.
    pub(super) peak_mb: Option<f64>,
    /// The most memory that the search had in use, in MB.
    pub(super) search_mb: f64,
    /// Exact: monsters that make the order of decisions matter, and why; if there are any, the search goes decision by
    /// decision.
    pub(super) order_matters: Vec<String>,
    /// Branch: why more HP may be worse than less, so that states are told apart by HP, too; left out if it never is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) hp_counts: Vec<String>,
    /// Branch: decisions that could not be carried out (an event without end, a number beyond 64 bits) and so lead nowhere
    /// here; left out if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<u64>,
    /// Branch: why it ran where the exact search was asked for; left out if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) instead: Option<String>,
    /// Branch: why no bound is known of this tower; left out if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unbounded: Option<String>,
    /// A route to that result: the decisions of the game that is played, one a tile.
    pub(super) route: Vec<RouteStep>,
    /// Routes asked for.
    #[serde(skip)]
    pub(super) top: usize,
    /// With --top: the next best routes, by distinct sets of cleared doors and monsters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) others: Option<Vec<RouteOutput>>,
}

/// Nodes of the published solver's graph.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodesOutput {
    /// Those that hold a door or a monster.
    pub(super) with_obstacle: usize,
    /// All of them.
    pub(super) all: usize,
}

/// Another route.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RouteOutput {
    /// The goal's value.
    pub(super) value: i64,
    /// The hero after defeating the boss.
    pub(super) r#final: Option<Hero>,
    /// The decisions.
    pub(super) route: Vec<RouteStep>,
}

impl SolveOutput {
    /// An answer that says nothing yet.
    pub(super) fn new(floor: &str, algorithm: Algorithm, goal: &Goal) -> Self {
        SolveOutput {
            floor: floor.to_owned(),
            algorithm,
            goal: goal.to_string(),
            value: None,
            proven: false,
            upper_bound: None,
            gap: None,
            r#final: None,
            states: 0,
            wins: 0,
            passes: None,
            ends_at_limit: None,
            nodes: None,
            seconds: 0.0,
            peak_mb: None,
            search_mb: 0.0,
            order_matters: Vec::new(),
            hp_counts: Vec::new(),
            failed: None,
            instead: None,
            unbounded: None,
            route: Vec::new(),
            top: 1,
            others: None,
        }
    }

    /// The answer for people.
    pub(super) fn text(&self, note: Option<&str>) -> String {
        let mut text = match (&self.r#final, self.value) {
            (Some(hero), Some(value)) if self.goal != "hp" => {
                format!("{}: {} = {value}: {}\n", self.floor, self.goal, hero_line(hero))
            }
            (Some(hero), _) => format!("{}: {}\n", self.floor, hero_line(hero)),
            (None, _) => format!("{}: no way to defeat the boss was found\n", self.floor),
        };
        text += &steps(&self.route);
        text += &self.verdict();
        for (index, other) in self.others.iter().flatten().enumerate() {
            let hero = other.r#final.as_ref().map_or(String::new(), hero_line);
            text +=
                &format!("\nNumber {}: {} = {}: {hero}\n{}", index + 2, self.goal, other.value, steps(&other.route));
        }
        if self.proven && self.value.is_some() && self.others.as_ref().is_some_and(|others| others.len() + 1 < self.top)
        {
            text += "Where every decision is to give something, there is no other winning set.\n";
        }
        if !self.order_matters.is_empty() {
            text += &format!(
                "The order of decisions matters here, so that the search went decision by decision: {}.\n",
                self.order_matters.join("; ")
            );
        }
        if let Some(why) = &self.instead {
            text += &format!("Branch and bound ran in place of the exact search: {why}.\n");
        }
        if let Some(why) = &self.unbounded {
            text += &format!("No bound is known of this tower: {why}.\n");
        }
        if let Some(failed) = self.failed {
            text += &format!(
                "Left out: {failed} decisions that cannot be carried out (an event without end, a number too large).\n"
            );
        }
        if !self.hp_counts.is_empty() {
            text += &format!(
                "More HP may be worse than less here, so that states were told apart by HP, too: {}.\n",
                self.hp_counts.join("; ")
            );
        }
        if let Some(note) = note {
            text += &format!("Note: {note}.\n");
        }
        text
    }

    /// What is proven, and at what expense.
    fn verdict(&self) -> String {
        let cost = match self.peak_mb {
            Some(peak) => format!("{} states, {:.3} s, {peak:.0} MB", self.states, self.seconds),
            None => format!("{} states, {:.3} s", self.states, self.seconds),
        };
        match (self.algorithm, self.proven, self.upper_bound) {
            (Algorithm::Exact | Algorithm::Branch, true, _) if self.r#final.is_none() => {
                format!("{cost}; it is proven that the boss cannot be defeated\n")
            }
            (Algorithm::Exact | Algorithm::Branch, true, _) => format!("{cost}; the result is proven to be the best\n"),
            (Algorithm::Exact | Algorithm::Branch, false, Some(bound)) => {
                let gap = self.gap.map_or(String::new(), |gap| format!(", a gap of {gap}"));
                format!("{cost}; not proven: no play has {} above {bound}{gap}\n", self.goal)
            }
            (Algorithm::Exact | Algorithm::Branch, false, None) => {
                format!("{cost}; not proven, and no bound is known\n")
            }
            _ => {
                format!("{} states expanded, {} wins; this search does not prove its result\n", self.states, self.wins)
            }
        }
    }
}

/// A route, a line a decision.
fn steps(route: &[RouteStep]) -> String {
    let mut text = String::new();
    for step in route {
        let effect = match step.damage {
            0 => String::new(),
            damage => format!(", costs {damage}"),
        };
        let collects = match step.collects.as_slice() {
            [] => String::new(),
            items => format!("; collects {}", items.join(", ")),
        };
        text += &format!("{:4}. {} {}{effect}{collects}  [HP {}]\n", step.turn, step.text, step.target, step.hero.hp);
    }
    text
}
