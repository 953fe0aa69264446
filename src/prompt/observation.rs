//! Everything a player may know before a decision, in a form that serialises. Knows nothing of who reads it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::legend;
use crate::game::{
    Action, ActionKind, Blocked, BlockedReason, Fight, Game, GameError, Hero, Item, ItemMode, Position, Purchase,
    State, Tile,
};

use super::ability;

/// The state of a game as the player sees it before a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observation {
    /// Name of the tower.
    pub tower: String,
    /// Title of the tower.
    pub title: String,
    /// Number of the decision to be made, from 1.
    pub turn: u32,
    /// Decisions after which the episode ends; none if it is not limited.
    pub turn_limit: Option<u32>,
    /// When an item in reach is collected.
    pub collecting: ItemMode,
    /// What the hero has.
    pub hero: Hero,
    /// Where the hero stands.
    pub at: Position,
    /// The floors as they are now.
    pub floors: Vec<FloorView>,
    /// The rows of the monster table that still stand somewhere.
    pub monsters: Vec<MonsterView>,
    /// The abilities of these monsters.
    pub abilities: Vec<AbilityView>,
    /// What its shops sell; none if it has no shop.
    pub shop: Option<ShopView>,
    /// The items that still lie somewhere.
    pub items: Vec<ItemView>,
    /// The legal actions, numbered from 1.
    pub actions: Vec<ActionView>,
    /// What is in reach but not legal.
    pub blocked: Vec<BlockedView>,
    /// The decisions made so far, the earliest first.
    pub history: Vec<PastTurn>,
}

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
    /// Where it lies.
    pub at: Vec<Position>,
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

fn is_false(value: &bool) -> bool {
    !value
}

impl Observation {
    /// Observes a state.
    ///
    /// # Errors
    /// [`GameError`] if an action's effect cannot be computed.
    pub fn of(game: &Game, state: &State, turn_limit: Option<u32>, history: &[PastTurn]) -> Result<Self, GameError> {
        let actions = game.actions(state)?;
        Ok(Observation {
            tower: game.tower().name.clone(),
            title: game.tower().title.clone(),
            turn: state.turn + 1,
            turn_limit,
            collecting: game.items(),
            hero: state.hero,
            at: state.at,
            floors: floors(game, state),
            abilities: abilities(game, state),
            monsters: monsters(game, state)?,
            shop: shop(game, state),
            items: items(game, state),
            actions: action_views(game, state, &actions)?,
            blocked: blocked_views(game, state, &game.blocked(state)?),
            history: history.to_vec(),
        })
    }
}

/// The legal actions with their immediate effects, numbered from 1.
///
/// # Errors
/// [`GameError`] if an effect cannot be computed.
pub fn action_views(game: &Game, state: &State, actions: &[Action]) -> Result<Vec<ActionView>, GameError> {
    let mut views = Vec::with_capacity(actions.len());
    for (index, action) in actions.iter().enumerate() {
        let (collects, hp_after) = immediate(game, state, action)?;
        let mut view = ActionView {
            number: index as u32 + 1,
            target: action.target,
            verb: Verb::Open,
            text: game.describe_action(action),
            damage: None,
            lethal: action.is_lethal(),
            price: None,
            purchase: None,
            collects,
            hp_after,
        };
        match action.kind {
            ActionKind::Open(_) | ActionKind::Unlock(_) => {}
            ActionKind::Touch => view.verb = Verb::Start,
            ActionKind::Walk => view.verb = Verb::Walk,
            ActionKind::Choose { .. } => view.verb = Verb::Choose,
            ActionKind::Fight { fight, .. } => {
                view.verb = Verb::Fight;
                view.damage = fight.damage();
            }
            ActionKind::Collect(_) => view.verb = Verb::Collect,
            ActionKind::Buy { purchase, price } => {
                view.verb = Verb::Buy;
                view.price = Some(price);
                view.purchase = Some(purchase);
            }
        }
        views.push(view);
    }
    Ok(views)
}

/// What is in reach but not legal, in words.
pub fn blocked_views(game: &Game, state: &State, blocked: &[Blocked]) -> Vec<BlockedView> {
    (blocked.iter())
        .map(|blocked| BlockedView {
            target: blocked.target,
            what: blocked_thing(game, state, blocked),
            reason: game.describe_reason(&blocked.reason),
        })
        .collect()
}

/// Collected items in words, with where they lay: `red gem (3,4): +1 ATK`.
pub fn collected(game: &Game, items: &[(Position, Item)]) -> Vec<String> {
    let told = |(at, item): &(Position, Item)| match game.describe_gain(*item).as_str() {
        "" => format!("{} {at}", game.describe_item(*item)),
        gain => format!("{} {at}: {gain}", game.describe_item(*item)),
    };
    items.iter().map(told).collect()
}

