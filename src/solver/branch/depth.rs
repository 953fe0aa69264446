//! The search depth first, the best by bound first: for measurement, and where no table is kept.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::game::{Action, End, State};
use crate::solver::error::SolveError;
use crate::solver::search::{Standing, Watch};

use super::bound::{Bounds, LOST, UNKNOWN};
use super::children::Children;
use super::ground::Ground;
use super::history::play;
use super::key::{Key, Scene};
use super::{Answer, Request};

/// States between two looks at the clock.
const BETWEEN_LOOKS: u64 = 256;

/// Searches from a state.
pub(super) fn search<'g>(
    ground: &'g Ground,
    bounds: &mut Bounds<'g>,
    children: &mut Children<'g>,
    root: &State,
    request: &Request,
    watch: &mut Watch<'_>,
) -> Result<Answer, SolveError> {
    let mut known: HashMap<Key, i64, FxBuildHasher> = HashMap::default();
    let mut scene = Scene::default();
    let first = bounds.at(root);
    let mut best: Option<(i64, Vec<Action>)> = (root.end == Some(End::Won)).then(|| (root.hero.hp, Vec::new()));
    let mut trail: Vec<Action> = Vec::new();
    // States to be expanded, with their bound, how many decisions lead to them, and the last of those.
    let mut stack: Vec<(State, i64, usize, Option<Action>)> = Vec::new();
    if first != LOST && root.end.is_none() {
        stack.push((root.clone(), first, 0, None));
    }
    let (mut made, mut wins, mut upper, mut stopped) = (0, 0, first, false);
    let (mut bytes, mut look) = (0, 0);
    while let Some((state, bound, depth, action)) = stack.pop() {
        let wanted = best.as_ref().map_or(LOST, |(best, _)| *best);
        if bound <= wanted {
            continue;
        }
        let looks = made >= look;
        if looks {
            look = made + BETWEEN_LOOKS;
        }
        if made >= request.limits.states || bytes > request.limits.memory || (looks && (watch.stop)()) {
            upper = stack.iter().map(|(_, bound, ..)| *bound).fold(bound.max(wanted), i64::max);
            stopped = true;
            break;
        }
        trail.truncate(depth.saturating_sub(1));
        trail.extend(action);
        let from = stack.len();
        for (action, next) in children.of(&state) {
            made += 1;
            let wanted = best.as_ref().map_or(LOST, |(best, _)| *best);
            match next.end {
                Some(End::Won) => {
                    wins += 1;
                    if next.hero.hp > wanted {
                        best = Some((next.hero.hp, trail.iter().copied().chain([action]).collect()));
                        tell(watch, &best, first, made);
                    }
                }
                Some(_) => {}
                None => {
                    let bound = bounds.at(&next).min(bound);
                    if bound <= wanted {
                        continue;
                    }
                    if !request.without.table {
                        scene.look(ground, &next);
                        let (key, _) = scene.key(ground, &next);
                        let size = key.len() * 8 + 40;
                        match known.get_mut(&key) {
                            Some(hp) if *hp >= next.hero.hp => continue,
                            Some(hp) => *hp = next.hero.hp,
                            None => {
                                known.insert(key, next.hero.hp);
                                bytes += size;
                            }
                        }
                    }
                    stack.push((next, bound, depth + 1, Some(action)));
                }
            }
        }
        // The best by bound comes last, so that it is popped first.
        stack[from..].sort_by_key(|(_, bound, ..)| *bound);
    }
    let value = best.as_ref().map_or(LOST, |(best, _)| *best);
    let upper = if stopped { upper.min(first) } else { value };
    let route = match &best {
        Some((_, actions)) => Some(play(&ground.game, root, actions)?),
        None => None,
    };
    Ok(Answer {
        route,
        best: best.map(|(best, _)| best),
        proven: upper <= value,
        upper_bound: (upper != LOST && upper != UNKNOWN).then_some(upper),
        states: made,
        wins,
        passes: 1,
        hp_counts: ground.hp_counts.clone(),
        unbounded: ground.objection.clone(),
        failed: children.failed,
    })
}

fn tell(watch: &mut Watch<'_>, best: &Option<(i64, Vec<Action>)>, upper: i64, states: u64) {
    let known = upper != UNKNOWN && upper != LOST;
    let best = best.as_ref().map(|(best, _)| *best);
    (watch.tell)(&Standing { best, upper_bound: known.then_some(upper), states, width: 1 });
}
