//! What every tower must have, whatever file, importer or generator it comes from. Knows nothing of play.

mod blueprint;

use std::collections::HashSet;

use super::error::TowerError;
use super::event::Trigger;
use super::expression::Expression;
use super::kind::Goal;
use super::position::Position;
use super::script::{self, Instruction, Script, Target};
use super::tile::{Colour, Item, Tile};
use super::tower::{Tower, VariableId};

impl Tower {
    /// Checks what every tower must have, whatever file or generator it comes from.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), TowerError> {
        if self.floors.is_empty() || self.floors.len() > usize::from(u16::MAX) {
            return Err(TowerError::NoFloor);
        }
        if !self.tile(self.start).is_some_and(|tile| tile.is_open() || tile == Tile::Event) {
            return Err(TowerError::StartNotOpen(self.start));
        }
        let bosses: Vec<Position> = self.bosses().collect();
        match bosses.as_slice() {
            [] if self.goal != Goal::Event => return Err(TowerError::NoBoss),
            [] | [_] => {}
            [first, second, ..] => return Err(TowerError::SecondBoss(*first, *second)),
        }
        let stepped_on: HashSet<Position> =
            self.events.iter().filter(|event| event.trigger == Trigger::Step).map(|event| event.at).collect();
        for (at, tile) in self.tiles() {
            match tile {
                Tile::Monster(id) if usize::from(id) >= self.monsters.len() => {
                    return Err(TowerError::UnknownMonster(at));
                }
                Tile::Shop if self.shop.is_none() => return Err(TowerError::NothingForSale(at)),
                Tile::Event | Tile::Figure if !stepped_on.contains(&at) => {
                    return Err(scripted("the map", at, "has an event that nothing is said of"));
                }
                other if !self.knows(other) => return Err(scripted("the map", at, "has a tile without a row")),
                _ => {}
            }
        }
        for end in self.stairs.iter().flat_map(|(from, to)| [from, to]) {
            if !matches!(self.tile(*end), Some(Tile::Stair(_))) {
                return Err(TowerError::NotAStair(*end));
            }
        }
        self.validate_scripts()?;
        blueprint::validate(self)?;
        self.validate_quantities()
    }

    /// Whether a tile points into this tower's tables.
    fn knows(&self, tile: Tile) -> bool {
        match tile {
            Tile::Monster(id) => usize::from(id) < self.monsters.len(),
            Tile::Gate(id) => usize::from(id) < self.gates.len(),
            Tile::Item(Item::Thing(id)) => usize::from(id) < self.things.len(),
            _ => true,
        }
    }

    /// Checks that all that events, passages, barriers and the goal name is there.
    fn validate_scripts(&self) -> Result<(), TowerError> {
        let inside = |what: &str, at: Position, place: Position| match self.tile(place) {
            Some(_) => Ok(()),
            None => Err(scripted(what, at, &format!("names {place}, which lies outside the tower"))),
        };
        for passage in &self.passages {
            inside("the one-way passage", passage.from, passage.from)?;
            inside("the one-way passage", passage.from, passage.to)?;
        }
        for barrier in &self.barriers {
            inside("the barrier", barrier.from, barrier.from)?;
            inside("the barrier", barrier.from, barrier.to)?;
            let (from, to) = (barrier.from, barrier.to);
            let steps = u32::from(from.x.abs_diff(to.x)) + u32::from(from.y.abs_diff(to.y));
            if from.floor != to.floor || steps != 1 {
                return Err(scripted("the barrier", from, &format!("leads to {to}, which does not lie beside it")));
            }
        }
        if let Goal::Exit(exit) = self.goal {
            inside("the exit", exit, exit)?;
        }
        let mut names = HashSet::new();
        if let Some(twice) = self.variables.iter().find(|variable| !names.insert(&variable.name)) {
            return Err(scripted(&twice.name, Position::default(), "is listed twice among the variables"));
        }
        if !self.events.is_sorted_by_key(|event| event.at.floor) {
            return Err(scripted("the event", Position::default(), "stands after those of a higher floor"));
        }
        let mut seen = HashSet::new();
        for event in &self.events {
            inside("the event", event.at, event.at)?;
            let whole = Position::new(event.at.floor, 0, 0);
            if event.trigger.is_of_floor() && (event.at != whole || event.hidden) {
                return Err(scripted("the event", event.at, "concerns a floor, but has a tile or is hidden"));
            }
            let kind = (event.at, std::mem::discriminant(&event.trigger));
            if !event.trigger.is_of_floor() && !seen.insert(kind) {
                return Err(scripted("the event", event.at, "has a second one of its kind at its place"));
            }
            if let Trigger::When { condition, .. } = &event.trigger {
                self.validate_expression(condition, event.at)?;
            }
            self.validate_script(&event.script, event.at)?;
        }
        for thing in &self.things {
            self.validate_tools(&thing.name, &thing.tools)?;
            self.validate_script(&thing.script, Position::default())?;
        }
        for gate in &self.gates {
            self.validate_tools(&gate.name, &gate.tools)?;
            let least =
                Colour::ALL.into_iter().map(|colour| gate.keys[colour]).chain(gate.tools.iter().map(|t| t.1)).min();
            if let Some(value) = least.filter(|least| *least < 0) {
                return Err(TowerError::Quantity { of: gate.name.clone(), what: "keys", value, least: 0 });
            }
        }
        Ok(())
    }

    fn validate_tools(&self, name: &str, tools: &[(VariableId, i64)]) -> Result<(), TowerError> {
        let mut seen = HashSet::new();
        for (id, _) in tools {
            if usize::from(*id) >= self.variables.len() {
                return Err(scripted(name, Position::default(), "names a variable that does not exist"));
            }
            if !seen.insert(id) {
                return Err(scripted(name, Position::default(), "names a variable twice"));
            }
        }
        Ok(())
    }

    fn validate_script(&self, script: &Script, at: Position) -> Result<(), TowerError> {
        let wrong = |why: &str| Err(scripted("the event", at, why));
        if script::is_too_deep(script) {
            return wrong("is nested too deep");
        }
        for instruction in script::all(script) {
            if let Some(place) = instruction.places().into_iter().find(|place| self.tile(*place).is_none()) {
                return wrong(&format!("names {place}, which lies outside the tower"));
            }
            match instruction {
                Instruction::Put { tile, .. } if !self.knows(*tile) => return wrong("puts a tile without a row"),
                Instruction::Put { tile: Tile::Shop, .. } if self.shop.is_none() => {
                    return wrong("puts a shop, but the tower says nothing of what its shop sells");
                }
                Instruction::Alter { monster, .. } | Instruction::Fight { monster, .. }
                    if usize::from(*monster) >= self.monsters.len() =>
                {
                    return wrong("names a monster without a row");
                }
                Instruction::Set { target: Target::Variable(id), .. } if usize::from(*id) >= self.variables.len() => {
                    return wrong("names a variable that does not exist");
                }
                Instruction::Choose { options, .. } if options.len() > usize::from(u16::MAX) => {
                    return wrong("asks with more than 65,535 answers");
                }
                _ => {}
            }
            for expression in instruction.expressions() {
                self.validate_expression(expression, at)?;
            }
        }
        Ok(())
    }

    fn validate_expression(&self, expression: &Expression, at: Position) -> Result<(), TowerError> {
        if expression.is_too_deep() {
            return Err(scripted("the event", at, "calculates with an expression that is nested too deep"));
        }
        for part in expression.parts() {
            let known = match part {
                Expression::Variable(id) => usize::from(*id) < self.variables.len(),
                Expression::Monster(id, _) => usize::from(*id) < self.monsters.len(),
                Expression::Stands(tile, place) => self.knows(*tile) && self.tile(*place).is_some(),
                _ => true,
            };
            if !known {
                return Err(scripted("the event", at, "asks for something that does not exist"));
            }
        }
        Ok(())
    }

    fn validate_quantities(&self) -> Result<(), TowerError> {
        let wrong = |of: &str, what: &'static str, value: i64, least: i64| {
            (value < least).then(|| TowerError::Quantity { of: of.to_owned(), what, value, least })
        };
        let hero = &self.hero;
        let keys = hero.keys;
        let mut checks = vec![wrong("the hero", "hp", hero.hp, 1)];
        for (what, value) in [
            ("atk", hero.atk),
            ("def", hero.def),
            ("mdef", hero.mdef),
            ("gold", hero.gold),
            ("experience", hero.experience),
            ("yellow keys", keys.yellow),
            ("blue keys", keys.blue),
            ("red keys", keys.red),
            ("green keys", keys.green),
            ("hatred", hero.marks.hatred),
        ] {
            checks.push(wrong("the hero", what, value, 0));
        }
        checks.push(wrong("the rules", "hatred", self.rules.hatred, 0));
        for (what, value) in self.items.named() {
            checks.push(wrong("the items", what, value, 0));
        }
        for monster in &self.monsters {
            let of = &monster.name;
            checks.push(wrong(of, "hp", monster.hp, 1));
            for (what, value) in
                [("atk", monster.atk), ("def", monster.def), ("gold", monster.gold), ("experience", monster.experience)]
            {
                checks.push(wrong(of, what, value, 0));
            }
            if let Some(objection) = self.rules.objection(&monster.abilities) {
                return Err(TowerError::Ability { monster: of.clone(), objection });
            }
        }
        if let Some(shop) = &self.shop {
            for (what, value) in [
                ("first_price", shop.first_price),
                ("price_step", shop.price_step),
                ("hp", shop.hp),
                ("atk", shop.atk),
                ("def", shop.def),
                ("mdef", shop.mdef),
            ] {
                checks.push(wrong("the shop", what, value, 0));
            }
            if shop.first_price == 0 && shop.price_step == 0 {
                return Err(TowerError::FreeShop);
            }
        }
        checks.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

fn scripted(what: &str, at: Position, why: &str) -> TowerError {
    TowerError::Scripted { what: what.to_owned(), at, why: why.to_owned() }
}
