//! The list of all probes, for help texts and the reference.

use super::cable::{ALONG, WHOLE};
use super::ground::AT_PLACE;
use super::rope;
use super::source::{BETWEEN, BODY, COORDINATE, GENERAL, IN_CONTACT, IN_FLUID, INPUT, JOINT};

/// All probes: word, unit and meaning.
pub fn catalogue() -> Vec<(String, &'static str, &'static str)> {
    let mut list = vec![("time".to_string(), "s", "simulated time")];
    list.extend(GENERAL.iter().map(|(word, _, unit, about)| (word.to_string(), *unit, *about)));
    let words = |word: &str, components: &[&str]| match components {
        [] => word.to_string(),
        ["x", "y", "z"] => format!("{word}[.x|y|z|size]"),
        list => format!("{word}[.{}]", list.join("|")),
    };
    for e in BODY {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for e in IN_CONTACT {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for e in IN_FLUID {
        list.push((format!("bodies.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    list.push(("fluids.NAME.height(x, y)".to_string(), "m", "height of the surface at a place"));
    let velocity = "fluids.NAME.velocity(x, y, z)[.x|y|z|size]".to_string();
    list.push((velocity, "m/s", "velocity of the fluid at a point; none where another fluid is"));
    for (word, _, unit, about) in AT_PLACE {
        list.push((format!("grounds.NAME.{word}(x, y)"), unit, about));
    }
    for (word, _, unit, about) in COORDINATE {
        list.push((format!("joints.NAME[.k].{word}"), unit, about));
    }
    list.push(("joints.NAME.tension".to_string(), "N", "tension of a distance joint or rope"));
    for e in JOINT {
        list.push((format!("joints.NAME.{}", words(e.word, e.components)), e.unit, e.about));
    }
    for (word, _, unit, about) in ALONG {
        list.push((format!("cables.NAME.{word}(s)"), unit, about));
    }
    for (word, _, unit, about) in WHOLE {
        list.push((format!("cables.NAME.{word}"), unit, about));
    }
    for (word, _, unit, about) in rope::WHOLE {
        list.push((format!("cables.NAME.{word}"), unit, about));
    }
    for (word, _, unit, about) in rope::NUMBERED {
        list.push((format!("cables.NAME.{word}.k"), unit, about));
    }
    for (word, _, unit, about) in rope::WINCH {
        list.push((format!("winches.NAME.{word}"), unit, about));
    }
    for (word, _, about) in INPUT {
        list.push((format!("inputs.NAME.{word}"), "its own", about));
    }
    list.push(("controllers.NAME.value".to_string(), "", "output of a controller"));
    list.push(("controllers.NAME.state".to_string(), "", "number of the state of a state machine, from 0"));
    list.push(("rules.NAME.active".to_string(), "", "1 while the rule is active, else 0"));
    list.push(("distance(bodies.NAME, bodies.NAME)".to_string(), "m", "between two origins"));
    for e in BETWEEN {
        let word = format!("contact(bodies.NAME, bodies.NAME).{}", words(e.word, e.components));
        list.push((word, e.unit, e.about));
    }
    list
}
