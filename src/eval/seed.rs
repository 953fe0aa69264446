//! Where randomness comes from: the run's seed, the episode and the turn, so that resuming changes nothing.

use sha2::{Digest, Sha256};

/// The seed of one decision.
pub fn of_turn(seed: u64, episode: &str, turn: u32) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_le_bytes());
    hasher.update((episode.len() as u64).to_le_bytes());
    hasher.update(episode.as_bytes());
    hasher.update(turn.to_le_bytes());
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::of_turn;

    #[test]
    fn each_part_matters_and_the_value_is_fixed() {
        let seeds = [of_turn(7, "a", 1), of_turn(8, "a", 1), of_turn(7, "b", 1), of_turn(7, "a", 2)];
        let distinct: std::collections::BTreeSet<u64> = seeds.into_iter().collect();
        assert_eq!(distinct.len(), 4);
        assert_eq!(of_turn(7, "a", 1), 8_774_116_442_658_922_673);
    }
}
