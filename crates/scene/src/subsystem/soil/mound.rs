//! Smooth bumps and pits of the start of a ground: h (1 − d²/r²)² at the distance d < r, with a slope that is continuous at
//! the rim. They are added to the heights at the nodes, each within its radius only, so that hundreds of them cost little.

use super::Extent;
use crate::error::Problems;
use crate::text::soil::Mound;
use windlass_soil::ground::Heights;

/// Heights with mounds on them, at the nodes; errors are reported.
pub(super) fn added(
    heights: Heights,
    mounds: &[Mound],
    extent: &Extent,
    p: &mut Problems,
) -> Option<Heights> {
    let ([nx, ny], spacing, origin) = (extent.nodes, extent.spacing, extent.origin());
    let place = |[i, j]: [usize; 2]| [origin[0] + i as f64 * spacing, origin[1] + j as f64 * spacing];
    let base = |k: usize| {
        let [x, y] = place([k % nx, k / nx]);
        heights.at(x, y)
    };
    let mut values: Vec<f64> = (0..nx * ny).map(base).collect();
    for mound in mounds {
        let (at, radius, height) =
            (p.pair("at", &mound.at), p.number("radius", &mound.radius), p.number("height", &mound.height));
        let (at, radius, height) = (at?, radius?, height?);
        if radius < spacing {
            let message = format!("a mound with a radius of {radius} m on nodes that are {spacing} m apart");
            p.advise(
                mound.radius.span(),
                message,
                "give it at least the spacing of the ground as its radius",
            );
            return None;
        }
        // casts saturate, so that a mound beside the ground has no nodes
        let range = |k: usize, nodes: usize| {
            let low = libm::ceil((at[k] - radius - origin[k]) / spacing).max(0.0) as usize;
            let high = libm::floor((at[k] + radius - origin[k]) / spacing + 1.0).max(0.0) as usize;
            low..high.min(nodes)
        };
        for j in range(1, ny) {
            for i in range(0, nx) {
                let [x, y] = place([i, j]);
                let [dx, dy] = [x - at[0], y - at[1]];
                let inside = 1.0 - (dx * dx + dy * dy) / (radius * radius);
                if inside > 0.0 {
                    values[j * nx + i] += height * inside * inside;
                }
            }
        }
    }
    Some(Heights::Grid { origin, spacing: [spacing; 2], nodes: extent.nodes, values })
}

#[cfg(test)]
mod tests {
    use crate::{Built, GroundSurface, parse};

    fn built(mounds: &str) -> Result<Built, crate::Errors> {
        let text = format!(
            "windlass = 2\n[grounds.yard]\nsize = [8, 6]\nspacing = 0.5\nposition = [1, 0]\nheight = 0.25\nsoil = \"loam\"\nmounds = [{mounds}]\n"
        );
        parse(&text, "test").and_then(|scene| scene.build())
    }

    fn height(built: &Built, x: f64, y: f64) -> f64 {
        let surface = GroundSurface::all(&built.world)[0];
        let node = [(x - surface.origin[0]) / 0.5, (y - surface.origin[1]) / 0.5];
        surface.height(node.map(|n| n.round() as usize))
    }

    #[test]
    fn mounds_add_up_and_end_at_their_radii() {
        let built = built(
            "{ at = [0, 0], radius = 2, height = 1.6 }, { at = [1, 0], radius = \"100 cm\", height = \"-40 cm\" }",
        )
        .expect("a scene");
        assert!((height(&built, 0.0, 0.0) - 1.85).abs() < 1e-12, "the pit ends there");
        assert!((height(&built, 1.0, 0.0) - (0.25 + 1.6 * 0.75 * 0.75 - 0.4)).abs() < 1e-12);
        assert!((height(&built, 0.0, 1.0) - (0.25 + 1.6 * 0.75 * 0.75)).abs() < 1e-12);
        for (x, y) in [(2.0, 0.0), (0.0, 2.0), (-2.0, 0.5), (4.5, 2.5)] {
            assert_eq!(height(&built, x, y), 0.25, "{x} {y}");
        }
    }

    /// One that lies beside the ground in part, or as a whole, changes the nodes that it has there, if any.
    #[test]
    fn mounds_reach_over_the_border() {
        let built =
            built("{ at = [5.5, 0], radius = 2, height = 1 }, { at = [-90, 1e6], radius = 3, height = 9 }")
                .expect("a scene");
        assert!((height(&built, 5.0, 0.0) - (0.25 + (1.0 - 1.0 / 16.0_f64).powi(2))).abs() < 1e-12);
        assert_eq!(height(&built, -3.0, 3.0), 0.25);
    }

    #[test]
    fn a_mound_between_the_nodes_is_rejected() {
        let error = built("{ at = [0.2, 0], radius = 0.3, height = 1 }").expect_err("too small").to_string();
        assert!(
            error.contains("a radius of 0.3 m") && error.contains("the spacing of the ground"),
            "{error}"
        );
        assert!(built("{ at = [0, 0], radius = 0, height = 1 }").is_err());
    }
}
