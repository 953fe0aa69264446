//! What scripts can still do from a state on: what they give, where they may open a way, how they may win.

use crate::game::{CellIndex, CellSet, Game, Goal, Instruction, Script, State, Tile, Trigger, script};

use super::range::Ranges;
use super::script::{ENDLESS, Reader, Way, Ways, gain_of};
use super::survey::Gain;

/// All scripts of a tower, read once.
#[derive(Clone, Debug)]
pub(super) struct Happenings {
    pub ranges: Ranges,
    /// By what the gold of a monster may be multiplied.
    pub coins: i64,
    /// Tiles onto which the hero may be put, whatever stands there.
    pub landings: CellSet,
    /// What the script of each thing gives once.
    things: Vec<Gain>,
    sources: Vec<Source>,
}

/// A script with when it runs.
#[derive(Clone, Debug)]
struct Source {
    /// The tile of its event; none if it may run wherever the hero is.
    at: Option<CellIndex>,
    life: Life,
    /// Whether it runs once at most.
    once: bool,
    ways: Ways,
    /// What it gives, if it is of a thing: that counts where the thing lies, and while the script waits.
    by_thing: Gain,
}

/// Until when something can happen.
#[derive(Clone, Copy, Debug)]
enum Life {
    Always,
    /// Until the event, by number, has happened.
    Event(usize),
    /// Until its tile has been cleared.
    Tile(CellIndex),
}

/// What can be had again and again for gold or experience, or for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    pub at: Option<CellIndex>,
    /// The least that it costs each time; 0 if nothing is sure to be paid.
    pub cost: i64,
    /// Whether that is experience, and not gold.
    pub experience: bool,
    pub gain: Gain,
}

/// What can still happen; made anew for each state, in the same memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlook {
    /// Tiles at which something may change: they are taken for open, and for holding what they hold.
    pub changing: CellSet,
    /// Ways that events may open: from a tile, or from anywhere, to a tile.
    pub joins: Vec<(Option<CellIndex>, CellIndex)>,
    /// What is given once on getting to a tile, or anywhere.
    pub gains: Vec<(Option<CellIndex>, Gain)>,
    pub deals: Vec<Deal>,
    /// Where events may win.
    pub wins: Vec<Option<CellIndex>>,
    /// Whether the boss may be met elsewhere than at its place.
    pub boss_elsewhere: bool,
    /// Whether monsters may stand where none is.
    pub more_monsters: bool,
}

impl Happenings {
    pub(super) fn new(game: &Game) -> Self {
        let tower = game.tower();
        let scripts: Vec<&Script> = (tower.events.iter().map(|event| &event.script))
            .chain(tower.things.iter().map(|thing| &thing.script))
            .collect();
        let all: Vec<&Instruction> = scripts.iter().flat_map(|script| script::all(script)).collect();
        let ranges = Ranges::new(tower, &all);
        let coins = if may_have_coin(game, &all) { 2 } else { 1 };
        let cells = game.graph().len();
        let cell = |at| game.graph().cell(at);
        let mut landings = CellSet::empty(cells);
        let [mut put, mut shown, mut fought, mut opened] = [0; 4].map(|_| CellSet::empty(cells));
        for to in tower.passages.iter().filter_map(|passage| cell(passage.to)) {
            landings.insert(to);
        }
        for instruction in &all {
            let places = instruction.places().into_iter().filter_map(cell);
            match instruction {
                Instruction::Go { .. } => places.for_each(|cell| _ = landings.insert(cell)),
                Instruction::Put { .. } => places.for_each(|cell| _ = put.insert(cell)),
                Instruction::Show { .. } => places.for_each(|cell| _ = shown.insert(cell)),
                Instruction::Fight { .. } => places.for_each(|cell| _ = fought.insert(cell)),
                Instruction::Open { .. } => places.for_each(|cell| _ = opened.insert(cell)),
                Instruction::Move { to: Some(to), .. } => cell(*to).into_iter().for_each(|cell| _ = put.insert(cell)),
                _ => {}
            }
        }
        let reader = |own, stays_hidden| Reader { game, ranges: &ranges, all: &all, coins, own, stays_hidden };
        let mut sources = Vec::new();
        for (index, event) in tower.events.iter().enumerate() {
            let at = cell(event.at).filter(|_| !event.trigger.is_of_floor());
            let comes_back =
                at.is_some_and(|cell| put.contains(cell) || (event.trigger != Trigger::Step && fought.contains(cell)));
            let own = at.filter(|_| !comes_back).map(|_| event.at);
            let stays_hidden = at.is_some_and(|cell| !shown.contains(cell));
            let conditions = match &event.trigger {
                Trigger::When { condition, .. } => vec![condition],
                _ => Vec::new(),
            };
            let (life, once) = match (&event.trigger, at) {
                (Trigger::FirstArrival | Trigger::When { once: true, .. }, _) => (Life::Event(index), true),
                (Trigger::Step, Some(cell)) if !comes_back => (Life::Tile(cell), false),
                (Trigger::AfterFight | Trigger::AfterCollect | Trigger::AfterOpen, Some(cell)) if !comes_back => {
                    (Life::Tile(cell), true)
                }
                _ => (Life::Always, false),
            };
            let ways = reader(own, stays_hidden).read(&event.script, &conditions);
            // An event of a tile that scripts open or fight at may happen wherever the hero is.
            let is_remote = at.is_some_and(|cell| match event.trigger {
                Trigger::AfterFight => fought.contains(cell),
                Trigger::AfterOpen => opened.contains(cell),
                _ => false,
            });
            let at = at.filter(|_| !is_remote);
            sources.push(Source { at, life, once, ways, by_thing: Gain::default() });
        }
        let mut things = Vec::new();
        for thing in &tower.things {
            let mut ways = reader(None, false).read(&thing.script, &[]);
            // Each piece is collected once: what it gives counts where it lies.
            let mut most = Gain::default();
            ways.through.iter().for_each(|way| most.raise(&way.gain));
            ways.through.clear();
            things.push(most);
            sources.push(Source { at: None, life: Life::Always, once: false, ways, by_thing: most });
        }
        Happenings { ranges, coins, landings, things, sources }
    }

