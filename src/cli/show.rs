//! `mota show`: a floor as text.

use std::path::PathBuf;

use clap::Args;

use super::output::{self, hero_line};
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, ItemMode};
use crate::prompt::{Observation, grid};

/// Arguments of `mota show`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota show floors/hand03.toml")]
pub struct ShowArgs {
    /// The floor file
    floor: PathBuf,
    /// Print the observation of the first state as JSON (its schema: mota schema observation)
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    /// Shows the floor.
    pub fn run(self) -> Result<Exit, Failure> {
        let game = Game::new(format::read_tower(&self.floor)?, ItemMode::Auto)?;
        let observation = Observation::of(&game, &game.start()?, None, &[])?;
        match self.json {
            true => output::json(&observation)?,
            false => output::text(&text(&game, &observation))?,
        }
        Ok(Exit::Done)
    }
}

fn text(game: &Game, observation: &Observation) -> String {
    let tower = game.tower();
    let mut text = format!("{}\n{}\n", tower.title, hero_line(&tower.hero));
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
