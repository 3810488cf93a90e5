//! A paper, and an experiment of it that is run again.

use crate::context::{StudyContext, Trouble};

/// A paper whose experiments are run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Servin and Lacoursière, cables of rigid bodies.
    Servin,
    /// Tasora, Lagrange multipliers and sparse factors.
    Tasora,
    /// The theory guide of Vortex.
    Vortex,
    /// Loock and Schömer, deformable cables by hand.
    Loock,
    /// AERO, animation by physics.
    Aero,
}

impl Paper {
    /// All of them.
    pub const ALL: [Paper; 5] = [Paper::Servin, Paper::Tasora, Paper::Vortex, Paper::Loock, Paper::Aero];

    /// The part before the slash in the names of its studies.
    pub fn short(self) -> &'static str {
        match self {
            Paper::Servin => "servin",
            Paper::Tasora => "tasora",
            Paper::Vortex => "vortex",
            Paper::Loock => "loock",
            Paper::Aero => "aero",
        }
    }

    /// Authors, title, where and when.
    pub fn citation(self) -> &'static str {
        match self {
            Paper::Servin => "M. Servin, C. Lacoursière: Rigid Body Cable for Virtual Environments",
            Paper::Tasora => {
                "A. Tasora: An Optimized Lagrangian-Multiplier Approach for Interactive Multibody Simulation in Kinematic \
                 and Dynamical Digital Prototyping"
            }
            Paper::Vortex => "Theory Guide: Vortex Software's Multibody Dynamics Engine",
            Paper::Loock => {
                "A. Loock, E. Schömer: A Virtual Environment for Interactive Assembly Simulation: From Rigid Bodies to \
                 Deformable Cables"
            }
            Paper::Aero => {
                "H. Keller, H. Stolz, A. Ziegler, T. Bräunl: Virtual Mechanics: Simulation and Animation of Rigid Body \
                 Systems"
            }
        }
    }
}

/// An experiment.
#[derive(Debug)]
pub struct Study {
    /// Paper and experiment: "servin/table-1".
    pub name: &'static str,
    /// Whose experiment it is.
    pub paper: Paper,
    /// In a few words.
    pub title: &'static str,
    /// Section, table or figure of the paper.
    pub place: &'static str,
    /// Description of the experiment in a few sentences.
    pub about: &'static str,
    /// Whether it measures time, and so runs alone.
    pub timed: bool,
    /// Does it.
    pub run: fn(&mut StudyContext<'_>) -> Result<(), Trouble>,
}
