//! What one state of the published search leads to: clearing a node, then everything that follows of itself. Knows
//! nothing of queues or dominance.

use super::{RouteStep, SearchError};
use crate::game::{Colour, Fight, GameError, Hero, MonsterId, Position, Purchase, Tower, fight};
use crate::solver::bits::Bits;
use crate::solver::merged::{Bounty, Content, MergedGraph, Obstacle};

/// A state in the queue.
#[derive(Clone, Copy)]
pub(super) struct State<const W: usize> {
    pub(super) hero: Hero,
    /// Purchases made so far.
    pub(super) purchases: u32,
    /// The decision that led to it: a node, and the expanded state in which it was made.
    pub(super) decision: Option<Decision>,
    /// Nodes cleared, taken or stood on.
    pub(super) cleared: Bits<W>,
    /// Nodes in reach, not cleared.
    pub(super) reach: Bits<W>,
}

/// A node cleared in an expanded state.
#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) before: u32,
    pub(super) node: u16,
}

/// The moves of one tower: its graph in the form of sets.
pub(super) struct Moves<'a, const W: usize> {
    tower: &'a Tower,
    pub(super) graph: &'a MergedGraph,
    eat: bool,
    links: Vec<Bits<W>>,
    items: Bits<W>,
    /// Nodes with a door or a monster, the boss included: what a key is made of.
    pub(super) obstacles: Bits<W>,
    /// Those of them without a door.
    pub(super) monsters_only: Bits<W>,
    boss: Option<usize>,
}

impl<'a, const W: usize> Moves<'a, W> {
    pub(super) fn new(tower: &'a Tower, graph: &'a MergedGraph, eat: bool) -> Self {
        let nodes = graph.nodes();
        let those = |holds: &dyn Fn(&Content) -> bool| {
            nodes.iter().enumerate().filter(|(_, node)| holds(&node.content)).map(|(number, _)| number).collect()
        };
        Moves {
            tower,
            graph,
            eat,
            links: nodes.iter().map(|node| node.links.iter().copied().collect()).collect(),
            items: those(&|content| matches!(content, Content::Items(_))),
            obstacles: those(&|content| content.obstacles().next().is_some()),
            monsters_only: those(&|content| {
                content.obstacles().next().is_some()
                    && content.obstacles().all(|(_, obstacle)| matches!(obstacle, Obstacle::Monster(_)))
            }),
            boss: nodes.iter().position(|node| matches!(node.content, Content::Boss(..))),
        }
    }

    pub(super) fn won(&self, state: &State<W>) -> bool {
        self.boss.is_some_and(|boss| state.cleared.contains(boss))
    }

    pub(super) fn start(&self, note: &mut impl FnMut(RouteStep)) -> Result<State<W>, SearchError> {
        let mut state =
            State { hero: self.tower.hero, purchases: 0, decision: None, cleared: Bits::empty(), reach: Bits::empty() };
        self.pass(&mut state, 0);
        self.settle(&mut state, note)?;
        Ok(state)
    }

    /// Takes what is free, until the boss falls or nothing is left; then shops. What the route should tell of it goes
    /// to `note`.
    pub(super) fn settle(&self, state: &mut State<W>, note: &mut impl FnMut(RouteStep)) -> Result<(), SearchError> {
        while !self.won(state) {
            if let Some(node) = (state.reach & self.items).first() {
                self.collect(state, node)?;
            } else if let Some(node) = self.harmless(state)?
                && let Some(after) = self.clear(state, node)?
            {
                note(RouteStep::Clear { tiles: self.tiles(node), decision: false });
                *state = after;
            } else {
                return self.shop(state, note);
            }
        }
        Ok(())
    }

    fn collect(&self, state: &mut State<W>, node: usize) -> Result<(), SearchError> {
        if let Content::Items(bounties) = &self.graph.nodes()[node].content {
            for (at, bounty) in bounties {
                if let Bounty::Item(item) = bounty {
                    let after = self.tower.items.give(&state.hero, *item);
                    state.hero = after.ok_or(GameError::GainOverflow { at: *at })?;
                }
            }
        }
        self.pass(state, node);
        Ok(())
    }

