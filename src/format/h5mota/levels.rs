//! The hero's levels: what `levelUp` of `data.js` does once there is enough experience, as an event that waits for it.
//! Knows how the engine counts levels, not what their instructions do.

use super::build::{Builder, Why};
use super::calc::Scene;
use super::code::Store;
use super::events::{Events, unmodelled};
use super::fold;
use super::instruct::{Pen, Tally};
use super::literal::{Kind, Value};
use crate::game::{Event, Expression, Instruction, Operator, Position, Quantity, Script, Target, Trigger};

/// The quantity that the engine counts levels in.
const LEVEL: &str = "status:lv";

impl<'p> Builder<'p> {
    /// The levels that the hero can rise to, from the second; none if the project has them switched off.
    fn levels(&self) -> &'p [Value] {
        let all = self.project.data.get("firstData").and_then(|first| first.get("levelUp"));
        match self.is_switched_on("enableLevelUp") {
            true => all.map_or(&[][..], Value::items),
            false => &[],
        }
    }

    /// Whether the project has something switched on, as both generations say it.
    fn is_switched_on(&self, name: &str) -> bool {
        let Some(flags) = self.project.data.get("flags") else { return false };
        let listed = flags.get("statusBarItems").map_or(&[][..], Value::items);
        flags.is_true(name) || listed.iter().any(|item| item.text() == Some(name))
    }

    /// That levels set a quantity, so that it is none that stays as it is.
    pub(super) fn look_at_levels(&mut self) {
        if self.levels().len() > 1 {
            self.assigned.insert(LEVEL.to_owned());
        }
    }

    /// An event for each level, which waits for the experience that the level needs, wherever the hero is.
    pub(super) fn level_events(&mut self, made: &mut Events) {
        if self.is_switched_on("enableAddPoint") {
            let why = "points that monsters give, to be spent on what the hero has, are not modelled";
            self.note("points", "enableAddPoint", why, String::new);
        }
        let Ok(start) = self.start() else { return };
        for (level, value) in self.levels().iter().enumerate().skip(1) {
            let scene = Scene { home: start.floor, at: None, current: None, hero: None, fold_flags: false };
            let mut pen = Pen::new(self, scene).that_ends();
            let done = pen.level(level, value);
            let mut tally = pen.tally;
            match done {
                Ok((condition, script)) => {
                    let trigger = Trigger::When { condition, once: true, anywhere: true };
                    let at = Position::new(start.floor, 0, 0);
                    let title = super::kinds::clean(value.text_of("title").unwrap_or(""));
                    made.events.push(Event { at, trigger, title, hidden: false, script });
                }
                Err(why) => {
                    tally.modelled = 0;
                    tally.reasons.insert(0, why);
                }
            }
            let mut note = self.told(start.floor, None, "levelUp", tally);
            note.floor = String::new();
            made.notes.push(note);
        }
    }
}

impl Pen<'_, '_> {
    /// What a level waits for, and what it does: the level rises, the experience is taken if it is to be, then what the
    /// project says.
    fn level(&mut self, level: usize, value: &Value) -> Result<(Expression, Script), Why> {
        let need = value.get("need").map(plain).unwrap_or_default();
        let clear = value.is_true("clear");
        let rises = 1 + usize::from(clear);
        self.tally = Tally { changes: rises, words: vec![format!("level {}: {need}", level + 1)], ..Tally::default() };
        let actions = value.get("action").map_or(Script::new(), |action| self.list(action));
        let need = super::code::expression(&need).map_err(|error| format!("what it needs is not understood: {error}"));
        let need = self.build.number(&need?, &self.scene).map_err(|why| format!("what it needs: {why}"))?;
        let held = self.build.target(Store::Status, "lv", &self.scene)?;
        let own = match held {
            Target::Hero(quantity) => Expression::Hero(quantity),
            Target::Variable(id) => Expression::Variable(id),
        };
        let number = |of: usize| Expression::whole(i64::try_from(of).unwrap_or(i64::MAX));
        let experience = Expression::Hero(Quantity::Experience);
        let enough = fold::operation(experience.clone(), Operator::AtLeast, need.clone());
        let is_next = fold::operation(own, Operator::Equal, number(level));
        let condition = fold::operation(enough, Operator::And, is_next);
        let mut script = vec![Instruction::Set { target: held, value: number(level + 1) }];
        if clear {
            let value = fold::operation(experience, Operator::Minus, need);
            script.push(Instruction::Set { target: Target::Hero(Quantity::Experience), value });
        }
        self.tally.modelled += rises;
        script.extend(actions);
        match unmodelled(&script) {
            Some(why) => Err(why),
            None => Ok((condition, script)),
        }
    }
}

/// A need as code.
fn plain(value: &Value) -> String {
    match &value.kind {
        Kind::Text(text) => text.clone(),
        _ => value.to_string(),
    }
}
