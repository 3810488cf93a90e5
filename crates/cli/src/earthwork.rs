//! Soils, grounds and tools in tables, and what became of grounds in a run.

use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::World;
use windlass_host::text::{count, digits};
use windlass_scene::{EarthworkProperties, GroundProperties, GroundReading, SoilProperties, ToolProperties};

/// Lines of a table: the name of a group, and a text.
pub fn lines(earthwork: &EarthworkProperties) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let mut group = |name: &'static str, texts: Vec<String>| {
        let named = texts.into_iter().enumerate();
        out.extend(named.map(|(k, text)| (if k == 0 { name } else { "" }, text)));
    };
    group("soils", earthwork.soils.iter().flat_map(soil).collect());
    group("grounds", earthwork.grounds.iter().flat_map(ground).collect());
    group("tools", earthwork.tools.iter().map(tool).collect());
    out
}

fn soil(s: &SoilProperties) -> [String; 3] {
    let degrees = |angle: f64| digits(angle.to_degrees());
    [
        format!(
            "{} in {}: {} kg/m³, void ratio {} (loose {}, least {}), swell {}",
            s.name,
            s.ground,
            digits(s.density),
            digits(s.void_ratio[0]),
            digits(s.void_ratio[1]),
            digits(s.void_ratio[2]),
            digits(s.swell)
        ),
        format!(
            "  friction {} deg, {} deg on steel, cohesion {} Pa, K_p {}, upright cut {} m",
            degrees(s.friction),
            degrees(s.steel_friction),
            digits(s.cohesion),
            digits(s.passive_pressure),
            digits(s.upright_cut)
        ),
        format!(
            "  particles of {} kg, friction {}, rolling friction {}",
            digits(s.particle_mass),
            digits(s.particle_friction),
            digits(s.particle_rolling)
        ),
    ]
}

fn ground(g: &GroundProperties) -> [String; 3] {
    let layers: Vec<_> =
        g.layers.iter().map(|(soil, thickness)| format!("{} m {soil}", digits(*thickness))).collect();
    [
        format!(
            "{}: {} m by {} m, {} × {} nodes every {} m",
            g.name,
            digits(g.size[0]),
            digits(g.size[1]),
            g.nodes[0],
            g.nodes[1],
            digits(g.spacing)
        ),
        format!("  {} on rock; {} t dry", layers.join(" on "), digits(1e-3 * g.mass)),
        format!(
            "  {} of 32 × 32 nodes changed, {} kB; {} kB per tile that is touched; at most {} of {} m",
            count(g.tiles, "tile"),
            g.memory / 1000,
            g.memory_per_tile / 1000,
            count(g.particles, "particle"),
            digits(g.particle)
        ),
    ]
}

fn tool(t: &ToolProperties) -> String {
    let teeth = if t.teeth > 0 { format!(", {} teeth", t.teeth) } else { String::new() };
    format!(
        "{} on {} in {}: edge {} m ({} cells), face {} m{teeth}",
        t.name,
        t.body,
        t.ground,
        digits(t.edge),
        digits((10.0 * t.cells).round() / 10.0),
        digits(t.height)
    )
}

/// What became of a ground in a run.
#[derive(Debug, JsonSchema, Serialize)]
pub struct GroundResult {
    /// Its name.
    pub ground: String,
    /// Dry mass that was taken off the undisturbed ground [kg].
    pub moved: f64,
    /// Volume below the surface of the start that is gone [m³].
    pub cut: f64,
    /// Volume above the surface of the start [m³].
    pub fill: f64,
    /// Number of particles at the end.
    pub particles: usize,
    /// Dry mass of the particles [kg].
    pub loose: f64,
    /// Dry mass that fell past the border [kg].
    pub outside: f64,
    /// Dry mass that edits added, less what they took away [kg].
    pub edited_mass: f64,
}

impl GroundResult {
    /// Those of a world.
    pub fn all(world: &World) -> Vec<GroundResult> {
        let result = |ground: GroundReading<'_>| {
            let ledger = ground.ledger();
            GroundResult {
                ground: ground.name.to_string(),
                moved: ledger.moved,
                cut: ledger.cut,
                fill: ledger.fill,
                particles: ledger.particles,
                loose: ledger.loose,
                outside: ledger.outside,
                edited_mass: ledger.edited_mass,
            }
        };
        GroundReading::all(world).into_iter().map(result).collect()
    }

    /// A line of the summary.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} t moved, cut {} m³, fill {} m³",
            self.ground,
            digits(1e-3 * self.moved),
            digits(self.cut),
            digits(self.fill)
        );
        if self.particles > 0 {
            text += &format!(", {} of {} t", count(self.particles, "particle"), digits(1e-3 * self.loose));
        }
        if self.outside != 0.0 {
            text += &format!(", {} kg fell past the border", digits(self.outside));
        }
        if self.edited_mass != 0.0 {
            text += &format!(", {} t by edits", digits(1e-3 * self.edited_mass));
        }
        text
    }
}
