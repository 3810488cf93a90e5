"""One simulation: numbers, errors, states."""

from __future__ import annotations

import math
import pickle
import re
import threading
from pathlib import Path

import numpy as np
import pytest

import windlass as wl


def test_a_pendulum_swings_with_its_closed_form_period(scenes: Path) -> None:
    scene = wl.Scene(settings={"dt": "1 ms", "gravity": [0, 0, -9.81]})
    scene.bodies["post"] = {"type": "static"}
    scene.bodies["bob"] = {"position": [0, 0, -1], "mass": 2, "shape": {"sphere": {"radius": 0.01}}}
    scene.joints["pivot"] = {"hinge": {"bodies": ["post", "bob"], "at": [0, 0, 0], "axis": [0, 1, 0]}}
    simulation = wl.load(scene)
    simulation.set("bodies.bob.velocity", [0.01, 0, 0])
    log = simulation.log(4.5, ["joints.pivot.value"])
    value, time = log["joints.pivot.value"], log.time
    falls = np.flatnonzero((value[:-1] > 0) != (value[1:] > 0))
    zeros = [time[k] - value[k] * (time[k + 1] - time[k]) / (value[k + 1] - value[k]) for k in falls[1:]]
    # physical pendulum: I = m (1 + 2/5 r²)
    period = 2 * math.pi * math.sqrt((1 + 0.4e-4) / 9.81)
    assert 2 * np.diff(zeros).mean() == pytest.approx(period, rel=1e-4)


def test_the_hash_is_that_of_the_command(crane: Path, command) -> None:
    simulation = wl.load(crane, set={"bodies.load.mass": "3 t"})
    simulation.inputs["travel"] = 1.0
    simulation.step(600)
    done = command("run", str(crane), "--set", "bodies.load.mass=3 t", "--input", "travel=1", "--duration", "10", "--json")
    assert f'"hash": "{simulation.state.digest}"' in done.stdout


