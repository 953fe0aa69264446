//! What a player is shown of floors, monsters, items and actions, in a form that serialises. Knows nothing of how it is found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Position, Purchase};

/// One floor as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FloorView {
    /// Index of the floor, from 0.
    pub floor: u16,
    /// Its name; empty on a single floor.
    pub name: String,
    /// The symbols of its tiles, row by row; `@` is the hero.
    pub rows: Vec<Vec<String>>,
}

/// A monster type that still stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MonsterView {
    /// Its symbol on the map.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// HP.
    pub hp: i64,
    /// ATK.
    pub atk: i64,
    /// DEF.
    pub def: i64,
    /// Gold that it gives.
    pub gold: i64,
    /// Experience that it gives.
    pub experience: i64,
    /// Its abilities.
    pub abilities: Vec<String>,
    /// Whether defeating it wins.
    pub boss: bool,
    /// HP that a fight with it costs now; none if the hero cannot hurt it.
    pub damage: Option<i64>,
    /// Whether that fight would be lethal now.
    pub lethal: bool,
    /// Where it stands.
    pub at: Vec<Position>,
}

/// An ability of a monster that still stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbilityView {
    /// Its name, as the monster table has it.
    pub name: String,
    /// What it does, in words.
    pub effect: String,
}

/// What every shop of the tower sells now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShopView {
    /// Gold that the next purchase costs.
    pub price: i64,
    /// Gold by which the price rises with each purchase.
    pub price_step: i64,
    /// What one purchase gives, in words: `2 ATK`.
    pub sells: Vec<String>,
}

/// An item that still lies somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemView {
    /// Its symbol on the map.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// What it gives.
    pub gives: String,
    /// Whether it is one of the tower's own.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_own: bool,
    /// Where it lies.
    pub at: Vec<Position>,
}

/// A kind of door of the tower's own that still stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GateView {
    /// Its symbol on the map.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// What opens it, in words.
    pub takes: String,
    /// Where it stands.
    pub at: Vec<Position>,
}

/// Something on the map that an event waits at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventView {
    /// Its symbol on the map.
    pub symbol: String,
    /// What people read; `event` or `figure` if there is nothing to read.
    pub title: String,
    /// Where.
    pub at: Position,
}

/// A way that leads in one direction only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OneWayView {
    /// The tile that is left or entered.
    pub from: Position,
    /// The tile that it leads to, or that cannot be walked to from there.
    pub to: Position,
}

/// Something that is carried, beside keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// How many are held.
    pub count: i64,
}

/// What an event asks and waits for: the legal actions are its answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionView {
    /// The title of the event; empty if it has none.
    pub title: String,
    /// What is asked.
    pub text: String,
    /// The tile of the event.
    pub at: Position,
}

/// What wins the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum GoalView {
    /// The boss is defeated.
    #[default]
    Boss,
    /// The boss is defeated and a tile can be walked to.
    Exit {
        /// The tile.
        at: Position,
    },
    /// An event says so.
    Event,
}

impl GoalView {
    /// Whether it is the boss's defeat alone.
    pub fn is_boss(&self) -> bool {
        *self == GoalView::Boss
    }
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Opens a door.
    Open,
    /// Fights a monster.
    Fight,
    /// Collects an item.
    Collect,
    /// Buys in a shop.
    Buy,
    /// Starts an event.
    Start,
    /// Walks where there is no way back.
    Walk,
    /// Answers what an event asks.
    Choose,
}

/// A legal action and its immediate effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActionView {
    /// Its number, from 1.
    pub number: u32,
    /// Its tile.
    pub target: Position,
    /// What it does.
    pub verb: Verb,
    /// The same in words: `fight the Red Slime`.
    pub text: String,
    /// HP that the fight costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<i64>,
    /// Whether the fight kills the hero.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lethal: bool,
    /// Gold that the purchase costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<i64>,
    /// What the purchase raises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purchase: Option<Purchase>,
    /// Items that come into reach by it and are collected at once, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collects: Vec<String>,
    /// The hero's HP after it, items included; 0 if it kills him.
    pub hp_after: i64,
}

/// Something in reach that is not legal, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockedView {
    /// Its tile.
    pub target: Position,
    /// What stands there.
    pub what: String,
    /// Why it is not legal.
    pub reason: String,
}

/// A decision that has been made, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastTurn {
    /// Its number, from 1.
    pub turn: u32,
    /// The tile of the action that was executed.
    pub target: Position,
    /// That action in words.
    pub text: String,
    /// HP before it.
    pub hp_before: i64,
    /// HP after it and after collecting.
    pub hp_after: i64,
    /// What was collected, in words.
    pub collected: Vec<String>,
    /// What the agent had chosen, if something else was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
}

/// Whether something is not so, and need not be said.
pub(super) fn is_false(value: &bool) -> bool {
    !value
}
