//! Properties of all models over random slips, loads and speeds.

use crate::common::{mf52, mf61, sedan, uaz};
use glam::DVec2;
use proptest::prelude::*;
use windlass_vehicle::tire::composite_slip::SHAPE;
use windlass_vehicle::tire::{
    Brush, Carcass, CompositeSlip, Contact, Friction, Linear, PatchRows, PatchState, ShapeCurve, Slip, Tire,
    TireModel, Vertical, VerticalSpring, VerticalState,
};

fn simple_models() -> Vec<TireModel> {
    let friction = Friction { coefficient: 0.9, load_sensitivity: 0.08, reference_load: 4000.0 };
    let (stiffness, relaxation) = (DVec2::new(120e3, 70e3), DVec2::new(0.25, 0.45));
    let brush = Brush::new(stiffness, 0.9, 0.1, relaxation);
    let practical =
        Brush { measure: windlass_vehicle::tire::SlipMeasure::Practical, sliding_ratio: 0.7, ..brush };
    let composite = CompositeSlip {
        cornering: [5e3, 20.0, 9000.0],
        slip_stiffness: 90e3,
        friction,
        friction_decay: 0.2,
        shape: SHAPE,
        relaxation,
    };
    let curve = ShapeCurve { stiffness, friction, shape: 1.6, curvature: 0.5, relaxation };
    let linear = Linear { stiffness, friction: Some(friction), relaxation };
    let models = vec![
        TireModel::Brush(brush),
        TireModel::Brush(practical),
        TireModel::CompositeSlip(composite),
        TireModel::ShapeCurve(curve),
        TireModel::Linear(linear),
    ];
    assert!(
        brush.check().is_ok() && composite.check().is_ok() && curve.check().is_ok() && linear.check().is_ok()
    );
    models
}

fn magic_models() -> Vec<TireModel> {
    [sedan(), uaz(), mf52(), mf61()].map(|tire| TireModel::MagicFormula(Box::new(tire))).to_vec()
}

