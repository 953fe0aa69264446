//! Instructions on what stands on tiles: putting, hiding, opening, fighting.

use super::super::build::Why;
use super::super::literal::{Kind, Value};
use super::super::{fold, names};
use super::{Pen, Script};
use crate::game::{Expression, Instruction, Operator, Position, Quantity, Target, Tile};

impl Pen<'_, '_> {
    /// An instruction on blocks.
    pub(super) fn block(&mut self, kind: &str, raw: &Value) -> Result<Script, Why> {
        if kind == "battle" {
            return self.fight(raw);
        }
        let at = self.places(raw, "loc")?;
        match kind {
            "show" => Ok(vec![Instruction::Show { at }]),
            "hide" if raw.is_true("remove") => Ok(vec![Instruction::Remove { at }]),
            "hide" => Ok(vec![Instruction::Hide { at }]),
            "openDoor" if raw.is_true("needKey") => {
                let mut script = Script::new();
                for at in at {
                    script.extend(self.open_with_keys(at)?);
                }
                Ok(script)
            }
            "openDoor" => match self.scene.current {
                Some(here) if at.iter().all(|at| at.floor == here) => Ok(vec![Instruction::Open { at }]),
                _ => Ok(vec![Instruction::Remove { at }]),
            },
            "closeDoor" => {
                let number = self.number_named(raw.get("id"))?;
                let mut script = Script::new();
                for at in at {
                    let tile = self.build.tile(at, number)?;
                    let condition = Expression::Stands(Tile::Floor, at);
                    let then = vec![Instruction::Put { tile, at: vec![at] }, Instruction::Show { at: vec![at] }];
                    self.leave_behind(at, number);
                    script.push(Instruction::If { condition, then, otherwise: Script::new() });
                }
                Ok(script)
            }
            _ => {
                let number = self.number_named(raw.get("number"))?;
                at.into_iter().map(|at| self.put(at, number)).collect()
            }
        }
    }

    /// Puts a block on a tile.
    pub(super) fn put(&mut self, at: Position, number: u32) -> Result<Instruction, Why> {
        let tile = self.build.tile(at, number)?;
        self.leave_behind(at, number);
        Ok(match tile {
            Tile::Floor if number == 0 => Instruction::Remove { at: vec![at] },
            tile => Instruction::Put { tile, at: vec![at] },
        })
    }

    /// Counts what of a block's own is lost where it is put as a change that is not modelled.
    fn leave_behind(&mut self, at: Position, number: u32) {
        if let Some(why) = self.build.lost(at, number) {
            self.tally.changes += 1;
            self.reason(&why);
        }
    }

    /// The number of a block by its id or number.
    pub(super) fn number_named(&self, value: Option<&Value>) -> Result<u32, Why> {
        let value = value.ok_or("it names no block")?;
        if let Some(number) = value.whole() {
            return u32::try_from(number).map_err(|_| format!("{number} is no number of a block"));
        }
        let id = match &value.kind {
            Kind::Text(id) => id.as_str(),
            _ => return Err("it names no block".into()),
        };
        let numbers = self.build.blocks.numbers(id);
        numbers.first().copied().ok_or_else(|| format!("there is no block {id:?}"))
    }

    /// Opens a door if its keys are there, and takes them.
    fn open_with_keys(&mut self, at: Position) -> Result<Script, Why> {
        let number = self.build.number_at(at).ok_or("there is no such tile")?;
        let block = self.build.blocks.get(number);
        let keys = match (&block.keys, block.id.strip_suffix("Door")) {
            (Some(keys), _) => keys.clone(),
            (None, Some(colour)) => vec![(format!("{colour}Key"), 1)],
            (None, None) => return Err("which door it opens is not known".into()),
        };
        let mut condition = Expression::whole(1);
        let mut then = vec![Instruction::Open { at: vec![at] }];
        for (key, count) in keys {
            let held = match names::key(&key) {
                Some(colour) => Target::Hero(Quantity::Keys(colour)),
                None if !self.build.project.items.contains_key(&key) => return Ok(Script::new()),
                None => Target::Variable(self.build.variable(&format!("item:{key}"))?),
            };
            let now = match held {
                Target::Hero(quantity) => Expression::Hero(quantity),
                Target::Variable(id) => Expression::Variable(id),
            };
            let enough = fold::operation(now.clone(), Operator::AtLeast, Expression::whole(count));
            condition = fold::operation(condition, Operator::And, enough);
            let value = fold::operation(now, Operator::Minus, Expression::whole(count));
            then.insert(0, Instruction::Set { target: held, value });
        }
        Ok(vec![Instruction::If { condition, then, otherwise: Script::new() }])
    }

    fn fight(&mut self, raw: &Value) -> Result<Script, Why> {
        if let Some(id) = raw.text_of("id") {
            return Ok(vec![Instruction::Fight { monster: self.build.monster(id)?, at: None }]);
        }
        let at = match (raw.get("x"), raw.get("y")) {
            (Some(x), Some(y)) => {
                let (x, y) = (self.whole(x)?, self.whole(y)?);
                self.build.tile_at(self.floor(raw)?, x, y)?
            }
            _ => self.place(raw, "loc")?,
        };
        self.fight_at(at)
    }

    /// A fight with the monster that the map, or the only event that does, puts on a tile.
    pub(super) fn fight_at(&mut self, at: Position) -> Result<Script, Why> {
        let mut numbers: Vec<u32> = self.build.number_at(at).into_iter().collect();
        numbers.extend(self.build.placed.get(&at).into_iter().flatten().copied());
        let mut ids: Vec<String> = numbers
            .into_iter()
            .map(|number| self.build.blocks.get(number))
            .filter(|block| block.is_enemy())
            .map(|block| block.id)
            .collect();
        ids.dedup();
        match ids.as_slice() {
            [id] => Ok(vec![Instruction::Fight { monster: self.build.monster(id)?, at: Some(at) }]),
            [] => Err(format!("which monster stands at ({},{}) is not known", at.x, at.y)),
            _ => Err(format!("several monsters may stand at ({},{})", at.x, at.y)),
        }
    }
}
