"""Wrong arguments, odd arrays, shared use: every failure is an exception with a clear text."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import windlass as wl
from conftest import CRANE
from windlass._values import toml


@pytest.mark.parametrize(
    ("n", "threads", "error"),
    [(0, 1, ValueError), (-1, 1, ValueError), (1 << 40, 1, ValueError), (1.5, 1, TypeError), (2, -1, ValueError),
     (2, 10**6, ValueError)],
)  # fmt: skip
def test_batches_have_sensible_sizes(crane: Path, n: int, threads: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        wl.Batch(crane, n, threads)


def test_ids_are_numbers_or_masks(crane: Path) -> None:
    batch = wl.Batch(crane, 4)
    for wrong in ([0.7], [np.nan], ["1"], [None], {1, 2}, [True], np.array([], dtype=bool)):
        with pytest.raises(ValueError, match="mask"):
            batch.step(1, wrong)
    for wrong in ([4], [-5]):
        with pytest.raises(IndexError, match="worlds 0 to 3"):
            batch.step(1, wrong)
    for number in (-1, 4, 1 << 70):
        with pytest.raises(IndexError, match="worlds 0 to 3"):
            batch.world(number)
        with pytest.raises(IndexError, match="worlds 0 to 3"):
            batch.set_state(number, batch.states()[0])
    batch.step(1, [])
    batch.step(2, np.ones(8, dtype=bool)[::2])
    batch.step(1, range(2))
    assert [state.step_count for state in batch.states()] == [3, 3, 2, 2]
    with pytest.raises(ValueError, match="0 or more"):
        batch.step(-1)


def test_inputs_can_be_assigned_as_a_whole(crane: Path) -> None:
    assigned, written = wl.Batch(crane, 4), wl.Batch(crane, 4)
    kept = assigned.inputs
    targets = np.linspace(-2, 2, 8).reshape(4, 2)[:, :1]
    assigned.inputs = targets
    written.inputs[:] = targets
    assigned.step(30)
    written.step(30)
    assert assigned.states() == written.states() and assigned.inputs is kept
    with pytest.raises(ValueError, match="shape"):
        assigned.inputs = np.zeros(4)


def test_rollouts_take_any_array(crane: Path) -> None:
    u = np.random.default_rng(1).uniform(-2, 2, (3, 60, 1))
    expected = wl.Batch(crane, 3)
    expected.bind("bodies.load.position")
    expected.bind()
    (positions, nothing) = expected.rollout(u)
    assert nothing.shape == (3, 60, 0)
    for odd in (np.asfortranarray(u), u.astype(">f8"), u[:, ::-1][:, ::-1], u.tolist()):
        batch = wl.Batch(crane, 3)
        batch.bind("bodies.load.position")
        (found,) = batch.rollout(odd)
        assert np.array_equal(found, positions) and batch.states() == expected.states()
    assert [group.shape for group in expected.rollout(u[:, :0])] == [(3, 0, 3), (3, 0, 0)]


def test_long_steps_of_a_batch_have_the_bits_of_short_ones(crane: Path) -> None:
    long, short = wl.Batch(crane, 3), wl.Batch(crane, 3)
    long.inputs = short.inputs = 1.0
    x = long.bind("joints.rope.force.size")
    long.step(500)
    for _ in range(500):
        short.step()
    assert long.states() == short.states() and np.isfinite(x).all()


def test_ctrl_c_ends_long_steps_of_a_batch(crane: Path) -> None:
    program = f"""
import numpy as np
import windlass as wl
batch = wl.Batch({str(crane)!r}, 4, 1)
time = batch.bind("time")
for work in (
    lambda: batch.step(10**9),
    lambda: batch.rollout(np.zeros((4, 10**6, 1)), 10**3),
    lambda: batch.rollout(np.zeros((4, 2, 1)), 10**9),
):
    print("ready", flush=True)
    try:
        work()
    except KeyboardInterrupt:
        times = set(time[:, 0].tolist())
        print("stopped", len(times), max(times) > 0, flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(3):
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.4)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "stopped 1 True\n"
        assert process.wait(timeout=30) == 0


