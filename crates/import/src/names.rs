//! Makes names valid for a scene: unique, not empty, not too long, without control characters and without braces,
//! which enclose expressions in a scene.

use std::collections::BTreeMap;

/// Maximum length of an imported name [bytes]; a scene allows 200, a number may follow.
const LONGEST: usize = 150;

/// Names in use, each with the number to try next if it is requested again.
#[derive(Debug, Default)]
pub struct Names {
    given: BTreeMap<String, usize>,
}

impl Names {
    /// The requested name, or a similar one that is not in use.
    pub fn unique(&mut self, wanted: &str) -> String {
        let is_unfit = |c: char| c.is_control() || c == '{' || c == '}';
        let mut name: String = wanted.trim().chars().map(|c| if is_unfit(c) { '_' } else { c }).collect();
        while name.len() > LONGEST {
            name.pop();
        }
        if name.is_empty() {
            name.push_str("unnamed");
        }
        let base = name.clone();
        while let Some(&next) = self.given.get(&name) {
            let number = self.given.get(&base).copied().unwrap_or(next);
            name = format!("{base}_{number}");
            self.given.insert(base.clone(), number + 1);
        }
        self.given.insert(name.clone(), 2);
        name
    }
}
