"""Runs the scenes B1 to B5, and W1 and W2 in water, in all engines, one after the other, and writes the results. See ../README.md.

    python compare.py --bin FOLDER --out results.json [--quick] [--only b1 ...] [--row TEXT ...]

FOLDER holds windlass-bench and, if they were built, the drivers bullet and ode. Every row and case runs in a process of its
own, so that an engine that crashes or hangs ends nothing but its case.
"""

import argparse
import dataclasses
import importlib
import importlib.metadata
import json
import multiprocessing
import os
import platform
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import clock  # sets one thread, before numpy is loaded
import numpy as np

import judge
import scenes
import water
from scenes import FRAME

fork = multiprocessing.get_context("fork")


@dataclass
class Row:
    engine: str
    setting: str
    module: str  # the adapter, or the driver's program
    how: object  # keywords of the adapter, or words for the driver
    benches: str = "b1 b2 b3 b4 b5"
    bend: float = None  # an elastic cable with this EI/EA [m2], 0 for none
    function: str = "simulate"
    largest: int = 10_000  # elements in b2: building more takes minutes
    step: float = FRAME  # time step in w1 [s]
    elements: int = 60  # of the line in w1

    def run(self, folder, scene, dt, steps, every, budget):
        if isinstance(self.how, dict):
            return getattr(importlib.import_module(self.module), self.function)(scene, dt, steps, every, budget, **self.how)
        with tempfile.TemporaryDirectory() as scratch:
            given, out = os.path.join(scratch, "scene"), os.path.join(scratch, "run")
            scene.write(given, dt, steps, every, budget)
            task = "immerse" if hasattr(scene, "wide") else "drive"
            words = [os.path.join(folder, self.module), *([task] if self.module == "windlass-bench" else []), given, out, *self.how]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            numbers = np.fromfile(out)
        count = int(numbers[0])
        shape = (scene.wide,) if hasattr(scene, "wide") else (len(scene.bodies), 13)
        return numbers[1 + count :].reshape(-1, *shape), numbers[1 : 1 + count]


def ours(setting, integrator, benches, **more):
    return Row("Windlass", setting, "windlass-bench", integrator.split(), benches, **more)


