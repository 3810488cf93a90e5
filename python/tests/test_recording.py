"""Recordings: the bytes of the command's, every frame a start."""

from __future__ import annotations

from pathlib import Path

import pytest

import windlass as wl


def test_a_recording_has_the_bytes_of_the_commands(crane: Path, tmp_path: Path, command, monkeypatch) -> None:
    # the name of the scene is part of a recording
    monkeypatch.chdir(tmp_path)
    simulation = wl.load("crane.toml")
    simulation.run(3, record=tmp_path / "own.wlr")
    command("run", "crane.toml", "--duration", "3", "--record", "command.wlr")
    assert (tmp_path / "own.wlr").read_bytes() == (tmp_path / "command.wlr").read_bytes()


def test_inputs_are_recorded(crane: Path, tmp_path: Path, command) -> None:
    simulation = wl.load(crane)
    simulation.start_recording(tmp_path / "moved.wlr")
    for speed in (1.0, -0.5, None):
        simulation["travel"] = speed
        simulation.step(20)
    simulation.stop_recording()
    command("verify", "moved.wlr")
    recording = wl.open(tmp_path / "moved.wlr")
    assert len(recording) == 61 and recording.end == pytest.approx(1.0)
    assert recording.state_at(1.0) == simulation.state
    twin = recording.at(0.5)
    assert twin.time == pytest.approx(0.5)
    later = wl.load(crane)
    later["travel"] = 1.0
    later.step(20)
    later["travel"] = -0.5
    later.step(10)
    assert later.state == twin.state
    # the input is held as it was
    later.step(10)
    twin.step(10)
    assert later.state == twin.state


def test_an_existing_file_is_not_replaced(crane: Path, tmp_path: Path) -> None:
    simulation = wl.load(crane)
    simulation.run(0.1, record=tmp_path / "a.wlr")
    with pytest.raises(OSError, match="a.wlr"):
        simulation.run(0.1, record=tmp_path / "a.wlr")
    simulation.run(0.1, record=tmp_path / "a.wlr", replace=True)
    (tmp_path / "b.wlr").write_text("no recording")
    with pytest.raises((OSError, ValueError), match="b.wlr"):
        wl.open(tmp_path / "b.wlr")


def test_what_would_spoil_a_recording_is_rejected(crane: Path, tmp_path: Path) -> None:
    simulation = wl.load(crane)
    state = simulation.state
    simulation.start_recording(tmp_path / "a.wlr")
    for spoil in (lambda: simulation.reset(), lambda: simulation.restore(state), lambda: simulation.start_recording("b.wlr")):
        with pytest.raises(ValueError, match="stop_recording"):
            spoil()
    simulation.stop_recording()
    simulation.step()
    simulation.set("bodies.load.mass", 5)
    with pytest.raises(ValueError, match="before the change"):
        simulation.start_recording(tmp_path / "c.wlr")
