"""Costs of the worlds of a batch, beside those of MuJoCo: ``python -m windlass.bench batch``.

Two models, a trolley with a load on a rope of one element and of 20. Each engine takes steps of worlds in a batch of its own,
with as many threads. MuJoCo's step is the largest of `STEPS` whose result is as good as Windlass's, so that costs per
simulated second compare the same accuracy. The error of a result is the distance between the place of the load after
`TRIAL` seconds and the place with steps of `FINEST`, of the same engine.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from windlass import __version__
from windlass.batch import Batch
from windlass.examples import write
from windlass.simulation import Simulation, load

#: Steps among which the largest that is good enough is chosen, and the one to which they are compared [s].
STEPS, FINEST = (1 / 60, 0.01, 0.005, 0.002, 0.001, 0.0005), 0.00025
#: The trolley is accelerated by 1 m/s² to 1 m/s for this time [s].
TRIAL = 4.0
#: Errors below this are good enough in any case [m].
GOOD = 0.005

#: Bodies of a trolley of 800 kg on a rail; its speed is the control.
_TROLLEY = """
<mujoco><option timestep="{dt!r}" gravity="0 0 -9.81" integrator="implicitfast"><flag contact="disable"/></option>
<worldbody><body name="trolley" pos="0 0 10"><joint name="travel" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="800" diaginertia="73 102 163"/>{rope}</body></worldbody>
<actuator><velocity joint="travel" kv="1e5" forcerange="-2e4 2e4"/>{hoist}</actuator></mujoco>
"""
_LOAD = '<inertial pos="0 0 0" mass="2000" diaginertia="333 333 333"/>'


@dataclass(frozen=True)
class Model:
    """A model in both engines."""

    #: The scene of the package.
    scene: str
    #: The model for MuJoCo, for a step [s].
    mjcf: Callable[[float], str]


def _pendulum(dt: float) -> str:
    """The load on a rod whose length a drive holds."""
    swing = '<joint type="hinge" axis="0 1 0"/><joint type="hinge" axis="1 0 0"/><joint name="hoist" type="slide" axis="0 0 1"/>'
    arm = '<inertial pos="0 0 0" mass="1e-3" diaginertia="1e-3 1e-3 1e-3"/>'
    body = f'<body name="load" pos="0 0 0"><joint type="ball"/>{_LOAD}</body>'
    rope = f'<body pos="0 0 -8">{swing.replace("/>", _anchor(8) + "/>", 2)}{arm}{body}</body>'
    hoist = '<velocity joint="hoist" kv="1e6" forcerange="-6e4 6e4"/>'
    return _TROLLEY.format(dt=dt, rope=rope, hoist=hoist)


def _anchor(above: float) -> str:
    return f' pos="0 0 {above!r}"'


def _chain(dt: float, elements: int = 20) -> str:
    """The load on a wire rope of 16 mm: links with ball joints."""
    length = 8.0 / elements
    # 6x36 IWRC: 1.03 kg/m; links that turn about their axes need some inertia
    mass, radius = 1.03 * length, 0.008
    across, along = mass * length**2 / 12, max(mass * radius**2 / 2, 1e-4)
    link = (
        f'<joint type="ball" damping="0.1"/><inertial pos="0 0 {-length / 2!r}" mass="{mass!r}" '
        f'diaginertia="{across!r} {across!r} {along!r}"/>'
    )
    rope = f'<body name="load" pos="0 0 {-length!r}"><joint type="ball"/>{_LOAD}</body>'
    for number in range(elements):
        rope = f'<body pos="0 0 {-length if number < elements - 1 else 0.0!r}">{link}{rope}</body>'
    return _TROLLEY.format(dt=dt, rope=rope, hoist="")


MODELS = (Model("learn/antisway.toml", _pendulum), Model("learn/antisway_cable.toml", _chain))


@dataclass(frozen=True)
class Cost:
    """What worlds cost in an engine."""

    scene: str
    engine: str
    #: Length of a step [s], and its error [m].
    step: float
    error: float
    #: Time of a step of a world, and of a simulated second of a world [µs].
    world_step: float
    world_second: float


def _median_time(repeats: int, prepare: Callable[[], object], work: Callable[[], object]) -> float:
    """The median of repeats [s], after one that warms up."""
    times = []
    for _ in range(repeats + 1):
        prepare()
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times[1:])


def _cost(scene: str, engine: str, step: float, error: float, seconds: float, world_steps: int) -> Cost:
    each = 1e6 * seconds / world_steps
    return Cost(scene, engine, step, error, each, each / step)


def windlass_cost(model: Model, worlds: int, steps: int, threads: int, repeats: int) -> Cost:
    """The cost of a model in Windlass, with the step of its scene."""
    path = write(model.scene)

    def opened(dt: float | None = None) -> Simulation:
        return load(path, {} if dt is None else {"settings.dt": dt})

    def place(simulation: Simulation) -> float:
        simulation["travel"] = 1.0
        simulation.run(TRIAL)
        return float(simulation.read("bodies.load.position.x"))

    own = opened()
    batch = Batch(own, worlds, threads)

    def prepare() -> None:
        batch.reset()
        batch.inputs[:, batch.input_names.index("travel")] = np.linspace(0.2, 1.0, worlds)

    seconds = _median_time(repeats, prepare, lambda: batch.step(steps))
    error = abs(place(own) - place(opened(FINEST)))
    return _cost(model.scene, f"windlass {__version__}", own.dt, error, seconds, worlds * steps)


def mujoco_cost(model: Model, worlds: int, steps: int, threads: int, repeats: int, good: float) -> Cost:
    """The cost of a model in MuJoCo, with the largest step whose error is at most ``good`` [m]."""
    import mujoco
    import mujoco.batch

    def place(dt: float) -> float:
        compiled = mujoco.MjModel.from_xml_string(model.mjcf(dt))
        data = mujoco.MjData(compiled)
        for number in range(round(TRIAL / dt)):
            data.ctrl[0] = min(1.0, (number + 0.5) * dt)
            mujoco.mj_step(compiled, data)
            # an unstable run is reset by the engine, and warned of
            if any(warning.number for warning in data.warning):
                return math.nan
        mujoco.mj_forward(compiled, data)
        return float(data.body("load").xpos[0])

    finest = place(FINEST)
    errors = {dt: abs(place(dt) - finest) for dt in STEPS}
    step = next((dt for dt in STEPS if errors[dt] <= good), STEPS[-1])
    batch = mujoco.batch.Batch(mujoco.MjModel.from_xml_string(model.mjcf(step)), worlds, threads)
    control = batch.bind("ctrl")

    def prepare() -> None:
        batch.reset()
        control[:, 0] = np.linspace(0.2, 1.0, worlds)

    seconds = _median_time(repeats, prepare, lambda: batch.step(nstep=steps))
    return _cost(model.scene, f"mujoco {mujoco.__version__}", step, errors[step], seconds, worlds * steps)


def measure(worlds: int, steps: int, threads: int, repeats: int) -> tuple[list[Cost], str | None]:
    """The costs of all models, and why MuJoCo's are missing."""
    try:
        import mujoco.batch  # noqa: F401

        missing = None
    except ImportError as error:
        missing = f"MuJoCo is left out ({error}): pip install 'mujoco>=4'"
    costs = []
    for model in MODELS:
        own = windlass_cost(model, worlds, steps, threads, repeats)
        costs.append(own)
        if missing is None:
            costs.append(mujoco_cost(model, worlds, steps, threads, repeats, max(own.error, GOOD)))
    return costs, missing


