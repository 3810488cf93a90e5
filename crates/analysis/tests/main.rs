//! Closed forms of small machines, for every integrator.

mod fit;
mod kit;
mod loops;
mod modes;
mod pendulums;
