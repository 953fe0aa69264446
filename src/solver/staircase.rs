//! Staircases: the change of HP to the end, as a function of the HP that one has.
//!
//! A step (n, c) says: from n HP on, up to the next step, the end is reached with c more HP than one has. A fight of
//! damage d whose gains are g turns a step after it into the step (max(d + 1, n + d − g), c − d + g) before it. Where
//! d depends on HP (vampire) it is constant between breakpoints, and each piece is turned by itself; then, and only
//! then, a step ends before infinity and the change can fall from one step to the next. Of equal changes the one with
//! fewer decisions is kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One step: with `need` HP or more, the end is reached with `change` more than one has, by `decisions` decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stair {
    /// HP from which on it holds.
    pub need: i64,
    /// HP at the end less HP now.
    pub change: i64,
    /// The fewest decisions that reach that.
    pub decisions: u32,
}

/// A step that holds below a limit only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The step.
    pub stair: Stair,
    /// HP from which on it does not hold any more.
    pub until: i64,
}

impl Stair {
    /// What makes one step better than another that can be afforded: more HP, then fewer decisions.
    pub fn worth(&self) -> (i64, Reverse<u32>) {
        (self.change, Reverse(self.decisions))
    }

    /// The step before a decision of this damage and gain, with which this step is reached. None if its numbers leave
    /// `i64`: nobody has so many HP.
    #[inline]
    pub fn before(&self, damage: i64, gain: i64) -> Option<Stair> {
        let balance = gain.checked_sub(damage)?;
        Some(Stair {
            need: damage.checked_add(1)?.max(self.need.checked_sub(balance)?).max(1),
            change: self.change.checked_add(balance)?,
            decisions: self.decisions.saturating_add(1),
        })
    }
}

/// The step that holds at some HP.
#[inline]
pub fn step_at(stairs: &[Stair], hp: i64) -> Option<&Stair> {
    stairs[..stairs.partition_point(|stair| stair.need <= hp)].last()
}

/// Keeps the steps that are the best for some HP up to `most`, in rising order. All hold to infinity.
pub fn keep_best(stairs: &mut Vec<Stair>, most: i64) {
    stairs.retain(|stair| stair.need <= most);
    stairs.sort_unstable_by_key(|stair| (stair.need, Reverse(stair.worth())));
    let mut best = None;
    stairs.retain(|stair| {
        let better = best.is_none_or(|best| stair.worth() > best);
        if better {
            best = Some(stair.worth());
        }
        better
    });
}

/// The pieces of a staircase.
pub fn pieces(stairs: &[Stair]) -> impl Iterator<Item = Piece> + '_ {
    let ends = stairs.iter().skip(1).map(|next| next.need).chain([i64::MAX]);
    stairs.iter().zip(ends).map(|(stair, until)| Piece { stair: *stair, until })
}

/// The best of pieces at each HP up to `most`, as a staircase.
pub fn envelope(mut pieces: Vec<Piece>, most: i64, stairs: &mut Vec<Stair>) {
    stairs.clear();
    pieces.retain(|piece| piece.stair.need <= most && piece.stair.need < piece.until);
    let mut breaks: Vec<i64> = pieces.iter().flat_map(|piece| [piece.stair.need, piece.until]).collect();
    breaks.sort_unstable();
    breaks.dedup();
    pieces.sort_unstable_by_key(|piece| piece.stair.need);
    let mut coming = pieces.into_iter().peekable();
    let mut holding = BinaryHeap::new();
    for hp in breaks.into_iter().take_while(|hp| *hp <= most) {
        while let Some(piece) = coming.next_if(|piece| piece.stair.need <= hp) {
            holding.push((piece.stair.worth(), piece.until));
        }
        while holding.peek().is_some_and(|(_, until)| *until <= hp) {
            holding.pop();
        }
        let Some(((change, Reverse(decisions)), _)) = holding.peek() else { continue };
        let stair = Stair { need: hp, change: *change, decisions: *decisions };
        if stairs.last().is_none_or(|last| last.worth() != stair.worth()) {
            stairs.push(stair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stair(need: i64, change: i64) -> Stair {
        Stair { need, change, decisions: 1 }
    }

    #[test]
    fn a_fight_moves_a_step_and_what_it_needs() {
        assert_eq!(stair(10, 5).before(3, 1), Some(Stair { need: 12, change: 3, decisions: 2 }));
        assert_eq!(stair(1, 5).before(30, 50), Some(Stair { need: 31, change: 25, decisions: 2 }));
        assert_eq!(stair(1, 5).before(i64::MAX, 0), None);
    }

    #[test]
    fn worse_and_dearer_steps_go() {
        let mut stairs = vec![stair(20, 7), stair(5, 1), stair(9, 1), stair(7, 4), stair(30, 9), stair(20, 8)];
        keep_best(&mut stairs, 29);
        assert_eq!(stairs, [stair(5, 1), stair(7, 4), stair(20, 8)]);
        assert_eq!(step_at(&stairs, 4), None);
        assert_eq!(step_at(&stairs, 19), Some(&stair(7, 4)));
    }

    #[test]
    fn the_envelope_falls_where_a_piece_ends() {
        let pieces = vec![
            Piece { stair: stair(1, 0), until: i64::MAX },
            Piece { stair: stair(5, 3), until: 8 },
            Piece { stair: stair(6, 2), until: 20 },
        ];
        let mut stairs = Vec::new();
        envelope(pieces, 15, &mut stairs);
        assert_eq!(stairs, [stair(1, 0), stair(5, 3), stair(8, 2)]);
    }
}
