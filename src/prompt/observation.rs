//! Everything a player may know before a decision, in a form that serialises. Knows nothing of who reads it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::legend;
use crate::game::{
    Action, ActionKind, Blocked, Fight, Game, GameError, Hero, Item, ItemMode, MonsterId, Position, Purchase, State, Tile,
};

use super::ability;
use super::outline::{FloorOutline, outlines};
pub use super::view::{
    AbilityView, ActionView, BlockedView, FloorView, ItemView, MonsterView, PastTurn, ShopView, Verb,
};

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
    /// The floors in short, the hero's included; none on a tower of one floor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outlines: Vec<FloorOutline>,
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

impl Observation {
    /// Observes a state.
    ///
    /// # Errors
    /// [`GameError`] if an action's effect cannot be computed.
    pub fn of(game: &Game, state: &State, turn_limit: Option<u32>, history: &[PastTurn]) -> Result<Self, GameError> {
        let actions = game.actions(state)?;
        let places = Places::of(game, state);
        Ok(Observation {
            tower: game.tower().name.clone(),
            title: game.tower().title.clone(),
            turn: state.turn + 1,
            turn_limit,
            collecting: game.items(),
            hero: state.hero,
            at: state.at,
            floors: floors(game, state),
            outlines: if game.tower().floors.len() > 1 { outlines(game, state) } else { Vec::new() },
            abilities: abilities(game, &places),
            monsters: monsters(game, state, &places)?,
            shop: shop(game, state),
            items: items(game, &places),
            actions: action_views(game, state, &actions)?,
            blocked: blocked_views(game, &game.blocked(state)?),
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
        let step = game.apply(state, action)?;
        let mut view = ActionView {
            number: index as u32 + 1,
            target: action.target,
            verb: Verb::Open,
            text: game.describe_action(action),
            damage: None,
            lethal: action.is_lethal(),
            price: None,
            purchase: None,
            collects: collected(game, &step.collected),
            hp_after: step.state.hero.hp,
        };
        match action.kind {
            ActionKind::Open(_) => {}
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
pub fn blocked_views(game: &Game, blocked: &[Blocked]) -> Vec<BlockedView> {
    (blocked.iter())
        .map(|blocked| BlockedView {
            target: blocked.target,
            what: game.tower().tile(blocked.target).map(|tile| game.describe(tile)).unwrap_or_default(),
            reason: blocked.reason.to_string(),
        })
        .collect()
}

/// Collected items in words, with where they lay: `red gem (3,4): +1 ATK`.
pub fn collected(game: &Game, items: &[(Position, Item)]) -> Vec<String> {
    let values = game.tower().items;
    items.iter().map(|(at, item)| format!("{item} {at}: {}", values.describe(*item))).collect()
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

/// Where every kind of thing still stands, in order of floor, x, y.
#[derive(Default)]
struct Places {
    monsters: BTreeMap<MonsterId, Vec<Position>>,
    items: BTreeMap<Item, Vec<Position>>,
}

impl Places {
    fn of(game: &Game, state: &State) -> Self {
        let mut places = Places::default();
        for cell in 0..game.graph().len() as u32 {
            let at = game.graph().position(cell);
            match game.tile_now(state, cell) {
                Tile::Monster(id) => places.monsters.entry(id).or_default().push(at),
                Tile::Item(item) => places.items.entry(item).or_default().push(at),
                _ => {}
            }
        }
        places.monsters.values_mut().chain(places.items.values_mut()).for_each(|at| at.sort_unstable());
        places
    }
}

fn monsters(game: &Game, state: &State, places: &Places) -> Result<Vec<MonsterView>, GameError> {
    let mut views = Vec::with_capacity(places.monsters.len());
    for (&id, at) in &places.monsters {
        let (monster, first) = (game.monster(id), at.first().copied().unwrap_or_default());
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
            at: at.clone(),
        });
    }
    Ok(views)
}

fn abilities(game: &Game, places: &Places) -> Vec<AbilityView> {
    let mut views: Vec<AbilityView> = Vec::new();
    for ability in places.monsters.keys().flat_map(|id| game.monster(*id).abilities.iter()) {
        let view = AbilityView { name: ability.to_string(), effect: ability::effect(ability) };
        if !views.contains(&view) {
            views.push(view);
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

fn items(game: &Game, places: &Places) -> Vec<ItemView> {
    (places.items.iter())
        .map(|(item, at)| ItemView {
            symbol: symbol(game, Tile::Item(*item)),
            name: item.to_string(),
            gives: game.tower().items.describe(*item),
            at: at.clone(),
        })
        .collect()
}

/// The map's symbol for a tile of a game.
fn symbol(game: &Game, tile: Tile) -> String {
    match tile {
        Tile::Monster(id) => game.monster(id).symbol.clone(),
        other => legend::symbol(other).unwrap_or("?").to_owned(),
    }
}
