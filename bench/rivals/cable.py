"""The hoist of `windlass-bench --only cable` in MuJoCo and in Exudyn's planar ANCF cable, for comparison in the same hour.

    pip install mujoco exudyn numpy
    cargo build --release --manifest-path bench/Cargo.toml
    python3 bench/rivals/cable.py --ours bench/target/release/windlass-bench

Ten metres of N elements of 1 kg, released at 30 degrees with a load of 1e6 kg, steps of 1/60 s, one thread. Times are
CPU microseconds a frame, the median over the frames that were run. MuJoCo's chain of ball joints is timed over its first steps:
it blows up soon after. Exudyn's own time includes the step halvings it decides on.
"""

import argparse
import json
import math
import os
import subprocess
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np

G, LENGTH, TILT, LOAD = 10.0, 10.0, math.radians(30.0), 1e6


def cpu():
    return time.process_time_ns() * 1e-3


def mujoco_chain(n, frames=60):
    """Cylinders on ball joints, as a model file makes them."""
    import mujoco

    l, r = LENGTH / n, 0.05
    across = (3 * r * r + l * l) / 12
    inertia = f'<inertial pos="0 0 {-l / 2}" mass="1" diaginertia="{across} {across} {r * r / 2}"/>'
    a = 0.4 * LOAD * 0.25**2
    inner = f'<body pos="0 0 {-l}"><joint type="ball"/><inertial pos="0 0 0" mass="{LOAD}" diaginertia="{a} {a} {a}"/></body>'
    for k in range(n):
        place = f'pos="0 0 {-l}"' if k < n - 1 else f'pos="0 0 0" euler="{TILT} 0 0"'
        inner = f'<body {place}><joint type="ball"/>{inertia}{inner}</body>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><size memory="1G"/>'
        f'<option timestep="{1 / 60}" gravity="0 0 {-G}" integrator="implicitfast"/><worldbody>{inner}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    times = []
    for _ in range(frames):
        start = cpu()
        mujoco.mj_step(model, data)
        times.append(cpu() - start)
    return float(np.median(times))


def exudyn_cable(n, seconds=2.0):
    """ANCF cable elements in the plane, generalised alpha."""
    import exudyn as exu
    from exudyn.beams import GenerateStraightLineANCFCable2D
    from exudyn.utilities import Cable2D, Force, MarkerBodyPosition, MarkerNodePosition, MassPoint2D, NodePoint2D, RevoluteJoint2D

    stretch = 1000 * (LOAD + n) * G
    end = [LENGTH * math.sin(TILT), -LENGTH * math.cos(TILT), 0]
    container = exu.SystemContainer()
    system = container.AddSystem()
    cable = Cable2D(physicsMassPerLength=n / LENGTH, physicsBendingStiffness=7.5e-7 * stretch, physicsAxialStiffness=stretch)
    nodes = GenerateStraightLineANCFCable2D(
        system, [0, 0, 0], end, n, cable, massProportionalLoad=[0, -G, 0],
        fixedConstraintsNode0=[1, 1, 0, 0], fixedConstraintsNode1=[0, 0, 0, 0],
    )[0]
    mass = system.AddObject(MassPoint2D(physicsMass=LOAD, nodeNumber=system.AddNode(NodePoint2D(referenceCoordinates=end[:2]))))
    hook = system.AddMarker(MarkerBodyPosition(bodyNumber=mass))
    system.AddObject(RevoluteJoint2D(markerNumbers=[system.AddMarker(MarkerNodePosition(nodeNumber=nodes[-1])), hook]))
    system.AddLoad(Force(markerNumber=hook, loadVector=[0, -LOAD * G, 0]))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = int(60 * seconds)
    settings.timeIntegration.endTime = seconds
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
    settings.timeIntegration.newton.relativeTolerance = 1e-6
    settings.timeIntegration.newton.absoluteTolerance = 1e-6
    seen = {"last": None, "spent": 0.0, "frame": 1, "times": []}

    def after(_, at):
        now = cpu()
        if seen["last"] is not None:
            seen["spent"] += now - seen["last"]
        if at > seen["frame"] / 60 - 1e-9:
            seen["times"].append(seen["spent"])
            seen["spent"], seen["frame"] = 0.0, seen["frame"] + 1
        seen["last"] = cpu()
        return True

    system.SetPostStepUserFunction(after)
    system.SolveDynamic(settings, showHints=False)
    return float(np.median(seen["times"]))


def ours(program, sizes):
    """Reads our own table, measured by the same clock just before."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, "--only", "cable", "--json", out.name], check=True, stdout=subprocess.DEVNULL)
        tables = json.load(open(out.name))["sections"]["cable"]
    rows = {int(row["elements"]): row["median"] for row in tables[0]["rows"]}
    return {n: rows[n] for n in sizes if n in rows}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--ours", metavar="PROGRAM", required=True, help="the built windlass-bench")
    arguments = arguments.parse_args()
    sizes = [25, 100]
    own = ours(arguments.ours, sizes)
    print(f"{'elements':>8} {'ours':>10} {'MuJoCo':>10} {'Exudyn':>10}   ours/MuJoCo  ours/Exudyn   [CPU us a frame]")
    for n in sizes:
        mujoco_time, exudyn_time = mujoco_chain(n), exudyn_cable(n)
        parts = f"1/{mujoco_time / own[n]:<10.1f} 1/{exudyn_time / own[n]:<10.1f}"
        print(f"{n:8} {own[n]:10.1f} {mujoco_time:10.1f} {exudyn_time:10.1f}   {parts}")


if __name__ == "__main__":
    main()