def test_readings_are_of_the_present_instant(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation["travel"] = "1 m/s"
    simulation.run(3)
    before = simulation.positions
    velocities = simulation.velocities
    simulation.step()
    first = simulation.positions
    # a central difference over two steps has the velocity at the middle; before is one step earlier than first
    simulation2 = wl.load(crane)
    simulation2["travel"] = "1 m/s"
    simulation2.run(3 - 1 / 60)
    earlier = simulation2.positions
    central = (first - earlier) * 60 / 2
    load = list(simulation.bodies).index("load")
    assert velocities[load] == pytest.approx(central[load], abs=2e-3)
    assert simulation.bodies["load"].position.tolist() == first[load].tolist()
    assert before.shape == (3, 3) and simulation.orientations.shape == (3, 4)


def test_inputs_have_properties_and_are_clamped(crane: Path) -> None:
    simulation = wl.load(crane)
    travel = simulation.inputs["travel"]
    assert (travel.range, travel.rate) == ((-2.0, 2.0), 1.0) and "m/s" in travel.unit
    simulation.inputs["travel"] = 5
    assert (travel.target, travel.held) == (2.0, True)
    travel.set("50 cm/s")
    assert travel.target == pytest.approx(0.5)
    travel.release()
    assert not travel.held
    with pytest.raises(KeyError, match="the inputs are travel"):
        simulation["travle"] = 1
    with pytest.raises(ValueError, match="NaN"):
        simulation["travel"] = math.nan


def test_errors_of_scenes_name_file_line_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("windlass = 2\n[bodies.load]\nmas = 2\n")
    with pytest.raises(wl.SceneError) as caught:
        wl.load(path)
    (file, line, column, message, remedy), *_ = caught.value.problems
    assert (file, line, column) == (str(path), 3, 1)
    assert "mas" in message and "mass" in (remedy or message)
    with pytest.raises(OSError, match="nothing.toml"):
        wl.load(tmp_path / "nothing.toml")
    with pytest.raises(wl.ProbeError, match="did you mean"):
        wl.load(wl.Scene()).read("energy.totl")


def test_a_fault_is_an_exception_with_body_and_time(broken: Path) -> None:
    simulation = wl.load(broken, set={"parameters.pull": 1e15})
    with pytest.raises(wl.Fault, match="stone") as caught:
        simulation.run(1)
    assert (caught.value.body, caught.value.step, simulation.time) == ("stone", 0, 0.0)
    assert caught.value.time == 0.0 and caught.value.joint is None
    # the joint with the largest force on the body
    scene = wl.Scene(settings={"gravity": [0, 0, 0]})
    scene.bodies["post"] = {"type": "static"}
    scene.bodies["stone"] = {"mass": 1, "shape": {"sphere": {"radius": 0.1}}}
    spring = {"stiffness": 1}
    scene.joints["rail"] = {"slider": {"bodies": ["post", "stone"], "at": [0, 0, 0], "axis": [1, 0, 0], "spring": spring}}
    scene.forces["pull"] = {"applied": {"body": "stone", "force": [1e15, 0, 0], "from": 0.05}}
    with pytest.raises(wl.Fault) as pushed:
        wl.load(scene).run(1)
    assert (pushed.value.body, pushed.value.joint) == ("stone", "rail")
    batch = wl.Batch(scene, 1)
    batch.step(60)
    assert batch.faults[0].joint == "rail"
    with pytest.raises(wl.Fault) as logged:
        simulation.log(1, ["bodies.stone.position.x"])
    assert logged.value.log.table.shape == (1, 2)


def test_states_are_compared_hashed_pickled_and_set(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation["travel"] = 1
    simulation.step(30)
    state = simulation.state
    again = pickle.loads(pickle.dumps(state))
    assert again == state and hash(again) == hash(state) and bytes(again) == bytes(state)
    simulation.step(30)
    end = simulation.state
    assert end != state
    simulation.state = again
    simulation.step(30)
    assert simulation.state == end
    with pytest.raises(ValueError):
        wl.State(b"nonsense")
    with pytest.raises(ValueError):
        wl.load(wl.Scene()).state = state
    with pytest.raises(TypeError, match="pickle `state`"):
        pickle.dumps(simulation)


def test_forks_share_nothing_but_the_model(crane: Path) -> None:
    simulation = wl.load(crane)
    simulation.step(10)
    fork = simulation.fork()
    fork["travel"] = 2
    fork.step(60)
    simulation.step(60)
    assert fork.state != simulation.state
    twin = wl.load(crane)
    twin.step(70)
    assert twin.state == simulation.state


def test_edits_while_running_are_those_of_a_branch(crane: Path, tmp_path: Path, command) -> None:
    simulation = wl.load(crane)
    simulation.start_recording(str(tmp_path / "a.wlr"))
    simulation.step(60)
    assert simulation.set("bodies.load.mass", "1 t")
    simulation.step(60)
    simulation.stop_recording()
    command("verify", "a.wlr")
    command("run", str(crane), "--duration", "1", "--record", "b.wlr")
    done = command("branch", "b.wlr", "-o", "c.wlr", "--set", "bodies.load.mass=1 t", "--duration", "1")
    assert simulation.state.digest in done.stdout
    with pytest.raises(wl.SceneError):
        simulation.set("bodies.load.mass", -1)
    assert simulation.read("bodies.load.momentum").shape == (3,)
    assert simulation.time == pytest.approx(2)


def test_logs_are_tables_of_columns(crane: Path, tmp_path: Path, command) -> None:
    simulation = wl.load(crane)
    simulation["travel"] = 1
    log = simulation.log(2, ["bodies.load.position", "pull=joints.rope.force.z"])
    assert log.names == ["time", "bodies.load.position.x", "bodies.load.position.y", "bodies.load.position.z", "pull"]
    assert log["bodies.load.position"].shape == (121, 3) and log.units["pull"] == "N"
    command("run", str(crane), "--input", "travel=1", "--duration", "2", "--log", "run.csv",
            "--probe", "bodies.load.position", "--probe", "pull=joints.rope.force.z")  # fmt: skip
    log.to_csv(tmp_path / "own.csv")
    ours, theirs = ((tmp_path / name).read_text().splitlines() for name in ("own.csv", "run.csv"))
    assert ours[0] == theirs[0]
    numbers = [np.genfromtxt(lines, delimiter=",", skip_header=1) for lines in (ours, theirs)]
    # the command logs the instants of the same steps
    assert np.array_equal(numbers[0][-numbers[1].shape[0] :], numbers[1])
    coarse = wl.load(crane).log(2, ["bodies.load.position.x"], every=0.5)
    assert coarse.time == pytest.approx([0, 0.5, 1, 1.5, 2])
    assert wl.load(crane).log(0.1).names == ["time", "x"]
    assert log.plot("bodies.load.position.x").svg.startswith("<svg")
    with pytest.raises(KeyError, match="the columns are"):
        log["bodies.lod"]


def test_indeterminate_reactions_are_marked_also_late(tmp_path: Path) -> None:
    rope = 'distance = { bodies = ["roof", "load"], points = [[0, 0, 0], [0, 0, -1]], max = 1.2 }'
    scene = tmp_path / "ropes.toml"
    scene.write_text(
        'windlass = 2\n[bodies.roof]\ntype = "static"\n[bodies.load]\nposition = [0, 0, -1]\nmass = 10\n'
        f"shape = {{ sphere = {{ radius = 0.1 }} }}\n[joints.one]\n{rope}\n[joints.two]\n{rope}\n"
    )
    probes = ["joints.one.force.z", "bodies.load.position.z"]
    assert wl.load(scene).log(0.1, probes).indeterminate == frozenset()
    log = wl.load(scene).log(1, probes)
    assert log.indeterminate == {"joints.one.force.z"}
    assert "joints.one.force.z (indeterminate)" in log.svg()


def test_pictures_are_drawings(crane: Path) -> None:
    simulation = wl.load(crane)
    svg = simulation.picture().svg
    assert svg.startswith("<svg") and "</svg>" in svg and simulation._repr_svg_() != svg
    with pytest.raises(ValueError, match="camera"):
        simulation.picture("nowhere")


def test_threads_use_simulations_of_their_own(crane: Path) -> None:
    alone = wl.load(crane)
    alone.step(300)
    found: list[wl.State] = []

    def work() -> None:
        simulation = wl.load(crane)
        simulation.step(300)
        found.append(simulation.state)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [alone.state] * 4


def test_the_list_of_probes_has_units() -> None:
    catalogue = wl.probe_catalogue()
    assert any(text.startswith("bodies.NAME.position") and unit == "m" for text, unit, _ in catalogue)
    assert re.fullmatch(r"\d+\.\d+\.\d+", wl.__version__)


def test_tables_are_data_frames(crane: Path) -> None:
    pytest.importorskip("pandas", reason="pip install pandas")
    log = wl.load(crane).log(0.5, ["bodies.load.position"])
    frame = log.to_pandas()
    assert frame.index.name == "time" and frame.shape == (31, 3)
    assert frame["bodies.load.position.z"].to_numpy().tolist() == log["bodies.load.position.z"].tolist()
    table = wl.sweep(crane, {"bodies.load.mass": [1.0, 2.0]}, "end(time)", duration=0.1)
    frame = table.to_pandas()
    assert frame.index.tolist() == [0, 1] and frame["bodies.load.mass"].tolist() == [1, 2] and set(frame["status"]) == {"ok"}


def test_what_was_changed_at_the_start_can_be_recorded(crane: Path, tmp_path: Path, command) -> None:
    def moved(simulation: wl.Simulation, **options: object) -> wl.Simulation:
        simulation["travel"] = 1
        return simulation.run(0.5, **options)  # type: ignore[arg-type]

    simulation = wl.load(crane)
    simulation.set("bodies.load.mass", "1 t")
    moved(simulation, record=tmp_path / "set.wlr")
    command("verify", "set.wlr")
    assert simulation.state == moved(wl.load(crane, set={"bodies.load.mass": "1 t"})).state
    # a branch from it keeps both changes
    branch = wl.open(tmp_path / "set.wlr").at(0.25)
    branch.set("bodies.trolley.mass", 700)
    batch = wl.Batch(branch, 2)
    energy = batch.bind("bodies.load.kinetic_energy")
    batch.expand("bodies.trolley.mass")[0] = 600
    batch.reset()
    # velocities of the instant are those of its solve, in which the trolleys differ
    whole = branch.read("bodies.load.kinetic_energy")
    assert energy[:, 0].tolist() == pytest.approx([whole, whole], rel=1e-9) and whole > 0
