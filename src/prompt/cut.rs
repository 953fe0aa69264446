//! What a prompt leaves out so that it fits into its tokens, and in which order. Knows nothing of how many tokens there are.

use std::collections::BTreeSet;

use super::observation::Observation;

/// Turns that are told at most.
pub(super) const TURNS: usize = 8;

/// Tiles on each side of the hero that a map shows at least, before what is legal elsewhere is left out.
const WIDE: u16 = 20;
/// The same in the end.
const NARROW: [u16; 3] = [10, 6, 3];

/// Something that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    /// A floor that the hero cannot walk to.
    Unreached(u16),
    /// What lies farther from the hero on his floor than so many tiles.
    Beyond(u16),
    /// What is left on a floor, by kind.
    Detail(u16),
    /// A floor that he can walk to, but for its actions.
    Reached(u16),
    /// What is not legal on another floor.
    BlockedOn(u16),
    /// The earliest turn that is still told.
    Turn,
    /// The legal actions on another floor.
    ActionsOn(u16),
    /// On which floors actions are left out.
    Where,
    /// What is not legal on the hero's floor.
    BlockedHere,
    /// Where things stand on his floor: the map shows it.
    Places,
    /// What abilities do.
    Abilities,
    /// The map.
    Map,
    /// The monsters of his floor.
    Monsters,
    /// What else is on it.
    Items,
    /// The last legal action on it that is still told.
    ActionHere,
}

/// All that may be left out of an observation, in the order in which it is.
pub(super) struct Cuts(Vec<Cut>);

/// What is left out after some of the cuts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut {
    pub unreached: BTreeSet<u16>,
    pub reached: BTreeSet<u16>,
    pub details: BTreeSet<u16>,
    pub blocked_on: BTreeSet<u16>,
    pub actions_on: BTreeSet<u16>,
    /// Tiles on each side of the hero that the map shows; all of them without a number.
    pub beyond: Option<u16>,
    pub turns: usize,
    pub floors_of_actions: bool,
    pub blocked_here: bool,
    pub places: bool,
    pub abilities: bool,
    pub map: bool,
    pub monsters: bool,
    pub items: bool,
    /// Actions on the hero's floor, from the last.
    pub actions_here: usize,
}

impl Cuts {
    /// Floors out of reach first, the farthest first; then what is told of the others; the legal actions of the hero's floor
    /// last.
    pub fn of(observation: &Observation) -> Self {
        let here = observation.at.floor;
        let has_actions: BTreeSet<u16> = observation.actions.iter().map(|action| action.target.floor).collect();
        let others = || observation.outlines.iter().filter(|outline| outline.floor != here);
        let mut unreached: Vec<_> = others().filter(|outline| !outline.reached && !outline.is_empty()).collect();
        unreached.sort_by_key(|outline| {
            (outline.has_way, std::cmp::Reverse((outline.behind.len(), outline.floor.abs_diff(here), outline.floor)))
        });
        let mut reached: Vec<_> = others().filter(|outline| outline.reached && !outline.is_empty()).collect();
        reached.sort_by_key(|outline| {
            let acts = has_actions.contains(&outline.floor);
            (acts, std::cmp::Reverse((outline.floor.abs_diff(here), outline.floor)))
        });
        let mut farthest: Vec<u16> = others().map(|outline| outline.floor).collect();
        farthest.sort_by_key(|floor| std::cmp::Reverse((floor.abs_diff(here), *floor)));
        let acting = farthest.iter().copied().filter(|floor| has_actions.contains(floor));
        let (width, height) = size(observation, here);
        let reaches = |side: &u16| 2 * usize::from(*side) + 1 < width.max(height);

        let mut cuts: Vec<Cut> = unreached.iter().map(|outline| Cut::Unreached(outline.floor)).collect();
        cuts.extend([WIDE].into_iter().filter(reaches).map(Cut::Beyond));
        cuts.extend(reached.iter().map(|outline| Cut::Detail(outline.floor)));
        cuts.extend(reached.iter().map(|outline| Cut::Reached(outline.floor)));
        cuts.extend(farthest.iter().map(|floor| Cut::BlockedOn(*floor)));
        cuts.extend(observation.history.iter().rev().take(TURNS).map(|_| Cut::Turn));
        cuts.extend(acting.map(Cut::ActionsOn));
        cuts.push(Cut::Where);
        cuts.extend(NARROW.into_iter().filter(reaches).map(Cut::Beyond));
        cuts.extend([Cut::BlockedHere, Cut::Places, Cut::Abilities, Cut::Map, Cut::Monsters, Cut::Items]);
        let at_home = observation.actions.iter().filter(|action| action.target.floor == here);
        cuts.extend(at_home.map(|_| Cut::ActionHere));
        Cuts(cuts)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What is left out after the first so many.
    pub fn first(&self, count: usize) -> LeftOut {
        let mut left_out = LeftOut::default();
        for cut in self.0.iter().take(count) {
            match *cut {
                Cut::Unreached(floor) => drop(left_out.unreached.insert(floor)),
                Cut::Beyond(side) => left_out.beyond = Some(side),
                Cut::Detail(floor) => drop(left_out.details.insert(floor)),
                Cut::Reached(floor) => drop(left_out.reached.insert(floor)),
                Cut::BlockedOn(floor) => drop(left_out.blocked_on.insert(floor)),
                Cut::Turn => left_out.turns += 1,
                Cut::ActionsOn(floor) => drop(left_out.actions_on.insert(floor)),
                Cut::Where => left_out.floors_of_actions = true,
                Cut::BlockedHere => left_out.blocked_here = true,
                Cut::Places => left_out.places = true,
                Cut::Abilities => left_out.abilities = true,
                Cut::Map => left_out.map = true,
                Cut::Monsters => left_out.monsters = true,
                Cut::Items => left_out.items = true,
                Cut::ActionHere => left_out.actions_here += 1,
            }
        }
        left_out
    }
}

/// Columns and rows of a floor.
fn size(observation: &Observation, floor: u16) -> (usize, usize) {
    let rows = observation.floors.get(usize::from(floor)).map_or(&[] as &[_], |floor| floor.rows.as_slice());
    (rows.first().map_or(0, Vec::len), rows.len())
}
