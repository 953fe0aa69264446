//! Moving blocks and the hero.

use super::super::block::Side;
use super::super::build::Why;
use super::super::fold;
use super::super::literal::Value;
use super::{Pen, Script};
use crate::game::{Expression, Instruction, Position, Tile};

impl Pen<'_, '_> {
    /// Moves a block step by step, or at once; away unless it is kept.
    pub(super) fn move_block(&mut self, kind: &str, raw: &Value) -> Result<Script, Why> {
        let from = self.place(raw, if kind == "move" { "loc" } else { "from" })?;
        let condition = fold::not(Expression::Stands(Tile::Floor, from));
        let if_there = |then: Script| vec![Instruction::If { condition, then, otherwise: Script::new() }];
        if !raw.is_true("keep") {
            return Ok(if_there(vec![Instruction::Move { from, to: None }]));
        }
        let to = match (kind, raw.get("dxy")) {
            ("move", _) => {
                let (x, y) = steps(raw)?;
                self.build.tile_at(from.floor, i64::from(from.x) + x, i64::from(from.y) + y)?
            }
            (_, Some(by)) => self.shifted(from, by)?,
            (_, None) => self.place(raw, "to")?,
        };
        // What arrives is switched on, whatever was said of its place.
        let shown = Instruction::Show { at: vec![to] };
        Ok(match from == to {
            true => Script::new(),
            false => if_there(vec![Instruction::Move { from, to: Some(to) }, shown]),
        })
    }

    /// Moves the hero.
    pub(super) fn move_hero(&mut self, kind: &str, raw: &Value) -> Result<Script, Why> {
        let to = match kind {
            "changeFloor" => self.destination(raw),
            "moveHero" => self.hero().and_then(|hero| {
                let (x, y) = steps(raw)?;
                self.build.tile_at(hero.floor, i64::from(hero.x) + x, i64::from(hero.y) + y)
            }),
            _ => match (raw.get("loc"), raw.get("dxy")) {
                (_, Some(by)) => self.hero().and_then(|hero| self.shifted(hero, by)),
                (Some(_), None) => self.place(raw, "loc"),
                (None, None) => self.hero(),
            },
        };
        if to.is_err() {
            // Where he is then is not known either.
            self.scene.hero = None;
        }
        let to = to?;
        let stays = self.scene.hero == Some(to) && kind != "changeFloor";
        self.scene.hero = Some(to);
        self.scene.current = Some(to.floor);
        Ok(if stays { Script::new() } else { vec![Instruction::Go { to }] })
    }

    fn hero(&self) -> Result<Position, Why> {
        self.scene.hero.ok_or_else(|| "where the hero stands then is not known".to_owned())
    }

    fn shifted(&mut self, from: Position, by: &Value) -> Result<Position, Why> {
        let [x, y] = by.items() else { return Err("`dxy` is not two numbers".into()) };
        let (x, y) = (self.whole(x)?, self.whole(y)?);
        self.build.tile_at(from.floor, i64::from(from.x).saturating_add(x), i64::from(from.y).saturating_add(y))
    }

    /// Where a change of floors leads.
    pub fn destination(&mut self, raw: &Value) -> Result<Position, Why> {
        let floor = self.floor(raw)?;
        if let Some(stair) = raw.text_of("stair") {
            return self.build.stair(floor, stair, self.scene.hero);
        }
        match raw.get("loc") {
            Some(loc) => {
                let items = loc.items().to_vec();
                self.pair(&items, floor)
            }
            None => {
                let hero = self.hero()?;
                self.build.tile_at(floor, hero.x.into(), hero.y.into())
            }
        }
    }
}

/// What steps come to in the end: to the right, downwards.
fn steps(raw: &Value) -> Result<(i64, i64), Why> {
    let mut sum = (0_i64, 0_i64);
    for step in raw.get("steps").map_or(&[][..], Value::items) {
        let (name, count) = match step.text() {
            Some(text) => {
                let (name, count) = text.split_once(':').unwrap_or((text, "1"));
                (name.to_owned(), count.trim().parse::<i64>().unwrap_or(1))
            }
            None => {
                let name = step.text_of("direction").ok_or("a step has no direction")?;
                (name.to_owned(), step.whole_of(&["value"]).unwrap_or(1))
            }
        };
        let sides: &[Side] = match name.as_str() {
            "speed" => continue,
            "leftup" => &[Side::Left, Side::Up],
            "leftdown" => &[Side::Left, Side::Down],
            "rightup" => &[Side::Right, Side::Up],
            "rightdown" => &[Side::Right, Side::Down],
            other => match Side::named(other) {
                Some(side) => {
                    let (x, y) = side.step();
                    sum =
                        (sum.0.saturating_add(x.saturating_mul(count)), sum.1.saturating_add(y.saturating_mul(count)));
                    continue;
                }
                None => return Err(format!("the step `{other}` depends on where somebody looks")),
            },
        };
        for side in sides {
            let (x, y) = side.step();
            sum = (sum.0.saturating_add(x.saturating_mul(count)), sum.1.saturating_add(y.saturating_mul(count)));
        }
    }
    Ok((sum.0.clamp(-100_000, 100_000), sum.1.clamp(-100_000, 100_000)))
}
