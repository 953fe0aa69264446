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

    /// Takes a tile out; says whether it was in.
    #[inline]
    pub fn remove(&mut self, cell: CellIndex) -> bool {
        let (word, bit) = (&mut self.words[cell as usize / 64], 1 << (cell % 64));
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// Whether any tile of a range is in it.
    pub fn meets(&self, range: std::ops::Range<CellIndex>) -> bool {
        let (first, last) = (range.start as usize / 64, (range.end as usize).div_ceil(64));
        let within = |cell: CellIndex| range.contains(&cell);
        (first..last.min(self.words.len())).any(|index| {
            let whole = index * 64 >= range.start as usize && (index + 1) * 64 <= range.end as usize;
            match whole {
                true => self.words[index] != 0,
                false => (index * 64..(index + 1) * 64).any(|cell| within(cell as u32) && self.contains(cell as u32)),
            }
        })
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