    /// Why no bound is known for the whole tower, if so.
    pub(super) fn objection(&self, game: &Game) -> Option<String> {
        let tower = game.tower();
        let hates = tower.monsters.iter().any(|row| row.abilities.iter().any(|ability| ability.code() == 17));
        let scripts =
            tower.events.iter().map(|event| &event.script).chain(tower.things.iter().map(|thing| &thing.script));
        let sets_hatred = |instruction: &&Instruction| {
            use crate::game::{Quantity, Target};
            matches!(instruction, Instruction::Set { target: Target::Hero(Quantity::Hatred), .. })
        };
        let lowers = tower.things.iter().any(|thing| thing.gain.marks.hatred < 0)
            || tower.hero.marks.hatred < 0
            || tower.rules.hatred < 0;
        if hates && (lowers || scripts.flat_map(|script| script::all(script)).any(|each| sets_hatred(&each))) {
            return Some("events change the hatred that monsters have stored up".into());
        }
        let altered = (0..tower.monsters.len()).any(|id| self.ranges.is_altered(id as u16));
        (altered && tower.rules.negative_damage).then(|| "events alter monsters, and fights can heal".into())
    }

    /// Whether ATK, DEF or MDEF may ever be below 0.
    pub(super) fn attributes_may_be_negative(&self, game: &Game) -> bool {
        let tower = game.tower();
        let scripts =
            tower.events.iter().map(|event| &event.script).chain(tower.things.iter().map(|thing| &thing.script));
        let all: Vec<&Instruction> = scripts.flat_map(script::all).collect();
        self.ranges.attributes_may_be_negative(&all)
    }

    /// What a tile gives, at most, with what its own script gives.
    pub(super) fn gain(&self, game: &Game, tile: Tile) -> Gain {
        let mut gain = gain_of(game, &self.ranges, self.coins, tile);
        if let Tile::Item(crate::game::Item::Thing(id)) = tile
            && let Some(more) = self.things.get(usize::from(id))
        {
            gain.add(more);
        }
        gain
    }
}

/// Whether the hero may ever have the coin.
fn may_have_coin(game: &Game, all: &[&Instruction]) -> bool {
    use crate::game::{Quantity, Target};
    let tower = game.tower();
    tower.hero.marks.coin
        || tower.things.iter().any(|thing| thing.gain.marks.coin)
        || all.iter().any(|each| matches!(each, Instruction::Set { target: Target::Hero(Quantity::Coin), .. }))
}

impl Outlook {
    /// Looks at what can still happen.
    pub(super) fn look(&mut self, happenings: &Happenings, game: &Game, state: &State) {
        self.changing = happenings.landings.clone();
        self.joins.clear();
        self.gains.clear();
        self.deals.clear();
        self.wins.clear();
        (self.boss_elsewhere, self.more_monsters) = (false, false);
        // While an event waits, what it is in the middle of is not looked up: it may be any.
        let waiting = state.pending.is_some();
        for source in &happenings.sources {
            let over = match source.life {
                Life::Always => false,
                Life::Event(index) => state.past.contains(index as CellIndex),
                Life::Tile(cell) => state.cleared.contains(cell),
            };
            if over && !waiting {
                continue;
            }
            let at = source.at.filter(|_| !waiting);
            source.ways.places.iter().for_each(|cell| _ = self.changing.insert(*cell));
            self.joins.extend(source.ways.jumps.iter().map(|to| (at, *to)));
            if source.ways.wins {
                self.wins.push(at);
            }
            self.more_monsters |= !source.ways.monsters.is_empty();
            self.boss_elsewhere |= source.ways.monsters.iter().any(|id| game.monster(*id).boss);
            if let Some(pending) = &state.pending {
                self.count_rest(source, pending.then.len() as i64 + 1);
            }
            if !over {
                self.count(happenings, source, at, state);
            }
        }
    }

