//! What a prompt that fits itself into a number of tokens shows of an observation: the hero's floor in full, the others in
//! short, and how much is left out. Knows nothing of tokens.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cut::{LeftOut, TURNS};
use super::here::{Boss, Here, label};
use super::observation::{ActionView, BlockedView, Observation, PastTurn};
use super::outline::{FloorOutline, ItemCount};
use crate::game::Position;

/// What a template finds under `shown`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Shown<'a> {
    here: Here<'a>,
    /// The boss, wherever it stands; none once it is gone.
    boss: Option<Boss<'a>>,
    /// The other floors that are told of, from the lowest.
    elsewhere: Vec<Elsewhere<'a>>,
    /// What the items give that lie there, keys left aside.
    gives: Vec<&'a ItemCount>,
    /// The other floors on which nothing is left, in words; none if there is none.
    empty: Option<Several>,
    /// The legal actions by floor: on the hero's first, then from the lowest.
    actions: Groups<'a, ActionView>,
    /// What is in reach but not legal, likewise.
    blocked: Groups<'a, BlockedView>,
    /// The last turns.
    history: &'a [PastTurn],
    left_out: Missing,
}

/// Another floor in short.
#[derive(Clone, Debug, Serialize)]
struct Elsewhere<'a> {
    label: String,
    /// Whether only sums are told.
    brief: bool,
    /// How many monsters, items and doors there are.
    sums: [u32; 3],
    /// The floors that its stairs lead to.
    leads: BTreeSet<u16>,
    #[serde(flatten)]
    outline: &'a FloorOutline,
}

/// What is of one floor.
#[derive(Clone, Debug, Serialize)]
struct OnFloor<'a, T> {
    floor: u16,
    label: String,
    /// Whether it is the hero's.
    here: bool,
    all: Vec<&'a T>,
}

type Groups<'a, T> = Vec<OnFloor<'a, T>>;

/// Several floors or actions: how many, and their numbers in words, such as `3 to 7, 9`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Several {
    count: usize,
    numbers: String,
}

/// Actions of a floor that are left out.
#[derive(Clone, Debug, Serialize)]
struct MissingActions {
    label: String,
    #[serde(flatten)]
    actions: Several,
}

/// How much is left out.
#[derive(Clone, Debug, Serialize)]
struct Missing {
    /// Whether anything is.
    any: bool,
    unreached: Option<Several>,
    reached: Option<Several>,
    turns: usize,
    blocked: usize,
    blocked_elsewhere: usize,
    actions: Option<Several>,
    actions_elsewhere: Option<Several>,
    /// The same by floor; none if that would be too much.
    by_floor: Vec<MissingActions>,
    abilities: bool,
    map: bool,
    monsters: usize,
    items: usize,
}

impl<'a> Shown<'a> {
    /// Of an observation, without what is left out.
    pub fn of(observation: &'a Observation, left_out: &LeftOut) -> Self {
        let here = Here::of(observation, left_out);
        let mut missing = Missing::of(observation, left_out, &here);
        let all = by_floor(observation, &observation.actions, |action| action.target.floor);
        let (cut, mut actions) = parted(all, |group| left_out.actions_on.contains(&group.floor));
        missing.actions_elsewhere = numbers(cut.iter().flat_map(|group| &group.all));
        if !left_out.floors_of_actions {
            let of_floor = |group: &OnFloor<'_, ActionView>| {
                Some(MissingActions { label: group.label.clone(), actions: numbers(group.all.iter())? })
            };
            missing.by_floor = cut.iter().filter_map(of_floor).collect();
        }
        if let Some(group) = actions.iter_mut().find(|group| group.here) {
            let unsaid = group.all.split_off(group.all.len().saturating_sub(left_out.actions_here));
            missing.actions = numbers(unsaid.iter());
        }
        let all = by_floor(observation, &observation.blocked, |blocked| blocked.target.floor);
        let (cut, blocked) = parted(all, |group| match group.here {
            true => left_out.blocked_here,
            false => left_out.blocked_on.contains(&group.floor),
        });
        let count = |here: bool| cut.iter().filter(|group| group.here == here).map(|group| group.all.len()).sum();
        (missing.blocked, missing.blocked_elsewhere) = (count(true), count(false));
        let (elsewhere, empty) = elsewhere(observation, left_out);
        let (gives, boss) = (gives(&elsewhere), Boss::of(observation));
        let history = last_turns(observation);
        let history = &history[left_out.turns.min(history.len())..];
        Shown { here, boss, elsewhere, gives, empty, actions, blocked, history, left_out: missing }
    }
}

