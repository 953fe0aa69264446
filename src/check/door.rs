//! Doors and gates: how they hang, and whether anything opens them. Knows nothing of where they lead.

use std::collections::BTreeSet;

use super::Mark;
use super::site::{Site, beside, scripts};
use crate::game::script::{Instruction, all as instructions};
use crate::game::{Colour, Gate, Item, Position, Quantity, Target, Tile, VariableId};

/// Where doors and gates are.
pub(super) fn all<'s>(site: &'s Site<'_>) -> impl Iterator<Item = (Position, Tile)> + 's {
    site.tower.tiles().filter(|(_, tile)| matches!(tile, Tile::Door(_) | Tile::Gate(_)))
}

/// Those that stand free, or close nothing.
pub(super) fn hanging(site: &Site<'_>) -> Vec<Mark> {
    let of_one = |(at, tile): (Position, Tile)| {
        let open = beside(at).map(|at| at.is_some_and(|at| site.is_open(at)));
        if matches!(open, [true, false, true, false] | [false, true, false, true]) {
            return None;
        }
        let sides: Vec<&str> = ["left", "above", "right", "below"]
            .into_iter()
            .zip(open)
            .filter_map(|(side, open)| open.then_some(side))
            .collect();
        let sides = if sides.is_empty() { "on no side".to_owned() } else { sides.join(", ") };
        let name = site.name(tile);
        Some(Mark::new(at, format!("{name} that does not hang between two walls: it is open {sides}")))
    };
    all(site).filter_map(of_one).collect()
}

/// Those that nothing opens.
pub(super) fn unopened(site: &Site<'_>) -> Vec<Mark> {
    let openers = Openers::of(site);
    let of_one = |(at, tile): (Position, Tile)| {
        let why = match tile {
            _ if site.changed.contains(&at) => return None,
            Tile::Door(colour) => openers.lacks_key(colour)?,
            Tile::Gate(id) => openers.lacks(site, site.tower.gates.get(usize::from(id))?)?,
            _ => return None,
        };
        Some(Mark::new(at, format!("{} that cannot be opened: {why}", site.name(tile))))
    };
    all(site).filter_map(of_one).collect()
}

/// What there is to open doors with.
struct Openers {
    colours: BTreeSet<Colour>,
    variables: BTreeSet<VariableId>,
}

impl Openers {
    fn of(site: &Site<'_>) -> Self {
        let tower = site.tower;
        let mut colours: BTreeSet<Colour> =
            Colour::ALL.into_iter().filter(|colour| tower.hero.keys[*colour] > 0).collect();
        let mut variables = BTreeSet::new();
        let mut tiles: Vec<Tile> = tower.tiles().map(|(_, tile)| tile).collect();
        for instruction in scripts(tower).flat_map(instructions) {
            match instruction {
                Instruction::Put { tile, .. } => tiles.push(*tile),
                Instruction::Set { target: Target::Variable(id), .. } => {
                    variables.insert(*id);
                }
                Instruction::Set { target: Target::Hero(Quantity::Keys(colour)), .. } => {
                    colours.insert(*colour);
                }
                _ => {}
            }
        }
        for tile in tiles {
            match tile {
                Tile::Item(Item::Key(colour)) => {
                    colours.insert(colour);
                }
                Tile::Item(Item::Thing(id)) => {
                    let Some(thing) = tower.things.get(usize::from(id)) else { continue };
                    colours.extend(Colour::ALL.into_iter().filter(|colour| thing.gain.keys[*colour] > 0));
                    variables.extend(thing.tools.iter().filter(|(_, count)| *count > 0).map(|(id, _)| *id));
                }
                _ => {}
            }
        }
        Openers { colours, variables }
    }

    fn lacks_key(&self, colour: Colour) -> Option<String> {
        (!self.colours.contains(&colour)).then(|| format!("there is no {colour} key"))
    }

    fn lacks(&self, site: &Site<'_>, gate: &Gate) -> Option<String> {
        if gate.by_event {
            return Some("no event opens it".to_owned());
        }
        let key = Colour::ALL.into_iter().filter(|colour| gate.keys[*colour] > 0).find_map(|c| self.lacks_key(c));
        key.or_else(|| {
            let missing = gate.tools.iter().find_map(|(id, count)| {
                let variable = site.tower.variables.get(usize::from(*id))?;
                (variable.start < *count && !self.variables.contains(id)).then_some(variable)
            })?;
            Some(format!("nothing gives `{}`", missing.name))
        })
    }
}
