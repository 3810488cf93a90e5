"""MoorDyn: its line of lumped masses in air, RK4; its stock RK2 at CFL 0.5 diverges for a line that no water damps."""

import os
import tempfile

import moordyn as md
import numpy as np

import water
from clock import Run, cpu
from scenes import G

DEPTH = 10.0  # how far below the surface the line's top is: water as thin as 1e-6 does not matter


def deck(scene, n, load):
    x, y, z = load.at
    return f"""--- a swinging hoist ---
---------------------- LINE TYPES ----------------------
TypeName  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(name)  (m)  (kg/m)  (N)  (N-s/-)  (N-m^2)  (-)  (-)  (-)  (-)
rope  0.0001  {n / scene.length}  {scene.cable.stretch}  -0.05  0  0  0  0  0
---------------------- POINTS ----------------------
ID  Type  X  Y  Z  Mass  Volume  CdA  Ca
(#)  (name)  (m)  (m)  (m)  (kg)  (m^3)  (m^2)  (-)
1  Fixed  0  0  {-DEPTH}  0  0  0  0
2  Free  {x}  {y}  {z - DEPTH}  {load.mass}  0  0  0
---------------------- LINES ----------------------
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#)  (name)  (#)  (#)  (m)  (-)  (-)
1  rope  1  2  {scene.length}  {n}  -
---------------------- OPTIONS ----------------------
0  writeLog
{G}  g
1e-6  WtrDnsty
1000  WtrDpth
0.1  CFL
RK4  tScheme
0  TmaxIC
---------------------- END ----------------------
"""


def cable(scene, dt, steps, every, budget):
    n, load = len(scene.bodies) - 1, scene.bodies[-1]
    mass = np.ones(n + 1)
    mass[[0, -1]] = 0.5
    mass[-1] += load.mass
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hoist.txt")
        with open(path, "w") as out:
            out.write(deck(scene, n, load))
        system = md.Create(path)
        md.SetVerbosity(system, 0)
        md.Init_NoIC(system, [], [])
        line = md.GetLine(system, 1)

        def look():
            at = np.array([md.GetLineNodePos(line, k) for k in range(n + 1)]) + [0, 0, DEPTH]
            speed = np.array([md.GetLineNodeVel(line, k) for k in range(n + 1)])
            return np.append(at, 0.5 * (mass * (speed**2).sum(1)).sum() + (mass * G * at[:, 2]).sum())

        first = look()
        run = Run(steps, every, budget).go(lambda k: md.Step(system, [], [], k * dt, dt), look)
        md.Close(system)
    return np.vstack([first, *run.rows]), np.array(run.times)


def chain_deck(scene, scheme, dt, damping):
    x, y, z = scene.fairlead
    return f"""--- a mooring line ---
---------------------- LINE TYPES ----------------------
TypeName  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(name)  (m)  (kg/m)  (N)  (N-s/-)  (N-m^2)  (-)  (-)  (-)  (-)
chain  {scene.diameter}  {scene.mass}  {scene.stretch}  {-damping}  0  {scene.drag[0]}  {scene.added[0]}  {scene.drag[1]}  {scene.added[1]}
---------------------- POINTS ----------------------
ID  Type  X  Y  Z  Mass  Volume  CdA  Ca
(#)  (name)  (m)  (m)  (m)  (kg)  (m^3)  (m^2)  (-)
1  Fixed  0  0  {-scene.depth}  0  0  0  0
2  Coupled  {x}  {y}  {z}  0  0  0  0
---------------------- LINES ----------------------
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#)  (name)  (#)  (#)  (m)  (-)  (-)
1  chain  1  2  {scene.length}  {scene.elements}  -
---------------------- OPTIONS ----------------------
0  writeLog
{water.G}  g
{water.SEA}  WtrDnsty
{scene.depth}  WtrDpth
{scheme}  tScheme
{dt * (1 + 1e-9)}  dtM
{60}  TmaxIC
{1e-6}  threshIC
{7 if scene.height > 0 else 0}  WaveKin
1  disableOutput
---------------------- END ----------------------
"""


def mooring(scene, dt, steps, every, budget, scheme="RK2", damping=0.8):
    """W1: waves of one component, computed at the nodes (WaveKin 7) with Wheeler's stretching; the fairlead is a coupled
    point that moves at constant velocity for `every` steps of `dt`. Rows: force of the line on the fairlead with the
    weight of the half segment at it, length on the sea bed; the first has the CPU time of the initial state [us]."""
    frame = max(every, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "line.txt")
        with open(path, "w") as out:
            out.write(chain_deck(scene, scheme, dt, damping))
        with open(os.path.join(folder, "wave_frequencies.txt"), "w") as out:
            out.write(f"0 0 0\n{2 * np.pi / scene.period!r} 0 {scene.height / 2!r}\n")
        system = md.Create(path)
        md.SetVerbosity(system, 0)
        began = cpu()
        # at rest before the fairlead moves
        md.Init(system, list(scene.fairlead), [0.0] * 3)
        began = cpu() - began
        line, force = md.GetLine(system, 1), [0.0] * 3

        def step(k):
            nonlocal force
            here, there = scene.position(k * dt * frame), scene.position((k + 1) * dt * frame)
            force = md.Step(system, list(here), list((there - here) / (dt * frame)), k * dt * frame, dt * frame)

        def look():
            depth = np.array([md.GetLineNodePos(line, k)[2] for k in range(scene.elements + 1)])
            low = (0.5 * (depth[1:] + depth[:-1]) < 0.02 - scene.depth).sum()
            return np.append(-np.array(force), low * scene.length / scene.elements)

        run = Run(steps // frame, 1 if every else 0, budget).go(step, look)
        md.Close(system)
    return np.vstack([[began, 0, 0, 0], *run.rows]), np.array(run.times) / frame
