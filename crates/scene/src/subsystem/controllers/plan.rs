//! Controllers and rules of the text → items of the subsystem. Names are resolved, and all errors are reported.

use super::expression::{self, Known, Names, is_reserved};
use crate::error::Problems;
use crate::number::Open;
use crate::suggestion;
use crate::text::controller::{
    Action as TextAction, Controller, ControllerOutput, Filter as TextFilter, Pid as TextPid,
    Rule as TextRule, RuleAction, StateMachine, Table as TextTable,
};
use crate::text::{Entry, Scene};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use windlass_control::expression::Readings;
use windlass_control::{
    Action, Binary, Controllers, Expression, Filter, Item, ItemQuantity, Kind, Machine, Output, Pid, Rule,
    Table, Transition,
};
use windlass_engine::prelude::InputId;

/// Maximum number of controllers and rules of a scene.
const MOST: usize = 1000;

/// The kinds of controllers.
const KINDS: &str = "`pid`, `filter`, `table`, `expression` or `state_machine`";

/// The controllers of a scene, and the probes that they read, each with the position of the text that names it.
pub(crate) struct Planned {
    pub controllers: Controllers,
    pub probes: Vec<Spanned<String>>,
}

/// A controller or a rule of the text.
#[derive(Clone, Copy)]
enum Text<'a> {
    Controller(&'a Entry<Controller>),
    Rule(&'a Entry<TextRule>),
}

impl Text<'_> {
    fn name(&self) -> (&str, Range<usize>) {
        match self {
            Text::Controller(entry) => (&entry.name, entry.span.clone()),
            Text::Rule(entry) => (&entry.name, entry.span.clone()),
        }
    }
}

/// The controllers and rules of a scene, none if it has none or one is wrong; `dt` is the length of its steps.
pub(crate) fn plan(
    scene: &Scene,
    inputs: &BTreeMap<&str, Option<InputId>>,
    dt: f64,
    problems: &mut Problems,
) -> Option<Planned> {
    let controllers = scene.controllers.iter().map(Text::Controller);
    let mut all: Vec<Text<'_>> = controllers.chain(scene.rules.iter().map(Text::Rule)).collect();
    if all.is_empty() {
        return None;
    }
    if all.len() > MOST {
        let message = format!("{} controllers and rules", all.len());
        problems.advise(all[0].name().1, message, format!("a scene may have {MOST}"));
        return None;
    }
    all.sort_by(|a, b| a.name().0.cmp(b.name().0));
    let names = names(scene, &all, problems);
    let mut plan = Plan { names, spans: Vec::new(), inputs, set: BTreeMap::new(), problems };
    let items: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(number, text)| match text {
            Text::Controller(entry) => plan.controller(entry, number, dt),
            Text::Rule(entry) => plan.rule(entry),
        })
        .collect();
    let (found, spans) = (plan.names.found, plan.spans);
    let items = items.into_iter().collect::<Option<Vec<_>>>()?;
    let probes = found.iter().zip(spans).map(|(text, span)| Spanned::new(span, text.clone())).collect();
    match Controllers::new(items, found) {
        Ok(controllers) => Some(Planned { controllers, probes }),
        Err(cycle) => {
            let named = |number: &usize| format!("\"{}\"", all[*number].name().0);
            let path: Vec<_> = cycle.iter().chain(cycle.first()).map(named).collect();
            let message = format!("controllers that need each other's values: {}", path.join(" needs "));
            let help = "let one of them read the value of the step before: previous(NAME)";
            problems.advise(all[cycle[0]].name().1, message, help);
            None
        }
    }
}

/// The names that expressions may use. Names with two meanings are reported.
fn names(scene: &Scene, all: &[Text<'_>], problems: &mut Problems) -> Names {
    let mut names = Names::default();
    for probe in &scene.probes {
        names.probes.insert(probe.name.clone(), probe.value.get_ref().clone());
    }
    for (number, text) in all.iter().enumerate() {
        let (name, span) = text.name();
        let states = match text {
            Text::Controller(Entry { value: Controller { state_machine: Some(machine), .. }, .. }) => {
                machine.states.get_ref().keys().cloned().collect()
            }
            _ => Vec::new(),
        };
        let known = Known { number, is_rule: matches!(text, Text::Rule(_)), states };
        if names.items.insert(name.to_string(), known).is_some() {
            problems.advise(span, format!("\"{name}\" is a controller and a rule"), "rename one of them");
        } else if names.probes.get(name).is_some_and(|text| !is_of(text, name)) {
            let message = format!("\"{name}\" is also the name of a probe");
            problems.advise(span, message, "rename one of them: expressions could mean either");
        } else if is_reserved(name) {
            let message = format!("`{name}` has a meaning of its own in expressions");
            problems.advise(span, message, "give another name");
        }
    }
    names
}

/// Whether a probe is a quantity of the controller or rule of a name.
fn is_of(probe: &str, name: &str) -> bool {
    let rest = probe.strip_prefix("controllers.").or_else(|| probe.strip_prefix("rules."));
    rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('.'))
}

