//! The Windlass world and its step.
//!
//! ```text
//!  force → collide → constrain → partition → solve → integrate
//!  FreeMotion  Contacts  Rows      Islands     Solution   State
//! ```
//!
//! Units are SI, the frame right-handed with z up. See `docs/theory` for the equations and ARCHITECTURE.md for the invariants.

pub mod body;
pub mod cable;
pub mod collide;
pub mod constrain;
pub mod contact;
pub mod edit;
pub mod energy;
pub mod force;
pub mod inspect;
pub mod integrate;
pub mod joint;
pub mod load;
pub mod math;
pub mod model;
pub mod partition;
pub mod report;
pub mod row;
pub mod section;
pub mod settings;
pub mod slots;
pub mod solve;
pub mod stages;
pub mod step;
pub mod subsystem;
pub mod words;
pub mod workspace;
pub mod world;

/// The items that most programs need.
pub mod prelude {
    pub use crate::body::BodyState;
    pub use crate::body::collider::ColliderRef;
    pub use crate::body::collider::{Collider, Geometry};
    pub use crate::body::frame::{Anchor, Frame, JacobianBlock};
    pub use crate::body::mass::Mass;
    pub use crate::body::motion::Motion;
    pub use crate::body::path::{Path, PathRotation};
    pub use crate::body::shape::Shape;
    pub use crate::body::spatial::SpatialMatrix;
    pub use crate::body::twist::{Twist, Wrench};
    pub use crate::body::{Body, MotionType};
    pub use crate::cable::catenary::{CatenaryShape, CatenaryState, PlanarPoint};
    pub use crate::cable::route::{Route, Routed};
    pub use crate::cable::{CableSpec, sagging};
    pub use crate::contact::surface::{ContactParameters, Surfaces};
    pub use crate::contact::{Contact, Contacts};
    pub use crate::edit::{Edit, EditError};
    pub use crate::joint::axis::{Axis, Drive, Limits};
    pub use crate::joint::constraint::{Constraint, ConstraintView};
    pub use crate::joint::link::{DamageState, Turning};
    pub use crate::joint::rope::{Feed, Rope, RopeAttachment, RopeGeometry, RoutePoint};
    pub use crate::joint::winding::Winding;
    pub use crate::joint::{
        Ball, CarWheel, ConstantVelocity, Cylinder, Distance, Hinge, Joint, JointKind, LinearCoupling, Link,
        Measure, Planar, PointOnLine, PointOnPlane, Screw, SixDof, Slider, Strength, Tether, Universal, Weld,
    };
    pub use crate::load::{
        AddedMass, Applied, Bodies, BodyTerm, Direction, Drag, Force, ForceLaw, ForceSpring, Loads,
        SolvedTerm,
    };
    pub use crate::math::chords;
    pub use crate::model::Model;
    pub use crate::model::cable::{Cable, End};
    pub use crate::model::cable::{Hang, Piece};
    pub use crate::model::cable::{Pool, Resolution};
    pub use crate::model::input::{Binding, Command, Input, InputAction, InputState, Script};
    pub use crate::model::state::{ContactMode, ContactState, State};
    pub use crate::report::{
        CableGeometry, Catenary, CurvePoint, Energy, Event, Fault, FaultKind, Fixing, Phase, Reading,
        RemeshReport, Report, RopeChange, RopeEvent, RopeReading, RopeWatch, Sampling, Tube, Work,
    };
    pub use crate::row::rows::Rows;
    pub use crate::row::{BoundMode, Compliance, Form, Role, Row, RowLaw, Spring};
    pub use crate::section::{Fatigue, Section, SectionMaterial, Stiffening, UnderLoad, Yield};
    pub use crate::settings::{
        Adaptive, ContactSettings, FrictionModel, ImpactLaw, Integrator, PenaltySettings, Settings, Sleep,
        Solver,
    };
    pub use crate::slots::{BodyId, CableId, ForceId, InputId, JointId};
    pub use crate::stages::Hook;
    pub use crate::subsystem::{
        Advance, Drawing, Inputs, Misfit, Near, PartFault, Quantity, Refusal, SolvedRows, SolvedStep,
        StatePart, Subsystem, SubsystemEdit, SubsystemRows, View,
    };
    pub use crate::world::World;
}