ROWS = [
    # the product's cable, without and with the bending stiffness of a wire rope (EI = 7.5e-7 m2 EA, 20 mm 6x36)
    ours("cable", "spook", "b1 b2", bend=0.0),
    ours("cable, wire rope", "spook", "b1 b2", bend=7.5e-7),
    ours("spook", "spook", "b1 b2 b3 b4 b5"),
    ours("projected", "projected", "b3 b5"),
    ours("dormand-prince", "dormand-prince", "b3 b5"),
    ours("dormand-prince, 1e-3", "dormand-prince --tolerance 1e-3", "b3 b5"),
    ours("spook in 8, joints closed", "spook --parts 8 --rounds 12", "b3 b5"),
    Row("MuJoCo", "implicitfast (stock)", "with_mujoco", {}, "b1 b1s b2 b3 b4 b5", largest=400),
    Row("MuJoCo", "RK4", "with_mujoco", dict(integrator="rk4"), "b3 b5"),
    Row("MuJoCo", "damped joints", "with_mujoco", dict(damped=True), "b1"),
    Row("MuJoCo", "flex rope", "with_mujoco", {}, "b1 b2", bend=0.0, function="flex", largest=1000),
    Row("MuJoCo", "stiff contacts", "with_mujoco", dict(contact="stiff"), "b4"),
    Row("Drake", "discrete SAP (stock)", "with_drake", {}, "b1 b1s b2 b3 b4 b5"),
    Row("Drake", "Radau 3", "with_drake", dict(integrator="radau3"), "b1 b2 b5", largest=400),
    Row("Drake", "implicit Euler", "with_drake", dict(integrator="implicit euler"), "b1 b5"),
    Row("Drake", "RK3, error control", "with_drake", dict(integrator="rk3"), "b5"),
    Row("Drake", "hydroelastic", "with_drake", dict(hydroelastic=True), "b4"),
    Row("Rapier", "impulse 4 (stock)", "windlass-bench", ["rapier-impulse"], "b1 b1s b2 b3 b4 b5"),
    Row("Rapier", "impulse 20x10", "windlass-bench", ["rapier-impulse", "--iterations", "20", "10"], "b1 b2 b3 b5"),
    Row("Rapier", "impulse 100x4", "windlass-bench", ["rapier-impulse", "--iterations", "100", "4"], "b1 b3 b5"),
    Row("Rapier", "multibody 4 (stock)", "windlass-bench", ["rapier-multibody"], "b1 b2 b3 b5", largest=200),
    Row("Rapier", "20x10, contacts 240 Hz", "windlass-bench",
        ["rapier-impulse", "--iterations", "20", "10", "--contact", "240"], "b4"),
    Row("Rapier", "100x4, contacts 1 kHz", "windlass-bench",
        ["rapier-impulse", "--iterations", "100", "4", "--contact", "1000"], "b4"),
    Row("Bullet", "impulses, 50 iterations", "bullet", ["si", "50"], "b1 b2 b3 b4 b5"),
    Row("Bullet", "impulses, 1000 iterations", "bullet", ["si", "1000"], "b1 b4"),
    Row("Bullet", "Dantzig (direct)", "bullet", ["dantzig"], "b1 b2 b3 b4 b5", largest=400),
    Row("Bullet", "multibody", "bullet", ["multibody"], "b1 b1s b2 b3 b5"),
    Row("ODE", "dWorldStep (direct)", "ode", ["step"], "b1 b2 b3 b4 b5", largest=1000),
    Row("ODE", "quick step, 100 iterations", "ode", ["quick", "100"], "b3 b4 b5"),
    Row("ODE", "quick step, 1000 iterations", "ode", ["quick", "1000"], "b4"),
    Row("Exudyn", "generalised alpha", "with_exudyn", {}, "b1 b2 b3 b5", largest=400),
    Row("Exudyn", "ANCF cable, planar", "with_exudyn", {}, "b1 b2", bend=1e-6, function="cable"),
    Row("MoorDyn", "line, RK4", "with_moordyn", {}, "b1 b2", bend=0.0, function="cable"),
    # in water; MoorDyn's schemes at steps a little below the largest that they hold
    ours("cable, 1/60 s", "", "w1"),
    ours("cable, 0.1 s", "", "w1", step=0.1),
    ours("cable, 240 elements, 1 ms", "", "w1x", step=1e-3, elements=240),
    Row("MoorDyn", "RK2 (its default), 2.5 ms", "with_moordyn", dict(scheme="RK2"), "w1", function="mooring", step=2.5e-3),
    Row("MoorDyn", "RK4, 3 ms", "with_moordyn", dict(scheme="RK4"), "w1", function="mooring", step=3e-3),
    Row("MoorDyn", "RK4, no line damping, 3 ms", "with_moordyn", dict(scheme="RK4", damping=0.0), "w1", function="mooring", step=3e-3),
    Row("MoorDyn", "ACA10 (implicit), 5 ms", "with_moordyn", dict(scheme="ACA10"), "w1", function="mooring", step=5e-3),
    Row("MoorDyn", "ACA10 (implicit), 8 ms", "with_moordyn", dict(scheme="ACA10"), "w1", function="mooring", step=8e-3),
    Row("MoorDyn", "RK4, 240 segments, 0.6 ms", "with_moordyn", dict(scheme="RK4"), "w1x", function="mooring", step=6e-4, elements=240),
    ours("spook", "", "w2"),
    Row("MuJoCo", "ellipsoid, implicitfast (stock)", "with_mujoco", {}, "w2", function="floating"),
    Row("MuJoCo", "ellipsoid, RK4", "with_mujoco", dict(integrator="RK4"), "w2", function="floating"),
    Row("MuJoCo", "ellipsoid, implicitfast, added mass as mass", "with_mujoco", dict(inertia=True), "w2", function="floating"),
]

# benches that are run for the rows of another
FAMILY = dict(cost="b1", w1s="w1", w1cost="w1", w2cost="w2")
WATER = ("w1", "w1x", "w1s", "w1cost", "w2", "w2cost")


