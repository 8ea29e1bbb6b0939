//! The torneo family through the library's public doors.

mod cases;
mod emitter;
mod judging;
mod properties;
mod rounds;
mod rules;
mod scenarios;
