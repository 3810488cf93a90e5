"""The command that measures: its figures are there and are numbers. Times are not tested."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from windlass import bench, bench_batch

SMALL = ["--calls", "20", "--worlds", "4", "--steps", "3", "--repeats", "2"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "windlass.bench", *arguments], capture_output=True, text=True, timeout=300)


def test_the_figures_are_numbers() -> None:
    done = run("--json", *SMALL)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    figures = report["figures"]
    assert list(figures) == [figure.name for figure in bench.FIGURES]
    assert (report["calls"], report["worlds"], report["steps"], report["repeats"]) == (20, 4, 3, 2)
    assert all(math.isfinite(value) for value in figures.values())
    # a difference may have either sign; a call may be too short for the clock
    for name in ("step_time", "step_rate", "world_step_time", "world_step_rate", "batch_ratio", "batch_over_alone", "two_threads"):
        assert figures[name] > 0, name
    assert figures["step_rate"] == pytest.approx(1e6 / figures["step_time"])


def test_the_table_and_the_help_have_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(SMALL) == 0
    table = capsys.readouterr().out
    with pytest.raises(SystemExit):
        bench.main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    for figure in bench.FIGURES:
        assert figure.name in table and figure.name in text and figure.meaning in text


def test_wrong_arguments_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in ((["--calls", "0"], "give 1 or more"), (["--scene", "crane/none.toml"], "no scene 'crane/none.toml'")):
        with pytest.raises(SystemExit) as caught:
            bench.main(arguments)
        assert caught.value.code == 2 and message in capsys.readouterr().err


def test_batches_are_compared_by_their_costs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # the trial alone takes minutes in a development build
    monkeypatch.setattr(bench_batch, "TRIAL", 0.05)
    monkeypatch.setattr(bench_batch, "FINEST", 0.005)
    monkeypatch.setattr(bench_batch, "STEPS", (1 / 60, 0.01))
    small = ["--worlds", "2", "--steps", "2", "--threads", "1", "--repeats", "1"]
    assert bench.main(["batch", "--json", *small]) == 0
    out, err = capsys.readouterr()
    costs = json.loads(out)["costs"]
    own = [cost for cost in costs if cost["engine"].startswith("windlass")]
    assert [cost["scene"] for cost in own] == [model.scene for model in bench_batch.MODELS]
    assert all(cost["world_step"] > 0 and cost["world_second"] == pytest.approx(cost["world_step"] * 60) for cost in own)
    assert all(0 <= cost["error"] < 0.05 for cost in own)
    assert (len(costs) == 4) != ("pip install 'mujoco>=4'" in err)
    assert bench.main(["batch", *small]) == 0
    assert "world-second" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        bench.main(["batch", "--worlds", "0"])
    assert "give 1 or more" in capsys.readouterr().err
