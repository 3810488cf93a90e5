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
from conftest import ROOT

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


#: 1000 lifts of the scene of the learning task, a quarter of a second each.
LIFTS = "learn/antisway.toml"
LIFT_VARY = {"bodies.load.mass": "~uniform(500 kg, 4 t)", "parameters.travel": "=[0.1 s, 0.2 s]"}
LIFT_MEASURES = ["end(bodies.load.position.x)", "pull=max(joints.hoist.tension)"]
LIFT_OPTIONS = {"samples": 500, "method": "sobol", "seed": 3, "duration": 0.25}


@pytest.fixture(scope="module")
def lifts() -> wl.Table:
    return wl.sweep(ROOT / "scenes" / LIFTS, LIFT_VARY, LIFT_MEASURES, jobs=2, **LIFT_OPTIONS)  # type: ignore[arg-type]


def test_ray_gives_the_same_bytes(lifts: wl.Table) -> None:
    ray = pytest.importorskip("ray", reason="pip install windlass[ray]")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        found = wl.sweep(ROOT / "scenes" / LIFTS, LIFT_VARY, LIFT_MEASURES, executor="ray", **LIFT_OPTIONS)  # type: ignore[arg-type]
    finally:
        ray.shutdown()
    assert found.csv == lifts.csv


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


def test_a_thousand_rows_survive_shards_and_kills(lifts: wl.Table, tmp_path: Path, command) -> None:
    assert (len(lifts["index"]), lifts.ok.all(), len(set(lifts["hash"]))) == (1000, True, 1000)
    assert lifts["index"].tolist() == list(range(1000))
    scene = ROOT / "scenes" / LIFTS
    assert wl.sweep(scene, LIFT_VARY, LIFT_MEASURES, jobs=1, **LIFT_OPTIONS).csv == lifts.csv  # type: ignore[arg-type]

    arguments = ["sweep", str(scene), *(f"--vary={key}{values}" for key, values in LIFT_VARY.items())]
    arguments += [f"--measure={measure}" for measure in LIFT_MEASURES]
    arguments += ["--sample=500", "--method=sobol", "--seed=3", "--duration=0.25", "--quiet"]
    for shard in (1, 2, 3):
        command(*arguments, f"--shard={shard}/3", "-o", f"part{shard}.csv")
    command("sweep", "--merge", "part2.csv", "part3.csv", "part1.csv", "-q", "-o", "merged.csv")
    assert (tmp_path / "merged.csv").read_text() == lifts.csv

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
    assert table.read_text() == lifts.csv


def test_a_name_of_parquet_is_parquet_or_rejected(crane: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = run(crane)
    path = tmp_path / "table.parquet"
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(ImportError, match=r"pip install pyarrow, or give a name that ends in \.csv"):
            table.save(path)
    assert not path.exists()
    table.save(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text() == table.csv
    parquet = pytest.importorskip("pyarrow.parquet", reason="pip install pyarrow")
    table.save(path)
    found = parquet.read_table(path)
    assert found.column_names == list(table) and found["index"].to_pylist() == table["index"].tolist()
    assert found["hash"].to_pylist() == table["hash"].tolist()
    assert found.schema.metadata[b"unit:bodies.load.mass"] == b"kg"
