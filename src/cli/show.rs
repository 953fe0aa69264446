//! `mota show`: a floor as text or as a picture.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{self, hero_line};
use super::picture;
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, ItemMode, Position, State};
use crate::prompt::{Observation, grid};
use crate::report::picture::{Mark, Picture};
use crate::report::png::LONGEST;

/// Arguments of `mota show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota show floors/hand03.toml
  mota show floors/complex.toml --after 8,7
  mota show floors/simple.toml -o simple.svg --legend
  mota show floors/complex.toml -o complex.png --mark 8,7=\"opened early\" --mark 11,8")]
pub struct ShowArgs {
    /// The floor file
    floor: PathBuf,
    /// Tile of an action to make first, as x,y or floor:x,y; repeat for several, in order
    #[arg(long, value_name = "X,Y")]
    after: Vec<Position>,
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
        let game = Game::new(format::read_tower(&self.floor)?, ItemMode::Auto)?;
        let state = self.after.iter().try_fold(game.start()?, |state, target| {
            let action = game.action_at(&state, *target)?;
            game.apply(&state, &action).map(|step| step.state)
        })?;
        if let Some(path) = &self.output {
            // Before the first action the floor is drawn as its file has it: what is collected at once lies there.
            let drawn = if self.after.is_empty() { game.untouched() } else { state.clone() };
            self.draw(&game, &drawn, path)?;
        }
        if self.output.is_some() && !self.json {
            return Ok(Exit::Done);
        }
        let observation = Observation::of(&game, &state, None, &[])?;
        match self.json {
            true => output::json(&observation)?,
            false => output::text(&text(&game, &observation))?,
        }
        Ok(Exit::Done)
    }

    fn draw(&self, game: &Game, state: &State, path: &Path) -> Result<(), Failure> {
        let form = picture::form(path, self.width)?;
        let svg = Picture { game, state, marks: &self.mark, legend: self.legend }.svg()?;
        picture::write(path, form, svg)
    }
}

fn text(game: &Game, observation: &Observation) -> String {
    let tower = game.tower();
    let mut text = format!("{}\n{}\n", tower.title, hero_line(&observation.hero));
    if tower.rules.set != crate::game::RuleSet::Thesis {
        text += &format!("rules: {}\n", tower.rules.set);
    }
    for floor in &observation.floors {
        text += "\n";
        if observation.floors.len() > 1 {
            text += format!("Floor {} {}", floor.floor, floor.name).trim_end();
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
