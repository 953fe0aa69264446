//! The kinds of things that a tower has: monsters, items, doors, each made when it is first met.

use super::block::Block;
use super::build::{Builder, Why};
use super::calc::Scene;
use super::events::{is_empty, unmodelled};
use super::gain::{add_one, split};
use super::literal::{Kind, Value};
use super::names;
use crate::format::legend;
use crate::game::{
    Abilities, Ability, Colour, Gate, Gem, Hero, Instruction, Item, ItemValues, Keys, Monster, MonsterId, Number,
    Position, Potion, Ratio, Script, Thing, Tile, VariableId,
};

impl Builder<'_> {
    /// A row of the monster table.
    pub fn monster(&mut self, id: &str) -> Result<MonsterId, Why> {
        if let Some(known) = self.monster_ids.get(id) {
            return Ok(*known);
        }
        let project = self.project;
        let Some(entry) = project.enemies.get(id) else { return Err(format!("there is no monster {id:?}")) };
        let row = MonsterId::try_from(self.monsters.len()).map_err(|_| "there are too many monsters".to_owned())?;
        self.monster_ids.insert(id.to_owned(), row);
        let count = |builder: &mut Self, names: &[&str], least: i64| {
            let value = entry.get_any(names).and_then(Value::whole);
            let value = value.filter(|value| value.checked_abs().is_some_and(|size| size <= LARGEST));
            if value.is_none_or(|value| value < least) {
                let why = format!("{} is not a whole number of at least {least}; it is taken to be {least}", names[0]);
                if entry.get_any(names).is_some() || names[0] == "hp" {
                    builder.note("monster", id, &why, String::new);
                }
            }
            value.unwrap_or(least).max(least)
        };
        let boss = self.options.boss.as_deref() == Some(id);
        let monster = Monster {
            symbol: if boss { legend::BOSS.to_owned() } else { (usize::from(row) + 1).to_string() },
            name: clean(entry.text_of("name").unwrap_or(id)),
            hp: count(self, &["hp"], 1),
            atk: count(self, &["atk"], 0),
            def: count(self, &["def"], 0),
            gold: count(self, &["money", "gold"], 0),
            experience: count(self, &["exp", "experience"], 0),
            abilities: self.abilities(id, entry),
            boss,
        };
        self.monsters.push(monster);
        Ok(row)
    }

    fn abilities(&mut self, id: &str, entry: &Value) -> Abilities {
        let codes: Vec<i64> = match entry.get("special").map(|special| &special.kind) {
            None => Vec::new(),
            Some(Kind::List(codes)) => codes.iter().filter_map(Value::whole).collect(),
            Some(Kind::Number(_)) => entry.whole_of(&["special"]).into_iter().collect(),
            Some(_) => {
                self.note("ability", id, "which abilities it has is not a number or a list", String::new);
                Vec::new()
            }
        };
        let mut abilities = Abilities::none();
        for code in codes.into_iter().filter(|code| *code != 0) {
            match self.ability(code, entry) {
                Ok(ability) => abilities.insert(ability),
                Err(why) => {
                    self.note("ability", &ability_name(code), &why, || clean(entry.text_of("name").unwrap_or(id)))
                }
            }
        }
        abilities
    }

    fn ability(&self, code: i64, entry: &Value) -> Result<Ability, Why> {
        let values = self.project.data.get("values");
        let ratio = |names: &[&str], common: &str, usual: Ratio| {
            let own = entry.get_any(names).filter(|own| own.counts_as_true());
            match own.or(values.and_then(|values| values.get(common))).map(Value::decimals) {
                None => Ok(usual),
                Some(decimals) => {
                    decimals.and_then(|text| text.parse().ok()).ok_or("its parameter is no ratio".to_owned())
                }
            }
        };
        let whole = |names: &[&str]| entry.whole_of(names).unwrap_or(0).clamp(0, LARGEST);
        Ok(match code {
            1 => Ability::FirstStrike,
            2 => Ability::MagicAttack,
            3 => Ability::Solid,
            4 => Ability::Double,
            5 => Ability::Triple,
            6 => Ability::NStrike { n: entry.whole_of(&["n"]).unwrap_or(Ability::DEFAULT_N).clamp(1, 1_000_000) },
            7 => {
                let ratio = ratio(&["breakArmor", "defValue"], "breakArmor", Ability::DEFAULT_BREAK_ARMOUR)?;
                Ability::BreakArmour { ratio }
            }
            8 => {
                let ratio = ratio(&["counterAttack", "atkValue"], "counterAttack", Ability::DEFAULT_COUNTER_ATTACK)?;
                Ability::CounterAttack { ratio }
            }
            9 => Ability::Purify { ratio: ratio(&["purify", "n"], "purify", Ability::DEFAULT_PURIFY)? },
            10 => Ability::Mimic,
            11 => {
                let own = entry.get_any(&["vampire", "value"]).and_then(Value::decimals);
                let ratio = own.and_then(|text| text.parse().ok()).ok_or("its share of HP is no ratio")?;
                Ability::Vampire { ratio, add: entry.is_true("add") }
            }
            14 => Ability::Curse,
            17 => Ability::Hatred,
            19 => Ability::SelfDestruct,
            20 => Ability::Invincible,
            21 => Ability::Drain { atk: whole(&["atkValue"]), def: whole(&["defValue"]) },
            22 => Ability::FixedDamage { damage: whole(&["damage"]) },
            _ => return Err("the game has no such ability; the monster fights without it".into()),
        })
    }

    /// The tile of an item on a floor.
    pub fn item_tile(&mut self, at: Position, id: &str) -> Result<Tile, Why> {
        let usual = names::item(id);
        let floor = self.floors.get(usize::from(at.floor));
        let ratio = floor.map_or(Number::ONE, |floor| floor.ratio);
        let key = (usual.clone(), ratio.to_string());
        if let Some(item) = self.items.get(&key) {
            return Ok(Tile::Item(*item));
        }
        let scene = Scene { home: at.floor, at: None, current: Some(at.floor), hero: None, fold_flags: true };
        let (gain, tools, script) = self.effect(id, &scene);
        let item = match self.usual_item(&usual, &gain, tools.is_empty() && script.is_empty()) {
            Some(item) => item,
            None => {
                let made = self.things.len();
                let name = self.project.items.get(id).map_or(id, |item| item.name.as_str());
                let symbol = format!("i{}", made + 1);
                let index = u16::try_from(made).map_err(|_| "there are too many kinds of items".to_owned())?;
                self.things.push(Thing { symbol, name: clean(name), gain, tools, script });
                Item::Thing(index)
            }
        };
        self.items.insert(key, item);
        Ok(Tile::Item(item))
    }

    /// What collecting an item gives: quantities, variables, and the rest as a script.
    pub fn effect(&mut self, id: &str, scene: &Scene) -> (Hero, Vec<(VariableId, i64)>, Vec<Instruction>) {
        let none = (Hero::default(), Vec::new(), Vec::new());
        let place =
            |builder: &Self| builder.floors.get(usize::from(scene.home)).map_or("", |floor| floor.id).to_owned();
        let project = self.project;
        let Some(item) = project.items.get(id) else {
            let place = place(self);
            self.note("item", id, "items.js has no such item; collecting it does nothing", || place);
            return none;
        };
        let kept = item.class != "items";
        let done = match (names::key(id), kept, &item.effect) {
            (Some(_), ..) | (None, true, _) => {
                if kept
                    && item.class != "keys"
                    && names::key(id).is_none()
                    && (item.effect.is_some() || item.is_worn || item.use_event.is_some())
                {
                    let place = place(self);
                    let why =
                        format!("it is collected and counted; what it does when it is {} is not", verb(&item.class));
                    self.note(class_name(&item.class), &clean(&item.name), &why, || place);
                }
                let target = self.target(super::code::Store::Item, id, scene);
                target.map(|target| vec![add_one(target)])
            }
            (None, false, None) => Ok(Vec::new()),
            (None, false, Some(effect)) => match &effect.kind {
                Kind::Text(code) => self.code_of_item(code, scene),
                _ => Err("its effect is no text".into()),
            },
        };
        let done = done.and_then(|script| unmodelled(&script).map_or(Ok(script), Err));
        let mut script = done.unwrap_or_else(|why| {
            let (place, name) = (place(self), clean(&item.name));
            self.note("item's effect", &name, &format!("collecting it does nothing: {why}"), || place);
            Vec::new()
        });
        if !kept && names::key(id).is_none() {
            script.extend(self.used_at_once(id, scene));
        }
        split(script)
    }

    /// The event of an item that is used when it is collected, and is not kept. Floors have it in common.
    fn used_at_once(&mut self, id: &str, scene: &Scene) -> Script {
        let project = self.project;
        let Some(item) = project.items.get(id) else { return Script::new() };
        let Some(event) = item.use_event.as_ref().filter(|event| !is_empty(event)) else { return Script::new() };
        self.collecting.push(id.to_owned());
        let scene = Scene { current: None, fold_flags: false, ..scene.clone() };
        let (script, tally) = self.read(scene, &[event], false);
        self.collecting.pop();
        let mut note = self.told(0, None, "useItemEvent", tally);
        (note.floor, note.what) = (String::new(), format!("{}: {}", clean(&item.name), note.what));
        if !self.item_notes.contains(&note) {
            self.item_notes.push(note);
        }
        script
    }

    /// The usual item that a gem or potion is, if it has the value that this kind has in this tower.
    fn usual_item(&mut self, id: &str, gain: &Hero, is_plain: bool) -> Option<Item> {
        if let Some(colour) = names::key(id).filter(|_| is_plain) {
            let mut keys = Keys::default();
            keys[colour] = 1;
            return (*gain == Hero { keys, ..Hero::default() }).then_some(Item::Key(colour));
        }
        let (item, amount) = usual(id, &mut self.values, gain)?;
        let alone = |hero: &Hero| {
            let all = [hero.hp, hero.atk, hero.def, hero.mdef, hero.gold, hero.experience];
            all.iter().filter(|amount| **amount != 0).count() == 1
                && hero.keys == Keys::default()
                && hero.marks.is_none()
        };
        let (known, value) = amount;
        let fits = is_plain && value > 0 && alone(gain) && (*known == 0 || *known == value);
        if fits {
            *known = value;
        }
        fits.then_some(item)
    }

    /// A door.
    pub fn door(&mut self, block: &Block) -> Result<Tile, Why> {
        let keys = match &block.keys {
            Some(keys) => keys.clone(),
            None => vec![(block.id.replace("Door", "Key"), 1)],
        };
        if let [(key, 1)] = keys.as_slice()
            && let Some(colour) = names::key(key)
        {
            return Ok(Tile::Door(colour));
        }
        if let Some(gate) = self.gate_ids.get(&block.id) {
            return Ok(Tile::Gate(*gate));
        }
        let mut gate = Gate {
            symbol: format!("D{}", self.gates.len() + 1),
            name: block.id.clone(),
            keys: Keys::default(),
            tools: Vec::new(),
            by_event: false,
        };
        for (key, count) in keys {
            let kept = key.ends_with(":o");
            let name = key.strip_suffix(":o").unwrap_or(&key);
            match names::key(name) {
                Some(colour) => gate.keys[colour] = count,
                // A key that is no item: only an event opens it.
                None if !self.project.items.contains_key(name) => gate.by_event = true,
                None => gate.tools.push((self.variable(&format!("item:{name}"))?, count)),
            }
            if kept {
                self.note("door", &block.id, "it takes the keys that the engine leaves", String::new);
            }
        }
        if gate.by_event {
            (gate.keys, gate.tools) = (Keys::default(), Vec::new());
        }
        let index = u16::try_from(self.gates.len()).map_err(|_| "there are too many kinds of doors".to_owned())?;
        self.gates.push(gate);
        self.gate_ids.insert(block.id.clone(), index);
        Ok(Tile::Gate(index))
    }
}

