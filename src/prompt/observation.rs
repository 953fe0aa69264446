//! Everything a player may know before a decision, in a form that serialises. Knows nothing of who reads it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::format::legend;
use crate::game::{
    Action, ActionKind, Blocked, BlockedReason, Fight, Game, GameError, GateId, Goal, Hero, Item, ItemMode, Marks,
    MonsterId, Position, Purchase, Quantity, State, Tile,
};

use super::ability;
use super::outline::{FloorOutline, outlines};
use super::view::is_false;
pub use super::view::{
    AbilityView, ActionView, BlockedView, EventView, FloorView, GateView, GoalView, ItemView, MonsterView, OneWayView,
    PastTurn, QuestionView, ShopView, ToolView, Verb,
};
use super::worth;

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
    /// Whether a shop takes gold, or an event reads or sets it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub gold_counts: bool,
    /// Whether an event reads or sets experience.
    #[serde(default, skip_serializing_if = "is_false")]
    pub experience_counts: bool,
    /// The items that still lie somewhere.
    pub items: Vec<ItemView>,
    /// The doors of its own that still stand somewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateView>,
    /// Where events wait for the hero.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventView>,
    /// Passages: whoever enters the first tile stands on the second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<OneWayView>,
    /// Sides of tiles that cannot be crossed from the first tile to the second.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub barriers: Vec<OneWayView>,
    /// What the hero carries beside keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolView>,
    /// What wins, if it is not the boss's defeat alone.
    #[serde(default, skip_serializing_if = "GoalView::is_boss")]
    pub goal: GoalView,
    /// What an event asks, if it waits for an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionView>,
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
            abilities: abilities(game, state, &places),
            monsters: monsters(game, state, &places)?,
            shop: shop(game, state),
            gold_counts: worth::counts(game.tower(), Quantity::Gold),
            experience_counts: worth::counts(game.tower(), Quantity::Experience),
            items: items(game, &places),
            gates: gates(game, &places),
            events: events(game, state, &places),
            passages: (game.tower().passages.iter())
                .map(|passage| OneWayView { from: passage.from, to: passage.to })
                .collect(),
            barriers: (game.tower().barriers.iter())
                .map(|barrier| OneWayView { from: barrier.from, to: barrier.to })
                .collect(),
            tools: tools(game, state),
            goal: goal(game),
            question: question(game, state),
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
            ActionKind::Walk => {
                view.verb = Verb::Walk;
                if action.target.floor == state.at.floor {
                    view.text = "walk on, with no way back".into();
                }
            }
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

/// Where every kind of thing still stands, in order of floor, x, y.
#[derive(Default)]
struct Places {
    monsters: BTreeMap<MonsterId, Vec<Position>>,
    items: BTreeMap<Item, Vec<Position>>,
    gates: BTreeMap<GateId, Vec<Position>>,
    events: Vec<Position>,
}

impl Places {
    fn of(game: &Game, state: &State) -> Self {
        let mut places = Places::default();
        for cell in 0..game.graph().len() as u32 {
            let at = game.graph().position(cell);
            match game.tile_now(state, cell) {
                Tile::Monster(id) => places.monsters.entry(id).or_default().push(at),
                Tile::Item(item) => places.items.entry(item).or_default().push(at),
                Tile::Gate(id) => places.gates.entry(id).or_default().push(at),
                Tile::Event | Tile::Figure if game.has_event(state, cell) => places.events.push(at),
                Tile::Event | Tile::Figure => {}
                Tile::Floor | Tile::Wall | Tile::Door(_) | Tile::Stair(_) | Tile::Shop => {}
            }
        }
        places.events.sort_unstable();
        places.gates.values_mut().for_each(|at| at.sort_unstable());
        places.monsters.values_mut().chain(places.items.values_mut()).for_each(|at| at.sort_unstable());
        places
    }
}