fn symmetric_models() -> Vec<TireModel> {
    let magic = [sedan(), uaz(), mf52(), mf61()].map(|t| TireModel::MagicFormula(Box::new(t.symmetric())));
    magic.into_iter().chain(simple_models()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn forces_dissipate(kappa in -1.5..1.5f64, tan_alpha in -1.5..1.5f64, load in 50.0..12e3f64, friction in 0.1..1.2f64) {
        let contact = Contact { friction, ..Contact::upright(load, 20.0) };
        let slip = Slip { kappa, tan_alpha };
        for model in symmetric_models() {
            let force = model.force(slip, &contact);
            prop_assert!(force.fx * kappa >= 0.0 && force.fy * tan_alpha <= 0.0);
            prop_assert!(force.fx.abs() <= force.peak_x * (1.0 + 1e-12));
            prop_assert!(force.fy.abs() <= force.peak_y * (1.0 + 1e-12));
        }
    }

    #[test]
    fn shifted_tires_dissipate_about_their_neutral_slip(
        kappa in -0.3..0.3f64, tan_alpha in -0.3..0.3f64, load in 1000.0..9e3f64, camber in -0.1..0.1f64
    ) {
        let contact = Contact { camber, ..Contact::upright(load, 20.0) };
        let slip = Slip { kappa, tan_alpha };
        for model in magic_models() {
            let (force, neutral) = (model.force(slip, &contact), model.neutral_slip(slip, &contact));
            let power = (kappa - neutral.kappa) * force.fx - (tan_alpha - neutral.tan_alpha) * force.fy;
            prop_assert!(power >= -1e-9 * load);
        }
    }

    #[test]
    fn forces_vanish_at_the_neutral_slip(load in 1000.0..9e3f64, camber in -0.1..0.1f64) {
        let contact = Contact { camber, ..Contact::upright(load, 20.0) };
        for tire in [sedan(), uaz(), mf52(), mf61()] {
            let neutral = tire.neutral_slip(Slip::default(), &contact);
            // pure curves; combined slip of the two zeros is zero as well for the ellipse
            let fx = tire.pure_slip_force(Slip { kappa: neutral.kappa, tan_alpha: 0.0 }, &contact).fx;
            prop_assert!(fx.abs() < 1e-7 * load, "{fx}");
            let fy = tire.force(Slip { kappa: 0.0, tan_alpha: neutral.tan_alpha }, &contact).fy;
            prop_assert!(fy.abs() < 1e-7 * load, "{fy}");
        }
    }

    #[test]
    fn forces_are_continuous(kappa in -1.2..1.2f64, tan_alpha in -1.2..1.2f64, load in 0.0..9e3f64, camber in -0.15..0.15f64) {
        let contact = Contact { camber, ..Contact::upright(load, 20.0) };
        let eps = 1e-7;
        for model in magic_models().into_iter().chain(simple_models()) {
            let base = model.force(Slip { kappa, tan_alpha }, &contact);
            let near = model.force(Slip { kappa: kappa + eps, tan_alpha: tan_alpha - eps }, &contact);
            let heavier = model.force(Slip { kappa, tan_alpha }, &Contact { load: load + eps * 1e4, ..contact });
            for other in [near, heavier] {
                // slopes: at most a slip stiffness of 100 loads and more
                let limit = eps * 400.0 * (load + 1e4);
                prop_assert!((base.fx - other.fx).abs() < limit && (base.fy - other.fy).abs() < limit);
                prop_assert!((base.mz - other.mz).abs() < limit && (base.mx - other.mx).abs() < limit);
            }
        }
    }

    #[test]
    fn mirrored_tires_mirror(kappa in -1.0..1.0f64, tan_alpha in -1.0..1.0f64, load in 100.0..9e3f64, camber in -0.15..0.15f64) {
        for tire in [sedan(), uaz(), mf52(), mf61()] {
            let contact = Contact { camber, ..Contact::upright(load, 12.0) };
            let a = tire.force(Slip { kappa, tan_alpha }, &contact);
            let b = tire.clone().mirrored().force(Slip { kappa, tan_alpha: -tan_alpha }, &Contact { camber: -camber, ..contact });
            prop_assert_eq!((a.fx, a.fy, a.mx, a.my, a.mz), (b.fx, -b.fy, -b.mx, b.my, -b.mz));
            // a symmetric tyre without camber is its own mirror image
            let upright = Contact::upright(load, 12.0);
            let own = tire.symmetric();
            let a = own.force(Slip { kappa, tan_alpha }, &upright);
            let b = own.force(Slip { kappa, tan_alpha: -tan_alpha }, &upright);
            prop_assert!((a.fx - b.fx).abs() < 1e-9 * load && (a.fy + b.fy).abs() < 1e-9 * load && (a.mz + b.mz).abs() < 1e-9 * load);
        }
    }

    #[test]
    fn patch_rows_are_positive(
        u in prop::array::uniform2(-0.1..0.1f64), p in prop::array::uniform2(-50.0..50.0f64),
        speed in prop_oneof![Just(0.0), -60.0..60.0f64, -1e-9..1e-9f64], sliding in prop_oneof![Just(0.0), Just(1.0), Just(1e-12)],
        load in prop_oneof![Just(0.0), Just(-10.0), 1e-6..1e4f64], h in prop_oneof![Just(0.0), 1e-6..0.1f64],
        damping in prop_oneof![Just(0.0), 1.0..1e4f64], vs in prop::array::uniform2(-30.0..30.0f64),
    ) {
        let contact = Contact::upright(load, speed);
        let state = PatchState { deflection: DVec2::from(u), sliding: DVec2::from(p) * sliding };
        for model in magic_models().into_iter().chain(simple_models()) {
            let stiffness = Carcass::of(&model, &contact, 0.05).stiffness;
            let carcass = Carcass { stiffness, damping: DVec2::splat(damping) };
            let rows = PatchRows::new(&state, &carcass, &model, &contact, h);
            prop_assert!(rows.compliance.min_element() > 0.0 && rows.compliance.is_finite());
            prop_assert!(rows.rhs.is_finite() && rows.bound.is_finite() && rows.bound.min_element() >= 0.0);
            let slip = DVec2::from(vs);
            let force = rows.bounded(rows.free_force(slip));
            prop_assert!(force.is_finite());
            let next = rows.update(slip, force);
            prop_assert!(next.deflection.is_finite() && next.sliding.is_finite());
        }
    }
}

#[test]
fn stated_stiffnesses_are_slopes() {
    for model in symmetric_models() {
        for load in [1500.0, 4000.0, 7000.0] {
            let contact = Contact::upright(load, 20.0);
            let eps = 1e-6;
            let fx = |kappa| model.force(Slip { kappa, tan_alpha: 0.0 }, &contact).fx;
            let fy = |tan_alpha| model.force(Slip { kappa: 0.0, tan_alpha }, &contact).fy;
            let slopes = DVec2::new(fx(eps) - fx(-eps), fy(-eps) - fy(eps)) / (2.0 * eps);
            let stated = model.slip_stiffness(&contact);
            assert!(((slopes - stated) / stated).abs().max_element() < 1e-3, "{slopes} {stated}");
        }
    }
}

#[test]
fn peaks_are_reached() {
    for model in symmetric_models() {
        let contact = Contact::upright(4000.0, 20.0);
        let peak = model.force(Slip::default(), &contact);
        let slips = (1..3000).map(|i| i as f64 * 5e-4);
        let top = |f: &dyn Fn(f64) -> f64| slips.clone().map(f).fold(0.0, f64::max);
        let x = top(&|kappa| model.force(Slip { kappa, tan_alpha: 0.0 }, &contact).fx);
        let y = top(&|tan| model.force(Slip { kappa: 0.0, tan_alpha: -tan }, &contact).fy);
        // friction that falls with slip keeps these two models below their peak
        let share = match &model {
            TireModel::CompositeSlip(_) => 0.9,
            TireModel::Brush(brush) if brush.sliding_ratio < 1.0 => 0.9,
            _ => 0.999,
        };
        assert!(x > share * peak.peak_x && y > share * peak.peak_y, "{x} {y} {peak:?}");
    }
}

#[test]
fn wheels_in_the_air_have_no_force() {
    for model in magic_models().into_iter().chain(simple_models()) {
        for load in [0.0, -100.0, f64::NAN] {
            let force = model.force(Slip { kappa: 0.3, tan_alpha: 0.2 }, &Contact::upright(load, 20.0));
            assert!(force.fx == 0.0 && force.fy == 0.0 && force.peak_x == 0.0);
        }
    }
}

#[test]
fn vertical_laws_agree_with_their_stiffness() {
    let spring = VerticalSpring {
        radius: 0.32,
        stiffness: 200e3,
        damping: 500.0,
        rolling_share: 1.0 / 3.0,
        pressure: 2.2e5,
        pressure_share: 0.75,
    };
    let state = VerticalState { spin: 50.0, ..VerticalState::default() };
    let (sedan, mf61) = (sedan(), mf61());
    for law in [&spring as &dyn Vertical, &sedan, &mf61] {
        for deflection in [0.002, 0.02, 0.05] {
            let eps = 1e-7;
            let slope =
                law.spring_force(deflection + eps, &state) - law.spring_force(deflection - eps, &state);
            let stated = law.stiffness(deflection, &state);
            assert!((slope / (2.0 * eps) / stated - 1.0).abs() < 1e-6);
            assert!(law.load(deflection, 0.0, &state) > 0.0);
        }
        assert_eq!(law.load(-0.01, 1.0, &state), 0.0);
        assert_eq!(law.load(0.001, -100.0, &state), 0.0);
        let radius = law.effective_radius(4000.0, &state);
        assert!(radius < law.free_radius(50.0) && radius > 0.9 * law.free_radius(50.0));
    }
}