/// The largest number that a row may have: sums of many stay within 64 bits.
pub(super) const LARGEST: i64 = 1_000_000_000_000_000;

type Amount<'v> = (&'v mut i64, i64);

/// The usual item of an id, where its value is kept, and what it would be.
fn usual<'v>(id: &str, values: &'v mut ItemValues, gain: &Hero) -> Option<(Item, Amount<'v>)> {
    Some(match id {
        "redGem" => (Item::Gem(Gem::Red), (&mut values.red_gem, gain.atk)),
        "blueGem" => (Item::Gem(Gem::Blue), (&mut values.blue_gem, gain.def)),
        "greenGem" => (Item::Gem(Gem::Green), (&mut values.green_gem, gain.mdef)),
        "redPotion" => (Item::Potion(Potion::Red), (&mut values.red_potion, gain.hp)),
        "bluePotion" => (Item::Potion(Potion::Blue), (&mut values.blue_potion, gain.hp)),
        "yellowPotion" => (Item::Potion(Potion::Yellow), (&mut values.yellow_potion, gain.hp)),
        "greenPotion" => (Item::Potion(Potion::Green), (&mut values.green_potion, gain.hp)),
        "sword1" => (Item::Sword, (&mut values.sword, gain.atk)),
        "shield1" => (Item::Shield, (&mut values.shield, gain.def)),
        _ => return None,
    })
}