    /// Counts what the rest of a script gives that so many scripts may be in the middle of: any way through it, and a
    /// round of each of its loops.
    fn count_rest(&mut self, source: &Source, scripts: i64) {
        let mut rest = source.by_thing;
        source.ways.through.iter().for_each(|way| rest.raise(&way.gain));
        source.ways.rounds.iter().for_each(|way| rest.add(&way.gain));
        if rest != Gain::default() {
            rest.multiply(scripts);
            self.gains.push((None, rest));
        }
    }

    /// Counts what one script gives.
    fn count(&mut self, happenings: &Happenings, source: &Source, at: Option<CellIndex>, state: &State) {
        let mut once = Gain::default();
        // Of ways that close behind the hero, one can be gone for each variable that closes them.
        let mut closing: Vec<((u16, i64), Gain)> = Vec::new();
        let ways = source.ways.through.iter().map(|way| (way, source.once || way.used));
        for (way, is_last) in ways.chain(source.ways.rounds.iter().map(|way| (way, false))) {
            if !way.matters() {
                continue;
            }
            let closed = way
                .until
                .is_some_and(|(id, most)| state.variables.get(usize::from(id)).is_some_and(|number| *number > most));
            match way.until {
                _ if closed => {}
                _ if is_last => once.raise(&way.gain),
                Some(until) => match closing.iter_mut().find(|(other, _)| *other == until) {
                    Some((_, gain)) => gain.raise(&way.gain),
                    None => closing.push((until, way.gain)),
                },
                None => self.deals.push(deal(happenings, way, at, state)),
            }
        }
        closing.iter().for_each(|(_, gain)| once.add(gain));
        if once != Gain::default() {
            self.gains.push((at, once));
        }
    }
}

/// What a way gives each time, with the least that it costs.
fn deal(happenings: &Happenings, way: &Way, at: Option<CellIndex>, state: &State) -> Deal {
    let least = |prices: &[crate::game::Expression]| -> i64 {
        let each = prices.iter().map(|price| happenings.ranges.of(price, Some(state)).0.and_then(|low| low.floor()));
        each.map(|low| low.unwrap_or(0).max(0)).fold(0, i64::saturating_add)
    };
    let (gold, experience) = (least(&way.gold), least(&way.experience));
    match gold {
        0 => Deal { at, cost: experience, experience: true, gain: way.gain },
        gold => Deal { at, cost: gold, experience: false, gain: way.gain },
    }
}

/// Ways to win: of each, the tiles that must all be got to. None is known where there is an empty one.
pub(super) fn goals(game: &Game, outlook: &Outlook, bosses: &[CellIndex], state: &State) -> Vec<Vec<CellIndex>> {
    let mut goals: Vec<Vec<CellIndex>> = outlook.wins.iter().map(|at| at.iter().copied().collect()).collect();
    // Those that stand, or lie switched off, wherever an event has put them.
    let put = state.changed.iter().map(|(cell, _)| *cell);
    let mut bosses: Vec<CellIndex> = bosses.iter().copied().chain(put).collect();
    bosses.sort_unstable();
    bosses.dedup();
    let stands = |cell: &CellIndex| {
        let put = state.changed.binary_search_by_key(cell, |(changed, _)| *changed);
        let tile = put.map_or_else(|_| game.graph().tile(*cell), |index| state.changed[index].1);
        !state.cleared.contains(*cell) && game.tower().is_boss(tile)
    };
    bosses.retain(stands);
    match game.tower().goal {
        Goal::Boss => {
            for &cell in &bosses {
                let moves = outlook.changing.contains(cell);
                if moves || !state.hidden.contains(cell) {
                    goals.push(if moves { Vec::new() } else { vec![cell] });
                }
            }
            if outlook.boss_elsewhere {
                goals.push(Vec::new());
            }
        }
        Goal::Exit(exit) => {
            let stay = bosses.into_iter().filter(|cell| !outlook.changing.contains(*cell) && !outlook.boss_elsewhere);
            goals.push(game.graph().cell(exit).into_iter().chain(stay).collect());
        }
        Goal::Event => {}
    }
    goals
}

/// Whether a quantity has no bound.
pub(super) fn is_endless(quantity: i64) -> bool {
    quantity >= ENDLESS / 2
}
