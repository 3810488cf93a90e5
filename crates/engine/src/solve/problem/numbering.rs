//! The bodies, groups and rows of an island and their order: global index ⇄ local number.

use super::reuse::refilled;
use crate::partition::{Island, Key};
use crate::row::rows::Rows;

/// The numbering of one island.
#[derive(Debug, Default)]
pub struct Numbering {
    /// Indices of its bodies in the world, ascending; by local body.
    pub bodies: Vec<u32>,
    /// Indices of its groups in Rows.
    pub groups: Vec<u32>,
    /// Identity of each group for the layout of the system.
    keys: Vec<Key>,
    /// Indices of its rows in Rows, by local row. Rows of contacts come last.
    pub rows: Vec<usize>,
    /// The first local row of a contact.
    pub first_contact: usize,
    /// The cluster of parts it belongs to; 0 for none.
    pub cluster: u32,
}

impl Numbering {
    /// Numbers an island, reusing the memory of another numbering.
    pub(super) fn new(island: &Island, rows: &Rows, old: Numbering) -> Numbering {
        let of_contacts: usize = rows.touching_among(&island.groups).map(|g| g.rows().len()).sum();
        let local = rows_of(island, rows, old.rows);
        Numbering {
            bodies: island.bodies.clone(),
            groups: island.groups.clone(),
            keys: island.groups.iter().map(|g| Key::of(rows, &rows.groups[*g as usize])).collect(),
            first_contact: local.len() - of_contacts,
            rows: local,
            cluster: island.cluster,
        }
    }

    /// Whether it is valid for an island of the same model.
    pub(crate) fn fits(&self, island: &Island, rows: &Rows) -> bool {
        let keys = island.groups.iter().map(|g| Key::of(rows, &rows.groups[*g as usize]));
        self.cluster == 0
            && island.cluster == 0
            && self.bodies == island.bodies
            && keys.eq(self.keys.iter().copied())
    }

    /// Follows the same island after its rows have moved within Rows.
    pub(crate) fn follow(&mut self, island: &Island, rows: &Rows) {
        self.rows = rows_of(island, rows, std::mem::take(&mut self.rows));
        self.groups.clone_from(&island.groups);
    }
}

/// The indices of an island's rows, reusing memory.
fn rows_of(island: &Island, rows: &Rows, old: Vec<usize>) -> Vec<usize> {
    let mut all = refilled(old, 0, 0);
    island.groups.iter().for_each(|g| all.extend(rows.groups[*g as usize].rows()));
    all
}
