//! A corner with two legal first actions: 1, the yellow door at (0,1), and 2, the Green Slime at (1,0).

use mota::agent::{AgentError, Call, CallLimits, View};
use mota::game::{
    Abilities, Action, Colour, Floor, Game, Hero, ItemMode, ItemValues, Keys, Monster, Position, Rules, State, Tile,
    Tower,
};

/// The game with its first state and what may be done in it.
pub struct Start {
    pub game: Game,
    pub state: State,
    pub actions: Vec<Action>,
}

/// The start of the corner.
pub fn start() -> Start {
    let monster = |symbol: &str, name: &str, hp| Monster {
        symbol: symbol.into(),
        name: name.into(),
        hp,
        atk: 7,
        def: 3,
        gold: 0,
        experience: 0,
        abilities: Abilities::none(),
        boss: symbol == "B",
    };
    let rows = vec![
        vec![Tile::Floor, Tile::Monster(0), Tile::Monster(1)],
        vec![Tile::Door(Colour::Yellow), Tile::Wall, Tile::Wall],
    ];
    let tower = Tower {
        name: "corner".into(),
        title: "A corner".into(),
        note: None,
        mechanism: None,
        origin: None,
        rules: Rules::default(),
        hero: Hero { hp: 100, atk: 9, def: 4, keys: Keys { yellow: 1, ..Keys::default() }, ..Hero::default() },
        start: Position::new(0, 0, 0),
        items: ItemValues::default(),
        monsters: vec![monster("1", "Green Slime", 50), monster("B", "Boss", 60)],
        shop: None,
        floors: vec![Floor::from_rows(String::new(), rows).expect("the rows are equally long")],
        stairs: Vec::new(),
        ..Tower::default()
    };
    let game = Game::new(tower, ItemMode::Auto).expect("the tower is playable");
    let state = game.start().expect("the start can be computed");
    let actions = game.actions(&state).expect("the actions can be computed");
    Start { game, state, actions }
}

impl Start {
    /// What an agent sees of it, with the calls of an earlier try.
    pub fn view<'a>(&'a self, calls: &'a [Call]) -> View<'a> {
        View {
            game: &self.game,
            state: &self.state,
            actions: &self.actions,
            blocked: &[],
            past: &[],
            calls,
            turn_limit: Some(10),
            limits: CallLimits::default(),
            seed: 7,
        }
    }
}

/// A heuristic that takes the last action, so that its choice cannot be mistaken for the model's.
pub fn last_action(view: &View<'_>) -> Result<u32, AgentError> {
    Ok(view.actions.len() as u32)
}
