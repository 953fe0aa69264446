//! Fixed-width bit sets, small enough to be copied with every state of a search: one word up to 64 members, more above,
//! chosen once a tower. Knows nothing of its members but their numbers.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of numbers below `64 × W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// How many numbers can be told apart.
    pub const CAPACITY: usize = 64 * W;

    /// The empty set.
    pub fn empty() -> Self {
        Bits([0; W])
    }

    /// Whether it holds a number.
    #[inline]
    pub fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 != 0
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    /// The lowest number; `None` in the empty set.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// Its numbers, ascending.
    #[inline]
    pub fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let member = self.first()?;
            self.0[member / 64] &= self.0[member / 64] - 1;
            Some(member)
        })
    }

    /// Whether it holds nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// How many it holds.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether all of it is in `other`.
    #[inline]
    pub fn is_within(self, other: Self) -> bool {
        (self & !other).is_empty()
    }
}

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Bits::empty()
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<T: IntoIterator<Item = usize>>(members: T) -> Self {
        let mut set = Bits::empty();
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Bits(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Bits(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Bits(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order_across_words() {
        let set: Bits<4> = [200, 0, 63, 64, 127, 128, 255].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 127, 128, 200, 255]);
        let low: Bits<4> = (0..128).collect();
        assert_eq!((set & !low).iter().collect::<Vec<_>>(), [128, 200, 255]);
        assert_eq!((set | low).count(), 131);
        assert_eq!((set & !set).first(), None);
        assert!(set.contains(64) && !set.contains(65));
        assert!((set & low).is_within(low) && !set.is_within(low));
    }
}
