//! The list of all studies.

use crate::desk::{Desk, Trouble};
use crate::{aero, loock, servin, tasora, vortex};

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

    /// What stands before the stroke in names of its studies.
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
    /// Where the paper has it.
    pub place: &'static str,
    /// What is done and measured, in a few sentences.
    pub about: &'static str,
    /// Whether it measures time, and so runs alone.
    pub timed: bool,
    /// Does it.
    pub run: fn(&mut Desk<'_>) -> Result<(), Trouble>,
}

/// All studies, by paper.
pub fn studies() -> impl Iterator<Item = &'static Study> + Clone {
    let papers = [servin::STUDIES, tasora::STUDIES, vortex::STUDIES, loock::STUDIES, aero::STUDIES];
    papers.into_iter().flatten().copied()
}

/// Studies that a word names: "all", a paper, or one of them.
pub fn matching(word: &str) -> Vec<&'static Study> {
    let is_named = |study: &Study| word == "all" || word == study.name || word == study.paper.short();
    studies().filter(|study| is_named(study)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_whose_and_are_told_once() {
        for (i, study) in studies().enumerate() {
            let rest = study.name.strip_prefix(study.paper.short()).and_then(|rest| rest.strip_prefix('/'));
            assert!(rest.is_some_and(|rest| !rest.is_empty()), "{}", study.name);
            assert!(!studies().take(i).any(|other| other.name == study.name), "{}", study.name);
            assert!(!study.title.is_empty() && !study.place.is_empty() && !study.about.is_empty());
        }
    }

    #[test]
    fn words_name_studies() {
        assert_eq!(matching("all").len(), studies().count());
        assert!(matching("servin").iter().all(|study| study.paper == Paper::Servin));
        assert_eq!(matching("servin/table-1").len(), 1);
        assert!(matching("nobody").is_empty());
    }
}
