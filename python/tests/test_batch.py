"""Many worlds: the same bits as single ones, own values, faults, rollouts."""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import windlass as wl


def test_worlds_have_the_bits_of_simulations(crane: Path) -> None:
    speeds = [0.5, -1.5, np.nan, 2.0]
    alone = []
    for speed in speeds:
        simulation = wl.load(crane)
        if not np.isnan(speed):
            simulation["travel"] = speed
        simulation.step(90)
        alone.append(simulation.state)
    for threads in (1, 2, 3):
        batch = wl.Batch(crane, 4, threads)
        x = batch.bind("bodies.load.position")
        batch.inputs[:, 0] = speeds
        for _ in range(30):
            batch.step(3)
        assert batch.states() == alone, threads
        for number in range(4):
            assert x[number].tolist() == batch.world(number).bodies["load"].position.tolist()


def test_bound_arrays_stay_where_they_are(crane: Path) -> None:
    batch = wl.Batch(crane, 3)
    x = batch.bind("bodies.load.position.x", "joints.travel.value")
    where = x.__array_interface__["data"]
    batch.bind("inputs")[:] = 1.0
    batch.step(60)
    assert x.__array_interface__["data"] == where
    assert (x[:, 1] > 0.3).all() and batch.bind("inputs") is batch.inputs


def test_some_worlds_alone(crane: Path) -> None:
    batch = wl.Batch(crane, 4)
    batch.step(5, ids=[0, 2])
    assert [state.step_count for state in batch.states()] == [5, 0, 5, 0]
    batch.reset(np.array([True, False, False, False]))
    assert [state.step_count for state in batch.states()] == [0, 0, 5, 0]
    with pytest.raises(ValueError, match="mask"):
        batch.step(1, ids=np.array([True]))


def test_worlds_have_values_of_their_own(crane: Path) -> None:
    batch = wl.Batch(crane, 3)
    masses = batch.expand("bodies.load.mass")
    masses[:] = [500.0, None, "4 t"]
    batch.reset()
    batch.inputs[:] = 1.0
    batch.step(60)
    for number, mass in enumerate([500.0, None, "4 t"]):
        simulation = wl.load(crane, set={} if mass is None else {"bodies.load.mass": mass})
        simulation["travel"] = 1.0
        simulation.step(60)
        assert batch.states()[number] == simulation.state, mass
    masses[1] = -1.0
    with pytest.raises(wl.SceneError) as caught:
        batch.reset()
    assert caught.value.world == 1


def test_a_fault_stops_one_world(broken: Path) -> None:
    batch = wl.Batch(broken, 3)
    pull = batch.expand("parameters.pull")
    pull[1] = 1e15
    batch.reset()
    batch.step(10)
    assert batch.status.tolist() == [0, 1, 0]
    assert batch.faults[1].body == "stone" and "stone" in str(batch.faults[1])
    assert [state.step_count for state in batch.states()] == [10, 0, 10]


def test_a_rollout_is_its_steps(crane: Path) -> None:
    random = np.random.default_rng(3)
    u = random.uniform(-2, 2, (5, 40, 1))
    rolled, stepped = wl.Batch(crane, 5), wl.Batch(crane, 5)
    rolled.bind("bodies.load.position")
    x = stepped.bind("bodies.load.position")
    (trajectory,) = rolled.rollout(u, 2)
    assert trajectory.shape == (5, 40, 3)
    for time in range(40):
        stepped.inputs[:] = u[:, time]
        stepped.step(2)
        assert np.array_equal(trajectory[:, time], x)
    assert rolled.states() == stepped.states()
    with pytest.raises(ValueError, match="give \\(5, times, 1\\)"):
        rolled.rollout(u[:3])


def test_garbage_is_collected_during_a_rollout(crane: Path) -> None:
    for _ in range(20):
        batch = wl.Batch(crane, 8)
        x = batch.bind("bodies.load.position")
        batch.rollout(np.zeros((8, 5, 1)))
        loop = [batch]
        loop.append(loop)  # type: ignore[arg-type]
        del batch, loop
        gc.collect()
        assert np.isfinite(x).all()


