//! Cables that are taut at the start: the tension of the text → the strain with which a cable is laid.
//!
//! ```text
//!  ε = T/EA                        and of a section that stiffens under load, T = T₀ (exp(EA ε/T₀) − 1)
//!  L = length of its path/(1 + ε)
//! ```

use super::Builder;
use super::cable::MOST_STRAIN;
use crate::section::CableSection;
use crate::suggestion;
use crate::text::Entry;
use crate::text::cable::Cable as CableText;

impl Builder {
    /// The strain with which a cable lies along its path at the start; 0 without a `tension`. Tells a tension that it cannot have.
    pub(super) fn strain_at_start(&mut self, entry: &Entry<CableText>, stuff: &CableSection) -> Option<f64> {
        let text = &entry.value;
        let Some(given) = &text.tension else { return Some(0.0) };
        let p = &mut self.problems;
        let tension = p.number("tension", given)?;
        if text.length.is_some() {
            let help = "one follows from the other: keep one";
            p.advise(given.span(), "`length` and `tension` are given together", help);
            return None;
        }
        if tension == 0.0 {
            return Some(0.0);
        }
        for (end, key) in [(&text.start, "start"), (&text.end, "end")] {
            if end.as_ref().is_none_or(|end| end.body.is_none()) {
                let message = format!("`tension` of a cable whose `{key}` is loose: nothing bears it there");
                let help =
                    format!("name what holds it, `{key} = {{ body = \"…\" }}`, or leave `tension` out");
                p.advise(given.span(), message, help);
                return None;
            }
        }
        let strain = stuff.under_load.linear(tension) / stuff.section.stretch;
        let pull = suggestion::digits(tension);
        if let Some(breaking) = stuff.section.bears(&stuff.under_load).filter(|breaking| tension > *breaking)
        {
            let message = format!(
                "a `tension` of {pull} N, and the cable breaks at {} N",
                suggestion::digits(breaking)
            );
            p.advise(given.span(), message, "give less `tension`, or a stronger section");
            return None;
        }
        if strain > MOST_STRAIN {
            let help = format!(
                "give less `tension`, or a section with a greater `axial_stiffness`: a cable starts with a strain of {MOST_STRAIN} at most"
            );
            let (strain, stiffness) = (suggestion::digits(strain), suggestion::digits(stuff.section.stretch));
            let message = format!(
                "a `tension` of {pull} N stretches the cable by {strain} times its length, since its EA is {stiffness} N"
            );
            p.advise(given.span(), message, help);
            return None;
        }
        Some(strain)
    }
}
