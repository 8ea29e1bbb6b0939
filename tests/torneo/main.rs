//! The torneo family through the library's public doors.

mod cases;
mod judging;
mod properties;
mod rounds;
mod rules;
