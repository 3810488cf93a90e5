"""Signals, the command, and scenes made in Python."""

from __future__ import annotations

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
