//! Screens in a terminal: stepping through episodes, and a game to play. What is shown follows from what is handed in; the
//! state of a screen changes by keys alone. Knows nothing of files, nor of what was typed to get here.

pub mod clean;
pub mod episode;
pub mod play;
pub mod session;
pub mod viewer;
pub mod worth;

mod actions;
mod decisions;
mod frame;
mod help;
mod hero;
mod layout;
mod map;
mod palette;
mod pane;
mod talk;

#[cfg(test)]
mod sample;

pub use episode::Episode;
pub use palette::Palette;
pub use session::{Closed, Screen, run};
pub use worth::{Solver, Worth};
