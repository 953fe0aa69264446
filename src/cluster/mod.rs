//! Work that several machines share. Knows what the work is and how it travels; nothing above it knows that it does.

pub mod task;