    /// The first node in reach that is cleared at once: nothing but monsters, none of which costs HP.
    fn harmless(&self, state: &State<W>) -> Result<Option<usize>, SearchError> {
        if !self.eat {
            return Ok(None);
        }
        for node in (state.reach & self.monsters_only).iter() {
            let mut all = true;
            for (at, obstacle) in self.graph.nodes()[node].content.obstacles() {
                if let Obstacle::Monster(id) = obstacle {
                    all &= self.fight(&state.hero, id, at)? == Fight::Winnable { damage: 0 };
                }
            }
            if all {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    /// The state after a node's obstacles; `None` if a key is missing or a fight not survived.
    pub(super) fn clear(&self, state: &State<W>, node: usize) -> Result<Option<State<W>>, SearchError> {
        let mut after = *state;
        for (at, obstacle) in self.graph.nodes()[node].content.obstacles() {
            let survived = match obstacle {
                Obstacle::Door(colour) => open(&mut after.hero, colour),
                Obstacle::Monster(id) => self.defeat(&mut after.hero, id, at)?,
            };
            if !survived {
                return Ok(None);
            }
        }
        self.pass(&mut after, node);
        Ok(Some(after))
    }

    fn defeat(&self, hero: &mut Hero, id: MonsterId, at: Position) -> Result<bool, SearchError> {
        let Fight::Winnable { damage } = self.fight(hero, id, at)? else { return Ok(false) };
        let monster = &self.tower.monsters[usize::from(id)];
        let overflow = GameError::GainOverflow { at };
        hero.hp = hero.hp.checked_sub(damage).ok_or_else(|| overflow.clone())?;
        hero.gold = hero.gold.checked_add(monster.gold).ok_or_else(|| overflow.clone())?;
        hero.experience = hero.experience.checked_add(monster.experience).ok_or(overflow)?;
        Ok(true)
    }

    fn fight(&self, hero: &Hero, id: MonsterId, at: Position) -> Result<Fight, SearchError> {
        let monster = &self.tower.monsters[usize::from(id)];
        fight(hero, monster, self.tower.rules)
            .map_err(|_| GameError::FightOverflow { monster: monster.name.clone(), at }.into())
    }

    /// Uses the shop, once it has been reached, as often as it can be paid, for ATK.
    fn shop(&self, state: &mut State<W>, note: &mut impl FnMut(RouteStep)) -> Result<(), SearchError> {
        let Some(shop) = self.tower.shop.filter(|shop| shop.amount(Purchase::Atk) > 0) else { return Ok(()) };
        let Some(at) = self.shop_reached(state) else { return Ok(()) };
        loop {
            let price = shop.price(state.purchases).ok_or(GameError::GainOverflow { at })?;
            if price > state.hero.gold {
                return Ok(());
            }
            state.hero = shop.sell(&state.hero, Purchase::Atk, price).ok_or(GameError::GainOverflow { at })?;
            state.purchases = state.purchases.checked_add(1).ok_or(GameError::GainOverflow { at })?;
            note(RouteStep::Buy { shop: at });
        }
    }

    fn shop_reached(&self, state: &State<W>) -> Option<Position> {
        (state.cleared & self.items).iter().find_map(|node| self.graph.nodes()[node].content.shop())
    }

    /// Walks onto a node whose content is gone.
    fn pass(&self, state: &mut State<W>, node: usize) {
        state.cleared.insert(node);
        state.reach = (state.reach | self.links[node]) & !state.cleared;
    }

    pub(super) fn tiles(&self, node: usize) -> Vec<Position> {
        self.graph.nodes()[node].content.obstacles().map(|(at, _)| at).collect()
    }
}

/// Takes a key; says whether there was one.
fn open(hero: &mut Hero, colour: Colour) -> bool {
    let held = hero.keys[colour] > 0;
    hero.keys[colour] -= i64::from(held);
    held
}