/// An ability in words.
fn ability_name(code: i64) -> String {
    let name = match code {
        1..=11 | 14 | 17 | 19..=22 => "with its parameter",
        12 => "poison",
        13 => "weakness",
        15 => "zone",
        16 => "pincer",
        18 => "repulse",
        23 => "respawn",
        24 => "laser",
        25 => "halo",
        26 => "guard",
        27 => "ambush",
        _ => "of the project's own",
    };
    format!("{code} ({name})")
}

fn class_name(class: &str) -> &'static str {
    match class {
        "tools" => "tool",
        "equips" => "equipment",
        _ => "lasting item",
    }
}

fn verb(class: &str) -> &'static str {
    match class {
        "equips" => "worn",
        _ => "used",
    }
}

/// A name without the engine's signs for colours, faces and pictures, on one line.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let sign = match c {
            '\\' if matches!(
                rest.peek(),
                Some('t' | 'b' | 'r' | 'i' | 'f' | 'c' | 'd' | 'e' | 'z' | 'g' | 'n' | '\t' | '\r' | '\u{8}')
            ) =>
            {
                rest.next()
            }
            '\t' | '\u{8}' | '\r' => Some(c),
            _ => None,
        };
        match sign {
            Some('n') => out.push(' '),
            Some(_) if rest.peek() == Some(&'[') => while rest.next().is_some_and(|c| c != ']') {},
            Some(_) => {}
            None if c.is_control() => out.push(' '),
            None => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The colours of keys with their ids.
pub(super) const KEYS: [(&str, Colour); 4] =
    [("yellowKey", Colour::Yellow), ("blueKey", Colour::Blue), ("redKey", Colour::Red), ("greenKey", Colour::Green)];
