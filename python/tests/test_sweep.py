"""Sweeps: one table, byte for byte, from threads, the command, processes and Ray."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import windlass as wl

VARY = {"bodies.load.mass": "~uniform(500 kg, 4 t)", "joints.travel.slider.motor.force": [10e3, 20e3]}
MEASURES = ["max(joints.rope.force.size)", "end(bodies.load.position.x)"]


def run(crane: Path, **options: object) -> wl.Table:
    return wl.sweep(crane, VARY, MEASURES, samples=20, seed=7, duration=1.0, **options)  # type: ignore[arg-type]


def test_every_executor_gives_the_bytes_of_the_command(crane: Path, tmp_path: Path, command) -> None:
    table = run(crane, jobs=2)
    assert (table.ok.sum(), len(table["index"])) == (40, 40)
    assert run(crane, jobs=1).csv == table.csv
    with ThreadPoolExecutor(3) as threads:
        assert run(crane, executor=threads, chunk=7).csv == table.csv
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert run(crane, executor=processes, chunk=11).csv == table.csv
    arguments = [f"--vary=bodies.load.mass{VARY['bodies.load.mass']}", "--vary=joints.travel.slider.motor.force=[10000.0, 20000.0]"]
    arguments += [f"--measure={measure}" for measure in MEASURES]
    command("sweep", str(crane), *arguments, "--sample", "20", "--seed", "7", "--duration", "1", "-o", "table.csv")
    assert (tmp_path / "table.csv").read_text() == table.csv


def test_ray_gives_the_same_bytes(crane: Path) -> None:
    ray = pytest.importorskip("ray", reason="pip install windlass[ray]")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert run(crane, executor="ray", chunk=9).csv == run(crane).csv
    finally:
        ray.shutdown()


def test_columns_are_arrays(crane: Path) -> None:
    table = run(crane)
    masses = table["bodies.load.mass"]
    assert ((masses >= 500) & (masses <= 4000)).all() and table.units["bodies.load.mass"] == "kg"
    peaks = table[table.measures[0]]
    # a heavier load pulls more
    assert np.corrcoef(masses, peaks)[0, 1] > 0.99
    with pytest.raises(KeyError, match="the columns are"):
        table["nothing"]


def test_faults_and_errors_are_rows(broken: Path) -> None:
    table = wl.sweep(broken, {"parameters.pull": [1.0, 1e15, 1e30]}, "end(bodies.stone.position.x)", duration=0.5)
    assert table["status"].tolist() == ["ok", "fault", "error"]
    assert "stone" in table["message"][1] and not np.isnan(table[table.measures[0]][0])


def test_wrong_descriptions_are_explained(crane: Path) -> None:
    with pytest.raises(ValueError, match="probe|did you mean|known"):
        wl.sweep(crane, {"bodies.load.mass": [1, 2]}, "max(bodies.lod.position.x)")
    with pytest.raises(ValueError, match="help"):
        wl.sweep(crane, {"bodies.load.mass": "nonsense..1:x"}, "end(time)")
    with pytest.raises(TypeError, match="Executor"):
        run(crane, executor="dask")


def test_a_thousand_rows_survive_shards_and_kills(scenes: Path, tmp_path: Path, command) -> None:
    scene = scenes / "mechanism" / "pendulum.toml"
    vary = {"bodies.bob.mass": "~uniform(0.5 kg, 2 kg)", "joints.pivot.hinge.damping": "=[0, 0.1]"}
    measures = ["end(bodies.bob.position.z)", "pull=max(joints.pivot.force.size)"]
    options = {"samples": 500, "method": "sobol", "seed": 3, "duration": 0.25}
    one = wl.sweep(scene, vary, measures, jobs=1, **options)
    assert (len(one["index"]), one.ok.all(), len(set(one["hash"]))) == (1000, True, 1000)
    assert one["index"].tolist() == list(range(1000))
    assert wl.sweep(scene, vary, measures, jobs=2, **options).csv == one.csv

    arguments = ["sweep", str(scene), *(f"--vary={key}{values}" for key, values in vary.items())]
    arguments += [f"--measure={measure}" for measure in measures]
    arguments += ["--sample=500", "--method=sobol", "--seed=3", "--duration=0.25", "--quiet"]
    for shard in (1, 2, 3):
        command(*arguments, f"--shard={shard}/3", "-o", f"part{shard}.csv")
    command("sweep", "--merge", "part2.csv", "part3.csv", "part1.csv", "-q", "-o", "merged.csv")
    assert (tmp_path / "merged.csv").read_text() == one.csv

    # killed at its beginning, killed again after it was resumed, then completed
    table = tmp_path / "killed.csv"
    for rows in (50, 400):
        line = [sys.executable, "-m", "windlass", *arguments, "--jobs=1", "--resume", "-o", table.name]
        with subprocess.Popen(line, cwd=tmp_path) as process:
            latest = time.monotonic() + 60
            while not (table.exists() and table.read_bytes().count(b"\n") > rows) and time.monotonic() < latest:
                time.sleep(0.002)
            process.kill()
        written = table.read_bytes().count(b"\n") - 2
        assert rows - 2 < written < 1000, "it was killed before its end"
    resumed = command(*[a for a in arguments if a != "--quiet"], "--resume", "-o", table.name).stdout
    assert f"resumed             {written} were in the table" in resumed
    assert table.read_text() == one.csv
