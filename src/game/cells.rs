//! Sets of tiles. Knows tiles by number only; `play` gives the numbers.

/// Number of a tile within its tower: floor by floor, row by row.
pub type CellIndex = u32;

/// A set of tiles of one tower.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellSet {
    words: Box<[u64]>,
}

impl CellSet {
    /// The empty set of a tower of `cells` tiles.
    pub fn empty(cells: usize) -> Self {
        CellSet { words: vec![0; cells.div_ceil(64)].into() }
    }

    /// Whether the tile is in the set.
    #[inline]
    pub fn contains(&self, cell: CellIndex) -> bool {
        self.words[cell as usize / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a tile; says whether it is new.
    #[inline]
    pub fn insert(&mut self, cell: CellIndex) -> bool {
        let (word, bit) = (&mut self.words[cell as usize / 64], 1 << (cell % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// The tiles in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = CellIndex> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    index as u32 * 64 + bit
                })
            })
        })
    }

    /// How many tiles it holds.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}
