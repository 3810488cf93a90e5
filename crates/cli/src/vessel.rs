//! Floating bodies as `windlass info` prints and draws them.

use windlass_host::text::{count, digits};
use windlass_plot::{Curve, Figure, Measure};
use windlass_scene::Vessel;

/// The lines of a vessel in the table.
pub fn lines(vessel: &Vessel) -> Vec<String> {
    let joined = match vessel.joined {
        0 => String::new(),
        n => format!(" with {} joined to it", count(n, "body")),
    };
    let with = match vessel.hanging {
        0.0 => joined,
        mass => format!("{joined}, {} kg hanging from it", digits(mass)),
    };
    let period = |name: &str, period: Option<f64>, added: String| match period {
        Some(seconds) => format!("{name} {} s ({added})", digits(seconds)),
        None => format!("{name} not stable ({added})"),
    };
    let inertia = |value: f64| format!("added inertia {} kg·m²", digits(value));
    let mass = format!("added mass {} kg", digits(vessel.heave_added_mass));
    let periods = [
        period("heave", vessel.heave_period, mass),
        period("roll", vessel.roll_period, inertia(vessel.roll_added_inertia)),
        period("pitch", vessel.pitch_period, inertia(vessel.pitch_added_inertia)),
    ];
    let gm = [vessel.gm_transverse, vessel.gm_longitudinal].map(digits);
    let mut lines = vec![
        format!("{}{with}: displacement {} kg", vessel.body, digits(vessel.displacement)),
        format!("  draft {} m, in the scene {} m", digits(vessel.draft), digits(vessel.scene_draft)),
        format!(
            "  KB {} m, KG {} m, GM {} m transverse, {} m longitudinal",
            digits(vessel.kb),
            digits(vessel.kg),
            gm[0],
            gm[1]
        ),
        format!("  natural periods: {}", periods.join(", ")),
    ];
    if let Some([heel, arm]) =
        vessel.righting_arms.iter().copied().reduce(|a, b| if b[1] > a[1] { b } else { a })
    {
        lines.push(format!("  largest righting arm {} m, at a heel of {heel}°", digits(arm)));
    }
    lines
}

/// The righting-arm curves.
pub fn figure(vessels: &[Vessel]) -> Figure {
    let curve = |vessel: &Vessel| {
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
