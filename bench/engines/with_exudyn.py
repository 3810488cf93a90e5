"""Exudyn: rigid bodies on joints, and its planar ANCF cable; generalised alpha, modified Newton, automatic step reduction on.

Time is taken between its calls after each step, so it includes handing over to Python, and the steps it cuts in parts.
"""

import exudyn as exu
import exudyn.utilities as eu
import numpy as np
from exudyn.beams import GenerateStraightLineANCFCable2D

from clock import cpu
from judge import rotation
from scenes import G, WORLD

V = exu.OutputVariableType


class Observer:
    """What is called after each step: adds up time until a frame is full, then looks."""

    def __init__(self, dt, every, budget, look):
        self.dt, self.every, self.budget, self.look = dt, every, budget, look
        self.last, self.spent, self.all = None, 0.0, 0.0
        self.times, self.rows = [], []

    def __call__(self, system, at):
        now = cpu()
        if self.last is not None:
            self.spent += now - self.last
            self.all += now - self.last
        if at > (len(self.times) + 1) * self.dt - 1e-9:
            self.times.append(self.spent)
            self.spent = 0.0
            if self.every and len(self.times) % self.every == 0:
                self.rows.append(self.look(system))
        self.last = cpu()
        return self.all < 1e6 * self.budget


def solve(system, dt, steps, every, budget, look, radius):
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps, settings.timeIntegration.endTime = steps, steps * dt
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.parallel.numberOfThreads = 1
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = settings.timeIntegration.newton.absoluteTolerance = 1e-6
    settings.timeIntegration.generalizedAlpha.spectralRadius = radius
    observer = Observer(dt, every, budget, look)
    first = look(system)
    system.SetPostStepUserFunction(observer)
    try:
        system.SolveDynamic(settings, showHints=False)
    except Exception:  # its solver gives up by one; what it was does not matter here
        observer.rows.append(first * np.nan)
    return first, np.array(observer.rows).reshape(-1, *first.shape), np.array(observer.times or [np.nan])


def simulate(scene, dt, steps, every, budget):
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.CreateGround()
    turn = rotation(np.array([b.turn for b in scene.bodies]))
    bodies = [system.CreateRigidBody(inertia=eu.RigidBodyInertia(mass=b.mass, inertiaTensor=np.diag(b.inertia)),
                                     nodeType=exu.NodeType.RotationEulerParameters, referencePosition=list(b.at),
                                     referenceRotationMatrix=turn[i], gravity=[0, 0, -G]) for i, b in enumerate(scene.bodies)]
    nodes = [system.GetObject(b)["nodeNumber"] for b in bodies]
    for j in scene.joints:
        pair = [ground if k == WORLD else bodies[k] for k in (j.a, j.b)]
        common = dict(bodyNumbers=pair, position=list(j.at), useGlobalFrame=True, show=False)
        if j.b == WORLD:
            # a full hinge that closes a planar ring is redundant, and its solver refuses that
            system.CreateGenericJoint(constrainedAxes=[0, 1, 1, 0, 0, 0], **common)
        elif j.form == "ball":
            system.CreateSphericalJoint(**common)
        else:
            system.CreateRevoluteJoint(axis=list(j.axis), **common)

    def look(system):
        row = np.empty((len(nodes), 13))
        for k, node in enumerate(nodes):
            attitude = np.array(system.GetNodeOutput(node, V.RotationMatrix)).reshape(3, 3)
            row[k] = [*system.GetNodeOutput(node, V.Position), *eu.RotationMatrix2EulerParameters(attitude).ravel(),
                      *system.GetNodeOutput(node, V.Velocity), *system.GetNodeOutput(node, V.AngularVelocity)]
        return row

    _, rows, times = solve(system, dt, steps, every, budget, look, 0.9)
    return rows, times


def cable(scene, dt, steps, every, budget):
    """ANCF cable elements in the plane, whose x and y are our y and z; energy of its mass by lumps in the nodes."""
    n, load = len(scene.bodies) - 1, scene.bodies[-1]
    end = [load.at[1], load.at[2], 0]
    container = exu.SystemContainer()
    system = container.AddSystem()
    rope = eu.Cable2D(physicsMassPerLength=n / scene.length, physicsBendingStiffness=scene.cable.bend,
                      physicsAxialStiffness=scene.cable.stretch)
    nodes = GenerateStraightLineANCFCable2D(system, [0, 0, 0], end, n, rope, massProportionalLoad=[0, -G, 0],
                                            fixedConstraintsNode0=[1, 1, 0, 0], fixedConstraintsNode1=[0, 0, 0, 0])[0]
    body = system.AddObject(eu.MassPoint2D(physicsMass=load.mass,
                                           nodeNumber=system.AddNode(eu.NodePoint2D(referenceCoordinates=end[:2]))))
    hook = system.AddMarker(eu.MarkerBodyPosition(bodyNumber=body))
    tail = system.AddMarker(eu.MarkerNodePosition(nodeNumber=nodes[-1]))
    system.AddObject(eu.RevoluteJoint2D(markerNumbers=[tail, hook]))
    system.AddLoad(eu.Force(markerNumber=hook, loadVector=[0, -load.mass * G, 0]))
    mass = lumps(n, load.mass)

    def look(system):
        at = np.array([system.GetNodeOutput(k, V.Position) for k in nodes])
        speed = np.array([system.GetNodeOutput(k, V.Velocity) for k in nodes])
        total = 0.5 * (mass * (speed**2).sum(1)).sum() + (mass * G * at[:, 1]).sum()
        return np.append(at[:, [2, 0, 1]], total)

    _, rows, times = solve(system, dt, steps, every, budget, look, 0.8)
    # before it starts, nodes stand at the origin for its output: the first row is the scene's
    straight = np.linspace(np.zeros(3), load.at, n + 1)
    first = np.append(straight, (mass * G * straight[:, 2]).sum())
    return np.vstack([first, rows]), times


def lumps(n, load):
    """The mass of a cable in its nodes."""
    mass = np.ones(n + 1)
    mass[[0, -1]] = 0.5
    mass[-1] += load
    return mass
