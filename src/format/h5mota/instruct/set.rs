//! Setting quantities: flags, what the hero has, items.

use super::super::build::Why;
use super::super::calc::Worth;
use super::super::code::{Code, Store};
use super::super::literal::Value;
use super::super::project::ItemEntry;
use super::super::{fold, names};
use super::leaf::combine;
use super::{Pen, Script};
use crate::game::{Expression, Instruction, Operator, Quantity, Target};

/// Items that one instruction may give, if each is collected at once.
const MOST_AT_ONCE: i64 = 100;

impl Pen<'_, '_> {
    /// `name operator value`, with the engine's name of a quantity.
    pub(super) fn set(&mut self, name: &str, sign: &str, value: &Code) -> Result<Script, Why> {
        let (store, key) = Store::split(name).ok_or_else(|| format!("`{name}` is no quantity"))?;
        let value = match self.build.worth(value, &self.scene)? {
            Worth::Text(text)
                if matches!(sign, "=" | "")
                    && matches!(store, Store::Flag | Store::Temp | Store::Switch | Store::Global)
                    && super::super::literal::decimal(text.trim()).is_none() =>
            {
                // A flag that is no text is none; one that is, is true.
                Expression::whole(if text.is_empty() { 0 } else { self.build.text_number(&text) })
            }
            _ => self.build.number(value, &self.scene)?,
        };
        if store == Store::Item && self.is_used_at_once(key) {
            return self.collect(key, sign, &value);
        }
        let target = self.build.target(store, key, &self.scene)?;
        let now = match target {
            Target::Hero(quantity) => Expression::Hero(quantity),
            Target::Variable(id) => Expression::Variable(id),
        };
        let value = combine(now, sign, value)?;
        // Of these the game knows only whether there are any.
        let value = match target {
            Target::Hero(Quantity::Cross | Quantity::Coin | Quantity::Curse) if !fold::is_truth(&value) => {
                fold::operation(value, Operator::Greater, Expression::whole(0))
            }
            _ => value,
        };
        Ok(vec![Instruction::Set { target, value }])
    }

    /// Whether an item has its effect when it is got, and is not kept.
    fn is_used_at_once(&self, id: &str) -> bool {
        names::key(id).is_none() && self.build.project.items.get(id).is_some_and(|item| item.class == "items")
    }

    /// Gives items that have their effect at once.
    fn collect(&mut self, id: &str, sign: &str, value: &Expression) -> Result<Script, Why> {
        let count = fold::constant(value).and_then(|number| number.floor()).filter(|_| matches!(sign, "+=" | "=" | ""));
        let count = count.filter(|count| (0..=MOST_AT_ONCE).contains(count));
        let count = count.ok_or("how many items are got is not known beforehand")?;
        let project = self.build.project;
        let Some(item) = project.items.get(id) else { return Err(format!("there is no item {id:?}")) };
        if self.build.collecting.iter().any(|known| known == id) {
            return Err("items give one another without end".into());
        }
        self.build.collecting.push(id.to_owned());
        let done = self.used(item, count);
        self.build.collecting.pop();
        done
    }

    /// What so many items of a kind do, which are used as they are got: each its effect, all together their event.
    fn used(&mut self, item: &ItemEntry, count: i64) -> Result<Script, Why> {
        let once = match item.effect.as_ref().and_then(Value::text) {
            Some(effect) => self.build.code_of_item(effect, &self.scene)?,
            None => Script::new(),
        };
        let mut script = Script::new();
        for _ in 0..count {
            script.extend(once.iter().cloned());
        }
        if let Some(event) = item.use_event.as_ref().filter(|_| count > 0) {
            script.extend(self.list(event));
        }
        Ok(script)
    }
}
