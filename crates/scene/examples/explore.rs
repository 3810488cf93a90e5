use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let time: f64 = a[2].parse().unwrap();
    let body = &a[3];
    let scene = windlass_scene::parse(&text, "x").unwrap_or_else(|e| panic!("{e}"));
    let mut b = match scene.build() {
        Ok(b) => b,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    let at = |w: &windlass_engine::prelude::World| {
        let id = w.model().body(body).unwrap();
        w.state().bodies[id.index()]
    };
    let z0 = at(&b.world).position;
    let e0 = b.world.inspect().energy().total();
    let t0 = Instant::now();
    let (mut most, mut forced, mut mean, mut n, mut emax) = (0.0f64, 0, 0.0, 0, f64::MIN);
    let mut last = 0.0;
    while b.world.state().time < time - 1e-9 {
        let r = b.world.step();
        if let Some(f) = &r.fault {
            println!("fault {f:?}");
            break;
        }
        forced += r.forced;
        let d = z0.z - at(&b.world).position.z;
        most = most.max(d);
        if b.world.state().time > 0.5 * time {
            mean += d;
            n += 1;
        }
        emax = emax.max(r.energy.total());
        last = d;
    }
    let e = b.world.inspect().energy().total();
    let v = at(&b.world).velocity;
    println!(
        "sink {:.3e} mean {:.3e} most {:.3e} x {:.2e} v {:.1e} forced {} dE {:.3e} emax {:.3e} wall {:.2}s",
        last,
        mean / n.max(1) as f64,
        most,
        at(&b.world).position.x - z0.x,
        v.length(),
        forced,
        e - e0,
        emax - e0,
        t0.elapsed().as_secs_f64()
    );
}
