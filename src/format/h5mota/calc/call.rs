//! Names and functions of the engine that events calculate with.

use super::super::build::{Builder, Why, number_of};
use super::super::code::{Code, Store};
use super::super::fold;
use super::{Scene, Worth};
use crate::game::{Expression, Operator, Tile};

impl Builder<'_> {
    /// A dotted name.
    pub(super) fn path(&mut self, path: &str, scene: &Scene) -> Result<Worth, Why> {
        if let Some(assumed) = self.assumed(path) {
            return Ok(assumed);
        }
        let hero = path.strip_prefix("core.status.hero.").or(path.strip_prefix("hero."));
        if let Some(flag) = path.strip_prefix("flags.").or(hero.and_then(|rest| rest.strip_prefix("flags."))) {
            return self.stored(Store::Flag, flag, scene);
        }
        if let Some(rest) = hero {
            return match (rest, scene.hero) {
                ("loc.x", Some(at)) => Ok(Worth::Number(Expression::whole(at.x.into()))),
                ("loc.y", Some(at)) => Ok(Worth::Number(Expression::whole(at.y.into()))),
                (name, _) if !name.contains('.') => self.stored(Store::Status, name, scene),
                _ => Err(format!("`{path}` is not modelled")),
            };
        }
        if let Some(rest) = path.strip_prefix("core.material.enemys.") {
            return self.stored(Store::Enemy, rest, scene);
        }
        if let Some(name) = path.strip_prefix("core.values.") {
            let value = self.project.data.get("values").and_then(|values| values.get(name)).and_then(number_of);
            return match value.filter(|_| !self.assigned.contains(&format!("values:{name}"))) {
                Some(number) => Ok(Worth::Number(Expression::Number(number))),
                None => Err(format!("`{path}` is no number, or changes")),
            };
        }
        if let Some(name) = path.strip_prefix("core.flags.") {
            let flags = self.project.data.get("flags");
            let on = flags.is_some_and(|flags| flags.is_true(name));
            return Ok(Worth::Number(Expression::whole(i64::from(on))));
        }
        let own = |part: fn((u16, u16)) -> u16| scene.at.map(|at| Worth::Number(Expression::whole(part(at).into())));
        let floor = scene.current.and_then(|floor| self.floors.get(usize::from(floor)));
        let found = match path {
            "core.status.thisMap.ratio" | "core.status.thisMap.item_ratio" => {
                floor.map(|floor| Worth::Number(Expression::Number(floor.ratio)))
            }
            "core.status.floorId" => floor.map(|floor| Worth::Text(floor.id.to_owned())),
            "core.status.event.data.x" => own(|at| at.0),
            "core.status.event.data.y" => own(|at| at.1),
            "core.status.hard" => self.difficulty().map(Worth::Text),
            _ => None,
        };
        found.ok_or_else(|| format!("`{path}` is not modelled"))
    }

    /// A call of a function.
    pub(super) fn call(&mut self, function: &Code, arguments: &[Code], scene: &Scene) -> Result<Worth, Why> {
        let Some(path) = function.path() else { return Err("a call that is not modelled".into()) };
        if let Some(assumed) = self.assumed(&path) {
            return Ok(assumed);
        }
        let name = path.strip_prefix("core.").unwrap_or(&path);
        let texts: Vec<Option<&str>> = arguments.iter().map(text).collect();
        match (name, texts.as_slice()) {
            ("getFlag" | "hasFlag", [Some(flag), ..]) => return self.flag(flag, arguments.get(1), scene),
            ("getStatus" | "getRealStatus", [Some(name), ..]) => return self.stored(Store::Status, name, scene),
            ("itemCount", [Some(id)]) => return self.stored(Store::Item, id, scene),
            ("hasItem", [Some(id)]) => {
                let count = self.number(&Code::Stored(Store::Item, (*id).to_owned()), scene)?;
                return Ok(Worth::Number(fold::operation(count, Operator::Greater, Expression::whole(0))));
            }
            ("getHeroLoc", [Some(part @ ("x" | "y"))]) => return self.path(&format!("hero.loc.{part}"), scene),
            ("isReplaying", _) => {
                return Ok(Worth::Number(Expression::whole(0)));
            }
            _ => {}
        }
        const OF_TILES: [&str; 7] =
            ["getBlockId", "getBlockCls", "getBlockNumber", "enemyExists", "npcExists", "terrainExists", "getBlock"];
        if OF_TILES.contains(&name) {
            let at = self.place(arguments, scene).ok_or_else(|| format!("`{path}` of a tile that is not known"))??;
            return Ok(match name {
                "getBlockId" => Worth::Block(at),
                "getBlockCls" => Worth::Class(at),
                "getBlockNumber" => Worth::BlockNumber(at),
                "getBlock" => Worth::Number(fold::not(Expression::Stands(Tile::Floor, at))),
                "enemyExists" => Worth::Number(self.class_stands(at, "enemy")?),
                "npcExists" => Worth::Number(self.class_stands(at, "npc")?),
                _ => Worth::Number(self.class_stands(at, "terrains")?),
            });
        }
        self.mathematics(&path, arguments, scene)
    }

    /// A flag, with what it is taken to be while it was never set.
    fn flag(&mut self, flag: &str, default: Option<&Code>, scene: &Scene) -> Result<Worth, Why> {
        let default = default.map_or(Ok(Expression::whole(0)), |code| self.number(code, scene))?;
        let never_set = !self.assigned.contains(&format!("flag:{flag}"));
        match default == Expression::whole(0) {
            true => self.stored(Store::Flag, flag, scene),
            false if never_set && self.start_of(&format!("flag:{flag}")) == 0 => Ok(Worth::Number(default)),
            false => Err(format!("flag:{flag} is taken to be something while it is not set")),
        }
    }

    /// The tile that a call names by its first two arguments, and its floor by the third.
    fn place(&mut self, arguments: &[Code], scene: &Scene) -> Option<Result<crate::game::Position, Why>> {
        let (first, second) = (arguments.first()?, arguments.get(1)?);
        let x = self.whole(first, scene).ok()?;
        let y = self.whole(second, scene).ok()?;
        let floor = match arguments.get(2).and_then(text) {
            Some(id) => self.floor_named(id, scene.current),
            None => scene.current.ok_or_else(|| "which floor it happens on is not known".to_owned()),
        };
        Some(floor.and_then(|floor| self.tile_at(floor, x, y)))
    }

    /// Code that is a known whole number.
    pub fn whole(&mut self, code: &Code, scene: &Scene) -> Result<i64, Why> {
        let expression = self.number(code, scene)?;
        let number = fold::constant(&expression).filter(|number| number.denominator() == 1);
        number.and_then(|number| number.floor()).ok_or_else(|| format!("`{code}` is not known beforehand"))
    }

    fn mathematics(&mut self, path: &str, arguments: &[Code], scene: &Scene) -> Result<Worth, Why> {
        let Some(name) = path.strip_prefix("Math.").or(Some(path).filter(|path| *path == "parseInt")) else {
            return Err(format!("`{path}` is not modelled"));
        };
        let mut numbers = Vec::new();
        for argument in arguments {
            numbers.push(self.number(argument, scene)?);
        }
        let mut numbers = numbers.into_iter();
        let Some(first) = numbers.next() else { return Err(format!("`{path}` of nothing")) };
        let half = || crate::game::Number::new(1, 2).map_or(Expression::whole(0), Expression::Number);
        let zero = || Expression::whole(0);
        Ok(Worth::Number(match name {
            "max" => numbers.fold(first, |most, next| fold::operation(most, Operator::Most, next)),
            "min" => numbers.fold(first, |least, next| fold::operation(least, Operator::Least, next)),
            "floor" => fold::floor(first),
            "ceil" => fold::negative(fold::floor(fold::negative(first))),
            "round" => fold::floor(fold::operation(first, Operator::Plus, half())),
            "abs" => fold::operation(first.clone(), Operator::Most, fold::negative(first)),
            "trunc" | "parseInt" => {
                let up = fold::negative(fold::floor(fold::negative(first.clone())));
                let below = fold::operation(first.clone(), Operator::Less, zero());
                fold::either(below, up, fold::floor(first))
            }
            _ => return Err(format!("`{path}` is not modelled")),
        }))
    }
}

fn text(code: &Code) -> Option<&str> {
    match code {
        Code::Text(text) => Some(text),
        _ => None,
    }
}
