"""Signals, the command, and scenes made in Python."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import windlass as wl


def test_ctrl_c_ends_a_long_run(crane: Path) -> None:
    program = f"""
import windlass as wl
simulation = wl.load({str(crane)!r})
print("ready", flush=True)
try:
    simulation.run(1e7)
except KeyboardInterrupt:
    print("stopped after", simulation.step_count > 0, simulation.time < 1e7)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped after True True\n"
        assert process.wait(timeout=30) == 0


def test_other_threads_run_during_steps(crane: Path) -> None:
    import threading

    simulation = wl.load(crane)
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    simulation.run(1500)
    done.set()
    thread.join()
    assert counted > 5


def test_the_package_brings_the_command(command) -> None:
    assert "multibody" in command("--help").stdout
    assert command("--version").stdout.strip().endswith(wl.__version__)
    command("run", "nothing.toml", code=1)
    command("run", "--no-such-option", code=2)


def test_a_forked_process_steps(scenes: Path) -> None:
    # many islands: the engine uses threads
    simulation = wl.load(scenes / "contact" / "dominoes.toml")
    simulation.step(5)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(60)
            simulation.step(5)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_scenes_made_in_python_are_those_of_files(crane: Path) -> None:
    scene = wl.Scene(title='a "quoted" title')
    scene.bodies["rail"] = {"type": "static"}
    scene.bodies["trolley"] = {"mass": 800, "shape": {"box": {"size": [1, 1, 0.4]}}}
    scene.bodies["load"] = {"mass": "2 t", "position": (0, 0, -8), "shape": {"sphere": {"radius": 0.5}}}
    motor = {"speed": 0, "force": 20e3}
    scene.joints["travel"] = {
        "slider": {"bodies": ["rail", "trolley"], "at": [0, 0, 0], "axis": [1, 0, 0], "motor": motor}
    }
    scene.joints["rope"] = {"ball": {"bodies": ["trolley", "load"], "at": [0, 0, 0]}}
    scene.inputs["travel"] = {"range": ["-2 m/s", "2 m/s"], "rate": "1 m/s^2", "drives": [{"joint": "travel"}]}
    scene.probes["x"] = "bodies.load.position.x"
    ours, theirs = wl.load(scene), wl.load(crane)
    for simulation in (ours, theirs):
        simulation["travel"] = 1
        simulation.step(100)
    assert ours.state == theirs.state
    assert ours.read_all("bodies.load.position.x") == {"bodies.load.position.x": ours.read("bodies.load.position.x")}


def test_a_wrong_scene_made_in_python_names_its_line() -> None:
    scene = wl.Scene()
    scene.bodies["load.1"] = {"mass": True}
    with pytest.raises(wl.SceneError) as caught:
        wl.load(scene)
    file, line, *_ = caught.value.problems[0]
    assert file == "scene.toml" and scene.to_toml().splitlines()[line - 1] == "mass = true"
    with pytest.raises(TypeError, match="number, text"):
        scene.bodies["x"] = {"mass": object()}


def test_every_section_of_scene_files_is_an_attribute(command) -> None:
    sections = json.loads(command("schema").stdout)["properties"]
    from windlass.scene import LISTS, SECTIONS

    assert {*SECTIONS, *LISTS} == {*sections} - {"windlass", "title", "description", "include", "settings"}
    assert {*LISTS} == {name for name, entry in sections.items() if "array" in entry.get("type", ()) and name != "include"}
    scene = wl.Scene()
    assert all(hasattr(scene, name) for name in (*SECTIONS, *LISTS))


#: Scenes with cables, routes, vehicles, soil; a script and contacts are lists.
MADE = [
    "cable/hanging.toml", "crane/block_and_tackle.toml", "vehicle/sprint.toml", "earthwork/blade.toml", "cable/edge.toml",
]  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_all_parts_of_scenes_can_be_made_in_python(name: str, scenes: Path) -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 or later")
    read = tomllib.loads((scenes / name).read_text(encoding="utf-8"))
    assert read.pop("windlass") == 2
    scene = wl.Scene(settings=read.pop("settings", {}))
    for key, entries in read.items():
        match entries:
            case dict():
                getattr(scene, key).update(entries)
            case [dict(), *_]:
                getattr(scene, key).extend(entries)
            case _:
                scene.top[key] = entries
    ours, theirs = wl.load(scene), wl.load(scenes / name)
    for simulation in (ours, theirs):
        simulation.step(3)
    assert ours.state == theirs.state