/// What an action collects, and the HP after it. An event that cannot be carried out does nothing here; who chooses it is
/// told then.
fn immediate(game: &Game, state: &State, action: &Action) -> Result<(Vec<String>, i64), GameError> {
    match game.carry_out(state, action) {
        Ok(step) => Ok((collected(game, &step.collected), step.state.hero.hp)),
        Err(GameError::Endless { .. } | GameError::Calculation { .. }) => Ok((Vec::new(), state.hero.hp)),
        Err(error) => Err(error),
    }
}

/// What is blocked, in words.
fn blocked_thing(game: &Game, state: &State, blocked: &Blocked) -> String {
    match blocked.reason {
        BlockedReason::NotOffered { choice, option } => game.describe_answer(choice, option).to_owned(),
        _ => game.graph().cell(blocked.target).map(|cell| game.describe_at(state, cell)).unwrap_or_default(),
    }
}

fn floors(game: &Game, state: &State) -> Vec<FloorView> {
    let mut views: Vec<FloorView> = (game.tower().floors.iter().enumerate())
        .map(|(index, floor)| FloorView { floor: index as u16, name: floor.name.clone(), rows: Vec::new() })
        .collect();
    for cell in 0..game.graph().len() as u32 {
        let at = game.graph().position(cell);
        let symbol = match at == state.at {
            true => "@".to_owned(),
            false => symbol(game, game.tile_now(state, cell)),
        };
        let rows = &mut views[usize::from(at.floor)].rows;
        if at.x == 0 {
            rows.push(Vec::new());
        }
        if let Some(row) = rows.last_mut() {
            row.push(symbol);
        }
    }
    views
}

fn monsters(game: &Game, state: &State) -> Result<Vec<MonsterView>, GameError> {
    let mut views = Vec::new();
    for (id, monster) in game.tower().monsters.iter().enumerate() {
        let id = id as u16;
        let at = places(game, state, Tile::Monster(id));
        let Some(&first) = at.first() else { continue };
        let fight = game
            .fight_now(state, id)
            .map_err(|_| GameError::FightOverflow { monster: monster.name.clone(), at: first })?;
        views.push(MonsterView {
            symbol: monster.symbol.clone(),
            name: monster.name.clone(),
            hp: monster.hp,
            atk: monster.atk,
            def: monster.def,
            gold: monster.gold,
            experience: monster.experience,
            abilities: monster.abilities.iter().map(|ability| ability.to_string()).collect(),
            boss: monster.boss,
            damage: fight.damage(),
            lethal: matches!(fight, Fight::Lethal { .. }),
            at,
        });
    }
    Ok(views)
}

fn abilities(game: &Game, state: &State) -> Vec<AbilityView> {
    let mut views: Vec<AbilityView> = Vec::new();
    for (id, monster) in game.tower().monsters.iter().enumerate() {
        if places(game, state, Tile::Monster(id as u16)).is_empty() {
            continue;
        }
        for ability in monster.abilities.iter() {
            let view = AbilityView { name: ability.to_string(), effect: ability::effect(ability) };
            if !views.contains(&view) {
                views.push(view);
            }
        }
    }
    views
}

fn shop(game: &Game, state: &State) -> Option<ShopView> {
    let tower = game.tower();
    let shop = tower.shop.filter(|_| tower.tiles().any(|(_, tile)| tile == Tile::Shop))?;
    let sold = Purchase::ALL.into_iter().filter(|purchase| shop.amount(*purchase) > 0);
    Some(ShopView {
        price: shop.price(state.purchase_count()).unwrap_or(i64::MAX),
        price_step: shop.price_step,
        sells: sold.map(|purchase| format!("{} {purchase}", shop.amount(purchase))).collect(),
    })
}

fn items(game: &Game, state: &State) -> Vec<ItemView> {
    let mut kinds: Vec<Item> = (game.tower().tiles())
        .filter_map(|(_, tile)| if let Tile::Item(item) = tile { Some(item) } else { None })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    (kinds.into_iter())
        .map(|item| ItemView {
            symbol: symbol(game, Tile::Item(item)),
            name: item.to_string(),
            gives: game.describe_gain(item),
            at: places(game, state, Tile::Item(item)),
        })
        .filter(|view| !view.at.is_empty())
        .collect()
}

/// Where a tile still stands, in order of floor, x, y.
fn places(game: &Game, state: &State, tile: Tile) -> Vec<Position> {
    let graph = game.graph();
    let mut at: Vec<Position> = (0..graph.len() as u32)
        .filter(|cell| graph.tile(*cell) == tile && !state.cleared.contains(*cell))
        .map(|cell| graph.position(cell))
        .collect();
    at.sort_unstable();
    at
}

/// The map's symbol for a tile of a game.
fn symbol(game: &Game, tile: Tile) -> String {
    match tile {
        Tile::Monster(id) => game.monster(id).symbol.clone(),
        Tile::Gate(id) => game.tower().gates.get(usize::from(id)).map_or("?", |gate| &gate.symbol).to_owned(),
        Tile::Item(Item::Thing(id)) => {
            game.tower().things.get(usize::from(id)).map_or("?", |thing| &thing.symbol).to_owned()
        }
        other => legend::symbol(other).unwrap_or("?").to_owned(),
    }
}
