//! `mota`: an evaluation harness for Magic Tower (魔塔), with an exact solver that names the decision that lost an
//! episode. See ARCHITECTURE.md for the map; the arrows point from the rules outwards:
//! `game` ← `format`, `solver`, `prompt` ← `agent`, `model` ← `eval` ← `analysis` ← `inspect` ← `calibrate` ← `report` ←
//! `cli`; `screen` stands between `analysis` and `cli`; `generate` rests on `game` and `solver` alone, `check` on `game`.

#![warn(missing_docs)]

pub mod agent;
pub mod analysis;
pub mod calibrate;
pub mod check;
pub mod cli;
pub mod cluster;
pub mod eval;
pub mod export;
pub mod format;
pub mod game;
pub mod generate;
pub mod gym;
pub mod inspect;
pub mod model;
pub mod prompt;
pub mod report;
pub mod screen;
pub mod solver;
