//! Probes of joints and their coordinates.

use super::super::column::Column;
use super::super::coordinate::{is_rotation, straight_rope};
use super::super::error::{ProbeError, suggestion};
use super::super::rope::{RopeQuantity, Strung};
use super::super::source::{COORDINATE, CoordinateQuantity, JOINT, Source};
use super::{Reader, Word, columns, gathered, quoted};
use crate::text;
use windlass_engine::prelude::{Anchor, JointId, JointKind};

impl Reader<'_> {
    /// `joints.NAME[.k].quantity[.component]`
    pub(super) fn joints(&self, words: &[Word]) -> Result<Vec<Column>, ProbeError> {
        let joints = self.matching_joints(words)?;
        let number = words.get(2).filter(|w| w.text.bytes().all(|b| b.is_ascii_digit()) && !w.quoted);
        let place = if number.is_some() { 3 } else { 2 };
        let coordinate_words = COORDINATE.iter().map(|c| c.0);
        let known = coordinate_words.chain(["tension"]).chain(JOINT.iter().map(|e| e.word));
        let asked = self.asked(words, place, "joint", known.clone())?;
        let base = |name: &str, word: &str| {
            let k = number.map(|n| format!(".{}", n.text)).unwrap_or_default();
            self.base(&words[1], &format!("joints.{}{k}", quoted(name)), name, word)
        };
        if let Some((word, quantity, ..)) = COORDINATE.iter().find(|c| c.0 == asked.text) {
            self.no_more(words, place + 1)?;
            return gathered(
                &words[1],
                joints.iter().map(|(id, name)| {
                    let joint = self.world.model().joints().get(*id);
                    let k = self.coordinate(*id, name, number, &words[1])?;
                    if let Some(anchors) = joint.and_then(|j| straight_rope(&j.kind)) {
                        let source = Source::Between { joint: *id, anchors, quantity: *quantity };
                        return Ok(vec![Column {
                            name: base(name, word),
                            unit: quantity.unit(false),
                            source,
                        }]);
                    }
                    let unit = quantity.unit(joint.is_some_and(|j| is_rotation(&j.kind, k)));
                    let source = Source::Coordinate { joint: *id, k, quantity: *quantity };
                    Ok(vec![Column { name: base(name, word), unit, source }])
                }),
            );
        }
        if let Some(number) = number {
            let help = "write joints.NAME.1.value, .speed or .effort";
            return self.fail(
                number.span.clone(),
                format!("\"{}\" is not a quantity of a coordinate", asked.text),
                help,
            );
        }
        if asked.text == "tension" {
            self.no_more(words, place + 1)?;
            return gathered(
                &words[1],
                joints.iter().map(|(id, name)| {
                    // a rope without points between its ends is one straight line, whose tension is known
                    // before the first step
                    let source = match self.world.rope(*id) {
                        Some(rope) if rope.wraps.len() > 2 => {
                            Source::Rope { rope: Strung::Rope(*id), quantity: RopeQuantity::Tension }
                        }
                        _ => {
                            let anchors = self.ends(*id, name, &words[1])?;
                            Source::Between { joint: *id, anchors, quantity: CoordinateQuantity::Effort }
                        }
                    };
                    Ok(vec![Column { name: base(name, "tension"), unit: "N", source }])
                }),
            );
        }
        let Some(entry) = JOINT.iter().find(|e| e.word == asked.text) else {
            let help = suggestion(&asked.text, "quantities", known);
            return self.fail(asked.span.clone(), format!("joints have no \"{}\"", asked.text), help);
        };
        let parts = self.parts(entry, words.get(place + 1))?;
        self.no_more(words, place + 2)?;
        gathered(
            &words[1],
            joints.iter().map(|(id, name)| {
                let source = |part| Source::Joint { joint: *id, quantity: entry.quantity, part };
                Ok(columns(&base(name, entry.word), entry, &parts, self.label.is_some(), source))
            }),
        )
    }

    fn matching_joints(&self, words: &[Word]) -> Result<Vec<(JointId, &str)>, ProbeError> {
        let joints = self.world.model().joints();
        let all = joints.iter().filter_map(|(place, j)| Some((joints.id(place)?, j.name.as_str())));
        self.matching(words, "joint", "joints", &all.collect::<Vec<_>>())
    }

    /// The index of a coordinate, which must exist.
    fn coordinate(
        &self,
        id: JointId,
        name: &str,
        number: Option<&Word>,
        at: &Word,
    ) -> Result<usize, ProbeError> {
        let kind = self.world.model().joints().get(id).map(|j| &j.kind);
        let count = match kind.and_then(straight_rope) {
            Some(_) => 1,
            None => self.world.state().joints[id.index()].coordinates.len(),
        };
        let k = number.map_or(Ok(1), |n| n.text.parse::<usize>()).unwrap_or(usize::MAX);
        if (1..=count).contains(&k) {
            return Ok(k - 1);
        }
        let help = match count {
            0 if matches!(kind, Some(JointKind::Rope(_))) => {
                format!("it is a cable: use cables.{0}.length or cables.{0}.tension", quoted(name))
            }
            0 => "use its force, torque, violation or broken".to_string(),
            _ => format!("they are numbered from 1 to {count}"),
        };
        let has = match count {
            0 => format!("joint \"{name}\" has no coordinates"),
            n => format!("joint \"{name}\" has {}", text::count(n, "coordinate")),
        };
        self.fail(number.unwrap_or(at).span.clone(), has, help)
    }

    /// The two points of a joint along a line.
    fn ends(&self, id: JointId, name: &str, at: &Word) -> Result<[Anchor; 2], ProbeError> {
        let joint = self.world.model().joints().get(id);
        let ends = joint.and_then(|j| match &j.kind {
            JointKind::Distance(distance) => Some(distance.anchors),
            JointKind::Rope(rope) => rope.anchors.as_slice().try_into().ok(),
            JointKind::Custom(custom) => custom.anchors().try_into().ok(),
            _ => None,
        });
        match ends {
            Some(ends) => Ok(ends),
            None => {
                let help = "distance joints and ropes have one; for other joints use force";
                self.fail(at.span.clone(), format!("joint \"{name}\" has no tension"), help)
            }
        }
    }
}
