//! Experiments of published papers, repeated with the engine and compared with the published numbers.
//!
//! ```text
//!  Study ──run──▶ Findings (parameters, tables with verdicts, figures, remarks) ──▶ terminal, HTML, Markdown
//! ```
//!
//! A [`Study`] is an experiment of one paper; [`studies`] lists all. It is given a [`StudyContext`], to which it adds
//! its findings. A row of a table is *met* or *missed* by a comparison with the paper's number or with a closed form,
//! never with stored outputs of our own. Joints that the engine lacks are added from outside, through its public
//! traits.

mod aero;
mod catalogue;
mod context;
mod dense;
mod experiment;
mod findings;
mod lab;
mod loock;

pub mod report;
mod run;
pub mod servin;
mod tasora;
mod vortex;

pub use catalogue::{matching, studies};
pub use context::{StudyContext, Trouble, Watch};
pub use experiment::{Paper, Study};
pub use findings::{Ask, Findings, Item, Plate, Row, Table, Verdict, number};
pub use run::{Done, run};
