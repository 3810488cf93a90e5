#[path = "kit/play.rs"]
mod play;
mod light_feet;
mod stiff_springs;
mod integrators;
mod curved_springs;
mod bits;
mod motions;
mod damping;
