//! Forward pass: every canonical key that play can reach from some places, with the most HP it can be reached with.

use rustc_hash::FxHashMap;

use super::error::SolveError;
use super::key::{Key, Place, Space};
use super::moves::Move;

/// Reached keys in layers: every move leads to a later layer, so an entry's HP is final when its layer is expanded.
#[derive(Clone, Debug)]
pub struct Table<const W: usize> {
    /// The entries, in order of discovery.
    pub entries: Vec<Entry<W>>,
    /// Indices of the entries of each layer.
    pub layers: Vec<Vec<u32>>,
    /// The entry of each key.
    pub index: FxHashMap<Key<W>, u32>,
    /// The most HP with which the boss is defeated, and the entry before that fight.
    pub best: Option<(i64, u32)>,
    /// Entries from which the boss can be defeated at once.
    pub wins: u64,
}

/// A reached key.
#[derive(Clone, Copy, Debug)]
pub struct Entry<const W: usize> {
    /// The place.
    pub place: Place<W>,
    /// The most HP that it can be reached with.
    pub hp: i64,
}

impl<const W: usize> Space<W> {
    /// Reaches everything from `roots` over moves that `allowed` lets through.
    ///
    /// # Errors
    /// [`SolveError::TooManyStates`] beyond `cap` keys; [`SolveError::Overflow`].
    pub fn reach(
        &self,
        roots: &[(Place<W>, i64)],
        wasteful: bool,
        cap: usize,
        allowed: impl Fn(&Place<W>, &Move<W>) -> bool,
    ) -> Result<Table<W>, SolveError> {
        let mut table =
            Table { entries: Vec::new(), layers: Vec::new(), index: FxHashMap::default(), best: None, wins: 0 };
        for (place, hp) in roots {
            self.offer(&mut table, *place, *hp, cap)?;
        }
        let mut moves = Vec::new();
        let mut layer = 0;
        while layer < table.layers.len() {
            for position in 0..table.layers[layer].len() {
                let id = table.layers[layer][position];
                let Entry { place, hp } = table.entries[id as usize];
                self.moves(&place, hp, wasteful, &mut moves)?;
                for next in moves.iter().filter(|next| allowed(&place, next)) {
                    let left = hp
                        .checked_sub(next.damage)
                        .and_then(|hp| hp.checked_add(next.gain))
                        .ok_or_else(super::error::overflow)?;
                    match next.to {
                        Some(to) => self.offer(&mut table, to, left, cap)?,
                        None => {
                            table.wins += 1;
                            if table.best.is_none_or(|(best, _)| left > best) {
                                table.best = Some((left, id));
                            }
                        }
                    }
                }
            }
            layer += 1;
        }
        Ok(table)
    }

    fn offer(&self, table: &mut Table<W>, place: Place<W>, hp: i64, cap: usize) -> Result<(), SolveError> {
        if let Some(id) = table.index.get(&place.key) {
            let known = &mut table.entries[*id as usize].hp;
            *known = hp.max(*known);
            return Ok(());
        }
        if table.entries.len() >= cap {
            return Err(SolveError::TooManyStates { cap });
        }
        let id = table.entries.len() as u32;
        let layer = self.depth(&place)?;
        if table.layers.len() <= layer {
            table.layers.resize(layer + 1, Vec::new());
        }
        table.layers[layer].push(id);
        table.entries.push(Entry { place, hp });
        table.index.insert(place.key, id);
        Ok(())
    }

    /// A number that grows with every move: obstacles gone, doors opened, purchases made.
    fn depth(&self, place: &Place<W>) -> Result<usize, SolveError> {
        let doors: u32 = self.doors_opened(place)?.iter().sum();
        let purchases: u32 = place.key.purchases.iter().sum();
        Ok((place.key.gone.count() + doors + purchases) as usize)
    }
}
