//! Forward pass: every canonical key that play can reach from some places, with the most HP it can be reached with.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use super::cost::Ledger;
use super::error::{SolveError, overflow};
use super::key::{Entry, Key, Place, Space};
use super::moves::Move;

/// Reached keys in layers: every move leads to a later layer, so an entry's HP is final when its layer is expanded.
#[derive(Clone, Debug, Default)]
pub struct Table<const W: usize> {
    /// The entries, in order of discovery, each with the most HP that its place can be reached with.
    pub entries: Vec<Entry<W>>,
    /// Indices of the entries of each layer.
    pub layers: Vec<Vec<u32>>,
    /// The most HP with which the boss is defeated, and the entry before that fight.
    pub best: Option<(i64, u32)>,
    /// Entries from which the boss can be defeated at once.
    pub wins: u64,
    index: HashTable<u32>,
}

impl<const W: usize> Table<W> {
    /// Bytes that an entry takes, with its place in the index and in its layer; roughly.
    pub const BYTES_AN_ENTRY: usize = size_of::<Entry<W>>() + 2 * size_of::<u32>() + 2;

    /// The entry of a key.
    #[inline]
    pub fn find(&self, key: &Key<W>) -> Option<u32> {
        self.index.find(hash(key), |id| self.entries[*id as usize].place.key == *key).copied()
    }
}

fn hash<const W: usize>(key: &Key<W>) -> u64 {
    FxBuildHasher.hash_one(key)
}

impl<const W: usize> Space<W> {
    /// Reaches everything from `roots` over moves that `allowed` lets through.
    ///
    /// # Errors
    /// [`SolveError::TooManyStates`] beyond `cap` keys; [`SolveError::Overflow`].
    pub fn reach(
        &self,
        roots: &[Entry<W>],
        wasteful: bool,
        cap: usize,
        allowed: impl Fn(&Place<W>, &Move<W>) -> bool,
    ) -> Result<Table<W>, SolveError> {
        let mut table = Table::default();
        for root in roots {
            self.offer(&mut table, *root, cap)?;
        }
        let mut ledger = Ledger::new([].into());
        let mut moves = Vec::new();
        let mut layer = 0;
        while layer < table.layers.len() {
            for position in 0..table.layers[layer].len() {
                let id = table.layers[layer][position];
                let entry = table.entries[id as usize];
                let costs = ledger.at(self, &entry.place)?;
                self.moves(&entry, &costs, wasteful, &mut moves)?;
                for next in moves.iter().filter(|next| allowed(&entry.place, next)) {
                    let hp = entry.hp.checked_sub(next.damage).and_then(|hp| hp.checked_add(next.gain));
                    let hp = hp.ok_or_else(overflow)?;
                    match next.to {
                        Some(place) => self.offer(&mut table, Entry { place, hp }, cap)?,
                        None => {
                            table.wins += 1;
                            if table.best.is_none_or(|(best, _)| hp > best) {
                                table.best = Some((hp, id));
                            }
                        }
                    }
                }
            }
            layer += 1;
        }
        Ok(table)
    }

    fn offer(&self, table: &mut Table<W>, entry: Entry<W>, cap: usize) -> Result<(), SolveError> {
        let key = entry.place.key;
        if let Some(id) = table.find(&key) {
            let known = &mut table.entries[id as usize].hp;
            *known = entry.hp.max(*known);
            return Ok(());
        }
        if table.entries.len() >= cap.min(u32::MAX as usize) {
            return Err(SolveError::TooManyStates { cap });
        }
        let id = table.entries.len() as u32;
        let layer = self.depth(&entry.place);
        if table.layers.len() <= layer {
            table.layers.resize(layer + 1, Vec::new());
        }
        table.layers[layer].push(id);
        table.entries.push(entry);
        let Table { index, entries, .. } = table;
        index.insert_unique(hash(&key), id, |id| hash(&entries[*id as usize].place.key));
        Ok(())
    }

    /// A number that grows with every move: obstacles gone, doors opened, purchases made.
    fn depth(&self, place: &Place<W>) -> usize {
        let doors: usize = self.doors_opened(place).into_iter().map(usize::from).sum();
        let purchases: usize = place.key.purchases.into_iter().map(usize::from).sum();
        place.key.gone.count() as usize + doors + purchases
    }
}
