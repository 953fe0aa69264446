//! From the native format to a tower. Every mistake of the file is told, not only the first.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::expression::outside;
use super::floors::{FloorReader, Floors};
use super::kind::{self, MarkKeys};
use super::quantity::{AtLeast, CommandLine, Label, Place, ShortName};
use super::script::ScriptReader;
use super::symbols::Symbols;
use super::variables::Variables;
use super::{event, monster};
use crate::format::name::name_of_file;
use crate::format::problem::{Problem, Problems};
use crate::format::table::Table;
use crate::game::{
    Floor, Gem, Goal, Hero, Item, ItemValues, Keys, Marks, Origin, Position, Potion, RuleSet, Rules, Shop, Tower,
};

/// The keys outside of any table. Those with an underscore are tables, taken out before; they stand here so that a
/// misspelt one finds its name.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Head {
    name: Option<ShortName>,
    title: Option<Label>,
    note: Option<Label>,
    mechanism: Option<Label>,
    rules: Option<RuleSet>,
    negative_damage: bool,
    hatred: AtLeast<0>,
    goal: GoalKind,
    exit: Option<Place<3>>,
    #[serde(rename = "origin")]
    _origin: IgnoredAny,
    #[serde(rename = "variables")]
    _variables: IgnoredAny,
    #[serde(rename = "things")]
    _things: IgnoredAny,
    #[serde(rename = "gates")]
    _gates: IgnoredAny,
    #[serde(rename = "hero")]
    _hero: IgnoredAny,
    #[serde(rename = "items")]
    _items: IgnoredAny,
    #[serde(rename = "monsters")]
    _monsters: IgnoredAny,
    #[serde(rename = "shop")]
    _shop: IgnoredAny,
    #[serde(rename = "floor")]
    _floor: IgnoredAny,
}

