//! Ways between floors and sides that cannot be crossed: pairs of stairs, one-way passages, barriers.

use std::collections::{BTreeMap, BTreeSet};

use super::block::Side;
use super::build::{Builder, Why};
use super::calc::Scene;
use super::instruct::Pen;
use super::literal::Value;
use crate::game::{Barrier, Passage, Position, Tile};

/// Ways of a tower.
#[derive(Debug, Default)]
pub(super) struct Ways {
    pub stairs: Vec<(Position, Position)>,
    pub passages: Vec<Passage>,
    pub barriers: Vec<Barrier>,
    /// Ways whose end is not known, with the reason.
    pub lost: Vec<(Position, Why)>,
}

impl<'p> Builder<'p> {
    /// Where on a floor a way leads that names a stair: a place that the floor's file states, or the first block of that
    /// id.
    pub fn stair(&mut self, floor: u16, stair: &str, hero: Option<Position>) -> Result<Position, Why> {
        let plan = self.floors.get(usize::from(floor)).ok_or("there is no such floor")?;
        let (value, rows) = (plan.value, plan.rows);
        let here = || hero.ok_or_else(|| "where the hero stands then is not known".to_owned());
        let mirrored = |x: bool, y: bool| -> Result<(i64, i64), Why> {
            let hero = here()?;
            let width = rows.first().map_or(0, Vec::len) as i64;
            let turn = |on: bool, of: u16, side: i64| if on { side - 1 - i64::from(of) } else { of.into() };
            Ok((turn(x, hero.x, width), turn(y, hero.y, rows.len() as i64)))
        };
        let (x, y) = match stair {
            ":now" => mirrored(false, false)?,
            ":symmetry" => mirrored(true, true)?,
            ":symmetry_x" => mirrored(true, false)?,
            ":symmetry_y" => mirrored(false, true)?,
            _ => {
                let stated = value.get(stair).map(Value::items).and_then(|pair| match pair {
                    [x, y] => Some((x.whole()?, y.whole()?)),
                    _ => None,
                });
                match stated {
                    Some(stated) => stated,
                    None => {
                        let numbers = self.blocks.numbers(stair);
                        let found = rows.iter().enumerate().find_map(|(y, row)| {
                            let x = row.iter().position(|number| *number > 0 && numbers.contains(number))?;
                            Some((i64::try_from(x).ok()?, i64::try_from(y).ok()?))
                        });
                        found.ok_or_else(|| format!("there is no {stair:?} on the floor that it leads to"))?
                    }
                }
            }
        };
        self.tile_at(floor, x, y)
    }

    /// Where a way on a tile leads.
    pub fn way_to(&mut self, at: Position, value: &Value) -> Result<Position, Why> {
        let scene =
            Scene { home: at.floor, at: Some((at.x, at.y)), current: Some(at.floor), hero: Some(at), fold_flags: true };
        if value.get("floorId").is_none() && value.get("loc").is_none() && value.get("stair").is_none() {
            return Err("it says neither a floor nor a tile".into());
        }
        Pen::new(self, scene).destination(value)
    }

    /// All ways that are walked.
    pub fn ways(&mut self) -> Ways {
        let mut ends: BTreeMap<Position, Position> = BTreeMap::new();
        let mut ways = Ways::default();
        for (index, floor) in (0_u16..).zip(0..self.floors.len()) {
            let leaves: Vec<((u16, u16), &'p Value)> =
                self.floors[floor].leaves.iter().map(|(at, value)| (*at, *value)).collect();
            for ((x, y), value) in leaves {
                let at = Position::new(index, x, y);
                let Some(number) = self.number_at(at) else {
                    ways.lost.push((at, "it lies outside the floor".into()));
                    continue;
                };
                match (self.way_to(at, value), self.tile(at, number)) {
                    (Err(why), _) => ways.lost.push((at, why)),
                    (Ok(to), Ok(Tile::Stair(_))) => _ = ends.insert(at, to),
                    (Ok(_), _) => {}
                }
            }
        }
        let mut paired = BTreeSet::new();
        for (from, to) in &ends {
            if from == to || paired.contains(from) {
                continue;
            }
            if ends.get(to) == Some(from) {
                paired.extend([*from, *to]);
                ways.stairs.push((*from, *to));
            } else {
                ways.passages.push(Passage { from: *from, to: *to });
            }
        }
        ways.barriers = self.barriers();
        ways
    }

    /// Sides that cannot be crossed: by the floor's file, or by what lies on any of its three layers.
    fn barriers(&self) -> Vec<Barrier> {
        let mut barriers = Vec::new();
        let mut blocks = BTreeMap::new();
        for (index, floor) in (0_u16..).zip(&self.floors) {
            let layers = [floor.value.get("bgmap"), floor.value.get("fgmap")];
            let mut sides = |x: usize, y: usize| -> Sides {
                let own = floor.rows.get(y).and_then(|row| row.get(x)).copied();
                let on_layer = |layer: &Option<&Value>| {
                    layer
                        .and_then(|layer| layer.items().get(y)?.items().get(x)?.whole())
                        .and_then(|n| u32::try_from(n).ok())
                };
                let (mut no_entry, mut no_exit, mut wall) = (Vec::new(), Vec::new(), false);
                for (layer, number) in [own, on_layer(&layers[0]), on_layer(&layers[1])].into_iter().enumerate() {
                    let Some(number) = number.filter(|number| *number != 0) else { continue };
                    let block = blocks.entry(number).or_insert_with(|| self.blocks.get(number));
                    no_entry.extend(block.no_entry.iter().copied());
                    no_exit.extend(block.no_exit.iter().copied());
                    wall |= layer == 0
                        && block.in_the_way
                        && block.class != "items"
                        && !block.is_enemy()
                        && block.trigger.is_none();
                }
                let key = format!("{x},{y}");
                let stated = |name: &str| Side::of(floor.value.get(name).and_then(|all| all.get(&key)));
                no_exit.extend(stated("cannotMove"));
                no_entry.extend(stated("cannotMoveIn"));
                (no_entry, no_exit, wall)
            };
            let width = floor.rows.first().map_or(0, Vec::len);
            let all: Vec<Vec<Sides>> =
                (0..floor.rows.len()).map(|y| (0..width).map(|x| sides(x, y)).collect()).collect();
            for (y, row) in all.iter().enumerate() {
                for (x, (_, no_exit, wall)) in row.iter().enumerate() {
                    for side in Side::ALL {
                        let (dx, dy) = side.step();
                        let (Some(to_x), Some(to_y)) = (offset(x, dx), offset(y, dy)) else { continue };
                        let Some((no_entry, _, other_wall)) = all.get(to_y).and_then(|row| row.get(to_x)) else {
                            continue;
                        };
                        let barred = no_exit.contains(&side) || no_entry.contains(&side.back());
                        if barred && !wall && !other_wall {
                            let at = |x: usize, y: usize| {
                                Some(Position::new(index, u16::try_from(x).ok()?, u16::try_from(y).ok()?))
                            };
                            if let (Some(from), Some(to)) = (at(x, y), at(to_x, to_y)) {
                                barriers.push(Barrier { from, to });
                            }
                        }
                    }
                }
            }
        }
        barriers
    }
}

/// Sides through which a tile cannot be entered, those through which it cannot be left, and whether it is a wall anyway.
type Sides = (Vec<Side>, Vec<Side>, bool);

fn offset(of: usize, by: i64) -> Option<usize> {
    usize::try_from(i64::try_from(of).ok()?.checked_add(by)?).ok()
}
