//! Instructions that hold others: conditions, loops, choices.

use super::super::build::Why;
use super::super::code;
use super::super::fold;
use super::super::kinds::clean;
use super::super::literal::{Kind, Value};
use super::{Pen, Script, ends, show};
use crate::game::{Choice, Expression, Instruction, Operator, Position, Target, script};

impl Pen<'_, '_> {
    /// `if`.
    pub(super) fn conditional(&mut self, raw: &Value, script: &mut Script) {
        let condition = match self.condition(raw.get("condition")) {
            Ok(condition) => condition,
            Err(why) => return self.refuse(raw, &format!("its condition: {why}"), script),
        };
        let (yes, no) = (raw.get("true"), raw.get("false"));
        match fold::constant(&condition) {
            Some(number) => {
                if let Some(taken) = if number.is_true() { yes } else { no } {
                    script.extend(self.list(taken));
                }
            }
            None => {
                let (then, otherwise) = self.fork(|pen| pen.branch(yes), |pen| pen.branch(no));
                if !then.is_empty() || !otherwise.is_empty() {
                    script.push(Instruction::If { condition, then, otherwise });
                }
            }
        }
    }

    fn branch(&mut self, value: Option<&Value>) -> Script {
        value.map_or(Script::new(), |value| self.list(value))
    }

    /// Two ways on, of which one is taken: where the hero is afterwards is known if both agree, or one ends the event.
    fn fork(
        &mut self,
        first: impl FnOnce(&mut Self) -> Script,
        second: impl FnOnce(&mut Self) -> Script,
    ) -> (Script, Script) {
        let before = (self.scene.hero, self.scene.current);
        let then = first(self);
        let after_first = (self.scene.hero, self.scene.current);
        (self.scene.hero, self.scene.current) = before;
        let otherwise = second(self);
        self.join(&then, after_first, &otherwise);
        (then, otherwise)
    }

    fn join(&mut self, first: &Script, after_first: Place, second: &Script) {
        let now = (self.scene.hero, self.scene.current);
        (self.scene.hero, self.scene.current) = match (ends(first), ends(second)) {
            (true, _) => now,
            (false, true) => after_first,
            (false, false) => {
                (now.0.filter(|at| Some(*at) == after_first.0), now.1.filter(|floor| Some(*floor) == after_first.1))
            }
        };
    }

    /// A condition: a text, or a constant.
    pub fn condition(&mut self, value: Option<&Value>) -> Result<Expression, Why> {
        let value = value.ok_or("there is none")?;
        match &value.kind {
            Kind::Text(text) => {
                let read = code::expression(text).map_err(|error| format!("not understood: {error}"))?;
                self.build.truth(&read, &self.scene)
            }
            Kind::Bool(_) | Kind::Number(_) => Ok(Expression::whole(i64::from(value.counts_as_true()))),
            _ => Err("not understood: it is no text".into()),
        }
    }

    /// `switch`: the first case that is equal, and those after it while a case does not end it.
    pub(super) fn switch(&mut self, raw: &Value, script: &mut Script) {
        let on = raw.get("condition").and_then(Value::text).unwrap_or("0");
        let cases: Vec<&Value> = raw
            .get("caseList")
            .map_or(&[][..], Value::items)
            .iter()
            .filter(|case| !case.is_true("_disabled"))
            .collect();
        let mut conditions = Vec::new();
        for case in &cases {
            let text = case
                .get("case")
                .map_or("null".to_owned(), |case| case.text().map_or_else(|| case.to_string(), str::to_owned));
            let condition = match text.trim() {
                "default" => Ok(Expression::whole(1)),
                other => code::expression(&format!("({on}) === ({other})"))
                    .map_err(|error| format!("not understood: {error}"))
                    .and_then(|code| self.build.truth(&code, &self.scene)),
            };
            match condition {
                Ok(condition) => conditions.push(condition),
                Err(why) => return self.refuse(raw, &format!("a case: {why}"), script),
            }
        }
        let done = self.cases(&cases, &conditions, 0);
        script.extend(done);
    }

    fn cases(&mut self, cases: &[&Value], conditions: &[Expression], depth: usize) -> Script {
        let (Some((case, cases)), Some((condition, conditions))) = (cases.split_first(), conditions.split_first())
        else {
            return Script::new();
        };
        if depth > 200 {
            self.reason("switch: it has too many cases");
            return vec![Instruction::Skip("switch: it has too many cases".into())];
        }
        let goes_on = case.is_true("nobreak");
        let taken = |pen: &mut Self| {
            let mut then = pen.branch(case.get("action"));
            if goes_on && !ends(&then) {
                then.extend(pen.cases(cases, conditions, depth + 1));
            }
            then
        };
        match fold::constant(condition).map(|number| number.is_true()) {
            Some(true) => taken(self),
            Some(false) => self.cases(cases, conditions, depth + 1),
            None => {
                let (then, otherwise) = self.fork(taken, |pen| pen.cases(cases, conditions, depth + 1));
                match then.is_empty() && otherwise.is_empty() {
                    true => Script::new(),
                    false => vec![Instruction::If { condition: condition.clone(), then, otherwise }],
                }
            }
        }
    }