def test_what_cannot_be_pickled_says_so(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation.step(3)
    with pytest.raises(TypeError, match=r"states\(\)"):
        pickle.dumps(wl.Batch(crane, 2))
    for twin in (copy.copy(simulation), copy.deepcopy(simulation)):
        assert twin is not simulation and twin.state == simulation.state
    with pytest.raises(wl.SceneError) as caught:
        wl.load(crane, set={"bodies.load.mass": -1})
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_a_fault_is_pickled_and_stays(broken: Path) -> None:
    simulation = wl.load(broken, set={"parameters.pull": 1e15})
    with pytest.raises(wl.Fault) as caught:
        simulation.step()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.body, again.time, str(again)) == ("stone", 0.0, str(caught.value))
    for use in (lambda: simulation.step(), lambda: simulation.fork().step(), lambda: simulation.log(1, ["time"])):
        with pytest.raises(wl.Fault):
            use()
    assert simulation.positions.tolist() == [[0, 0, 0]] and simulation.picture().svg.startswith("<svg")
    simulation.set("parameters.pull", 0.0)
    simulation.step()
    batch = wl.Batch(broken, 2, set={"parameters.pull": 1e15})
    batch.step(2)
    batch.step(2)
    assert batch.status.tolist() == [1, 1] and batch.world(0).time == 0


def test_arrays_outlive_what_they_were_read_from(crane: Path) -> None:
    simulation, batch = wl.load(crane), wl.Batch(crane, 4)
    bound, inputs, body = batch.bind("bodies.load.position"), batch.inputs, simulation.bodies["load"]
    part, column = bound[1:, ::2], simulation.positions[:, 2]
    del simulation, batch, bound
    gc.collect()
    inputs[:] = 1
    assert part.shape == (3, 2) and np.isfinite(part).all() and column[2] == -8 and body.position[2] == -8


def test_a_recording_of_a_lost_simulation_is_complete(crane: Path, tmp_path: Path) -> None:
    simulation = wl.load(crane)
    simulation.start_recording(tmp_path / "lost.wlr")
    simulation.step(30)
    state = simulation.state
    del simulation
    gc.collect()
    recording = wl.open(tmp_path / "lost.wlr")
    assert recording.state_at(1e9) == state and recording.state_at(-1).step_count == 0
    with pytest.raises(ValueError, match="NaN"):
        recording.at(np.nan)


def test_a_simulation_in_use_is_not_used_by_another_thread(crane: Path) -> None:
    simulation = wl.load(crane)
    thread = threading.Thread(target=lambda: simulation.run(3000))
    thread.start()
    time.sleep(0.05)
    found = []
    for use in (simulation.fork, lambda: simulation.positions, lambda: simulation.state, lambda: simulation.step()):
        try:
            use()
        except RuntimeError as error:
            found.append(str(error))
    busy = thread.is_alive()
    thread.join()
    if busy:
        assert len(found) == 4 and all("borrowed" in text for text in found)
    assert simulation.time > 1000


