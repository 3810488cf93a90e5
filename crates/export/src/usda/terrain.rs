//! Grounds of soil → meshes with time samples of their points and colours; lumps → a point instancer.
//!
//! A patch has samples at the frames at which it changes, at most 32, between which USD interpolates linearly. Patches
//! that do not change are one mesh with the sides. The instancer has samples at each frame; the number of lumps may
//! change.

use super::{MOST, Stage};
use crate::Error;
use crate::material::{Grain, Look, linear};
use crate::name::{comment, list, rounded};
use crate::picture::Picture;
use crate::terrain::{LUMPS, Relief, Sheet, Terrain, keys, lump, most_keys};
use glam::DVec3;

/// Whether the lumps of all frames fit a text.
pub fn check(picture: &Picture, reliefs: &[Vec<Relief>]) -> Result<(), Error> {
    let count: usize = reliefs.iter().flatten().map(|relief| relief.lumps.len()).sum();
    if picture.terrains.is_empty() || count <= MOST / 2 {
        return Ok(());
    }
    let fault =
        format!("{count} places of lumps in all frames: at most {} fit; choose a lower rate", MOST / 2);
    Err(Error::input("instants", fault))
}

impl Stage {
    pub(super) fn terrain(&mut self, index: usize, terrain: &Terrain, reliefs: &[&Relief]) {
        let label = comment(&terrain.name).replace('"', "'");
        self.open("Xform", &format!("Terrain_{index}"), &format!("displayName = \"{label}\""));
        let keys = keys(terrain, reliefs, most_keys(terrain, reliefs, MOST / 4));
        let mut still = terrain.sides(reliefs[0]);
        for (patch, keys) in keys.into_iter().enumerate() {
            match &keys[..] {
                [_] => still.add(terrain.patch(reliefs[0], patch)),
                _ => {
                    let sheets: Vec<(usize, Sheet)> =
                        keys.iter().map(|f| (*f, terrain.grid(reliefs[*f], patch))).collect();
                    self.sheet(&format!("Patch_{patch}"), terrain, &sheets);
                }
            }
        }
        self.sheet("Rest", terrain, &[(0, still)]);
        if reliefs.iter().any(|relief| !relief.lumps.is_empty()) {
            self.lumps(terrain, reliefs, index);
        }
        self.close();
    }

    /// A mesh with the colours of its corners.
    fn sheet(&mut self, name: &str, terrain: &Terrain, sheets: &[(usize, Sheet)]) {
        let Some((_, first)) = sheets.first() else { return };
        self.open("Mesh", name, "");
        let corners: Vec<String> = first.triangles.as_flattened().iter().map(u32::to_string).collect();
        self.say(&format!("int[] faceVertexCounts = [{}]", vec!["3"; first.triangles.len()].join(", ")));
        self.say(&format!("int[] faceVertexIndices = [{}]", corners.join(", ")));
        self.sparse("point3f[] points", sheets, &|sheet| rows(&sheet.positions, 4));
        self.sparse("normal3f[] primvars:normals", sheets, &|sheet| rows(&sheet.normals, 3));
        self.say("uniform token primvars:normals:interpolation = \"vertex\"");
        let color = |tint: &u8| format!("({})", list(linear(terrain.colors[usize::from(*tint)])));
        self.sparse("color3f[] primvars:displayColor", sheets, &|sheet| {
            format!("[{}]", sheet.tints.iter().map(color).collect::<Vec<_>>().join(", "))
        });
        self.say("uniform token primvars:displayColor:interpolation = \"vertex\"");
        self.sparse("float3[] extent", sheets, &|sheet| {
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            let (low, high) = sheet.positions.iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
            rows(&[low, high], 4)
        });
        self.say("uniform token subdivisionScheme = \"none\"");
        self.close();
    }

    /// An attribute with samples at some frames: one value if it does not change.
    fn sparse(&mut self, declaration: &str, sheets: &[(usize, Sheet)], text: &dyn Fn(&Sheet) -> String) {
        let values: Vec<(usize, String)> = sheets.iter().map(|(f, sheet)| (*f, text(sheet))).collect();
        if values.iter().all(|(_, value)| *value == values[0].1) {
            return self.say(&format!("{declaration} = {}", values[0].1));
        }
        let rows: Vec<String> = values.iter().map(|(f, value)| format!("{f}: {value}")).collect();
        self.say(&format!("{declaration}.timeSamples = {{ {} }}", rows.join(", ")));
    }

    fn lumps(&mut self, terrain: &Terrain, reliefs: &[&Relief], index: usize) {
        let mut tints: Vec<u8> = reliefs.iter().flat_map(|r| r.lumps.iter().map(|lump| lump.tint)).collect();
        tints.sort_unstable();
        tints.dedup();
        self.open("PointInstancer", "Lumps", "");
        let place = |form: usize, tint: u8| format!("Lump_{form}_{tint}");
        let all: Vec<(usize, u8)> =
            tints.iter().flat_map(|tint| (0..LUMPS).map(move |form| (form, *tint))).collect();
        let paths: Vec<String> = all
            .iter()
            .map(|(form, tint)| format!("</World/Terrain_{index}/Lumps/Prototypes/{}>", place(*form, *tint)))
            .collect();
        self.say(&format!("rel prototypes = [{}]", paths.join(", ")));
        let number = |tint: u8, form: usize| {
            tints.iter().position(|other| *other == tint).unwrap_or_default() * LUMPS + form
        };
        let each = |text: &dyn Fn(&crate::Lump) -> String| -> Vec<String> {
            let frame = |relief: &&Relief| relief.lumps.iter().map(text).collect::<Vec<_>>().join(", ");
            reliefs.iter().map(|relief| format!("[{}]", frame(relief))).collect()
        };
        self.samples("int64[] ids", &each(&|lump| lump.id.to_string()));
        self.samples("int[] protoIndices", &each(&|lump| number(lump.tint, lump.posed().0).to_string()));
        self.samples("point3f[] positions", &each(&|lump| row(&lump.at, 4)));
        self.samples(
            "quath[] orientations",
            &each(&|lump| {
                let turn = lump.posed().1;
                let parts = [turn.w, turn.x, turn.y, turn.z].map(|x| rounded(x, 3));
                format!("({})", parts.join(", "))
            }),
        );
        self.samples("float3[] scales", &each(&|lump| row(&DVec3::splat(f64::from(lump.radius)), 4)));
        self.open("Scope", "Prototypes", "");
        for (form, tint) in all {
            let color = terrain.colors[usize::from(tint)];
            let look = Look { roughness: 1.0, grain: Grain::Plain, ..Look::painted(color) };
            let look = self.looks.number(look);
            self.open("Mesh", &place(form, tint), "prepend apiSchemas = [\"MaterialBindingAPI\"]");
            self.mesh(&lump(form, 1));
            self.painted(look);
            self.close();
        }
        self.close();
        self.close();
    }
}

fn row(p: &DVec3, digits: usize) -> String {
    let [x, y, z] = p.to_array().map(|x| rounded(x, digits));
    format!("({x}, {y}, {z})")
}

fn rows(points: &[DVec3], digits: usize) -> String {
    format!("[{}]", points.iter().map(|p| row(p, digits)).collect::<Vec<_>>().join(", "))
}
