//! Instructions that hold no others.

use super::super::build::Why;
use super::super::literal::{Kind, Value};
use super::super::{code, fold, names};
use super::{Pen, Script};
use crate::game::{Instruction, Operator};

impl Pen<'_, '_> {
    /// An instruction that holds no others and changes the state.
    pub(super) fn leaf(&mut self, kind: &str, raw: &Value) -> Result<Script, Why> {
        match kind {
            "setValue" | "addValue" => {
                let name = raw.text_of("name").ok_or("it names nothing")?.to_owned();
                let usual = if kind == "addValue" { "+=" } else { "=" };
                let value = value_code(raw.get("value"))?;
                self.set(&name, raw.text_of("operator").unwrap_or(usual), &value)
            }
            "setEnemy" => self.alter(raw),
            "setBlock" | "show" | "hide" | "openDoor" | "closeDoor" | "battle" => self.block(kind, raw),
            "move" | "jump" => self.move_block(kind, raw),
            "changeFloor" | "changePos" | "jumpHero" | "moveHero" => self.move_hero(kind, raw),
            "exit" => Ok(vec![Instruction::Stop]),
            "win" => Ok(vec![Instruction::Win]),
            "lose" => Ok(vec![Instruction::Lose]),
            "loadEquip" | "unloadEquip" | "setEquip" => Err("equipment is not modelled".into()),
            "useItem" => Err("using tools is not modelled".into()),
            "input" | "input2" | "wait" => Err("what the player types or presses is not modelled".into()),
            // The game ends, and is not won.
            "restart" => Ok(vec![Instruction::Lose]),
            "setFloor" | "setGlobalValue" | "setGlobalFlag" => Err("what it sets is not modelled".into()),
            "setEnemyOnPoint" | "resetEnemyOnPoint" | "moveEnemyOnPoint" => {
                Err("a monster's numbers of its own tile are not modelled".into())
            }
            _ => Err("there is no such instruction here".into()),
        }
    }

    fn alter(&mut self, raw: &Value) -> Result<Script, Why> {
        let id = raw.text_of("id").ok_or("it names no monster")?;
        let name = raw.text_of("name").ok_or("it names no number")?;
        let what = names::attribute(name).ok_or_else(|| format!("`{name}` of a monster cannot be set"))?;
        let monster = self.build.monster(id)?;
        let value = self.build.number(&value_code(raw.get("value"))?, &self.scene)?;
        let now = crate::game::Expression::Monster(monster, what);
        let value = combine(now, raw.text_of("operator").unwrap_or("="), value)?;
        Ok(vec![Instruction::Alter { monster, what, value }])
    }
}

/// A value as code: a number, or a text that is an expression.
pub(super) fn value_code(value: Option<&Value>) -> Result<code::Code, Why> {
    Ok(match value.map(|value| &value.kind) {
        None => code::Code::Null,
        Some(Kind::Bool(bool)) => code::Code::Bool(*bool),
        Some(Kind::Number(number)) => code::Code::Number(number.clone()),
        Some(Kind::Text(text)) if text.trim().is_empty() => code::Code::Null,
        Some(Kind::Text(text)) => code::expression(text).map_err(|error| format!("not understood: {error}"))?,
        Some(_) => return Err("its value is neither a number nor a text".into()),
    })
}

/// What is assigned by `+=` and its like.
pub(super) fn combine(
    now: crate::game::Expression,
    sign: &str,
    value: crate::game::Expression,
) -> Result<crate::game::Expression, Why> {
    let operator = match sign {
        "=" | "" => return Ok(value),
        "+=" => Operator::Plus,
        "-=" => Operator::Minus,
        "*=" => Operator::Times,
        "/=" => Operator::Over,
        "//=" => return Ok(fold::floor(fold::operation(now, Operator::Over, value))),
        "%=" => Operator::Modulo,
        "min=" => Operator::Least,
        "max=" => Operator::Most,
        _ => return Err(format!("the operator {sign}")),
    };
    Ok(fold::operation(now, operator, value))
}
