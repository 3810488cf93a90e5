//! Cables under tension at the start: the tension of the text becomes the initial strain.
//!
//! ```text
//!  ε = T/EA                        for a section that stiffens under load, T = T₀ (exp(EA ε/T₀) − 1)
//!  L = length of its path/(1 + ε)
//! ```

use super::Builder;
use super::cable::MOST_STRAIN;
use crate::section::CableSection;
use crate::suggestion;
use crate::text::Entry;
use crate::text::cable::Cable as CableText;

impl Builder {
    /// The initial strain of a cable along its path; 0 without a `tension`. Reports a tension that is not possible.
    pub(super) fn strain_at_start(&mut self, entry: &Entry<CableText>, stuff: &CableSection) -> Option<f64> {
        let text = &entry.value;
        let Some(given) = &text.tension else { return Some(0.0) };
        let p = &mut self.problems;
        let tension = p.number("tension", given)?;
        if text.length.is_some() {
            let help = "one follows from the other: keep one of them";
            p.advise(given.span(), "both `length` and `tension` are given", help);
            return None;
        }
        if tension == 0.0 {
            return Some(0.0);
        }
        for (end, key) in [(&text.start, "start"), (&text.end, "end")] {
            if end.as_ref().is_none_or(|end| end.body.is_none()) {
                let message = format!("`tension` of a cable whose `{key}` is loose");
                let help = format!("attach it by `{key} = {{ body = \"…\" }}`, or leave `tension` out");
                p.advise(given.span(), message, help);
                return None;
            }
        }
        let strain = stuff.under_load.linear(tension) / stuff.section.stretch;
        let pull = suggestion::digits(tension);
        if let Some(breaking) = stuff.section.bears(&stuff.under_load).filter(|breaking| tension > *breaking)
        {
            let message = format!(
                "the `tension` is {pull} N, and the cable breaks at {} N",
                suggestion::digits(breaking)
            );
            p.advise(given.span(), message, "give less `tension`, or a stronger section");
            return None;
        }
        if strain > MOST_STRAIN {
            let help = format!(
                "give less `tension`, or a section with a greater `axial_stiffness`: the initial strain may be {MOST_STRAIN} at most"
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
