//! Events that insert others: common events by name, those of tiles, shops.

use super::super::build::Why;
use super::super::cell::Role;
use super::super::code::Code;
use super::super::kinds::clean;
use super::super::literal::{Kind, Value};
use super::super::{code, fold};
use super::leaf::{combine, value_code};
use super::{DEEPEST, Pen, Script};
use crate::game::{Choice, Expression, Instruction, Operator, Position};

impl Pen<'_, '_> {
    /// `insert` and `trigger`: what is inserted is read in place.
    pub(super) fn insert(&mut self, kind: &str, raw: &Value, script: &mut Script) {
        let project = self.build.project;
        match self.arguments(raw) {
            Ok(set) => script.extend(set),
            Err(why) => return self.record(raw, Err(why), script),
        }
        let (list, scene, key): (Vec<&Value>, Option<Position>, String) = match (kind, raw.text_of("name")) {
            ("insert", Some(name)) => match project.common.get(name) {
                Some(list) => (vec![list], None, name.to_owned()),
                None => return self.record(raw, Err(format!("there is no common event {name:?}")), script),
            },
            _ => match self.place(raw, "loc") {
                Ok(at) if kind == "trigger" => return self.touch(raw, at, script),
                Ok(at) => {
                    let which = raw.text_of("which").unwrap_or("");
                    let list = match which {
                        "" | "events" => self.build.cell(at).and_then(|cell| cell.data).into_iter().collect(),
                        other => self.build.around(other, at, None),
                    };
                    (list, Some(at), format!("{which} {at}"))
                }
                Err(why) => return self.record(raw, Err(why), script),
            },
        };
        let own = self.scene.clone();
        if let Some(at) = scene {
            (self.scene.home, self.scene.at) = (at.floor, Some((at.x, at.y)));
        }
        let done = self.inline(&key, &list);
        (self.scene.home, self.scene.at) = (own.home, own.at);
        match done {
            Ok(done) => script.extend(done),
            Err(why) => self.record(raw, Err(why), script),
        }
    }

    /// Reads what is inserted in place. An event that inserts itself at its end is a loop.
    pub(super) fn inline(&mut self, key: &str, lists: &[&Value]) -> Result<Script, Why> {
        let is_known = |names: &[String]| names.iter().any(|name| name == key);
        if self.inserting.last().is_some_and(|last| last == key) && is_known(&self.repeats) {
            return Ok(vec![Instruction::Continue]);
        }
        if is_known(&self.inserting) || self.inserting.len() >= DEEPEST {
            return Err("events insert one another without end".into());
        }
        let repeats = match lists {
            [one] => inserts(one, key) && !leaves_loop(one) && inserts_last(one, key),
            _ => false,
        };
        self.inserting.push(key.to_owned());
        if repeats {
            self.repeats.push(key.to_owned());
            self.loops += 1;
            self.scene.hero = None;
        }
        let mut script = Script::new();
        for value in lists {
            if !super::ends(&script) {
                script.extend(self.list(value));
            }
        }
        self.inserting.pop();
        if repeats {
            self.repeats.pop();
            self.loops -= 1;
            if !super::ends(&script) {
                script.push(Instruction::Break);
            }
            if super::flow::never_ends(&Expression::whole(1), &script) {
                return Err("events insert one another without end".into());
            }
            script = vec![Instruction::While { condition: Expression::whole(1), body: script }];
        }
        Ok(script)
    }

    fn arguments(&mut self, raw: &Value) -> Result<Script, Why> {
        let mut script = Script::new();
        for (index, value) in raw.get("args").map_or(&[][..], Value::items).iter().enumerate() {
            if value.kind != super::super::literal::Kind::Null {
                let code = match value.text() {
                    // Arguments are stored as they are, not calculated; numbers and yes or no come to the same.
                    Some(text) if super::super::literal::decimal(text.trim()).is_none() => Code::Text(text.to_owned()),
                    _ => value_code(Some(value))?,
                };
                script.extend(self.set(&format!("flag:arg{}", index + 1), "=", &code)?);
            }
        }
        Ok(script)
    }

    /// What touching a tile starts.
    fn touch(&mut self, raw: &Value, at: Position, script: &mut Script) {
        let Some(number) = self.build.number_at(at) else { return };
        let block = self.build.blocks.get(number);
        match self.build.role(at, &block) {
            Role::Event { .. } => {
                let data = self.build.cell(at).and_then(|cell| cell.data);
                let own = self.scene.clone();
                (self.scene.home, self.scene.at) = (at.floor, Some((at.x, at.y)));
                let data: Vec<&Value> = data.into_iter().collect();
                let done = self.inline(&format!(" {at}"), &data);
                (self.scene.home, self.scene.at) = (own.home, own.at);
                match done {
                    Ok(done) => script.extend(done),
                    Err(why) => self.record(raw, Err(why), script),
                }
            }
            Role::Monster => {
                let done = self.fight_at(at);
                self.record(raw, done, script);
            }
            Role::Open | Role::Wall => {}
            _ => self.record(raw, Err("what it sets off is not modelled".into()), script),
        }
    }

