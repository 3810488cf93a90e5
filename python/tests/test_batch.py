"""Many worlds: the same bits as single ones, own values, faults, rollouts."""

from __future__ import annotations

import gc
import os
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