/// The items in progress.
struct Plan<'a> {
    names: Names,
    /// Where each probe was first named.
    spans: Vec<Range<usize>>,
    inputs: &'a BTreeMap<&'a str, Option<InputId>>,
    /// Which item sets an input, for controllers and for rules.
    set: BTreeMap<(bool, String), String>,
    problems: &'a mut Problems,
}

impl Plan<'_> {
    fn controller(&mut self, entry: &Entry<Controller>, number: usize, dt: f64) -> Option<Item> {
        let text = &entry.value;
        let given = [
            text.pid.is_some(),
            text.filter.is_some(),
            text.table.is_some(),
            text.expression.is_some(),
            text.state_machine.is_some(),
        ];
        let count = given.iter().filter(|given| **given).count();
        if count != 1 {
            let message = format!("controller \"{}\" has {count} kinds", entry.name);
            self.problems.advise(entry.span.clone(), message, format!("give one: {KINDS}"));
            return None;
        }
        let kind = match text {
            Controller { pid: Some(pid), .. } => self.pid(pid),
            Controller { filter: Some(filter), .. } => self.filter(filter),
            Controller { table: Some(table), .. } => self.table(table),
            Controller { state_machine: Some(machine), .. } => self.machine(machine),
            _ => {
                text.expression.as_ref().and_then(|e| self.expression("expression", e)).map(Kind::Expression)
            }
        };
        let when = self.optional("when", &text.when);
        let period = self.problems.number_or("period", &text.period, 0.0);
        let outputs: Vec<_> =
            text.outputs.iter().flatten().map(|output| self.output(entry, number, output)).collect();
        // a period is a whole number of steps, at least one
        let every = (period? / dt).round().max(1.0) as u64;
        Some(Item {
            name: entry.name.clone(),
            kind: kind?,
            enabled: text.enabled.unwrap_or(true),
            when: when?,
            every,
            outputs: outputs.into_iter().collect::<Option<Vec<_>>>()?,
        })
    }

    fn pid(&mut self, pid: &TextPid) -> Option<Kind> {
        let measurement = self.expression("measurement", &pid.measurement);
        let setpoint = self.expression("setpoint", &pid.setpoint);
        let gains = [("kp", &pid.kp), ("ki", &pid.ki), ("kd", &pid.kd)];
        let [kp, ki, kd] = gains.map(|(key, gain)| self.constant_or(key, gain, 0.0));
        let limits = match &pid.limits {
            None => Some([f64::NEG_INFINITY, f64::INFINITY]),
            Some(list) => self.limits(list),
        };
        let filter = self.problems.number_or("derivative_filter", &pid.derivative_filter, 0.0);
        Some(Kind::Pid(Pid {
            measurement: measurement?,
            setpoint: setpoint?,
            gains: [kp?, ki?, kd?],
            limits: limits?,
            derivative_filter: filter?,
        }))
    }

    fn limits(&mut self, list: &Spanned<Vec<Open>>) -> Option<[f64; 2]> {
        let values: Vec<_> = list.get_ref().iter().map(|x| self.constant("limits", x)).collect();
        match values.into_iter().collect::<Option<Vec<_>>>()?[..] {
            [low, high] if low < high => Some([low, high]),
            _ => {
                let help = "give two numbers: [low, high] with low < high";
                self.problems.advise(list.span(), "`limits` is not a range", help);
                None
            }
        }
    }

    fn filter(&mut self, filter: &TextFilter) -> Option<Kind> {
        let of = self.expression("of", &filter.of);
        let time_constant = self.problems.number("time_constant", &filter.time_constant);
        let damping = self.optional_constant("damping", &filter.damping);
        let initial = self.optional_constant("initial", &filter.initial);
        let (time_constant, damping) = (time_constant?, damping?);
        if damping.is_some() && time_constant == 0.0 {
            let help = "give a time above 0, or leave `damping` out";
            self.problems.advise(filter.time_constant.span(), "`time_constant` is 0", help);
            return None;
        }
        if damping.is_some_and(|damping| !(damping > 0.0)) {
            let span = filter.damping.as_ref().map_or(0..0, Open::span);
            self.problems.advise(span, "`damping` is not above 0", "give for example 0.7");
            return None;
        }
        Some(Kind::Filter(Filter { of: of?, time_constant, damping, initial: initial? }))
    }

    fn table(&mut self, table: &TextTable) -> Option<Kind> {
        let of = self.expression("of", &table.of);
        let mut list = |key: &str, list: &Spanned<Vec<Open>>| {
            let all: Vec<_> = list.get_ref().iter().map(|x| self.constant(key, x)).collect();
            all.into_iter().collect::<Option<Vec<f64>>>()
        };
        let (x, y) = (list("x", &table.x), list("y", &table.y));
        match Table::new(of?, &x?, &y?) {
            Ok(table) => Some(Kind::Table(table)),
            Err(problem) => {
                let text = problem.to_string();
                let (message, help) = text.split_once(": ").unwrap_or((&text, ""));
                self.problems.advise(table.x.span(), format!("the table: {message}"), help);
                None
            }
        }
    }

    fn machine(&mut self, machine: &StateMachine) -> Option<Kind> {
        let states = machine.states.get_ref();
        let names: Vec<&str> = states.keys().map(String::as_str).collect();
        let initial = self.state(&machine.initial, &names);
        let mut all = Vec::new();
        for (name, state) in states {
            let value =
                state.value.as_ref().map_or(Some(Expression::Number(0.0)), |v| self.expression("value", v));
            let mut transitions = Vec::new();
            for transition in state.transitions.iter().flatten() {
                let (span, transition) = (transition.span(), transition.get_ref());
                let when = self.optional("when", &transition.when);
                let after = self.problems.number_or("after", &transition.after, 0.0);
                let to = self.state(&transition.to, &names);
                if transition.when.is_none() && transition.after.is_none() {
                    let help = "give `when = \"…\"`, `after = \"2 s\"`, or both";
                    self.problems.advise(span, "a transition without a condition", help);
                }
                transitions.push((|| Some(Transition { when: when?, after: after?, to: to? }))());
            }
            let transitions = transitions.into_iter().collect::<Option<Vec<_>>>();
            all.push((|| Some((name.clone(), value?, transitions?)))());
        }
        Some(Kind::Machine(Machine { initial: initial?, states: all.into_iter().collect::<Option<_>>()? }))
    }

    /// The number of a state.
    fn state(&mut self, name: &Spanned<String>, names: &[&str]) -> Option<usize> {
        let found = names.iter().position(|known| *known == name.get_ref());
        if found.is_none() {
            let help = match suggestion::nearest(name.get_ref(), names.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "define it under `states`".to_string(),
            };
            let message = format!("no state \"{}\"", suggestion::shortened(name.get_ref()));
            self.problems.advise(name.span(), message, help);
        }
        found
    }

    fn rule(&mut self, entry: &Entry<TextRule>) -> Option<Item> {
        let text = &entry.value;
        let when = self.expression("when", &text.when);
        let reset = self.optional("reset", &text.reset);
        let delay = self.problems.number_or("delay", &text.delay, 0.0);
        let latched = text.latched.unwrap_or(false);
        if let Some(reset) = text.reset.as_ref().filter(|_| !latched) {
            let help = "set `latched = true`, or leave `reset` out";
            self.problems.advise(reset.span(), "`reset` of a rule that is not latched", help);
        }
        let outputs: Vec<_> = text.then.iter().flatten().map(|action| self.action(entry, action)).collect();
        let rule = Rule { when: when?, delay: delay?, latched, reset: reset?, message: text.message.clone() };
        Some(Item {
            name: entry.name.clone(),
            kind: Kind::Rule(rule),
            enabled: text.enabled.unwrap_or(true),
            when: None,
            every: 1,
            outputs: outputs.into_iter().collect::<Option<Vec<_>>>()?.concat(),
        })
    }

    /// The output of a controller.
    fn output(
        &mut self,
        entry: &Entry<Controller>,
        number: usize,
        output: &Spanned<ControllerOutput>,
    ) -> Option<Output> {
        let output = output.get_ref();
        let input = self.input(&output.input);
        let factor = self.constant_or("factor", &output.factor, 1.0);
        let action = match output.action.unwrap_or_default() {
            TextAction::Set => Action::Set,
            TextAction::Add => Action::Add,
            TextAction::LowerLimit => Action::LowerLimit,
            TextAction::UpperLimit => Action::UpperLimit,
        };
        if action == Action::Set {
            let help = "let one of them add to it, or combine them in one controller";
            self.sets(false, &entry.name, &output.input, help);
        }
        let own = Expression::Item(number, ItemQuantity::Value);
        let value = match factor? {
            1.0 => own,
            factor => Expression::binary(Binary::Multiply, Expression::Number(factor), own),
        };
        Some(Output { input: input?, action, value })
    }

    /// The actions of a rule on one input.
    fn action(&mut self, entry: &Entry<TextRule>, action: &Spanned<RuleAction>) -> Option<Vec<Output>> {
        let (span, text) = (action.span(), action.get_ref());
        let input = self.input(&text.input);
        let given = [
            ("set", &text.set, Action::Set),
            ("add", &text.add, Action::Add),
            ("lower_limit", &text.lower_limit, Action::LowerLimit),
            ("upper_limit", &text.upper_limit, Action::UpperLimit),
        ];
        if given.iter().all(|(_, value, _)| value.is_none()) {
            let help = "give `set`, `add`, `lower_limit` or `upper_limit`";
            self.problems.advise(span, "an action that does nothing", help);
        }
        if text.set.is_some() {
            let help = "use limits, which several rules may give, or combine the conditions in one rule";
            self.sets(true, &entry.name, &text.input, help);
        }
        let mut outputs = Vec::new();
        for (key, value, action) in given {
            let Some(value) = value else { continue };
            outputs.push(self.expression(key, value).zip(input).map(|(value, input)| Output {
                input,
                action,
                value,
            }));
        }
        outputs.into_iter().collect()
    }

    /// Reports an input that two controllers, or two rules, set.
    fn sets(&mut self, is_rule: bool, name: &str, input: &Spanned<String>, help: &str) {
        let key = (is_rule, input.get_ref().clone());
        if let Some(other) = self.set.insert(key, name.to_string()) {
            let one = if is_rule { "rule" } else { "controller" };
            let message = format!("{one} \"{other}\" already sets input \"{}\"", input.get_ref());
            self.problems.advise(input.span(), message, help);
        }
    }

    /// The input of a name; none for one that is unknown, or wrong itself, which has been reported.
    fn input(&mut self, name: &Spanned<String>) -> Option<InputId> {
        if let Some(known) = self.inputs.get(name.get_ref().as_str()) {
            return *known;
        }
        let known = self.inputs.keys().copied().take(suggestion::MOST);
        let help = match suggestion::nearest(name.get_ref(), known) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "define it as [inputs.NAME]".to_string(),
        };
        let message = format!("no input \"{}\"", suggestion::shortened(name.get_ref()));
        self.problems.advise(name.span(), message, help);
        None
    }

    /// The expression of a key.
    fn expression(&mut self, key: &str, text: &Open) -> Option<Expression> {
        let parsed = match text.given() {
            Ok(number) => Ok(Expression::Number(number)),
            Err(text) => expression::parse(text, &mut self.names),
        };
        self.spans.resize(self.names.found.len(), text.span());
        match parsed {
            Ok(expression) => Some(expression),
            Err((message, help)) => {
                self.problems.advise(text.span(), format!("`{key}`: {message}"), help);
                None
            }
        }
    }

    /// The expression of a key that may be absent; the outer `None` if it is wrong.
    fn optional(&mut self, key: &str, text: &Option<Open>) -> Option<Option<Expression>> {
        text.as_ref().map_or(Some(None), |text| self.expression(key, text).map(Some))
    }

    /// The number of a key: an expression without readings.
    fn constant(&mut self, key: &str, text: &Open) -> Option<f64> {
        let expression = self.expression(key, text)?;
        let mut varies = false;
        expression.visit(&mut |part| {
            use Expression::{Item, Previous, Probe, Time};
            varies |= matches!(part, Time | Probe(_) | Item(..) | Previous(_));
        });
        let value = expression.value(&Readings { time: 0.0, probes: &[], items: &[], before: &[] });
        if varies || !value.is_finite() {
            let message = format!("`{key}` is not a constant");
            self.problems.advise(text.span(), message, "give a finite number, with a unit or without");
            return None;
        }
        Some(value)
    }

    fn constant_or(&mut self, key: &str, text: &Option<Open>, other: f64) -> Option<f64> {
        text.as_ref().map_or(Some(other), |text| self.constant(key, text))
    }

    /// The number of a key that may be absent; the outer `None` if it is wrong.
    fn optional_constant(&mut self, key: &str, text: &Option<Open>) -> Option<Option<f64>> {
        text.as_ref().map_or(Some(None), |text| self.constant(key, text).map(Some))
    }
}