def test_damaged_states_are_rejected_or_run(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation["travel"] = 1
    simulation.step(30)
    good, random = bytes(simulation.state), np.random.default_rng(4)
    for _ in range(300):
        bad = bytearray(good[: random.integers(len(good))] if random.random() < 0.1 else good)
        for place in random.integers(len(bad), size=4) if bad else ():
            bad[place] = random.choice([0, 127, 128, 255])
        try:
            twin = simulation.fork()
            twin.state = wl.State(bytes(bad))
            twin.read("energy.total")
            twin.step(3)
        except (ValueError, wl.Fault):
            pass


def test_values_of_scenes_are_not_guessed() -> None:
    for wrong in (b"ab", {1, 2}, (k for k in range(3)), None, 1j, [[object()]]):
        with pytest.raises(TypeError, match="number, text"):
            toml(wrong)
    assert toml(range(3)) == "[0, 1, 2]" and toml(np.array(3.0)) == "3.0"
    scene = wl.Scene()
    with pytest.raises(TypeError, match="generator"):
        scene.bodies["load"] = {"position": (k for k in range(3))}


@pytest.mark.parametrize("name", ["a.b", 'a "b"', "it's", "b\\c", "é", "🏗", "[0]", " x ", "a*b", "a=b", "#", "1"])
def test_bodies_may_have_odd_names(name: str) -> None:
    scene = wl.Scene()
    scene.bodies[name] = {"mass": 1, "position": [1, 2, 3], "shape": {"sphere": {"radius": 0.1}}}
    simulation = wl.load(scene)
    assert list(simulation.bodies) == [name] and simulation.bodies[name].position.tolist() == [1, 2, 3]
    assert simulation.positions.tolist() == [[1, 2, 3]]


def test_logs_may_be_finer_than_steps(crane: Path) -> None:
    fine, all_steps = (wl.load(crane).log(0.5, ["time"], every=every) for every in (1e-300, None))
    assert np.array_equal(fine.table, all_steps.table)
    with pytest.raises(ValueError, match="above 0"):
        wl.load(crane).log(0.5, every=0)
    with pytest.raises(ValueError, match="nothing to draw"):
        fine.svg()


def test_the_scenes_own_probes_are_read(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation["travel"] = 1
    simulation.step(60)
    before = simulation.state
    assert simulation.read_all() == {"x": simulation.read("bodies.load.position.x")}
    assert simulation.state == before and wl.load(wl.Scene()).read_all() == {}


def test_a_sweep_reads_its_files_each_time(crane: Path) -> None:
    def run() -> str:
        return wl.sweep(crane, {"bodies.load.mass": [1.0, 2.0]}, "end(joints.travel.speed)", duration=0.1).csv

    first = run()
    crane.write_text(CRANE.replace("mass = 800", "mass = 900"))
    assert run() != first
    crane.write_text(CRANE)
    assert run() == first


def test_columns_of_text_stay_text(crane: Path) -> None:
    def run(**more: object) -> wl.Table:
        return wl.sweep(crane, {"bodies.load.mass": [1.0, 2.0]}, duration=0.1, **more)  # type: ignore[arg-type]

    table = run()
    assert [table[name].dtype.kind for name in ("status", "message", "hash")] == ["U", "U", "U"]
    assert table["message"].tolist() == ["", ""]
    # a hash whose digits are those of a number
    digits = wl.Table("# windlass\nhead\n0,1.0,ok,,12e4567890123456\n", [], [("a", "")])
    assert digits["hash"].tolist() == ["12e4567890123456"]
    for wrong in ({"jobs": 0}, {"jobs": 10**6}, {"chunk": -1}):
        with pytest.raises(ValueError):
            run(**wrong)
    for label in ("hash", "index"):
        with pytest.raises(ValueError, match="another label"):
            run(measure=f"{label}=end(time)")
    with pytest.raises(TypeError, match="list of values"):
        wl.sweep(crane, {"bodies.load.mass": 5}, "end(time)")  # type: ignore[dict-item]


def test_fits_check_their_data(crane: Path) -> None:
    parameters = {"bodies.load.mass": (500.0, 4000.0)}
    for times, values, text in (
        ([0.0, 1e300], [1.0, 2.0], "times below"),
        ([0.0, np.inf], [1.0, 2.0], "times must be numbers"),
        ([0.0, np.nan], [1.0, 2.0], "ascend"),
        ([0.0, 0.1], [1.0], "as many"),
        ([[0.0, 0.1]], [[1.0, 2.0]], "list of numbers"),
        (0.0, 1.0, "list of numbers"),
    ):
        with pytest.raises(ValueError, match=text):
            wl.fit(crane, {"time": times, "joints.rope.force.z": values}, parameters)
    good = {"time": [0.0, 0.1], "joints.rope.force.z": [1.0, 2.0]}
    for bounds in (5, (1.0,), (2.0, 1.0)):
        with pytest.raises(ValueError, match="bounds"):
            wl.fit(crane, good, {"bodies.load.mass": bounds})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match='no input "x"'):
        wl.linearize(wl.load(crane), inputs="x")


def test_actions_and_masks_are_checked() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="pip install windlass[gym]")
    import windlass.gym  # noqa: F401

    envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=3)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="NaN"):
        envs.step(np.full((3, 1), np.nan))
    with pytest.raises(ValueError, match="shape"):
        envs.step(np.zeros((2, 1)))
    with pytest.raises(ValueError, match="truth values"):
        envs.reset(options={"reset_mask": [0, 1, 2]})
    with pytest.raises(ValueError, match="seeds"):
        envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="truth values"):
        envs.reset(options={"reset_mask": np.array([True, False])})


def test_a_forked_process_linearizes(crane: Path) -> None:
    simulation = wl.load(crane)
    expected = wl.linearize(simulation).A
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(120)
            code = 0 if np.array_equal(wl.linearize(simulation).A, expected) else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_trim_of_contacts_is_no_panic() -> None:
    # on an edge: contacts open and close on the way to the equilibrium
    scene = wl.Scene()
    scene.bodies["floor"] = {"type": "static", "shape": {"box": {"size": [4, 4, 0.2]}}, "position": [0, 0, -0.1]}
    tilted = {"axis": [1, 0.3, 0], "angle": "3 deg"}
    shape = {"cylinder": {"radius": 0.1, "length": 0.2}}
    scene.bodies["drum"] = {"mass": 1, "position": [0, 0, 0.1], "shape": shape, "rotation": tilted}
    found = wl.trim(wl.load(scene))
    assert found.residual < 1e-8