    /// `while`.
    pub(super) fn repeat(&mut self, raw: &Value, script: &mut Script) {
        let condition = match self.condition(raw.get("condition")) {
            Ok(condition) => condition,
            Err(why) => return self.refuse(raw, &format!("its condition: {why}"), script),
        };
        if fold::constant(&condition).is_some_and(|number| !number.is_true()) {
            return;
        }
        let body = |pen: &mut Self| pen.branch(raw.get("data"));
        self.loop_over(raw, condition, body, script);
    }

    /// A loop; one that can never end once it has begun is not modelled.
    fn loop_over(
        &mut self,
        raw: &Value,
        condition: Expression,
        body: impl FnOnce(&mut Self) -> Script,
        script: &mut Script,
    ) {
        let before = self.tally.clone();
        self.loops += 1;
        self.scene.hero = None;
        let body = body(self);
        self.loops -= 1;
        if body.is_empty() && show::changes(raw) == 0 {
            return;
        }
        if never_ends(&condition, &body) {
            self.tally = before;
            return self.refuse(raw, "it loops for ever", script);
        }
        script.push(Instruction::While { condition, body });
    }

    /// `do … while`: its body once, then while its condition holds.
    pub(super) fn do_while(&mut self, raw: &Value, script: &mut Script) {
        let condition = match self.condition(raw.get("condition")) {
            Ok(condition) => condition,
            Err(why) => return self.refuse(raw, &format!("its condition: {why}"), script),
        };
        let Some(data) = raw.get("data") else { return };
        let once = fold::constant(&condition).is_some_and(|number| !number.is_true());
        if leaves(data) {
            if once && !holds(data, "continue") {
                // A loop that runs once, so that `break` leaves it.
                self.loops += 1;
                let mut body = self.list(data);
                self.loops -= 1;
                if !ends(&body) {
                    body.push(Instruction::Break);
                }
                script.push(Instruction::While { condition: Expression::whole(1), body });
                return;
            }
            return self.refuse(raw, "a loop is left within `dowhile`", script);
        }
        script.extend(self.list(data));
        if !once && !ends(script) {
            self.loop_over(raw, condition, |pen| pen.list(data), script);
        }
    }

    /// `for`: a temporary quantity counts.
    pub(super) fn count(&mut self, raw: &Value, script: &mut Script) {
        match self.counted(raw) {
            Ok(done) => script.extend(done),
            Err(why) => self.refuse(raw, &why, script),
        }
    }

    fn counted(&mut self, raw: &Value) -> Result<Script, Why> {
        let name = raw.text_of("name").ok_or("it names no quantity")?.to_owned();
        let bound = |pen: &mut Self, key: &str| pen.whole(raw.get(key).ok_or_else(|| format!("`{key}` is missing"))?);
        let (from, to, step) = (bound(self, "from")?, bound(self, "to")?, bound(self, "step")?);
        let data = raw.get("data").ok_or("there is nothing to repeat")?;
        if step == 0 {
            return Err("it loops for ever".into());
        }
        if holds(data, "continue") {
            return Err("`continue` within `for`".into());
        }
        let number = |number: i64| code::Code::Number(number.to_string());
        let mut done = self.set(&name, "=", &number(from))?;
        let now = match done.first() {
            Some(Instruction::Set { target: Target::Variable(id), .. }) => Expression::Variable(*id),
            _ => return Err("it does not count a temporary quantity".into()),
        };
        let sign = if step > 0 { Operator::AtMost } else { Operator::AtLeast };
        let condition = fold::operation(now, sign, Expression::whole(to));
        self.loops += 1;
        self.scene.hero = None;
        let mut body = self.list(data);
        self.loops -= 1;
        if !ends(&body) {
            body.extend(self.set(&name, "+=", &number(step))?);
        }
        done.push(Instruction::While { condition, body });
        Ok(done)
    }

    /// `forEach`: once for each number of a list.
    pub(super) fn for_each(&mut self, raw: &Value, script: &mut Script) {
        let list = raw.get("list").map_or(&[][..], Value::items);
        let Some(data) = raw.get("data") else { return };
        let name = raw.text_of("name").unwrap_or("").to_owned();
        if leaves(data) {
            return self.refuse(raw, "a loop is left within `forEach`", script);
        }
        for item in list {
            let done = super::leaf::value_code(Some(item)).and_then(|value| self.set(&name, "=", &value));
            match done {
                Ok(done) => script.extend(done),
                Err(why) => return self.refuse(raw, &why, script),
            }
            script.extend(self.list(data));
            if ends(script) {
                return;
            }
        }
    }