    /// `openShop`: the shop's offers, again and again until the hero leaves.
    pub(super) fn open_shop(&mut self, raw: &Value, script: &mut Script) {
        let id = raw.text_of("id").unwrap_or("").to_owned();
        if !raw.is_true("open") && raw.get("open").is_some() {
            // Only the list of shops that can be opened from afar becomes longer.
            return self.show("openShop");
        }
        let first = self.build.project.data.get("firstData");
        let shops = first.and_then(|first| first.get("shops")).map_or(&[][..], Value::items);
        let Some(shop) = shops.iter().find(|shop| shop.text_of("id") == Some(&id)) else {
            return self.record(raw, Err(format!("there is no shop {id:?}")), script);
        };
        if let Some(name) = shop.text_of("commonEvent") {
            match self.build.project.common.get(name) {
                Some(list) => match self.inline(name, &[list]) {
                    Ok(done) => script.extend(done),
                    Err(why) => self.record(raw, Err(why), script),
                },
                None => self.record(raw, Err(format!("there is no common event {name:?}")), script),
            }
            return;
        }
        let before = self.tally.clone();
        self.loops += 1;
        let offers = if shop.is_true("item") { self.goods(shop) } else { self.offers(shop) };
        self.loops -= 1;
        match offers {
            Err(why) => {
                self.tally = before;
                self.record(raw, Err(why), script);
            }
            Ok(mut options) => {
                let last = Choice { text: "leave".into(), condition: None, script: vec![Instruction::Break] };
                options.push(last);
                let text = clean(shop.text_of("text").or(shop.text_of("textInList")).unwrap_or("shop"));
                let body = vec![Instruction::Choose { text, options }];
                self.record(raw, Ok(vec![Instruction::While { condition: Expression::whole(1), body }]), script);
            }
        }
    }

    /// The offers of a shop: events of both generations, or effects with a price.
    fn offers(&mut self, shop: &Value) -> Result<Vec<Choice>, Why> {
        let price = shop.get("need").and_then(Value::text);
        let currency = shop.text_of("use").unwrap_or("money").to_owned();
        let mut options = Vec::new();
        for choice in shop.get("choices").map_or(&[][..], Value::items) {
            let text = clean(choice.text_of("text").unwrap_or("…"));
            let need = choice.get("need").map(|need| need.text().map_or_else(|| need.to_string(), str::to_owned));
            let (condition, script) = match choice.text_of("effect") {
                // Before 2.7: the shop has a price and a currency, a choice an effect such as `status:atk+=4`.
                Some(effect) => {
                    let need = need.as_deref().or(price).unwrap_or("0");
                    let count = format!("times_{}", shop.text_of("id").unwrap_or(""));
                    let times = Code::Stored(code::Store::Global, count.clone());
                    let price = self.price(need, &times)?;
                    let pay = self.pay(&currency, price.clone())?;
                    let mut script = vec![pay.1];
                    for part in effect.split(';').filter(|part| !part.trim().is_empty()) {
                        script.extend(self.shop_effect(part)?);
                    }
                    script.extend(self.set(&format!("global:{count}"), "+=", &Code::Number("1".into()))?);
                    (Some(pay.0), script)
                }
                None => {
                    let condition = match need.filter(|need| !need.trim().is_empty()) {
                        None => None,
                        Some(need) => Some(self.calculated(&need)?),
                    };
                    (condition, choice.get("action").map_or(Script::new(), |action| self.list(action)))
                }
            };
            options.push(Choice { text, condition, script });
        }
        match options.is_empty() {
            true => Err("the shop offers nothing that is understood".into()),
            false => Ok(options),
        }
    }

    fn calculated(&mut self, text: &str) -> Result<Expression, Why> {
        let code = code::expression(text).map_err(|error| format!("not understood: {error}"))?;
        self.build.truth(&code, &self.scene)
    }

    /// A price, in which `times` is how often was bought before.
    fn price(&mut self, text: &str, times: &Code) -> Result<Expression, Why> {
        let code = code::expression(text).map_err(|error| format!("not understood: {error}"))?;
        self.build.number(&with_times(code, times), &self.scene)
    }

