//! The order of evaluation, the states in bytes, and edits. Closed forms of controlled machines are tests of `crates/host`.

use windlass_control::{
    Binary, ControllerEdit, Controllers, ControllersState, Expression, Instant, Item, ItemQuantity, Kind,
    Rule,
};
use windlass_engine::prelude::{State, World};

fn item(name: &str, expression: Expression) -> Item {
    let kind = Kind::Expression(expression);
    Item { name: name.into(), kind, enabled: true, when: None, every: 1, outputs: Vec::new() }
}

fn value(number: usize) -> Expression {
    Expression::Item(number, ItemQuantity::Value)
}

fn plus_one(x: Expression) -> Expression {
    Expression::binary(Binary::Add, x, Expression::Number(1.0))
}

/// a needs c, c needs b; d reads the a of the step before, and a chain through d is no cycle.
#[test]
fn items_are_evaluated_after_those_they_need() {
    let items = vec![
        item("a", plus_one(value(2))),
        item("b", plus_one(Expression::Previous(3))),
        item("c", plus_one(value(1))),
        item("d", plus_one(value(0))),
    ];
    let controllers = Controllers::new(items, Vec::new()).expect("there is no cycle");
    let (mut before, mut after) = (controllers.initial(), ControllersState::default());
    for step in 0..3 {
        let now = Instant { time: 0.0, step, dt: 0.1, probes: &[] };
        controllers.advance(&now, &before, &mut after).expect("finite values");
        let values: Vec<f64> = after.items.iter().map(|item| item.value).collect();
        // b = d of the step before + 1
        let b = 4.0 * step as f64 + 1.0;
        assert_eq!(values, [b + 2.0, b, b + 1.0, b + 3.0]);
        before.clone_from(&after);
    }
}

#[test]
fn a_cycle_is_named() {
    let items = vec![
        item("a", value(1)),
        item("b", plus_one(value(2))),
        item("c", value(1)),
        item("d", Expression::Number(0.0)),
    ];
    assert_eq!(Controllers::new(items, Vec::new()), Err(vec![1, 2]));
    assert_eq!(Controllers::new(vec![item("a", plus_one(value(0)))], Vec::new()), Err(vec![0]));
}

#[test]
fn states_survive_bytes_and_edits_are_undone() {
    let rule = |name: &str| Item {
        kind: Kind::Rule(Rule {
            when: Expression::Number(1.0),
            delay: 0.0,
            latched: true,
            reset: None,
            message: None,
        }),
        ..item(name, Expression::Time)
    };
    let list = vec![item("clock", plus_one(Expression::Time)), rule("on")];
    let mut world = World::default();
    let edit = ControllerEdit::Set(Box::new(Controllers::new(list, Vec::new()).expect("no cycle")), None);
    world.edit_subsystem::<Controllers>(edit).expect("an edit");
    let mut next = ControllersState::default();
    for _ in 0..3 {
        let (time, step, dt) = (world.state().time, world.state().step, world.model().settings().dt);
        let now = Instant { time, step, dt, probes: &[] };
        let (controllers, state) = Controllers::of(&world).expect("it has them");
        controllers.advance(&now, state, &mut next).expect("finite values");
        world.control::<Controllers>(|_, state, _| {
            state.clone_from(&next);
            false
        });
        assert!(world.step().fault.is_none());
    }
    let saved = world.state().clone();
    assert_eq!(State::from_bytes(&saved.to_bytes()).map(|state| state.hash()), Ok(saved.hash()));
    let own = |world: &World| Controllers::of(world).expect("it has them").1.clone();
    assert_eq!((own(&world).next_step, own(&world).items[1].count), (3, 1));
    let bytes = State::from_bytes(&saved.to_bytes()).expect("its own");
    world.restore(bytes).expect("its own state");
    assert_eq!(own(&world), next);
    // a switch, and a list without the clock
    let back = world.edit_subsystem::<Controllers>(ControllerEdit::Switch(0, false)).expect("it exists");
    assert!(!own(&world).items[0].enabled);
    world.edit_subsystem::<Controllers>(back).expect("an inverse");
    assert_eq!(world.state().hash(), saved.hash());
    let fewer = Controllers::new(vec![rule("on")], Vec::new()).expect("no cycle");
    let undo =
        world.edit_subsystem::<Controllers>(ControllerEdit::Set(Box::new(fewer), None)).expect("an edit");
    assert_eq!(own(&world).items[0].count, 1, "a rule of the same name keeps its memory");
    assert!(world.restore(saved.clone()).is_err(), "a state of other controllers is rejected");
    world.edit_subsystem::<Controllers>(undo).expect("an inverse");
    assert_eq!(world.state().hash(), saved.hash());
}
