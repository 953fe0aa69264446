//! Players from outside: models behind a server that misbehaves, and programs.

mod command;
mod episode;
mod faults;
mod game;
mod history;
mod limits;
mod log;
mod model;
mod routes;
mod server;
mod sitting;