/// What wins the game, as files say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum GoalKind {
    #[default]
    Boss,
    Exit,
    Event,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OriginKeys {
    command: CommandLine,
    random: Option<Label>,
    optimum: Option<AtLeast<1>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeroKeys {
    hp: AtLeast<1>,
    atk: AtLeast<0>,
    def: AtLeast<0>,
    #[serde(default)]
    mdef: AtLeast<0>,
    #[serde(default)]
    gold: AtLeast<0>,
    #[serde(default)]
    experience: AtLeast<0>,
    /// Floor, column and row; for a start on a stair, a shop or an event, where the map has no room for the hero's symbol.
    #[serde(default)]
    start: Option<Spanned<Place<3>>>,
    #[serde(default, rename = "keys")]
    _keys: IgnoredAny,
    #[serde(default, rename = "marks")]
    _marks: IgnoredAny,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct KeyCounts {
    yellow: AtLeast<0>,
    blue: AtLeast<0>,
    red: AtLeast<0>,
    green: AtLeast<0>,
}

impl KeyCounts {
    /// The keys, by colour.
    pub(super) fn counted(&self) -> Keys {
        Keys { yellow: self.yellow.0, blue: self.blue.0, red: self.red.0, green: self.green.0 }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Items {
    red_gem: AtLeast<0>,
    blue_gem: AtLeast<0>,
    green_gem: AtLeast<0>,
    red_potion: AtLeast<0>,
    blue_potion: AtLeast<0>,
    yellow_potion: AtLeast<0>,
    green_potion: AtLeast<0>,
    sword: AtLeast<0>,
    shield: AtLeast<0>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShopKeys {
    first_price: AtLeast<0>,
    #[serde(default)]
    price_step: AtLeast<0>,
    #[serde(default)]
    hp: AtLeast<0>,
    #[serde(default)]
    atk: AtLeast<0>,
    #[serde(default)]
    def: AtLeast<0>,
    #[serde(default)]
    mdef: AtLeast<0>,
}

/// Reads a tower. `file` is the file's name, for messages and as the tower's name if it states none.
///
/// # Errors
/// All mistakes of the file.
pub fn read(file: &str, text: &str) -> Result<Tower, Problems> {
    let mut problems = Problems::new(file, text);
    let mut document = Table::parse(text, &mut problems);
    let hero = document.take_table("hero", &mut problems);
    let items = document.take_table("items", &mut problems);
    let monsters = document.take_table("monsters", &mut problems);
    let shop = document.take_table("shop", &mut problems);
    let floors = document.take_tables("floor", &mut problems);
    let origin = document.take_table("origin", &mut problems);
    let [variables, things, gates] =
        ["variables", "things", "gates"].map(|key| document.take_table(key, &mut problems));
    let head = read_head(document, &mut problems);
    let rules = head.rules;

    let origin = origin.and_then(|table| read_origin(table, &mut problems));
    let items = items.map(|table| read_items(table, &mut problems)).unwrap_or_default();
    let (monsters, heights) = monsters.map(|table| monster::read(table, rules, &mut problems)).unwrap_or_default();
    let has_shop = shop.is_some();
    let shop = shop.and_then(|table| read_shop(table, &mut problems));
    let (hero, stated_start) = read_hero(hero, &mut problems);
    let mut variables = Variables::read(variables, &mut problems);
    let (mut things, scripts) = kind::read_things(things, &mut variables, &mut problems);
    let gates = kind::read_gates(gates, &mut variables, &mut problems);

    let symbols = Symbols::new(&monsters, &things, &gates, &items, has_shop);
    let mut reader = FloorReader::new(text, &symbols, &mut problems);
    reader.read_floors(floors, stated_start);
    let Floors { floors, start, ways, parts, events, shown, whole } = reader.finish(head.goal != Goal::Event);
    let known = whole.then_some(floors.as_slice());
    head.check_exit(known, &mut problems);
    let mut reader =
        ScriptReader { text, symbols: &symbols, variables: &mut variables, floors: known, problems: &mut problems };
    let scripts = kind::read_scripts(scripts, &mut reader);
    let events = event::read_all(events, shown, &mut reader);
    for (thing, script) in things.iter_mut().zip(scripts) {
        thing.script = script;
    }

    let name = head.name.unwrap_or_else(|| name_of_file(file));
    let tower = start.filter(|_| problems.is_empty()).map(|start| {
        let mut tower = Tower {
            title: head.title.unwrap_or_else(|| name.clone()),
            name,
            note: head.note,
            mechanism: head.mechanism,
            origin,
            rules,
            hero,
            start,
            items: items.values,
            monsters,
            shop,
            floors,
            things,
            gates,
            variables: variables.finish(),
            events,
            goal: head.goal,
            ..Tower::default()
        };
        ways.put(&mut tower);
        parts.put(&mut tower);
        tower.blueprint.heights = heights;
        tower
    });
    // What has been checked above with its place is checked again for all towers alike.
    if let Some(error) = tower.as_ref().and_then(|tower| tower.validate().err()) {
        problems.push(Problem::of_file(error.to_string()));
    }
    problems.into_result(tower)
}

/// A text as a TOML string.
pub(super) fn string(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// What stands outside of any table.
struct HeadOf {
    name: Option<String>,
    title: Option<String>,
    note: Option<String>,
    mechanism: Option<String>,
    rules: Rules,
    goal: Goal,
    exit: Range<usize>,
}

impl HeadOf {
    fn check_exit(&self, floors: Option<&[Floor]>, problems: &mut Problems) {
        if let Goal::Exit(exit) = self.goal
            && let Some(message) = outside(exit, floors)
        {
            problems.push(Problem::at(self.exit.clone(), message));
        }
    }
}

fn read_head(document: Table<'_>, problems: &mut Problems) -> HeadOf {
    let (head, places) = document.read_partly::<Head>(problems);
    let set = head.rules.unwrap_or_default();
    let known = head.rules.is_some() || !places.has("rules");
    for (key, is_set) in [("negative_damage", head.negative_damage), ("hatred", head.hatred.0 > 0)] {
        if is_set && known && set != RuleSet::H5mota {
            let message = format!("`{key}` exists under `h5mota` rules only; these are `{set}`");
            problems.push(Problem::at(places.of(key), message));
        }
    }
    let exit = head.exit.map(|Place([floor, x, y])| Position::new(floor, x, y));
    let goal = match (head.goal, exit) {
        (GoalKind::Exit, Some(exit)) => Goal::Exit(exit),
        (GoalKind::Event, _) => Goal::Event,
        _ => Goal::Boss,
    };
    if head.goal == GoalKind::Exit && !places.has("exit") {
        let problem = Problem::at(places.of("goal"), "the key `exit` is missing: which tile has to be reached");
        problems.push(problem.with_help("write exit = [0, 3, 4]: floor, column and row"));
    } else if head.goal != GoalKind::Exit && exit.is_some() {
        problems.push(Problem::at(places.of("exit"), "`exit` goes with `goal = \"exit\"`"));
    }
    HeadOf {
        name: head.name.map(|name| name.0),
        title: head.title.map(|title| title.0),
        note: head.note.map(|note| note.0),
        mechanism: head.mechanism.map(|mechanism| mechanism.0),
        rules: Rules { set, negative_damage: head.negative_damage, hatred: head.hatred.0 },
        goal,
        exit: places.of("exit"),
    }
}

fn read_origin(table: Table<'_>, problems: &mut Problems) -> Option<Origin> {
    let (keys, _) = table.read::<OriginKeys>(problems)?;
    Some(Origin {
        command: keys.command.0,
        random: keys.random.map(|random| random.0),
        optimum: keys.optimum.map(|optimum| optimum.0),
    })
}

/// The hero, and his start where the file states it beside the map.
fn read_hero(table: Option<Table<'_>>, problems: &mut Problems) -> (Hero, Option<Spanned<Place<3>>>) {
    let Some(mut table) = table else {
        if !problems.is_damaged() {
            problems.push(Problem::of_file("there is no hero: a table [hero] with hp, atk and def is needed"));
        }
        return Default::default();
    };
    let keys = table.take_table("keys", problems);
    let keys = keys.map(|keys| read_keys(keys, problems)).unwrap_or_default();
    let marks = table.take_table("marks", problems);
    let marks = marks.map(|marks| read_marks(marks, problems)).unwrap_or_default();
    let Some((stated, _)) = table.read::<HeroKeys>(problems) else { return Default::default() };
    let hero = Hero {
        hp: stated.hp.0,
        atk: stated.atk.0,
        def: stated.def.0,
        mdef: stated.mdef.0,
        gold: stated.gold.0,
        experience: stated.experience.0,
        keys,
        marks,
    };
    (hero, stated.start)
}

fn read_marks(table: Table<'_>, problems: &mut Problems) -> Marks {
    let (keys, places) = table.read_partly::<MarkKeys>(problems);
    let marks = keys.marks();
    if marks.hatred < 0 {
        let message = format!("`hatred`: expected a whole number of at least 0, found `{}`", marks.hatred);
        problems.push(Problem::at(places.of("hatred"), message));
    }
    marks
}

fn read_keys(table: Table<'_>, problems: &mut Problems) -> Keys {
    let (keys, _) = table.read_partly::<KeyCounts>(problems);
    keys.counted()
}

/// Keys as a table; none if there are none.
pub(super) fn write_keys(keys: Keys) -> Option<String> {
    let all = [("yellow", keys.yellow), ("blue", keys.blue), ("red", keys.red), ("green", keys.green)];
    let some: Vec<String> = all.iter().filter(|(_, n)| *n != 0).map(|(colour, n)| format!("{colour} = {n}")).collect();
    (!some.is_empty()).then(|| format!("{{ {} }}", some.join(", ")))
}

/// What items give, and which of them the file names.
#[derive(Default)]
pub(super) struct StatedItems {
    /// The keys that the file has.
    pub keys: BTreeSet<&'static str>,
    /// The values; 0 where the file says nothing.
    pub values: ItemValues,
}

fn read_items(table: Table<'_>, problems: &mut Problems) -> StatedItems {
    let before = problems.len();
    let (items, places) = table.read_partly::<Items>(problems);
    let values = ItemValues {
        red_gem: items.red_gem.0,
        blue_gem: items.blue_gem.0,
        green_gem: items.green_gem.0,
        red_potion: items.red_potion.0,
        blue_potion: items.blue_potion.0,
        yellow_potion: items.yellow_potion.0,
        green_potion: items.green_potion.0,
        sword: items.sword.0,
        shield: items.shield.0,
    };
    // If a key is wrong, the map is not blamed for the item that it leaves out.
    let all = problems.len() > before;
    let keys = values.named().map(|(key, _)| key).into_iter().filter(|key| all || places.has(key)).collect();
    StatedItems { keys, values }
}

/// The key under which a file says what an item gives; `None` for keys, which give themselves.
pub(super) fn value_key(item: Item) -> Option<&'static str> {
    Some(match item {
        Item::Key(_) | Item::Thing(_) => return None,
        Item::Gem(Gem::Red) => "red_gem",
        Item::Gem(Gem::Blue) => "blue_gem",
        Item::Gem(Gem::Green) => "green_gem",
        Item::Potion(Potion::Red) => "red_potion",
        Item::Potion(Potion::Blue) => "blue_potion",
        Item::Potion(Potion::Yellow) => "yellow_potion",
        Item::Potion(Potion::Green) => "green_potion",
        Item::Sword => "sword",
        Item::Shield => "shield",
    })
}

fn read_shop(table: Table<'_>, problems: &mut Problems) -> Option<Shop> {
    let place = table.place();
    let (keys, _) = table.read::<ShopKeys>(problems)?;
    let shop = Shop {
        first_price: keys.first_price.0,
        price_step: keys.price_step.0,
        hp: keys.hp.0,
        atk: keys.atk.0,
        def: keys.def.0,
        mdef: keys.mdef.0,
    };
    if shop.first_price == 0 && shop.price_step == 0 {
        let message = "the shop asks for no gold, neither at first nor later, and would sell for ever";
        problems.push(Problem::at(place, message).with_help("set first_price or price_step"));
    }
    Some(shop)
}
