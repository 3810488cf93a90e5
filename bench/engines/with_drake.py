"""Drake: a MultibodyPlant, discrete with SAP as shipped, or continuous under one of its integrators.

A ring is cut in its middle, not at the ground, and closed by a ball constraint there: between a moving body and the world
such a constraint crashes Drake 1.51.1.
"""

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (AddCompliantHydroelasticProperties, AddContactMaterial, AddRigidHydroelasticProperties, Box,
                              HalfSpace, ProximityProperties)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction, DiscreteContactApproximation
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder

from clock import Run
from scenes import G, WORLD

# integrator, error control
CONTINUOUS = {"radau3": ("radau3", False), "implicit euler": ("implicit_euler", False), "rk3": ("runge_kutta3", True)}


def spanning_tree(scene):
    """Joints in waves from the ground, so that chains grow from both ends; what is left closes loops."""
    left, done, tree = list(scene.joints), {WORLD}, []
    while left:
        reached, rest = set(done), []
        for j in left:
            if j.a in reached and j.b not in done:
                tree.append((j, j.a, j.b))
                done.add(j.b)
            elif j.b in reached and j.a not in done:
                tree.append((j, j.b, j.a))
                done.add(j.a)
            else:
                rest.append(j)
        if len(rest) == len(left):
            break
        left = rest
    return tree, left


def material(soft, hydroelastic):
    properties = ProximityProperties()
    AddContactMaterial(dissipation=1.0 if soft and hydroelastic else None, point_stiffness=None,
                       friction=CoulombFriction(0.5, 0.5), properties=properties)
    if hydroelastic and soft:
        AddCompliantHydroelasticProperties(0.5, 1e8, properties)
    elif hydroelastic:
        AddRigidHydroelasticProperties(properties)
    return properties


def build(scene, dt, hydroelastic):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=dt)
    if dt:
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -G])
    if hydroelastic:
        plant.set_contact_model(ContactModel.kHydroelasticWithFallback)
    poses = [RigidTransform(Quaternion(np.array(b.turn) / np.linalg.norm(b.turn)), b.at) for b in scene.bodies]
    bodies = []
    for i, b in enumerate(scene.bodies):
        inertia = SpatialInertia.MakeFromCentralInertia(b.mass, [0, 0, 0], RotationalInertia(*b.inertia))
        bodies.append(plant.AddRigidBody(f"b{i}", inertia))
        if scene.touching:
            shape = Box(*[2 * h for h in b.half])
            plant.RegisterCollisionGeometry(bodies[-1], RigidTransform(), shape, f"g{i}", material(True, hydroelastic))
    if scene.touching:
        plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", material(False, hydroelastic))

    def local(body, at):
        return RigidTransform(at) if body == WORLD else poses[body].inverse() @ RigidTransform(at)

    tree, loops = spanning_tree(scene)
    for k, (j, base, moved) in enumerate(tree):
        frame = plant.world_frame() if base == WORLD else bodies[base].body_frame()
        here = plant.AddFrame(FixedOffsetFrame(f"here{k}", frame, local(base, j.at)))
        there = plant.AddFrame(FixedOffsetFrame(f"there{k}", bodies[moved].body_frame(), local(moved, j.at)))
        plant.AddJoint(BallRpyJoint(f"j{k}", here, there, 0.0) if j.form == "ball" else
                       RevoluteJoint(f"j{k}", here, there, np.array(j.axis), 0.0))
    for j in loops:
        plant.AddBallConstraint(body_A=bodies[j.a], p_AP=local(j.a, j.at).translation(),
                                body_B=bodies[j.b], p_BQ=local(j.b, j.at).translation())
    plant.Finalize()
    return builder.Build(), plant, bodies, poses


def simulate(scene, dt, steps, every, budget, integrator=None, hydroelastic=False):
    diagram, plant, bodies, poses = build(scene, 0.0 if integrator else dt, hydroelastic)
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    if not scene.joints:
        for body, pose in zip(bodies, poses):
            plant.SetFreeBodyPose(context, body, pose)
    if integrator:
        scheme, control = CONTINUOUS[integrator]
        ApplySimulatorConfig(SimulatorConfig(integration_scheme=scheme, max_step_size=dt, accuracy=1e-3,
                                             use_error_control=control), simulator)
    simulator.Initialize()

    def look():
        row = np.empty((len(bodies), 13))
        for k, body in enumerate(bodies):
            pose, twist = plant.EvalBodyPoseInWorld(context, body), plant.EvalBodySpatialVelocityInWorld(context, body)
            row[k] = [*pose.translation(), *pose.rotation().ToQuaternion().wxyz(), *twist.translational(), *twist.rotational()]
        return row

    run = Run(steps, every, budget)
    alive = lambda: np.isfinite(run.rows[-1]).all() and np.abs(run.rows[-1]).max() < 1e9
    try:
        run.go(lambda k: simulator.AdvanceTo((k + 1) * dt), look, alive)
    except RuntimeError:
        # its solvers give up by an exception
        run.rows.append(np.full((len(bodies), 13), np.nan))
    return np.array(run.rows), np.array(run.times)
