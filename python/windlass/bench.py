"""Figures of the package on this machine: the costs of calls, batches and threads.

``python -m windlass.bench`` prints them, ``--json`` as one object. ``python -m windlass.bench batch`` compares batches with
those of MuJoCo (`windlass.bench_batch`). Times are wall times and need a quiet machine. Figures
of a development build say nothing about a release build.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from windlass import __version__, bench_batch
from windlass.batch import Batch
from windlass.examples import shipped
from windlass.simulation import Simulation


@dataclass(frozen=True)
class Figure:
    """A measured number."""

    name: str
    unit: str
    meaning: str


#: What is measured, in the order of the output.
FIGURES = (
    Figure("empty_call", "µs", "a call of step(0): the way into the library and back, without a step"),
    Figure(
        "step_call", "µs",
        "what a call of step() adds to its step: the time of CALLS calls of step() minus that of one step(CALLS), per call. "
        "It is a small difference of large numbers and may be negative; on a noisy machine empty_call says more",
    ),
    Figure("read_array", "µs", "reading the positions of all bodies as a new array"),
    Figure("read_body", "µs", "reading the position of one body as a new array"),
    Figure("read_number", "µs", "reading one number by its probe"),
    Figure("set_input", "µs", "setting the target of an input by its name"),
    Figure("step_time", "µs", "a step of one simulation, within step(CALLS)"),
    Figure("step_rate", "1/s", "steps per second of one simulation"),
    Figure("world_step_time", "µs", "a step of one world of a batch of WORLDS worlds on one thread"),
    Figure("world_step_rate", "1/s", "steps of worlds per second of the same batch on all processors"),
    Figure(
        "batch_ratio", "",
        "time of the batch on one thread over the sum of the times of WORLDS separate simulations for the same steps; "
        "below 1 the batch is faster",
    ),
    Figure(
        "batch_over_alone", "",
        "time of a step of a world of the batch on one thread over that of a simulation stepped alone; above 1 the worlds "
        "do not fit the caches of the processor",
    ),
    Figure(
        "two_threads", "",
        "efficiency of two threads: time on one thread over twice the time on two; 1 is ideal, 0.5 is no gain",
    ),
)  # fmt: skip


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _median(repeats: int, measure: Callable[[], float]) -> float:
    """The median of repeats, after one that warms up."""
    measure()
    return statistics.median(measure() for _ in range(repeats))


def _per_call(calls: int, work: Callable[[], object]) -> float:
    """The time of a call [µs], without that of the loop around it."""

    def loop() -> None:
        for _ in range(calls):
            work()

    def nothing() -> None:
        pass

    def empty() -> None:
        for _ in range(calls):
            nothing()

    return 1e6 * max(_seconds(loop) - _seconds(empty), 0.0) / calls


def measure_calls(simulation: Simulation, calls: int, repeats: int) -> dict[str, float]:
    """Costs of calls of one simulation."""
    start = simulation.state

    def one_by_one() -> None:
        for _ in range(calls):
            simulation.step()

    def steps(work: Callable[[], object]) -> float:
        # the same steps each time
        simulation.state = start
        return 1e6 * _seconds(work) / calls

    def together() -> float:
        return steps(lambda: simulation.step(calls))

    body, name = next(reversed(list(simulation.bodies))), next(iter(simulation.inputs), None)
    probe = f"bodies.{body}.position.z"
    found = {
        "empty_call": _median(repeats, lambda: _per_call(calls, lambda: simulation.step(0))),
        "step_call": _median(repeats, lambda: steps(one_by_one) - together()),
        "read_array": _median(repeats, lambda: _per_call(calls, lambda: simulation.positions)),
        "read_body": _median(repeats, lambda: _per_call(calls, lambda: simulation.bodies[body].position)),
        "read_number": _median(repeats, lambda: _per_call(calls, lambda: simulation.read(probe))),
        "step_time": _median(repeats, together),
    }
    if name is not None:
        low = simulation.inputs[name].range[0]
        found["set_input"] = _median(repeats, lambda: _per_call(calls, lambda: simulation.inputs.__setitem__(name, low)))
    found["step_rate"] = 1e6 / found["step_time"]
    return found


def measure_batch(simulation: Simulation, worlds: int, steps: int, repeats: int) -> dict[str, float]:
    """Costs of batches against those of separate simulations."""
    start = simulation.state
    targets = np.array([simulation.inputs[name].range for name in simulation.inputs]).reshape(-1, 2).clip(-1e3, 1e3)
    own = np.linspace(0.1, 0.9, worlds)[:, None]
    # every world moves in its own way
    inputs = targets[:, 0] + own * (targets[:, 1] - targets[:, 0])
    separate = [simulation.fork() for _ in range(worlds)]
    for fork, values in zip(separate, inputs, strict=True):
        for name, value in zip(fork.inputs, values, strict=True):
            fork[name] = value
    driven = [fork.state for fork in separate]

    def apart() -> float:
        for fork, state in zip(separate, driven, strict=True):
            fork.state = state

        def work() -> None:
            for fork in separate:
                fork.step(steps)

        return _seconds(work)

    def alone() -> float:
        separate[0].state = driven[0]
        return _seconds(lambda: separate[0].step(steps))

    def batch(threads: int) -> Callable[[], float]:
        made = Batch(simulation, worlds, threads)

        def measure() -> float:
            for world in range(worlds):
                made.set_state(world, start)
            made.inputs[:] = inputs
            return _seconds(lambda: made.step(steps))

        return measure

    processors = os.cpu_count() or 1
    one, two, every = batch(1), batch(2), batch(processors)
    # measured in turn, so that a change of the machine's pace concerns all
    rounds = [(one(), apart(), two(), every(), alone()) for _ in range(repeats + 1)][1:]
    single = statistics.median(r[0] for r in rounds)
    return {
        "world_step_time": 1e6 * single / (worlds * steps),
        "world_step_rate": worlds * steps / statistics.median(r[3] for r in rounds),
        "batch_ratio": statistics.median(r[0] / r[1] for r in rounds),
        "batch_over_alone": statistics.median(r[0] / worlds / r[4] for r in rounds),
        "two_threads": statistics.median(r[0] / (2 * r[2]) for r in rounds),
    }


def measure(scene: str, batch_scene: str, *, calls: int, worlds: int, steps: int, repeats: int) -> dict[str, Any]:
    """All figures, with the conditions under which they were measured."""
    found = measure_calls(shipped(scene), calls, repeats) | measure_batch(shipped(batch_scene), worlds, steps, repeats)
    return {
        "version": __version__,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "scene": scene,
        "batch_scene": batch_scene,
        "calls": calls,
        "worlds": worlds,
        "steps": steps,
        "repeats": repeats,
        "figures": {figure.name: found[figure.name] for figure in FIGURES if figure.name in found},
    }


def _table(report: dict[str, Any]) -> str:
    lines = [
        f"windlass {report['version']}, Python {report['python']}, {report['processors']} processors",
        f"{report['scene']}: {report['calls']} calls; {report['batch_scene']}: {report['worlds']} worlds, "
        f"{report['steps']} steps; medians of {report['repeats']}",
    ]
    for figure in FIGURES:
        if figure.name in report["figures"]:
            lines.append(f"{figure.name:18}{report['figures'][figure.name]:>14,.4g} {figure.unit}".rstrip())
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    entries = []
    for figure in FIGURES:
        unit = f" [{figure.unit}]" if figure.unit else ""
        text = f"{figure.name:16}  {figure.meaning}{unit}"
        entries.append(textwrap.fill(text, 100, initial_indent="  ", subsequent_indent=" " * 20))
    parser = argparse.ArgumentParser(
        prog="python -m windlass.bench",
        description="Measures the costs of calls, batches and threads. Each figure is the median of repeats of wall times: "
        "use a quiet machine and a release build. `batch` as the first argument compares batches with those of MuJoCo: see "
        "`batch --help`.",
        epilog="figures:\n" + "\n".join(entries),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--scene", default="crane/operated.toml", help="shipped scene for calls (default %(default)s)")
    parser.add_argument("--batch-scene", default="learn/antisway.toml", help="shipped scene for batches (default %(default)s)")
    for name, value, meaning in (
        ("calls", 10_000, "calls per measurement"),
        ("worlds", 256, "worlds of a batch"),
        ("steps", 200, "steps of each world per measurement"),
        ("repeats", 7, "measurements of each figure"),
    ):
        parser.add_argument(f"--{name}", type=_count, default=value, metavar="N", help=f"{meaning} (default %(default)s)")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number}: give 1 or more")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command."""
    listed = list(sys.argv[1:] if arguments is None else arguments)
    if listed[:1] == ["batch"]:
        return bench_batch.main(listed[1:])
    parser = _parser()
    given = parser.parse_args(listed)
    sizes = {name: getattr(given, name) for name in ("calls", "worlds", "steps", "repeats")}
    try:
        report = measure(given.scene, given.batch_scene, **sizes)
    except KeyError as error:
        parser.error(str(error.args[0]))
    print(json.dumps(report, indent=2) if given.json else _table(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