def test_a_forked_process_has_threads_of_its_own(crane: Path) -> None:
    batch = wl.Batch(crane, 8, 2)
    batch.step(10)
    expected = wl.Batch(crane, 8, 2)
    expected.step(20)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            batch.step(10)
            code = 0 if batch.states() == expected.states() else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def row(count: int = 3) -> wl.Scene:
    """Balls in a row, whose number is a parameter, and then one that is high above them."""
    scene = wl.Scene(settings={"gravity": [0, 0, 0], "collide": False})
    scene.parameters.update({"n": count, "v": 1})
    ball = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
    scene.patterns["row"] = {"count": "= n", "bodies": {"a{i}": {**ball, "position": ["= i", 0, 0]}}}
    high = {**ball, "position": [0, 0, 100], "velocity": ["= v", 0, 0]}
    scene.patterns["last"] = {"count": 1, "bodies": {"b{i}": high}}
    return scene


def test_worlds_of_other_parts_are_read_at_their_own_places() -> None:
    batch = wl.Batch(row(), 3)
    read = batch.bind("bodies.b0.position.z", "bodies.b0.momentum.x")
    batch.expand("parameters.n")[:] = [None, 5, 1]
    batch.expand('patterns.last.bodies."b{i}".mass')[:] = [None, None, 4]
    batch.reset()
    batch.step(2)
    assert read.tolist() == [[100, 1], [100, 1], [100, 4]]
    assert [batch.world(number).read("bodies.b0.position.z") for number in range(3)] == [100] * 3
    with pytest.raises(ValueError, match=r"world 1: .*bodies\.a3\.position\.x.* is added"):
        batch.bind("bodies.a*.position.x")
    simulation = wl.load(row())
    simulation.step()
    later = wl.Batch(simulation, 2)
    later.expand("parameters.n")[1] = 4
    with pytest.raises(ValueError, match="world 1: .*from a simulation at its start"):
        later.reset()


def test_edits_remain_in_worlds() -> None:
    simulation = wl.load(row())
    simulation.step()
    simulation.set('patterns.last.bodies."b{i}".mass', 5)
    batch = wl.Batch(simulation, 2)
    momentum = batch.bind("bodies.b0.momentum.x")
    batch.expand("parameters.v")[:] = [1.0, None]
    batch.reset()
    assert momentum[:, 0].tolist() == [5, 5]
    world = wl.Batch(simulation, 1).world(0)
    world.set('patterns.last.bodies."b{i}".angular_damping', "1 Hz")
    assert world.read("bodies.b0.momentum.x") == 5
    simulation.reset()
    assert simulation.read("bodies.b0.momentum.x") == 5


def test_garbage_is_collected_in_a_thread_during_a_rollout(crane: Path) -> None:
    batch, done = wl.Batch(crane, 8, 2), threading.Event()
    x = batch.bind("bodies.load.position")
    expected = wl.Batch(crane, 8, 2)
    expected.bind("bodies.load.position")
    u = np.ones((8, 600, 1))
    collected = 0

    def collect() -> None:
        nonlocal collected
        while not done.is_set():
            # arrays, batches and cycles go while the other thread is in the library
            loop: list[object] = [wl.Batch(crane, 2, 1), batch.inputs, u[:, ::2].copy()]
            loop.append(loop)
            del loop
            gc.collect()
            collected += 1

    thread = threading.Thread(target=collect)
    thread.start()
    try:
        rolled = [batch.rollout(u)[0] for _ in range(2)]
    finally:
        done.set()
        thread.join()
    (first,), (second,) = expected.rollout(u), expected.rollout(u)
    assert collected > 0 and np.array_equal(rolled[0], first) and np.array_equal(rolled[1], second)
    assert np.array_equal(x, second[:, -1])


def test_a_batch_in_use_is_not_used_by_another_thread(crane: Path) -> None:
    batch, started = wl.Batch(crane, 4, 1), threading.Event()

    def work() -> None:
        started.set()
        # one call into the library
        batch.advance(60_000, batch._targets)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    time.sleep(0.05)
    found = []
    for use in (batch.step, batch.reset, batch.states, lambda: batch.world(0), lambda: batch.bind("time")):
        try:
            use()
        except RuntimeError as error:
            found.append(str(error))
    busy = thread.is_alive()
    thread.join()
    if busy:
        assert len(found) == 5 and all("borrowed" in text for text in found)
        batch.step()
        assert {state.step_count for state in batch.states()} == {60_001}


def test_a_batch_has_no_seed_of_its_own(crane: Path) -> None:
    batch = wl.Batch(crane, 2)
    with pytest.raises(TypeError, match="seed"):
        batch.reset([0], seed=7)  # type: ignore[call-arg]
    assert "no seed" in (wl.Batch.reset.__doc__ or "")
