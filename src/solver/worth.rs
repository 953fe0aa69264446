//! What a state is worth where its exact value is not known: a bracket around it.

/// The final HP under best play from a state, from below and from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Final HP that a route that was found reaches; none if none was found.
    pub least: Option<i64>,
    /// Proven upper bound of the final HP; none if it is proven that the game can no longer be won. `i64::MAX` stands
    /// for a bound that is not known.
    pub most: Option<i64>,
}
