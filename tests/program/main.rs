//! The program as a user runs it: what it answers, what it plays, what it refuses.

mod answers;
mod budgets;
mod checks;
mod descriptors;
mod doctor;
mod faulty;
mod floors;
mod formats;
mod harness;
mod killed;
mod outgoing;
mod pictures;
mod play;
mod reports;
mod run;
mod secrets;
mod server;
mod solving;
mod towers;
