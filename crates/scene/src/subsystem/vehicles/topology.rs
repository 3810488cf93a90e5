//! Equations between the speeds of shafts → whether some of them lock their shafts.
//!
//! A gear or differential is an equation Σ fᵢ ωᵢ = 0. Equations of general ratios let their shafts turn only if any k of
//! them have more than k shafts. By Hall's theorem this holds if each equation can be given a shaft of its own even
//! after any one of them is counted twice.

/// The equations between the shafts of a vehicle.
#[derive(Debug, Default)]
pub(super) struct Topology {
    /// The shafts of each equation.
    equations: Vec<Vec<usize>>,
    /// The equation to which a shaft is given, by shaft.
    given: Vec<Option<usize>>,
}

impl Topology {
    /// For a number of shafts.
    pub fn new(shafts: usize) -> Topology {
        Topology { equations: Vec::new(), given: vec![None; shafts] }
    }

    /// Adds an equation; false, without a change, if it would lock shafts.
    pub fn add(&mut self, shafts: &[usize]) -> bool {
        let before = self.given.clone();
        let number = self.equations.len();
        self.equations.extend([shafts.to_vec(), shafts.to_vec()]);
        let fits = self.give(number);
        let once = self.given.clone();
        let is_free = fits && self.give(number + 1);
        self.equations.truncate(number + usize::from(is_free));
        self.given = if is_free { once } else { before };
        is_free
    }

    /// Gives an equation a shaft, by an augmenting path.
    fn give(&mut self, equation: usize) -> bool {
        let mut seen = vec![false; self.given.len()];
        self.augment(equation, &mut seen)
    }

    fn augment(&mut self, equation: usize, seen: &mut [bool]) -> bool {
        for k in 0..self.equations[equation].len() {
            let shaft = self.equations[equation][k];
            if std::mem::replace(&mut seen[shaft], true) {
                continue;
            }
            if self.given[shaft].is_none_or(|other| self.augment(other, seen)) {
                self.given[shaft] = Some(equation);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Topology;

    /// How many of the equations are added.
    fn added(shafts: usize, equations: &[&[usize]]) -> Vec<bool> {
        let mut topology = Topology::new(shafts);
        equations.iter().map(|shafts| topology.add(shafts)).collect()
    }

    #[test]
    fn chains_of_gears_turn_and_rings_do_not() {
        assert_eq!(added(4, &[&[0, 1], &[1, 2], &[2, 3]]), [true; 3]);
        assert_eq!(added(3, &[&[0, 1], &[1, 2], &[0, 2]]), [true, true, false]);
        assert_eq!(added(2, &[&[0, 1], &[1, 0]]), [true, false]);
    }

    /// Transfer case and two axles have four wheels and three equations. Three gears between propeller and wheels of an
    /// axle leave one speed free; a fourth equation would lock it.
    #[test]
    fn differentials_have_as_many_freedoms_as_shafts_less_equations() {
        assert_eq!(added(7, &[&[0, 1, 2], &[1, 3, 4], &[2, 5, 6]]), [true; 3]);
        assert_eq!(added(3, &[&[0, 1, 2], &[1, 2], &[0, 1]]), [true, true, false]);
        // two differentials of different ratios between the same shafts leave one speed
        assert_eq!(added(3, &[&[0, 1, 2], &[0, 1, 2], &[0, 1, 2]]), [true, true, false]);
    }
}