    /// When a price can be paid, and paying it.
    fn pay(&mut self, currency: &str, price: Expression) -> Result<(Expression, Instruction), Why> {
        let target = self.build.target(code::Store::Status, currency, &self.scene)?;
        let now = match target {
            crate::game::Target::Hero(quantity) => Expression::Hero(quantity),
            crate::game::Target::Variable(id) => Expression::Variable(id),
        };
        let enough = fold::operation(now.clone(), Operator::AtLeast, price.clone());
        Ok((enough, Instruction::Set { target, value: combine(now, "-=", price)? }))
    }

    /// An effect of a shop before 2.7: `status:hp+=800`.
    fn shop_effect(&mut self, text: &str) -> Result<Script, Why> {
        let (name, rest) = text.split_once("+=").ok_or_else(|| format!("the effect `{text}`"))?;
        let value = code::expression(rest).map_err(|error| format!("not understood: {error}"))?;
        self.set(name.trim(), "+=", &value)
    }

    /// What a shop of items sells and buys.
    fn goods(&mut self, shop: &Value) -> Result<Vec<Choice>, Why> {
        let currency = shop.text_of("use").unwrap_or("money").to_owned();
        let shop_id = shop.text_of("id").unwrap_or("").to_owned();
        let mut options = Vec::new();
        for choice in shop.get("choices").map_or(&[][..], Value::items) {
            let id = choice.text_of("id").ok_or("a shop sells something without an id")?.to_owned();
            let name = clean(self.build.project.items.get(&id).map_or(&id, |item| &item.name));
            if let Some(price) = choice.get("money").filter(|price| price.counts_as_true()) {
                let price = self.build.number(&value_code(Some(price))?, &self.scene)?;
                let (mut condition, pay) = self.pay(&currency, price)?;
                let mut script = vec![pay];
                if let Some(stock) = choice.whole_of(&["number"]).filter(|stock| *stock > 0) {
                    let sold = self.build.variable(&format!("global:sold_{shop_id}_{id}"))?;
                    let left = fold::operation(Expression::Variable(sold), Operator::Less, Expression::whole(stock));
                    condition = fold::operation(condition, Operator::And, left);
                    let value = fold::operation(Expression::Variable(sold), Operator::Plus, Expression::whole(1));
                    script.push(Instruction::Set { target: crate::game::Target::Variable(sold), value });
                }
                script.extend(self.set(&format!("item:{id}"), "+=", &Code::Number("1".into()))?);
                options.push(Choice { text: format!("buy {name}"), condition: Some(condition), script });
            }
            if let Some(price) = choice.get("sell").filter(|price| price.counts_as_true()) {
                let price = self.build.number(&value_code(Some(price))?, &self.scene)?;
                let held = self.build.number(&Code::Stored(code::Store::Item, id.clone()), &self.scene)?;
                let condition = fold::operation(held, Operator::Greater, Expression::whole(0));
                let mut script = self.set(&format!("item:{id}"), "-=", &Code::Number("1".into()))?;
                let (_, pay) = self.pay(&currency, fold::negative(price))?;
                script.push(pay);
                options.push(Choice { text: format!("sell {name}"), condition: Some(condition), script });
            }
        }
        Ok(options)
    }
}

/// The code of a price, with the shop's own count where `times` stands.
fn with_times(code: Code, times: &Code) -> Code {
    let all = |code: Box<Code>| Box::new(with_times(*code, times));
    match code {
        Code::Name(name) if name == "times" => times.clone(),
        Code::Binary(left, sign, right) => Code::Binary(all(left), sign, all(right)),
        Code::Unary(sign, of) => Code::Unary(sign, all(of)),
        other => other,
    }
}

/// Whether an event inserts a common event of this name.
fn inserts(value: &Value, name: &str) -> bool {
    let own = value.text_of("type") == Some("insert") && value.text_of("name") == Some(name);
    own || value.items().iter().any(|item| inserts(item, name))
        || value.members().iter().any(|(_, member)| inserts(member, name))
}

/// Whether an event inserts a common event of this name only where nothing of it follows that changes the state.
fn inserts_last(value: &Value, name: &str) -> bool {
    if let Kind::List(items) = &value.kind {
        return items.iter().enumerate().all(|(index, item)| {
            let rest = items.get(index + 1..).unwrap_or(&[]);
            !inserts(item, name) || (inserts_last(item, name) && rest.iter().all(|item| !super::acts(item)))
        });
    }
    match value.text_of("type") {
        Some("while" | "dowhile" | "for" | "forEach") => !inserts(value, name),
        _ => value.members().iter().all(|(_, member)| inserts_last(member, name)),
    }
}

/// Whether an event leaves the loop around it.
fn leaves_loop(value: &Value) -> bool {
    match value.text_of("type") {
        Some("break" | "continue") => true,
        Some("while" | "dowhile" | "for" | "forEach") => false,
        _ => value.items().iter().any(leaves_loop) || value.members().iter().any(|(_, member)| leaves_loop(member)),
    }
}