@pytest.mark.parametrize(
    "work",
    [
        'wl.load(scene).log(1e7, ["time"], every=10.0)',
        "wl.load(scene).run(1e7)",
        'wl.sweep(scene, {"bodies.load.mass": [1.0, 2.0]}, "end(time)", duration=1e7)',
        'wl.fit(scene, {"time": [0.0, 1e6], "joints.rope.force.z": [1.0, 2.0]}, {"bodies.load.mass": (500.0, 4000.0)})',
        "wl.linearize(wl.load(balls(80)))",
        "wl.trim(wl.load(balls(20)))",
        'batch = wl.Batch(scene, 4000, 1); batch.expand("bodies.load.mass")[:] = range(1, 4001); batch.reset()',
    ],
    ids=["log", "run", "sweep", "fit", "linearize", "trim", "reset"],
)
def test_ctrl_c_ends_long_work(crane: Path, work: str) -> None:
    program = f"""
import windlass as wl
scene = {str(crane)!r}

def balls(count):
    # they fall for ever: there is no equilibrium
    made = wl.Scene(settings={{"collide": False}})
    for number in range(count):
        made.bodies[f"b{{number}}"] = {{"mass": 1, "position": [number, 0, 0], "shape": {{"sphere": {{"radius": 0.1}}}}}}
    return made

print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            found, _ = process.communicate(timeout=60)
            assert found == "stopped\n"
        finally:
            process.kill()


def test_pictures_of_intersecting_parts_end() -> None:
    program = """
import windlass as wl
scene = wl.Scene()
gear = {"model": {"gear": {"teeth": 10, "module": "10 mm", "width": "4 cm"}}}
scene.bodies["gear"] = {"type": "static", "visuals": [{**gear, "rotation": {"axis": [1, 0, 0], "angle": "4.5 deg"}}]}
scene.bodies["ball"] = {"type": "static", "visuals": [{"shape": {"sphere": {"radius": 0.09}}}]}
assert wl.load(scene).picture().svg.startswith("<svg")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def trapped(crane: Path, speed: float = 0.5) -> wl.Simulation:
    """A crane in which the engine panics once the trolley is faster."""
    simulation = wl.load(crane)
    if not hasattr(simulation, "_set_trap"):
        pytest.skip("the library is not a development build")
    simulation._set_trap("trolley", speed)
    return simulation


def test_a_panic_is_an_exception(crane: Path) -> None:
    simulation = trapped(crane)
    simulation["travel"] = 2
    for work in (lambda: simulation.step(200), lambda: simulation.fork().run(5), lambda: simulation.log(5, ["time"])):
        with pytest.raises(RuntimeError, match="bug in Windlass"):
            work()
    at_rest = trapped(crane, -1.0)
    works = (
        at_rest.step,
        lambda: at_rest.log(1, ["bodies.load.acceleration"]),
        lambda: at_rest.read("bodies.load.acceleration"),
        lambda: wl.linearize(at_rest),
        lambda: wl.modes(at_rest),
        lambda: wl.trim(at_rest),
    )
    for work in works:
        with pytest.raises(RuntimeError, match="bug in Windlass"):
            work()
    with pytest.raises(KeyError):
        at_rest["nothing"] = 1


def test_a_panic_stops_one_world(crane: Path) -> None:
    batch = wl.Batch(trapped(crane), 3)
    x = batch.bind("bodies.load.position")
    batch.inputs[:, 0] = [0.1, 2.0, -0.2]
    batch.step(60)
    assert batch.status.tolist() == [0, 2, 0] and batch.faults == {}
    assert np.isnan(x[1]).all() and np.isfinite(x[[0, 2]]).all()
    assert [batch.states()[world].step_count for world in (0, 2)] == [60, 60]
    batch.reset([1])
    batch.inputs[:, 0] = 0.1
    batch.step(60)
    assert batch.status.tolist() == [0, 0, 0] and np.isfinite(x).all()


def test_a_seed_is_for_the_worlds_that_are_reset() -> None:
    gymnasium = pytest.importorskip("gymnasium", reason="pip install windlass[gym]")
    import windlass.gym  # noqa: F401

    def drawn(**more: object) -> np.ndarray:
        envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=3, autoreset_mode="Disabled")
        envs.reset(seed=1)
        mask = np.array([False, True, False])
        envs.reset(options={"reset_mask": mask}, **more)
        return envs.reset()[0]

    plain, seeded, listed = drawn(), drawn(seed=50), drawn(seed=[9, 51, 9])
    assert np.array_equal(plain[[0, 2]], seeded[[0, 2]]), "worlds that were not reset go on with their numbers"
    assert not np.array_equal(plain[1], seeded[1]) and np.array_equal(seeded, listed)
