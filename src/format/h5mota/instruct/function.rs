//! Short functions, as far as they are made of calls and assignments with a counterpart in the game. They are parsed,
//! never run: whatever is not recognised makes the whole function one that is not modelled.

use super::super::build::{Builder, Why};
use super::super::calc::Scene;
use super::super::code::{self, Code, Statement};
use super::super::fold;
use super::super::kinds::clean;
use super::super::literal::{Kind, Value};
use super::{Pen, Script, show};
use crate::game::Instruction;

impl Pen<'_, '_> {
    /// `function`.
    pub(super) fn function(&mut self, raw: &Value, script: &mut Script) {
        let text = raw.get("function").and_then(|function| match &function.kind {
            Kind::Text(text) | Kind::Code(text) => Some(text.as_str()),
            _ => None,
        });
        let Some(body) = text.and_then(code::function_body) else {
            return self.record(raw, Err("it is no function that is understood".into()), script);
        };
        if show::shows(body) {
            return self.show("function");
        }
        if show::is_unknown(body) {
            self.tally.unknown += 1;
            self.word(super::words::of(raw));
            let why = format!("function: what `{}` does is in no file that is read", super::short(&clean(body), 60));
            self.reason(&why);
            return script.push(Instruction::Skip(why));
        }
        let done = code::statements(body).map_err(|error| format!("its code is not run, and not understood: {error}"));
        let before = self.scene.clone();
        let done = done.and_then(|statements| self.statements(&statements));
        if done.is_err() {
            self.scene = before;
        }
        self.record(raw, done, script);
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Script, Why> {
        let mut script = Script::new();
        for statement in statements {
            match statement {
                Statement::Return => break,
                Statement::Do(code) => script.extend(self.act(code)?),
                Statement::Delete(code) => {
                    let name = stored(code).ok_or_else(|| format!("its code is not run: `delete {code}`"))?;
                    script.extend(self.set(&name, "=", &Code::Null)?);
                }
                Statement::If(condition, then, otherwise) => {
                    let condition = self.build.truth(condition, &self.scene);
                    // Whether something is only shown does not matter.
                    let then = self.statements(then)?;
                    let otherwise = self.statements(otherwise)?;
                    if then.is_empty() && otherwise.is_empty() {
                        continue;
                    }
                    let condition = condition.map_err(|why| format!("its code is not run: {why}"))?;
                    match fold::constant(&condition) {
                        Some(number) => script.extend(if number.is_true() { then } else { otherwise }),
                        None => script.push(Instruction::If { condition, then, otherwise }),
                    }
                }
            }
        }
        Ok(script)
    }

    /// A statement that is an assignment or a call.
    fn act(&mut self, code: &Code) -> Result<Script, Why> {
        let not_run = |code: &Code| {
            let text: String = code.to_string().chars().take(60).collect();
            format!("its code is not run: `{text}`")
        };
        match code {
            // Flying is not modelled, so that it does not matter where it is allowed.
            Code::Assign(target, ..) if target.path().is_some_and(|path| show::is_about_flying(&path)) => {
                Ok(Script::new())
            }
            Code::Assign(target, sign, value) => {
                let name = stored(target).ok_or_else(|| not_run(code))?;
                self.set(&name, sign, value)
            }
            Code::Call(function, arguments) => {
                let path = function.path().ok_or_else(|| not_run(code))?;
                if show::is_shown(&path) {
                    return Ok(Script::new());
                }
                let name = path.strip_prefix("core.").unwrap_or("");
                self.called(name, arguments)?.ok_or_else(|| not_run(code))
            }
            _ => Err(not_run(code)),
        }
    }

    /// A call of the engine; none if it is not modelled.
    fn called(&mut self, name: &str, arguments: &[Code]) -> Result<Option<Script>, Why> {
        let text = |index: usize| match arguments.get(index) {
            Some(Code::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let one = Code::Number("1".into());
        let second = arguments.get(1).unwrap_or(&one);
        let set = |word: &str, sign: &'static str| text(0).map(|key| (format!("{word}:{key}"), sign));
        let quantity = match name {
            "setFlag" => set("flag", "="),
            "addFlag" => set("flag", "+="),
            "removeFlag" => set("flag", "="),
            "setStatus" => set("status", "="),
            "addStatus" => set("status", "+="),
            "setItem" => set("item", "="),
            "addItem" | "getItem" => set("item", "+="),
            "removeItem" => set("item", "-="),
            _ => None,
        };
        if let Some((key, sign)) = quantity {
            let value = if name == "removeFlag" { &Code::Null } else { second };
            return self.set(&key, sign, value).map(Some);
        }
        Ok(match name {
            "setBlock" => {
                let number = match arguments.first() {
                    Some(Code::Number(digits)) => digits.parse::<u32>().ok(),
                    Some(Code::Text(id)) => self.build.blocks.numbers(id).first().copied(),
                    _ => None,
                };
                match (number, self.tile_of(arguments, 1)?) {
                    (Some(number), Some(at)) => Some(vec![self.put(at, number)?]),
                    _ => None,
                }
            }
            "removeBlock" => self.tile_of(arguments, 0)?.map(|at| vec![Instruction::Remove { at: vec![at] }]),
            "hideBlock" => self.tile_of(arguments, 0)?.map(|at| vec![Instruction::Hide { at: vec![at] }]),
            "showBlock" => self.tile_of(arguments, 0)?.map(|at| vec![Instruction::Show { at: vec![at] }]),
            "openDoor" => match arguments.get(2) {
                None | Some(Code::Bool(false) | Code::Null) => self
                    .tile_of(arguments.get(..2).unwrap_or(&[]), 0)?
                    .map(|at| vec![Instruction::Open { at: vec![at] }]),
                _ => None,
            },
            // Items beside the hero are collected anyway once they can be reached.
            "getNextItem" | "autoGetItem" => Some(Script::new()),
            "win" => Some(vec![Instruction::Win]),
            "lose" => Some(vec![Instruction::Lose]),
            "insertCommonEvent" => match text(0).and_then(|name| self.build.project.common.get(&name)) {
                Some(list) => Some(self.inline(&text(0).unwrap_or_default(), &[list])?),
                None => None,
            },
            "insertAction" => match arguments.first().map(literal) {
                Some(Some(value)) => Some(self.list(&value)),
                _ => None,
            },
            "triggerDebuff" => match (text(0).as_deref(), text(1).as_deref()) {
                (Some("get"), Some("curse")) => Some(self.set("flag:curse", "=", &one)?),
                (Some("remove"), Some("curse")) => Some(self.set("flag:curse", "=", &Code::Null)?),
                // Neither is modelled, so that there is nothing to remove.
                (Some("remove"), Some("poison" | "weak")) => Some(Script::new()),
                _ => None,
            },
            _ => None,
        })
    }

    /// The tile that a call names by two arguments, and its floor by the next.
    fn tile_of(&mut self, arguments: &[Code], first: usize) -> Result<Option<crate::game::Position>, Why> {
        let (Some(x), Some(y)) = (arguments.get(first), arguments.get(first + 1)) else { return Ok(None) };
        let (x, y) = (self.build.whole(x, &self.scene)?, self.build.whole(y, &self.scene)?);
        let floor = match arguments.get(first + 2) {
            Some(Code::Text(id)) => self.build.floor_named(id, self.scene.current)?,
            None => self.scene.current.ok_or("which floor it happens on is not known")?,
            Some(_) => return Ok(None),
        };
        self.build.tile_at(floor, x, y).map(Some)
    }
}

impl Builder<'_> {
    /// The effect of an item: statements such as `core.status.hero.atk += core.values.redGem`.
    pub fn code_of_item(&mut self, text: &str, scene: &Scene) -> Result<Vec<Instruction>, Why> {
        let statements = code::statements(text).map_err(|error| format!("not understood: {error}"))?;
        let mut scene = scene.clone();
        scene.fold_flags = true;
        let mut pen = Pen::new(self, scene);
        let script = pen.statements(&statements)?;
        match pen.tally.reasons.first() {
            Some(why) => Err(why.clone()),
            None => Ok(script),
        }
    }
}

/// The engine's name of a quantity that code sets: `core.status.hero.hp` is `status:hp`.
fn stored(code: &Code) -> Option<String> {
    if let Code::Stored(store, name) = code {
        return Some(format!("{}:{name}", store.word()));
    }
    let path = code.path()?;
    let hero = path.strip_prefix("core.status.hero.").or(path.strip_prefix("hero."));
    let flag = path.strip_prefix("flags.").or(hero.and_then(|rest| rest.strip_prefix("flags.")));
    match (flag, hero) {
        (Some(flag), _) if !flag.contains('.') => Some(format!("flag:{flag}")),
        (None, Some(status)) if !status.contains('.') => Some(format!("status:{status}")),
        _ => None,
    }
}

/// Code that is a literal, as a value.
fn literal(code: &Code) -> Option<Value> {
    let kind = match code {
        Code::Number(number) => Kind::Number(number.clone()),
        Code::Unary("-", of) => match &**of {
            Code::Number(number) => Kind::Number(format!("-{number}")),
            _ => return None,
        },
        Code::Text(text) => Kind::Text(text.clone()),
        Code::Bool(bool) => Kind::Bool(*bool),
        Code::Null => Kind::Null,
        Code::List(items) => Kind::List(items.iter().map(literal).collect::<Option<_>>()?),
        Code::Object(members) => {
            let members = members.iter().map(|(key, value)| Some((key.clone(), literal(value)?)));
            Kind::Object(members.collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Value { line: 0, kind })
}
