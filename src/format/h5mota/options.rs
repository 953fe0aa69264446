//! What whoever imports a project may decide.

use crate::game::Number;

/// What whoever imports a project may decide.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whose defeat wins the game, by the id of the monster; events win it unless given.
    pub boss: Option<String>,
    /// Where the game is won once the boss is defeated: floor, column, row.
    pub exit: Option<(String, u16, u16)>,
    /// Which difficulty is played, by its name; the first unless given.
    pub difficulty: Option<String>,
    /// What calls and names of the project's own code are taken to be, by their dotted path.
    pub assume: Vec<(String, Number)>,
}
