//! The list of all studies.

use crate::experiment::Study;
use crate::{aero, loock, servin, tasora, vortex};

/// All studies, by paper.
pub fn studies() -> impl Iterator<Item = &'static Study> + Clone {
    let papers = [servin::STUDIES, tasora::STUDIES, vortex::STUDIES, loock::STUDIES, aero::STUDIES];
    papers.into_iter().flatten().copied()
}

/// Studies that a word names: "all", a paper, or one of them.
pub fn matching(word: &str) -> Vec<&'static Study> {
    let is_named = |study: &Study| word == "all" || word == study.name || word == study.paper.short();
    studies().filter(|study| is_named(study)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Paper;

    #[test]
    fn names_say_whose_and_are_told_once() {
        for (i, study) in studies().enumerate() {
            let rest = study.name.strip_prefix(study.paper.short()).and_then(|rest| rest.strip_prefix('/'));
            assert!(rest.is_some_and(|rest| !rest.is_empty()), "{}", study.name);
            assert!(!studies().take(i).any(|other| other.name == study.name), "{}", study.name);
            assert!(!study.title.is_empty() && !study.place.is_empty() && !study.about.is_empty());
        }
    }

    #[test]
    fn words_name_studies() {
        assert_eq!(matching("all").len(), studies().count());
        assert!(matching("servin").iter().all(|study| study.paper == Paper::Servin));
        assert_eq!(matching("servin/table-1").len(), 1);
        assert!(matching("nobody").is_empty());
    }
}
