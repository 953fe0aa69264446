//! Playing a batch: configuration, the matrix of episodes, running them, writing down every decision, going on after
//! an interruption.

pub mod board;
pub mod checkup;
pub mod clock;
pub mod config;
pub mod config_file;
pub mod dispatcher;
pub mod episode;
pub mod event;
pub mod floor;
pub mod folder;
pub mod human;
pub mod lineup;
mod loading;
pub mod manifest;
pub mod plan;
pub mod progress;
pub mod projection;
pub mod record;
pub mod replay;
pub mod seat;
pub mod seed;
pub mod store;
pub mod surroundings;
pub mod trace;
pub mod waits;

pub use record::{Decision, Ending, EpisodeKey, Footer, Header, Record};