impl Missing {
    /// All but what depends on which actions are told.
    fn of(observation: &Observation, left_out: &LeftOut, here: &Here<'_>) -> Self {
        let on_floor = |at: &[Position]| at.iter().any(|at| at.floor == here.floor);
        let floors = |floors: &BTreeSet<u16>| Several::of(floors.iter().map(|floor| u32::from(*floor)));
        let monsters = observation.monsters.iter().filter(|monster| on_floor(&monster.at)).count();
        let items = observation.items.iter().filter(|item| on_floor(&item.at)).count();
        Missing {
            any: *left_out != LeftOut::default(),
            unreached: floors(&left_out.unreached),
            reached: floors(&left_out.reached),
            turns: left_out.turns.min(last_turns(observation).len()),
            blocked: 0,
            blocked_elsewhere: 0,
            actions: None,
            actions_elsewhere: None,
            by_floor: Vec::new(),
            abilities: left_out.abilities,
            map: left_out.map,
            monsters: monsters - here.monsters.len(),
            items: items - here.items.len(),
        }
    }
}

/// The turns that are told unless they are left out.
fn last_turns(observation: &Observation) -> &[PastTurn] {
    &observation.history[observation.history.len().saturating_sub(TURNS)..]
}

/// The groups for which something holds, and the others.
fn parted<'a, T>(groups: Groups<'a, T>, holds: impl Fn(&OnFloor<'a, T>) -> bool) -> (Groups<'a, T>, Groups<'a, T>) {
    groups.into_iter().partition(|group| holds(group))
}

/// By their floors: the hero's first, if something is there, then from the lowest.
fn by_floor<'a, T>(observation: &Observation, all: &'a [T], floor_of: impl Fn(&T) -> u16) -> Groups<'a, T> {
    let home = observation.at.floor;
    let mut groups: BTreeMap<(bool, u16), Vec<&T>> = BTreeMap::new();
    for one in all {
        let floor = floor_of(one);
        groups.entry((floor != home, floor)).or_default().push(one);
    }
    (groups.into_iter())
        .map(|((away, floor), all)| OnFloor { floor, label: label(observation, floor), here: !away, all })
        .collect()
}

fn numbers<'a>(actions: impl Iterator<Item = &'a &'a ActionView>) -> Option<Several> {
    Several::of(actions.map(|action| action.number))
}

/// What the items give that are told of on other floors, each kind once, keys left aside.
fn gives<'a>(elsewhere: &[Elsewhere<'a>]) -> Vec<&'a ItemCount> {
    let mut kinds: Vec<&ItemCount> = Vec::new();
    for item in elsewhere.iter().filter(|floor| !floor.brief).flat_map(|floor| &floor.outline.items) {
        if !item.is_key && !item.gives.is_empty() && !kinds.iter().any(|kind| kind.name == item.name) {
            kinds.push(item);
        }
    }
    kinds.sort_by(|one, other| one.name.cmp(&other.name));
    kinds
}

/// The other floors in short, and those on which nothing is left.
fn elsewhere<'a>(observation: &'a Observation, left_out: &LeftOut) -> (Vec<Elsewhere<'a>>, Option<Several>) {
    let mut empty = BTreeSet::new();
    let mut told = Vec::new();
    for outline in observation.outlines.iter().filter(|outline| outline.floor != observation.at.floor) {
        let floor = outline.floor;
        if outline.is_empty() {
            empty.insert(u32::from(floor));
        } else if !left_out.unreached.contains(&floor) && !left_out.reached.contains(&floor) {
            let sum = |counts: &mut dyn Iterator<Item = u32>| counts.fold(0, u32::saturating_add);
            told.push(Elsewhere {
                label: label(observation, floor),
                brief: left_out.details.contains(&floor),
                sums: [
                    sum(&mut outline.monsters.iter().map(|monster| monster.count)),
                    sum(&mut outline.items.iter().map(|item| item.count)),
                    sum(&mut outline.doors.iter().map(|door| door.count)),
                ],
                leads: outline.stairs.iter().map(|stair| stair.to.floor).collect(),
                outline,
            });
        }
    }
    (told, Several::of(empty.into_iter()))
}

impl Several {
    /// Of numbers in ascending order; none if there is no number.
    fn of(numbers: impl Iterator<Item = u32>) -> Option<Self> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut count = 0;
        for number in numbers {
            count += 1;
            match ranges.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let words = ranges.iter().map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first} to {last}"),
        });
        let numbers = words.collect::<Vec<_>>().join(", ");
        (count > 0).then_some(Several { count, numbers })
    }
}

#[cfg(test)]
mod tests;
