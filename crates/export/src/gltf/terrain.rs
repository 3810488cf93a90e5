//! Grounds of soil → patches with morph targets, and lumps as nodes that move.
//!
//! A patch that changes has a morph target for each of its keys, at most 32, whose weights are interpolated linearly: it
//! is right at the keys, and so close to each other that what digs moves by a fraction of a metre. The file grows with
//! what was dug, up to about 64 MB per ground. Colours are those of the last frame, since glTF cannot animate them. A lump
//! is a node that appears, moves and disappears; a node is used again by another lump two frames later. Of more than 4096
//! lumps at a time the rest is left out.

use super::document::{Attributes, Mesh, MorphTarget, Node, Primitive};
use super::water::Weights;
use super::{HIDDEN, Writer, material, placed};
use crate::material::{Grain, Look, linear};
use crate::terrain::{LUMPS, Lump, Relief, Sheet, Terrain, keys, lump, most_keys};
use glam::DVec3;
use std::collections::BTreeMap;

/// Nodes times targets of a ground, at most: 24 bytes each.
const SAMPLES: usize = (64 << 20) / 24;
/// Nodes for lumps of a ground, at most.
const MOST_LUMPS: usize = 4096;
/// Deviation of a lump from its path, over its radius.
const TOLERANCE: f64 = 0.1;

/// A node for lumps, one after another.
pub(super) struct Slot {
    pub node: usize,
    /// Its place at each frame.
    pub at: Vec<DVec3>,
    /// Its size at each frame; small while there is no lump.
    pub size: Vec<f64>,
    pub tolerance: f64,
}

impl Writer<'_> {
    /// The surface and the sides of a ground; the weights of patches that change.
    pub(super) fn terrain(&mut self, index: usize, terrain: &Terrain) -> Vec<Weights> {
        let reel = self.reel;
        let reliefs: Vec<&Relief> = reel.reliefs.iter().map(|frame| &frame[index]).collect();
        let [first, last] = [reliefs[0], reliefs[reliefs.len() - 1]];
        let keys = keys(terrain, &reliefs, most_keys(terrain, &reliefs, SAMPLES));
        let paint = self.soil();
        let mut still = terrain.sides(first);
        let mut weights = Vec::new();
        for (patch, keys) in keys.into_iter().enumerate() {
            if keys.len() == 1 {
                still.add(terrain.patch(first, patch));
                continue;
            }
            let tints = terrain.grid(last, patch).tints;
            let base = Sheet { tints, ..terrain.grid(first, patch) };
            let targets = keys[1..].iter().map(|f| {
                let sheet = terrain.grid(reliefs[*f], patch);
                let single = |v: DVec3| v.as_vec3().to_array();
                let apart = |(a, b): (&DVec3, &DVec3)| single(*a - *b);
                let rows = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(apart).collect::<Vec<_>>();
                (rows(&sheet.positions, &base.positions), rows(&sheet.normals, &base.normals))
            });
            let targets: Vec<_> = targets.collect();
            let targets = targets.iter().map(|(positions, normals)| MorphTarget {
                position: self.document.corners(positions, true),
                normal: self.document.corners(normals, false),
            });
            let targets: Vec<MorphTarget> = targets.collect();
            let count = targets.len();
            let mesh = self.sheet_mesh(terrain, &base, paint, targets);
            self.document.meshes[mesh].weights = vec![0.0; count];
            let name = format!("{} {patch}", terrain.name);
            let node = self.child(Node { name, mesh: Some(mesh), ..Node::default() });
            let row = |k: usize| (1..=count).map(move |target| [if target == k { 1.0 } else { 0.0 }]);
            let values = (0..keys.len()).flat_map(row).collect();
            weights.push(Weights { node, keys, values });
        }
        let mesh = self.sheet_mesh(terrain, &still, paint, Vec::new());
        self.child(Node { name: terrain.name.clone(), mesh: Some(mesh), ..Node::default() });
        weights
    }

    /// A material whose colour is that of the corners.
    fn soil(&mut self) -> usize {
        let look = Look { roughness: 1.0, grain: Grain::Plain, ..Look::painted([1.0; 3]) };
        self.document.materials.push(material(&look, None));
        self.document.materials.len() - 1
    }

    fn sheet_mesh(
        &mut self,
        terrain: &Terrain,
        sheet: &Sheet,
        material: usize,
        targets: Vec<MorphTarget>,
    ) -> usize {
        let single = |v: &DVec3| v.as_vec3().to_array();
        let positions: Vec<_> = sheet.positions.iter().map(single).collect();
        let normals: Vec<_> = sheet.normals.iter().map(|n| n.as_vec3().normalize().to_array()).collect();
        let color = |tint: &u8| linear(terrain.colors[usize::from(*tint)]).map(|c| c as f32);
        let colors: Vec<[f32; 3]> = sheet.tints.iter().map(color).collect();
        let attributes = Attributes {
            position: self.document.corners(&positions, true),
            normal: self.document.corners(&normals, false),
            texture: None,
            joints: None,
            weights: None,
            color: Some(self.document.corners(&colors, false)),
        };
        let indices = self.document.indices(sheet.triangles.as_flattened());
        let primitives = vec![Primitive { attributes, indices, material, targets }];
        self.document.meshes.push(Mesh { primitives, weights: Vec::new() });
        self.document.meshes.len() - 1
    }

    /// Nodes for the lumps of a ground.
    pub(super) fn lumps(&mut self, index: usize, terrain: &Terrain) -> Vec<Slot> {
        let reel = self.reel;
        let frames: Vec<&[Lump]> = reel.reliefs.iter().map(|frame| &frame[index].lumps[..]).collect();
        let slots = slots(&frames);
        let mut meshes = BTreeMap::new();
        let mut out = Vec::new();
        for (k, (tint, mut stays)) in slots.into_iter().enumerate() {
            let form = k % LUMPS;
            let mesh = *meshes.entry((form, tint)).or_insert_with(|| {
                let look = Look { roughness: 1.0, grain: Grain::Plain, ..Look::painted([1.0; 3]) };
                self.document.materials.push(material(&look, None));
                let paint = self.document.materials.len() - 1;
                let surface = lump(form, 1);
                let count = surface.positions.len();
                let triangles = surface.triangles().collect();
                let (positions, normals) = (surface.positions, surface.normals);
                let sheet = Sheet { positions, normals, tints: vec![tint; count], triangles };
                self.sheet_mesh(terrain, &sheet, paint, Vec::new())
            });
            fill(&mut stays);
            let (_, turn, _) = Lump { id: k as u64, radius: 1.0, ..Lump::default() }.posed();
            let (at, size): (Vec<DVec3>, Vec<f64>) =
                stays.into_iter().map(|(at, size)| (at.unwrap_or_default(), size)).unzip();
            let largest = size.iter().fold(HIDDEN, |most, size| most.max(*size));
            let node = Node {
                name: format!("{} lump", terrain.name),
                mesh: Some(mesh),
                scale: Some([size[0] as f32; 3]),
                ..placed((at[0], turn))
            };
            out.push(Slot { node: self.child(node), at, size, tolerance: TOLERANCE * largest });
        }
        out
    }
}

