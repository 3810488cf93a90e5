//! Elastic rope that runs onto drums and sheaves under tension: what of its stretch it keeps there.
//!
//! Rope sticks to a drum, so that an arc a wound in under a strain ε is an unloaded length n = a/(1 + ε), and the drum is
//! turned by r T. The run loses n, the drum gains its elastic energy ½ EA ε² n. With the length S' of a run off the drums
//! and the length L of its path, V = ½ EA (L − S')²/S' and
//!
//!   dV = T dL − (T + ½ T²/EA) dS',      dS' = −dn       so that      dV + ½ EA ε² dn = T dL + T da
//!
//! If the arc counted as its unloaded length, dS' = −da, each metre wound in would leave ½ T²/EA more in the run than the
//! drum and the load put into it.
//!
//! A rope is therefore longer by d = a − n for each of its surfaces. A surface remembers one arc a of rope with one mean
//! strain d/n, wound last and unwound first. What lies below has the strain that the run had at its first step. Rope that
//! leaves has the strain σ it had on the surface and slips there to that of its run,
//! ε, which dissipates; so does the mixing of strains:
//!
//! ```text
//!  in     da > 0    dn = da/(1 + ε)         slip   −½ EA ε² dn + dE
//!  out    da < 0    dn = da/(1 + σ)         slip   −½ EA (ε − σ)² |dn|          E = ½ EA d²/n
//! ```
//!
//! A sheave that does not slip passes rope on: what arrives with the strain of one run leaves with it to the other and
//! slips there by ½ EA (ε − ε')² per metre, the creep of a belt drive.
//!
//! ε is that of the force at the last step. Everything follows from the history and the present angles, so all
//! integrators and their stages share it.

use smallvec::SmallVec;

/// Rope on the drums and sheaves of an elastic rope.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WoundRope {
    /// The two ends of each run.
    ends: SmallVec<[[End; 2]; 4]>,
    /// Rope on each attached point.
    surfaces: SmallVec<[Surface; 4]>,
    /// Elastic energy that the rope has taken off the surfaces since the last step, less what it took onto them [J].
    pub(crate) carried: f64,
    /// Work of slip on the surfaces since the last step [J]; not positive.
    pub(crate) slipped: f64,
}

/// An end of a run at a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct End {
    /// Length on the surface from its mark [m].
    arc: f64,
    /// d: by how much the run is longer than if arcs were unloaded lengths [m].
    longer: f64,
}

/// Rope on a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Surface {
    /// Arc that was wound [m].
    arc: f64,
    /// By how much that is longer than unloaded [m].
    stretch: f64,
    /// Strain of the rope below.
    base: f64,
}

/// Numbers of a run, and of an attached point, in the history.
const OF_RUN: usize = 4;
const OF_POINT: usize = 3;

impl WoundRope {
    /// The rope on the surfaces of runs, given what it was at the last step (empty initially), the present arcs at the
    /// ends of each run, and the strain of each.
    pub(super) fn wind(stiffness: f64, before: &[f64], arcs: &[[f64; 2]], strains: &[f64]) -> WoundRope {
        let runs = arcs.len();
        let base = |point: usize| strains[point.min(runs - 1)];
        let mut wound = WoundRope {
            ends: arcs.iter().map(|arcs| arcs.map(|arc| End { arc, longer: 0.0 })).collect(),
            surfaces: (0..=runs).map(|k| Surface { base: base(k), ..Surface::default() }).collect(),
            ..WoundRope::default()
        };
        if before.len() != OF_RUN * runs + OF_POINT * (runs + 1) {
            return wound;
        }
        let (ends, surfaces) = before.split_at(OF_RUN * runs);
        for (ends, before) in wound.ends.iter_mut().zip(ends.chunks_exact(OF_RUN)) {
            (ends[0].longer, ends[1].longer) = (before[1], before[3]);
        }
        for (surface, before) in wound.surfaces.iter_mut().zip(surfaces.chunks_exact(OF_POINT)) {
            *surface = Surface { arc: before[0], stretch: before[1], base: before[2] };
        }
        let moved = |run: usize, end: usize| arcs[run][end] - ends[OF_RUN * run + 2 * end];
        for point in 0..=runs {
            // the last end of the run before it, and the first end of the run behind it
            let sides = [point.checked_sub(1).map(|run| (run, 1)), (point < runs).then_some((point, 0))];
            let sides = sides.into_iter().flatten().map(|(run, end)| (run, end, moved(run, end)));
            for (run, end, more) in sides.clone().filter(|(.., more)| *more > 0.0) {
                wound.take_on(stiffness, (point, run, end), more, strains[run]);
            }
            for (run, end, more) in sides.filter(|(.., more)| *more < 0.0) {
                wound.let_off(stiffness, (point, run, end), -more, strains[run]);
            }
        }
        wound
    }

    /// By how much a run is longer than if arcs were unloaded lengths [m].
    pub(super) fn longer(&self, run: usize) -> f64 {
        self.ends.get(run).map_or(0.0, |ends| ends[0].longer + ends[1].longer)
    }

    /// The sum of that over all runs [m].
    pub(crate) fn stretch(&self) -> f64 {
        self.ends.iter().flatten().map(|end| end.longer).sum()
    }

    /// Appends it to the history of its rope.
    pub(super) fn keep(&self, history: &mut Vec<f64>) {
        history.extend(self.ends.iter().flatten().flat_map(|end| [end.arc, end.longer]));
        history.extend(self.surfaces.iter().flat_map(|s| [s.arc, s.stretch, s.base]));
    }

    /// Winds an arc onto a surface.
    fn take_on(&mut self, stiffness: f64, (point, run, end): (usize, usize, usize), more: f64, strain: f64) {
        let surface = &mut self.surfaces[point];
        let (stored, stretch) = (surface.energy(stiffness), more * strain / (1.0 + strain));
        surface.arc += more;
        surface.stretch += stretch;
        self.ends[run][end].longer += stretch;
        let taken = surface.energy(stiffness) - stored;
        self.carried -= taken;
        self.slipped -= 0.5 * stiffness * strain * strain * (more - stretch) - taken;
    }

    /// Unwinds an arc from a surface: first what was wound onto it, then what lies below.
    fn let_off(&mut self, stiffness: f64, (point, run, end): (usize, usize, usize), less: f64, strain: f64) {
        let surface = &mut self.surfaces[point];
        let upper = less.min(surface.arc);
        let part = if upper < surface.arc { upper / surface.arc } else { 1.0 };
        let below = (less - upper) * surface.base / (1.0 + surface.base);
        for (arc, stretch) in [(upper, part * surface.stretch), (less - upper, below)] {
            let unloaded = arc - stretch;
            if unloaded > 0.0 {
                let kept = stretch / unloaded;
                self.carried += 0.5 * stiffness * kept * stretch;
                self.slipped -= 0.5 * stiffness * (strain - kept) * (strain - kept) * unloaded;
            }
            self.ends[run][end].longer -= stretch;
        }
        surface.arc -= upper;
        surface.stretch -= part * surface.stretch;
    }
}

impl Surface {
    /// Elastic energy of what was wound onto it [J].
    fn energy(&self, stiffness: f64) -> f64 {
        let unloaded = self.arc - self.stretch;
        if unloaded > 0.0 { 0.5 * stiffness * self.stretch * self.stretch / unloaded } else { 0.0 }
    }
}