fn monsters(game: &Game, state: &State, places: &Places) -> Result<Vec<MonsterView>, GameError> {
    let mut views = Vec::with_capacity(places.monsters.len());
    for (&id, at) in &places.monsters {
        let (monster, first) = (game.monster_now(state, id), at.first().copied().unwrap_or_default());
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

fn abilities(game: &Game, state: &State, places: &Places) -> Vec<AbilityView> {
    let mut views: Vec<AbilityView> = Vec::new();
    for ability in places.monsters.keys().flat_map(|id| game.monster_now(state, *id).abilities.iter()) {
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
            name: game.describe_item(*item),
            gives: game.describe_gain(*item),
            is_own: matches!(item, Item::Thing(_)),
            at: at.clone(),
        })
        .collect()
}

fn gates(game: &Game, places: &Places) -> Vec<GateView> {
    let view = |(id, at): (&GateId, &Vec<Position>)| {
        let by_event = game.tower().gates.get(usize::from(*id)).is_none_or(|gate| gate.by_event);
        let reason = if by_event { BlockedReason::ByEvent } else { BlockedReason::NoKeys(*id) };
        let takes = game.describe_reason(&reason);
        GateView { symbol: symbol(game, Tile::Gate(*id)), name: game.describe(Tile::Gate(*id)), takes, at: at.clone() }
    };
    places.gates.iter().map(view).collect()
}

fn events(game: &Game, state: &State, places: &Places) -> Vec<EventView> {
    let view = |at: &Position| {
        let cell = game.graph().cell(*at)?;
        let (symbol, title) = (symbol(game, game.tile_now(state, cell)), game.describe_at(state, cell));
        Some(EventView { symbol, title, at: *at })
    };
    places.events.iter().filter_map(view).collect()
}

/// What is held of the variables that stand for things.
pub fn tools(game: &Game, state: &State) -> Vec<ToolView> {
    let held = game.tower().variables.iter().zip(&state.variables).filter(|(_, count)| **count > 0);
    held.filter_map(|(variable, count)| {
        variable.name.strip_prefix("item:").map(|name| ToolView { name: name.to_owned(), count: *count })
    })
    .collect()
}

/// What marks the hero beside his quantities, in words.
pub fn marks(hero: &Hero) -> Vec<String> {
    let Marks { cross, coin, curse, hatred } = hero.marks;
    let told = [(cross, "the cross"), (coin, "the coin"), (curse, "a curse")].into_iter().filter(|(has, _)| *has);
    let told = told.map(|(_, what)| what.to_owned());
    told.chain((hatred != 0).then(|| format!("{hatred} HP of hatred"))).collect()
}

fn goal(game: &Game) -> GoalView {
    match game.tower().goal {
        Goal::Boss => GoalView::Boss,
        Goal::Exit(at) => GoalView::Exit { at },
        Goal::Event => GoalView::Event,
    }
}

/// What an event asks, if it waits for an answer.
pub fn question(game: &Game, state: &State) -> Option<QuestionView> {
    let pending = state.pending.as_ref()?;
    let title = game.graph().cell(pending.at).and_then(|cell| game.event_title(cell)).unwrap_or_default();
    Some(QuestionView { title, text: game.describe_question(pending.choice).to_owned(), at: pending.at })
}

/// The map's symbol for a tile of a game.
pub fn symbol(game: &Game, tile: Tile) -> String {
    match tile {
        Tile::Monster(id) => game.monster(id).symbol.clone(),
        Tile::Gate(id) => game.tower().gates.get(usize::from(id)).map_or("?", |gate| &gate.symbol).to_owned(),
        Tile::Item(Item::Thing(id)) => {
            game.tower().things.get(usize::from(id)).map_or("?", |thing| &thing.symbol).to_owned()
        }
        Tile::Event => legend::EVENT.to_owned(),
        Tile::Figure => "N".to_owned(),
        other => legend::symbol(other).unwrap_or("?").to_owned(),
    }
}