/// Place and size of a slot at each frame.
type Stays = Vec<(Option<DVec3>, f64)>;

/// Slots with the colour of their lumps. A slot is free again two frames after its lump has gone.
fn slots(frames: &[&[Lump]]) -> Vec<(u8, Stays)> {
    let mut slots: Vec<(u8, Stays)> = Vec::new();
    // slot and last frame by number of the lump; slots that are free by colour
    let mut held: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    let mut free: BTreeMap<u8, Vec<(usize, usize)>> = BTreeMap::new();
    for (f, lumps) in frames.iter().enumerate() {
        for lump in lumps.iter() {
            let old = held.get(&lump.id).map(|(slot, _)| *slot);
            let slot = old.or_else(|| {
                let list = free.entry(lump.tint).or_default();
                let ready = list.iter().position(|(_, gone)| gone + 2 < f);
                ready.map(|k| list.remove(k).0)
            });
            let slot = match slot {
                Some(slot) => slot,
                None if slots.len() < MOST_LUMPS => {
                    slots.push((lump.tint, vec![(None, HIDDEN); frames.len()]));
                    slots.len() - 1
                }
                None => continue,
            };
            slots[slot].1[f] = (Some(lump.at), f64::from(lump.radius));
            held.insert(lump.id, (slot, f));
        }
        let gone: Vec<u64> = held.iter().filter(|(_, (_, last))| *last < f).map(|(id, _)| *id).collect();
        for id in gone {
            if let Some((slot, last)) = held.remove(&id) {
                free.entry(slots[slot].0).or_default().push((slot, last));
            }
        }
    }
    slots
}

/// Gives frames without a lump a place: the last one in the first of them, then the next one.
fn fill(stays: &mut Stays) {
    let mut next = stays.iter().rev().find_map(|(at, _)| *at);
    for f in (0..stays.len()).rev() {
        let before = f.checked_sub(1).and_then(|k| stays[k].0);
        match stays[f].0 {
            Some(at) => next = Some(at),
            None => stays[f].0 = before.or(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again_after_two_frames_and_moves_while_it_is_hidden() {
        let lump = |id: u64, x: f64| Lump { id, at: DVec3::X * x, radius: 0.1, tint: 1 };
        let frames = [
            vec![lump(0, 0.0)],
            vec![lump(0, 1.0)],
            vec![],
            vec![lump(1, 5.0)],
            vec![lump(1, 6.0), lump(2, 9.0)],
        ];
        let frames: Vec<&[Lump]> = frames.iter().map(Vec::as_slice).collect();
        let slots = slots(&frames);
        // the lump at frame 3 is too early for the first slot, that at frame 4 is not
        assert_eq!(slots.len(), 2);
        let mut first = slots[0].1.clone();
        fill(&mut first);
        let places: Vec<f64> = first.iter().map(|(at, _)| at.unwrap().x).collect();
        assert_eq!(places, [0.0, 1.0, 1.0, 9.0, 9.0]);
        let sizes: Vec<bool> = first.iter().map(|(_, size)| *size > HIDDEN).collect();
        assert_eq!(sizes, [true, true, false, false, true]);
    }
}
