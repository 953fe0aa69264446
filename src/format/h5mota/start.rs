//! The start of the game: the hero, what he carries, the difficulty, the rules.

use super::build::Builder;
use super::error::ImportError;
use super::kinds::{KEYS, LARGEST};
use super::literal::Value;
use super::names;
use crate::game::{Hero, Keys, Position, RuleSet, Rules};

impl<'p> Builder<'p> {
    /// What `data.js` says of the first moment.
    fn first(&self) -> Option<&'p Value> {
        self.project.data.get("firstData")
    }

    fn first_hero(&self) -> Option<&'p Value> {
        self.first()?.get("hero")
    }

    /// The project's title.
    pub fn title(&self) -> String {
        let title = self.first().and_then(|first| first.text_of("title").or(first.text_of("name")));
        super::kinds::clean(title.unwrap_or("a tower"))
    }

    /// The difficulties: names and what they set.
    fn difficulties(&self) -> Vec<(&'p str, &'p Value)> {
        let list = self.project.data.get("main").and_then(|main| main.get("levelChoose"));
        let name = |one: &'p Value| one.text_of("name").or(one.text_of("title")).or_else(|| one.items().get(1)?.text());
        list.map_or(&[][..], Value::items).iter().filter_map(|one| Some((name(one)?, one))).collect()
    }

    /// The difficulty that is played, if the project has any.
    pub fn played(&self) -> Result<Option<(&'p str, &'p Value)>, ImportError> {
        let all = self.difficulties();
        let Some(wanted) = &self.options.difficulty else { return Ok(all.first().copied()) };
        let title = |value: &Value| value.text_of("title").map(str::to_owned);
        let found = all.iter().find(|(name, value)| name == wanted || title(value).as_ref() == Some(wanted));
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        found.copied().map(Some).ok_or_else(|| {
            ImportError::Wish(match names.is_empty() {
                true => "this project has no difficulties to choose from".to_owned(),
                false => format!("there is no difficulty {wanted:?}; there are {}", names.join(", ")),
            })
        })
    }

    /// Its name.
    pub fn difficulty(&self) -> Option<String> {
        self.played().ok().flatten().map(|(name, _)| name.to_owned())
    }

    /// What a quantity with a name such as `flag:x` is at the start.
    pub fn start_of(&self, name: &str) -> i64 {
        let hero = self.first_hero();
        let hard = || self.played().ok().flatten().and_then(|(_, value)| value.whole_of(&["hard"]));
        let value = match name.split_once(':') {
            Some(("flag", "hard")) => hard(),
            Some(("flag", flag)) => hero.and_then(|hero| hero.get("flags")?.get(flag)?.whole()),
            Some(("status", status)) => hero.and_then(|hero| hero.get(status)?.whole()),
            Some(("item", item)) => self.carried(item),
            _ => None,
        };
        value.unwrap_or(0).clamp(-LARGEST, LARGEST)
    }

    /// How many of an item the hero carries at the start.
    fn carried(&self, item: &str) -> Option<i64> {
        let items = self.first_hero()?.get("items")?;
        items.members().iter().find_map(|(_, class)| class.get(item)?.whole())
    }

    /// The hero at the start.
    pub fn hero(&self) -> Hero {
        let hero = self.first_hero();
        let of =
            |names: &[&str], least| hero.and_then(|hero| hero.whole_of(names)).unwrap_or(least).clamp(least, LARGEST);
        let mut keys = Keys::default();
        for (id, colour) in KEYS {
            keys[colour] = self.carried(id).unwrap_or(0).clamp(0, LARGEST);
        }
        let mut made = Hero {
            hp: of(&["hp"], 1),
            atk: of(&["atk"], 0),
            def: of(&["def"], 0),
            mdef: of(&["mdef"], 0),
            gold: of(&["money", "gold"], 0),
            experience: of(&["exp", "experience"], 0),
            keys,
            ..Hero::default()
        };
        made.marks.cross = self.carried("cross").unwrap_or(0) > 0;
        made.marks.coin = self.carried("coin").unwrap_or(0) > 0;
        made
    }

    /// What the hero carries at the start beside keys, as variables: so that the tower says it though nothing asks.
    pub fn carry(&mut self) -> Result<(), String> {
        let items = self.first_hero().and_then(|hero| hero.get("items"));
        for (_, class) in items.map_or(&[][..], Value::members) {
            for (id, count) in class.members() {
                let usual = names::key(id).is_some() || matches!(id.as_str(), "cross" | "coin");
                if !usual && count.whole().is_some_and(|count| count != 0) {
                    self.variable(&format!("item:{id}"))?;
                }
            }
        }
        Ok(())
    }

    /// Where the hero starts, on which floor.
    pub fn start(&self) -> Result<Position, ImportError> {
        let first = self.first();
        let id = first.and_then(|first| first.text_of("floorId")).or(self.floors.first().map(|floor| floor.id));
        let wish = |why: String| ImportError::Wish(format!("data.js: the hero's start: {why}"));
        let floor = self.floor_named(id.unwrap_or(""), None).map_err(wish)?;
        let loc = self.first_hero().and_then(|hero| hero.get("loc"));
        let of = |name| loc.and_then(|loc| loc.whole_of(&[name])).unwrap_or(0);
        self.tile_at(floor, of("x"), of("y")).map_err(wish)
    }

    /// Whose rules the fights follow, and what the project says of them.
    pub fn rules(&self) -> Rules {
        let flag = |name| self.project.data.get("flags").is_some_and(|flags| flags.is_true(name));
        let hatred = self.project.data.get("values").and_then(|values| values.whole_of(&["hatred"]));
        Rules {
            set: RuleSet::H5mota,
            negative_damage: flag("enableNegativeDamage"),
            hatred: hatred.unwrap_or(0).clamp(0, LARGEST),
        }
    }
}