    /// `break` and `continue`: outside a loop they do nothing, or end the event.
    pub(super) fn leave_loop(&mut self, kind: &str, raw: &Value, script: &mut Script) {
        if raw.whole_of(&["n"]).is_some_and(|n| n > 1) {
            return self.record(raw, Err("several loops are left at once".into()), script);
        }
        match (self.loops > 0, kind) {
            (true, "break") => script.push(Instruction::Break),
            (true, _) => script.push(Instruction::Continue),
            (false, _) if self.ends => script.push(Instruction::Stop),
            (false, _) => {}
        }
    }

    /// `choices`.
    pub(super) fn choose(&mut self, raw: &Value, script: &mut Script) {
        let mut options = Vec::new();
        for choice in raw.get("choices").map_or(&[][..], Value::items) {
            if choice.is_true("_disabled") {
                continue;
            }
            let needs = ["condition", "need"].into_iter().filter_map(|key| choice.get(key));
            let needs: Vec<&Value> =
                needs.filter(|need| need.text().is_none_or(|text| !text.trim().is_empty())).collect();
            let text = choice.text().or(choice.text_of("text")).unwrap_or("");
            options.push((clean(text), needs, choice.get("action")));
        }
        let text = clean(raw.text_of("text").unwrap_or(""));
        self.ask(raw, text, options, script);
    }

    /// `confirm`: a choice between yes and no.
    pub(super) fn confirm(&mut self, raw: &Value, script: &mut Script) {
        let options =
            vec![("yes".to_owned(), Vec::new(), raw.get("yes")), ("no".to_owned(), Vec::new(), raw.get("no"))];
        self.ask(raw, clean(raw.text_of("text").unwrap_or("")), options, script);
    }

    fn ask(
        &mut self,
        raw: &Value,
        text: String,
        options: Vec<(String, Vec<&Value>, Option<&Value>)>,
        script: &mut Script,
    ) {
        let before = (self.scene.hero, self.scene.current);
        let mut after: Option<(Script, Place)> = None;
        let mut made = Vec::new();
        for (text, needs, action) in options {
            let mut condition: Option<Expression> = None;
            for need in needs {
                match self.condition(Some(need)) {
                    Ok(next) => {
                        condition = Some(match condition {
                            Some(all) => fold::operation(all, Operator::And, next),
                            None => next,
                        });
                    }
                    Err(why) => return self.refuse(raw, &format!("when {text:?} can be chosen: {why}"), script),
                }
            }
            (self.scene.hero, self.scene.current) = before;
            let done = self.branch(action);
            if let Some((earlier, place)) = &after {
                self.join(earlier, *place, &done);
            }
            after = Some((done.clone(), (self.scene.hero, self.scene.current)));
            let text = if text.is_empty() { "…".to_owned() } else { text };
            made.push(Choice { text, condition, script: done });
        }
        if made.iter().any(|choice| !choice.script.is_empty()) {
            self.word("choice".into());
            script.push(Instruction::Choose { text, options: made });
        } else {
            self.show("choices");
        }
    }
}

/// Where the hero is, and on which floor; none where it is not known.
type Place = (Option<Position>, Option<u16>);

/// Whether an event leaves the loop that it is read in.
fn leaves(value: &Value) -> bool {
    holds(value, "break") || holds(value, "continue")
}

/// Whether an event holds an instruction of a kind that belongs to the loop that it is read in.
fn holds(value: &Value, kind: &str) -> bool {
    match (&value.kind, value.text_of("type")) {
        (Kind::List(items), _) => items.iter().any(|item| holds(item, kind)),
        (_, Some(found)) if found == kind => true,
        (_, Some("while" | "dowhile" | "for" | "forEach")) => false,
        (_, Some("insert")) => true,
        (Kind::Object(members), _) => members.iter().any(|(_, member)| holds(member, kind)),
        _ => false,
    }
}

/// Whether a loop can never end once it has begun: nothing leaves it, and its condition is always true or depends on
/// nothing that its body changes.
pub(super) fn never_ends(condition: &Expression, body: &Script) -> bool {
    let always = fold::constant(condition).is_some_and(|number| number.is_true());
    let all = script::all(body);
    let is_left = all.iter().any(|instruction| {
        matches!(instruction, Instruction::Break | Instruction::Stop | Instruction::Win | Instruction::Lose)
    });
    let changes = all.iter().any(|instruction| {
        !matches!(
            instruction,
            Instruction::If { .. }
                | Instruction::While { .. }
                | Instruction::Continue
                | Instruction::Skip(_)
                | Instruction::Choose { .. }
        )
    });
    // A fight or the loss of all HP ends the game, and with it the event.
    let may_kill = all.iter().any(|instruction| {
        let loses = Target::Hero(crate::game::Quantity::Hp);
        matches!(instruction, Instruction::Fight { .. })
            || matches!(instruction, Instruction::Set { target, .. } if *target == loses)
    });
    !is_left && if always { !may_kill } else { !changes }
}