@dataclass
class Plan:
    """How much is run."""

    quick: bool

    elements: list = field(init=False)
    loads: list = field(init=False)
    sizes: list = field(init=False)
    rings: list = field(init=False)
    budget: float = field(init=False)  # CPU time of the steps of one run [s]

    def __post_init__(self):
        self.elements = [25, 100] if self.quick else [10, 25, 50, 100]
        self.loads = [10.0**k for k in ([1, 2, 4, 6, 9] if self.quick else range(1, 10))]
        self.sizes = [25, 100, 400] if self.quick else [10, 25, 50, 100, 200, 400, 1000, 2000, 5000, 10_000]
        self.rings = [20] if self.quick else [20, 40]
        self.budget = 2.0 if self.quick else 10.0


def look(row, folder, scene, seconds, budget, dt=FRAME, substeps=1):
    """One run of so many seconds, judged; frames of `dt` are made of equal substeps."""
    frames = round(seconds / dt)
    # a row at each frame, or each hundredth of a second if that is longer
    every = substeps * max(1, round(0.01 / dt))
    rows, times = row.run(folder, scene, dt / substeps, frames * substeps, every, budget)
    interval = dt / substeps * every
    if rows.ndim == 2:
        nodes = rows[:, :-1].reshape(len(rows), -1, 3)
        seen = judge.cable(scene, interval, nodes, rows[:, -1], len(times), frames * substeps)
    else:
        seen = judge.judge(scene, interval, rows.reshape(-1, len(scene.bodies), 13), len(times), frames * substeps)
    times = times[: len(times) // substeps * substeps].reshape(-1, substeps).sum(1)
    return seen | dict(median=float(np.median(times)), p10=float(np.percentile(times, 10)), frames=len(times))


def hoists(row, folder, plan, n):
    """B1: loads in rising order until one is not held, or time runs out."""
    for load in plan.loads:
        seen = look(row, folder, scenes.hoist(n, load, row.bend), 10.0, plan.budget)
        yield dict(n=n, load=load) | seen
        # the load of 100 is where costs are compared
        if not seen["stable"] and load >= 100:
            return


def cost(row, folder, plan, n, round):
    """What a frame of the hoist with a load of 100 costs, with nobody looking: rounds over all rows, so that a disturbance
    meets all alike."""
    _, times = row.run(folder, scenes.hoist(n, 100.0, row.bend), FRAME, 120, 0, 0.2 * plan.budget)
    yield dict(n=n, round=round, median=float(np.median(times)), p10=float(np.percentile(times, 10)), frames=len(times))


def substeps(row, folder, plan, n, load):
    """B1s: substeps of the frame, doubled until 3 s of swing are stable."""
    for count in [2**k for k in range(11)]:
        seen = look(row, folder, scenes.hoist(n, load, row.bend), 3.0, plan.budget, substeps=count)
        yield dict(n=n, load=load, substeps=count) | seen
        if seen["stable"] is not False:
            return


def sizes(row, folder, plan):
    """B2: 40 steps of the hoist with a load of 100, for cost alone."""
    for n in plan.sizes:
        if n > row.largest:
            return
        _, times = row.run(folder, scenes.hoist(n, 100.0, row.bend), FRAME, 40, 0, 0.2 * plan.budget)
        yield dict(n=n, median=float(np.median(times)), p10=float(np.percentile(times, 10)), frames=len(times))
        if not np.median(times) < 3e5:
            return


def ring(row, folder, plan, n, dt):
    yield dict(n=n, dt=dt) | look(row, folder, scenes.ring(n), 10.0, plan.budget, dt)


def boxes(row, folder, plan, case):
    masses = dict(ten=[1.0] * 10, heavy=[1.0, 1000.0])[case]
    yield dict(case=case) | look(row, folder, scenes.boxes(*masses), 5.0, plan.budget)


def pendulum(row, folder, plan, dt):
    yield dict(dt=dt) | look(row, folder, scenes.double_pendulum(), 10.0, plan.budget, dt)


def moored(row, folder, plan, case, dt=None, seconds=48.0):
    """W1 -> tension at the fairlead over the last two periods, on a grid of 0.1 s."""
    dt, scene = dt or row.step, water.Mooring(case, row.elements)
    every = max(1, round(FRAME / dt))
    rows, times = row.run(folder, scene, dt, round(seconds / dt / every) * every, every, 100 * plan.budget)
    # ours are forces at the beginning of a step, theirs at its end
    late = dt if row.engine == "Windlass" else 0.0
    t = dt * every * np.arange(1, len(rows)) - late
    tension, level = np.linalg.norm(rows[1:, :3], axis=1), np.abs(rows[1:, 0])
    grid = np.arange(seconds - 16.5, seconds - 0.5, 0.1)
    there = len(t) > 3 and t[-1] >= grid[-1] and np.isfinite(tension).all()
    trace = np.interp(grid, t, tension) if there else np.full(len(grid), np.nan)
    # extremes from all samples: a grid would miss them
    last = tension[t >= grid[0]] if there else np.full(2, np.nan)
    return dict(case=case, dt=dt, mean=float(trace.mean()), amplitude=float(np.ptp(last) / 2), trace=[round(x, 1) for x in trace],
                level=float(level[-1]) if there else np.nan, floor=float(rows[-1, 3]), rest=float(rows[0, 0]) * 1e-3,
                cost=float(np.mean(times)) * 1e-3 / dt)


def mooring(row, folder, plan, case):
    yield moored(row, folder, plan, case)


def mooring_cost(row, folder, plan, case, round):
    """CPU time per simulated second [ms], in rounds over all rows."""
    seen = moored(row, folder, plan, case, seconds=20.0)
    yield dict(case=case, round=round, cost=seen["cost"], rest=seen["rest"])


def largest_steps(row, folder, plan, case):
    """W1: the largest step that holds (tension finite, mean and amplitude within 5 % of those with a small step), and
    the largest up to which the amplitude is within 1 %: steps growing by a quarter, then bisection."""
    small = moored(row, folder, plan, case, 1e-3)

    def off(dt):
        try:
            seen = moored(row, folder, plan, case, dt)
        except Exception:  # an engine that gives up
            return np.inf
        parts = [abs(seen[k] / small[k] - 1) for k in ("mean", "amplitude")]
        return max(parts) if np.isfinite(parts).all() else np.inf

    out = {}
    for name, limit in (("holds", 0.05), ("accurate", 0.01)):
        low, high, top = 1e-3, row.step, 0.2  # ours accepts no larger step
        while off(high) <= limit and low < top:
            low, high = high, min(1.25 * high, top)
        for _ in range(5 if low < top else 0):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if off(middle) <= limit else (low, middle)
        out[name] = low
    yield out | dict(case=case, amplitude=small["amplitude"], top=top)


def immersed(row, folder, plan, case, dt):
    scene = water.BODIES[case]
    steps = round(scene.seconds / dt)
    rows, _ = row.run(folder, scene, dt, steps, 1, plan.budget)
    for quantity, (value, exact) in water.evaluate(scene, dt, rows).items():
        yield dict(case=case, dt=dt, quantity=quantity, value=float(value), exact=float(exact))


def immersed_cost(row, folder, plan, count, wet, round):
    """A step of so many sinking spheres [us]."""
    scene = dataclasses.replace(water.BODIES["sinks"], count=count, water=water.FRESH if wet else 0.0)
    _, times = row.run(folder, scene, FRAME, 2000 if count == 1 else 300, 0, plan.budget)
    yield dict(count=count, wet=wet, round=round, median=float(np.median(times)), least=float(np.min(times)))


def wet_tasks(plan):
    """Those in water."""
    for case in ("static", "held", "driven"):
        yield "w1", mooring, (case,)
        if not plan.quick:
            yield "w1x", mooring, (case,)
    for round in range(2 if plan.quick else 5):
        for case in ("static", "held", "driven"):
            yield "w1cost", mooring_cost, (case, round)
        for count in (1, 100):
            for wet in (False, True):
                yield "w2cost", immersed_cost, (count, wet, round)
    for case in ("held", "driven"):
        yield "w1s", largest_steps, (case,)
    for case in water.BODIES:
        for dt in (FRAME, 1e-3):
            yield "w2", immersed, (case, dt)


def tasks(plan):
    """All of it, in the order in which it runs: what is compared with each other stands together."""
    for n in plan.elements:
        yield "b1", hoists, (n,)
    for round in range(7):
        for n in (25, 100):
            yield "cost", cost, (n, round)
    for n, load in [(25, 1e2)] if plan.quick else [(25, 1e2), (25, 1e4), (25, 1e6), (100, 1e2), (100, 1e4), (100, 1e6)]:
        yield "b1s", substeps, (n, load)
    yield "b2", sizes, ()
    for n in plan.rings:
        for dt in (FRAME, 1e-3):
            yield "b3", ring, (n, dt)
    for case in ("ten", "heavy"):
        yield "b4", boxes, (case,)
    for dt in (FRAME, 1e-3):
        yield "b5", pendulum, (dt,)
    yield from wet_tasks(plan)


def work(pipe, task, row, folder, plan, args):
    # some engines talk
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1), os.dup2(quiet, 2)
    for seen in task(row, folder, plan, *args):
        pipe.send(seen)
    pipe.close()


