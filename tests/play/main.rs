//! The rules of the game and the exact solver: each against a second writing that is slow and plain, and the facts that
//! are known about the fixed floors.

mod brackets;
mod branch;
mod branch_found;
mod branch_scripted;
mod calibrating;
mod events;
mod exact;
mod facts;
mod generated;
mod inspecting;
mod losing;
mod mechanisms;
mod mechanisms_drawn;
mod one_way;
mod rules;
mod scripted;
mod ten_floors;
mod towers;
mod values;
mod written;
