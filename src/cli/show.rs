//! `mota show`: a floor as text or as a picture.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{self, hero_line};
use super::picture;
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, ItemMode, Position, State, Tower};
use crate::prompt::{Observation, grid};
use crate::report::picture::{Mark, Picture, heading};
use crate::report::png::LONGEST;

/// Arguments of `mota show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota show floors/hand03.toml
  mota show floors/complex.toml --after 8,7
  mota show floors/simple.toml -o simple.svg --legend
  mota show floors/complex.toml -o complex.png --mark 8,7=\"opened early\" --mark 11,8
  mota show tower.toml --floor 12 -o floor12.png")]
pub struct ShowArgs {
    /// The floor file
    #[arg(value_name = "FLOOR")]
    path: PathBuf,
    /// Tile of an action to make first, as x,y or floor:x,y; repeat for several, in order
    #[arg(long, value_name = "X,Y")]
    after: Vec<Position>,
    /// Show one floor of a tower: its number, from 0, or its name
    #[arg(long, value_name = "NUMBER|NAME", conflicts_with = "json")]
    floor: Option<String>,
    /// Print the observation of that state as JSON (its schema: mota schema observation)
    #[arg(long)]
    json: bool,
    /// Draw the floor into a file instead of printing it: FILE.svg or FILE.png; unless --after is given, with
    /// everything that lies on it. A PNG shows characters beyond our own font, such as Chinese, if the system has a font
    /// for them
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Mark a tile with a number, and list it below with a text; repeat for several
    #[arg(long, value_name = "X,Y[=TEXT]", requires = "output")]
    mark: Vec<Mark>,
    /// Explain every kind of thing on the map
    #[arg(long, requires = "output")]
    legend: bool,
    /// Width of a PNG in pixels; unless given, twice the size of the SVG
    #[arg(long, value_name = "PIXELS", requires = "output", value_parser = clap::value_parser!(u32).range(1..=i64::from(LONGEST)))]
    width: Option<u32>,
}

impl ShowArgs {
    /// Shows the floor.
    pub fn run(self) -> Result<Exit, Failure> {
        let game = Game::new(format::read_tower(&self.path)?, ItemMode::Auto)?;
        let state = self.after.iter().try_fold(game.start()?, |state, target| {
            let action = game.action_at(&state, *target)?;
            game.apply(&state, &action).map(|step| step.state)
        })?;
        let floor = self.floor.as_deref().map(|floor| floor_named(game.tower(), floor)).transpose()?;
        if let Some(path) = &self.output {
            // Before the first action the floor is drawn as its file has it: what is collected at once lies there.
            let drawn = if self.after.is_empty() { game.untouched() } else { state.clone() };
            self.draw(&game, &drawn, floor, path)?;
        }
        if self.output.is_some() && !self.json {
            return Ok(Exit::Done);
        }
        let observation = Observation::of(&game, &state, None, &[])?;
        match self.json {
            true => output::json(&observation)?,
            false => output::text(&text(&game, &observation, floor))?,
        }
        Ok(Exit::Done)
    }

    fn draw(&self, game: &Game, state: &State, floor: Option<u16>, path: &Path) -> Result<(), Failure> {
        let form = picture::form(path, self.width)?;
        let svg = Picture { game, state, marks: &self.mark, legend: self.legend, floor }.svg()?;
        picture::write(path, form, svg)
    }
}

/// The floor of a number, or of a name that one floor alone has.
fn floor_named(tower: &Tower, wanted: &str) -> Result<u16, Failure> {
    let numbered = wanted.parse().ok().filter(|index: &u16| usize::from(*index) < tower.floors.len());
    let mut named = tower.floors.iter().zip(0..).filter(|(floor, _)| floor.name == wanted).map(|(_, index)| index);
    match (named.next(), named.next(), numbered) {
        (Some(index), None, _) | (None, _, Some(index)) => Ok(index),
        (Some(first), Some(second), _) => Err(Failure::bad_input(format!(
            "floors {first} and {second} have the name `{wanted}`; name one by its number"
        ))),
        (None, _, None) => {
            let last = tower.floors.len() - 1;
            let wanted = wanted.to_owned();
            let near = tower.floors.iter().map(|floor| &floor.name).filter(|name| !name.is_empty());
            let near = near.min_by_key(|name| strsim::damerau_levenshtein(name, &wanted));
            let near = near.map(|name| format!("; the nearest name is `{name}`")).unwrap_or_default();
            Err(Failure::bad_input(format!("there is no floor `{wanted}`: floors have numbers 0 to {last}{near}")))
        }
    }
}

fn text(game: &Game, observation: &Observation, shown: Option<u16>) -> String {
    let tower = game.tower();
    let mut text = format!("{}\n{}\n", tower.title, hero_line(&observation.hero));
    if tower.rules.set != crate::game::RuleSet::Thesis {
        text += &format!("rules: {}\n", tower.rules.set);
    }
    for floor in observation.floors.iter().filter(|floor| shown.is_none_or(|shown| shown == floor.floor)) {
        text += "\n";
        if observation.floors.len() > 1 {
            text += &heading(tower, floor.floor);
            text += "\n";
        }
        text += &grid::grid(&floor.rows);
        text += "\n";
    }
    text += "\nMonsters (damage: what a fight costs now)\n";
    for monster in &observation.monsters {
        let damage = monster.damage.map_or("cannot be hurt".into(), |damage| format!("damage {damage}"));
        let gold = if observation.shop.is_some() { format!("gold {:<3} ", monster.gold) } else { String::new() };
        let abilities =
            if monster.abilities.is_empty() { String::new() } else { format!(", {}", monster.abilities.join(", ")) };
        text += &format!(
            "  {:>2} {:<12} ×{:<3} HP {:<4} ATK {:<3} DEF {:<3} {gold}{damage}{abilities}\n",
            monster.symbol,
            monster.name,
            monster.at.len(),
            monster.hp,
            monster.atk,
            monster.def,
        );
    }
    if let Some(shop) = &observation.shop {
        let sells = shop.sells.join(" or ");
        text +=
            &format!("\nShop: {} gold a purchase, {} more after each; sells {sells}\n", shop.price, shop.price_step);
    }
    text += "\nItems\n";
    for item in &observation.items {
        text += &format!("  {:>2} {:<13} ×{:<3} {}\n", item.symbol, item.name, item.at.len(), item.gives);
    }
    if let Some(note) = &tower.note {
        text += &format!("\nNote: {note}.\n");
    }
    text
}
