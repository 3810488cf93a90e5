//! The Windlass world and its step.
//!
//! ```text
//!  force → collide → constrain → partition → solve → integrate
//!   Free   Contacts     Rows       Islands   Solution    State
//! ```
//!
//! Units are SI, the frame right-handed with z up. See ARCHITECTURE.md for the equations and the invariants.

pub mod collide;
pub mod constrain;
pub mod force;
pub mod integrate;
pub mod kinematics;
pub mod math;
pub mod partition;
pub mod report;
pub mod solve;
pub mod step;
pub mod strand;
pub mod world;

/// What most programs need.
pub mod prelude {
    pub use crate::collide::{Contact, Contacts, Part};
    pub use crate::constrain::axis::{Axis, Drive, Limits};
    pub use crate::constrain::joint::link::{Turning, Wear};
    pub use crate::constrain::joint::rope::{Course, Feed, Rope, Seat, Via, Winding};
    pub use crate::constrain::joint::{
        Ball, ConstantVelocity, Coupling, Cylinder, Distance, Grab, Hinge, Joint, Kind as JointKind, Link,
        Measure, Planar, PointOnLine, PointOnPlane, Screw, Six, Slider, Strength, Universal, Weld,
    };
    pub use crate::constrain::rows::{Form, Role, Row, Rows, Softness, Spring};
    pub use crate::constrain::{Constraint, Sight};
    pub use crate::force::{Applied, Direction, Drag, Force, ForceLaw, ForceSpring, Scene, Wrenches};
    pub use crate::report::{
        Catenary, CurvePoint, Energy, Event, Fault, FaultKind, Fixing, Lie, Phase, Reading, Remeshed, Report,
        RopeChange, RopeEvent, RopeReading, RopeWatch, Sampling, Tube,
    };
    pub use crate::strand::{Cord, Damping, Effort, Hold, Lead, Strand, StrandId, StrandState};
    pub use crate::world::World;
    pub use crate::world::body::{Body, Kind};
    pub use crate::world::cable::{Cable, End, Laying, chords, sagging};
    pub use crate::world::catenary::{Hung, Piece, Posture, Spot};
    pub use crate::world::collider::{Collider, Geometry};
    pub use crate::world::edit::{Edit, EditError};
    pub use crate::world::frame::{Anchor, Block, Frame};
    pub use crate::world::hang::Hang;
    pub use crate::world::hook::Hook;
    pub use crate::world::input::{Binding, Command, Input, InputState, Script};
    pub use crate::world::mass::Mass;
    pub use crate::world::model::{
        Adaptive, Aero, BodyId, CableId, Collision, Contacting, ForceId, Friction, InputId, JointId, Model,
        Settings, Sleep, Solver, Stepper,
    };
    pub use crate::world::motion::{Motion, Path};
    pub use crate::world::pool::{Pool, Resolution};
    pub use crate::world::route::{Route, Routed};
    pub use crate::world::section::{Fatigue, Section, Stiffening, Stuff, UnderLoad, Yield};
    pub use crate::world::shape::Shape;
    pub use crate::world::state::{BodyState, ContactState, Grip, State};
    pub use crate::world::surface::{Surfaces, Touch};
    pub use crate::world::twist::{Twist, Wrench};
}