def cases(task, row, folder, plan, args):
    """What a task yields, from a process of its own; ends early if that crashes or stays silent for too long."""
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=work, args=(there, task, row, folder, plan, args))
    process.start()
    there.close()
    try:
        # steps may be long, building a large model too, and others may have most of the machine
        while here.poll(120 if plan.quick else 600):
            yield here.recv()
        yield dict(error="gave no answer in time")
    except EOFError:
        pass
    process.kill()
    process.join()


def is_there(row, folder):
    return isinstance(row.how, dict) or os.path.exists(os.path.join(folder, row.module))


def versions():
    def package(name):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return "not there"

    def debian(name):
        told = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
        return told.stdout or "not there"

    found = {name: package(name.lower()) for name in ("MuJoCo", "Drake", "Exudyn", "MoorDyn")}
    return found | {"Bullet": debian("libbullet-dev"), "ODE": debian("libode-dev")}


def processor():
    with open("/proc/cpuinfo") as told:
        return next((line.split(":")[1].strip() for line in told if line.startswith("model name")), platform.machine())


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--bin", required=True, help="folder with windlass-bench and the drivers")
    words.add_argument("--out", required=True, help="where the results go")
    words.add_argument("--quick", action="store_true")
    words.add_argument("--only", nargs="*", help="b1 cost b1s b2 b3 b4 b5 w1 w1x w1s w1cost w2 w2cost; \"water\" for those with w")
    words.add_argument("--row", nargs="*", help="parts of names of rows")
    words = words.parse_args()
    if words.only:
        words.only = [bench for given in words.only for bench in (WATER if given == "water" else [given])]
    plan, began, load = Plan(words.quick), time.time(), []
    results = dict(date=time.strftime("%Y-%m-%d", time.gmtime()), quick=plan.quick, processor=processor(),
                   cores=os.cpu_count(), system=platform.platform(), versions=versions(), cases=[])
    for bench, task, args in tasks(plan):
        for row in ROWS:
            wanted = FAMILY.get(bench, bench)
            if wanted not in row.benches.split() or (words.only and bench not in words.only) or not is_there(row, words.bin):
                continue
            if words.row and not any(part in f"{row.engine} {row.setting}" for part in words.row):
                continue
            load.append(os.getloadavg()[0])
            for seen in cases(task, row, words.bin, plan, args):
                seen = dict(bench=bench, engine=row.engine, setting=row.setting) | seen
                results["cases"].append(seen)
                print(" ".join(f"{k}={v:.6g}" if isinstance(v, float) else f"{k}={v}" for k, v in seen.items() if k != "trace"), flush=True)
            results |= dict(minutes=(time.time() - began) / 60, load=[min(load), float(np.median(load)), max(load)])
            with open(words.out, "w") as out:
                # what is not finite has no number in JSON
                json.dump(results, out, indent=1, default=float)


if __name__ == "__main__":
    main()