def _table(costs: Sequence[Cost], heading: str) -> str:
    lines = [heading, f"{'scene':26}{'engine':18}{'step':>9}{'error':>10}{'world-step':>13}{'world-second':>15}"]
    for cost in costs:
        lines.append(
            f"{cost.scene:26}{cost.engine:18}{1e3 * cost.step:>6.2f} ms{1e3 * cost.error:>7.2f} mm"
            f"{cost.world_step:>10.2f} µs{cost.world_second:>12.0f} µs"
        )
    for own, other in zip(costs, costs[1:], strict=False):
        if own.scene == other.scene:
            lines.append(f"{own.scene}: MuJoCo's simulated second costs {other.world_second / own.world_second:.2f} times as much")
    return "\n".join(lines)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number}: give 1 or more")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        prog="python -m windlass.bench batch",
        description="Measures steps of worlds in batches of two scenes, and in MuJoCo's batches if mujoco is installed. Wall "
        "times: use a quiet machine and a release build.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for name, value, meaning in (
        ("worlds", 256, "worlds of a batch"),
        ("steps", 200, "steps of each world per measurement"),
        ("threads", os.cpu_count() or 1, "threads of a batch"),
        ("repeats", 7, "measurements, of which the median is taken"),
    ):
        parser.add_argument(f"--{name}", type=_count, default=value, metavar="N", help=f"{meaning} (default %(default)s)")
    given = parser.parse_args(arguments)
    costs, missing = measure(given.worlds, given.steps, given.threads, given.repeats)
    if missing is not None:
        print(f"note: {missing}", file=sys.stderr)
    sizes: dict[str, Any] = {name: getattr(given, name) for name in ("worlds", "steps", "threads", "repeats")}
    if given.json:
        print(json.dumps({**sizes, "costs": [asdict(cost) for cost in costs]}, indent=2))
    else:
        print(_table(costs, ", ".join(f"{name} {value}" for name, value in sizes.items())))
    return 0
