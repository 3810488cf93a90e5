//! Floating bodies as `windlass info` prints and draws them.

use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::World;
use windlass_host::text::{count, digits};
use windlass_plot::{Curve, Figure, Measure};
use windlass_scene::Vessel;

/// Hydrostatics of a floating body at the orientation of the scene.
#[derive(Debug, JsonSchema, Serialize)]
pub struct VesselProperties {
    body: String,
    /// Number of bodies joined to it, other than by ropes, whose mass it carries.
    joined: usize,
    /// With the bodies joined to it [kg].
    mass: f64,
    /// Draft in the scene [m].
    scene_draft: f64,
    /// Draft at which it floats [m].
    draft: f64,
    /// [kg]
    displacement: f64,
    /// [m²]
    water_plane_area: f64,
    /// Centre of buoyancy over the keel [m].
    kb: f64,
    /// Centre of gravity over the keel [m].
    kg: f64,
    /// Transverse metacentric height [m]; below zero it is not stable upright.
    gm_transverse: f64,
    /// Longitudinal metacentric height [m].
    gm_longitudinal: f64,
    /// Natural period [s]; none where it is not stable.
    heave_period: Option<f64>,
    /// [s]
    roll_period: Option<f64>,
    /// [s]
    pitch_period: Option<f64>,
    /// Righting arm over heel about x, at constant trim [deg, m].
    righting_arms: Vec<[f64; 2]>,
}

/// The floating bodies of a world.
pub fn facts(world: &World) -> Vec<VesselProperties> {
    let properties = |vessel: Vessel| VesselProperties {
        body: vessel.body,
        joined: vessel.joined,
        mass: vessel.mass,
        scene_draft: vessel.scene_draft,
        draft: vessel.draft,
        displacement: vessel.displacement,
        water_plane_area: vessel.water_plane_area,
        kb: vessel.kb,
        kg: vessel.kg,
        gm_transverse: vessel.gm[0],
        gm_longitudinal: vessel.gm[1],
        heave_period: vessel.periods[0],
        roll_period: vessel.periods[1],
        pitch_period: vessel.periods[2],
        righting_arms: vessel.righting_arms,
    };
    Vessel::all(world).into_iter().map(properties).collect()
}

impl VesselProperties {
    /// Its lines in the table.
    pub fn lines(&self) -> Vec<String> {
        let with = match self.joined {
            0 => String::new(),
            n => format!(" with {} joined to it", count(n, "body")),
        };
        let period = |name: &str, period: Option<f64>| match period {
            Some(seconds) => format!("{name} {} s", digits(seconds)),
            None => format!("{name} not stable"),
        };
        let periods = [
            period("heave", self.heave_period),
            period("roll", self.roll_period),
            period("pitch", self.pitch_period),
        ];
        let gm = [self.gm_transverse, self.gm_longitudinal].map(digits);
        let mut lines = vec![
            format!("{}{with}: displacement {} kg", self.body, digits(self.displacement)),
            format!("  draft {} m, in the scene {} m", digits(self.draft), digits(self.scene_draft)),
            format!(
                "  KB {} m, KG {} m, GM {} m transverse, {} m longitudinal",
                digits(self.kb),
                digits(self.kg),
                gm[0],
                gm[1]
            ),
            format!("  natural periods: {}", periods.join(", ")),
        ];
        if let Some([heel, arm]) =
            self.righting_arms.iter().copied().reduce(|a, b| if b[1] > a[1] { b } else { a })
        {
            lines.push(format!("  largest righting arm {} m, at a heel of {heel}°", digits(arm)));
        }
        lines
    }
}

/// The righting-arm curves.
pub fn figure(vessels: &[VesselProperties]) -> Figure {
    let curve = |vessel: &VesselProperties| {
        let points = vessel.righting_arms.iter().map(|[heel, arm]| (*heel, *arm)).collect();
        Curve::line(&vessel.body, "m", points)
    };
    Figure {
        title: Some("Righting arm GZ".to_string()),
        x: Measure::new("heel", "deg"),
        curves: vessels.iter().map(curve).collect(),
        ..Figure::default()
    }
}
