"""MuJoCo: a tree of ball joints and hinges; loops closed by `connect` at the smallest time constant it allows, 2 dt."""

import mujoco as mj
import numpy as np

from clock import Run
from judge import rotation
from scenes import G, WORLD

INTEGRATORS = {
    "implicitfast": mj.mjtIntegrator.mjINT_IMPLICITFAST,  # as shipped and recommended
    "rk4": mj.mjtIntegrator.mjINT_RK4,
    "discrete": mj.mjtIntegrator.mjINT_DISCRETE,
}
LOST = [mj.mjtWarning.mjWARN_BADQACC, mj.mjtWarning.mjWARN_BADQPOS, mj.mjtWarning.mjWARN_BADQVEL]
HARD = [0.9999, 0.9999, 0.001, 0.5, 2]


def turn_between(p, q):
    """The turn from p to q."""
    out = np.zeros(4)
    mj.mju_mulQuat(out, np.array(p) * [1, -1, -1, -1], np.array(q))
    return out


def build(scene, dt, integrator, damping, contact):
    spec = mj.MjSpec()
    spec.option.timestep, spec.option.gravity = dt, [0, 0, -G]
    spec.option.integrator, spec.option.tolerance = INTEGRATORS[integrator], 1e-10
    spec.memory = 1 << 30
    if scene.touching:
        # what the manual advises against slip
        spec.option.cone, spec.option.impratio = mj.mjtCone.mjCONE_ELLIPTIC, 10
        spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1])
    turn = rotation(np.array([b.turn for b in scene.bodies]))
    tree, loops = {}, []
    for j in scene.joints:
        if j.b == WORLD or j.b in tree:
            loops.append(j)
        else:
            tree[j.b] = j
    made = {WORLD: spec.worldbody}
    for i, b in enumerate(scene.bodies):
        j = tree.get(i)
        base = j.a if j else WORLD
        at, way = b.at, np.array(b.turn)
        if base != WORLD:
            at = turn[base].T @ (b.at - scene.bodies[base].at)
            way = turn_between(scene.bodies[base].turn, b.turn)
        body = made[i] = made[base].add_body(name=f"b{i}", pos=at, quat=way)
        body.mass, body.inertia, body.ipos, body.explicitinertial = b.mass, b.inertia, [0, 0, 0], True
        if scene.touching:
            stiff = dict(solref=[2 * dt, 1], solimp=HARD) if contact == "stiff" else {}
            body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=b.half, friction=[0.5, 0.005, 0.0001], **stiff)
        if not j:
            body.add_freejoint()
            continue
        place = dict(pos=turn[i].T @ (j.at - b.at))
        joint = (body.add_joint(type=mj.mjtJoint.mjJNT_BALL, **place) if j.form == "ball" else
                 body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=turn[i].T @ np.array(j.axis), **place))
        if damping:
            joint.damping = [damping] * 3 if hasattr(joint.damping, "__len__") else damping
    for j in loops:
        tie = spec.add_equality(type=mj.mjtEq.mjEQ_CONNECT, objtype=mj.mjtObj.mjOBJ_BODY, name1=f"b{j.a}", name2="world")
        data = np.zeros(len(tie.data))
        data[:3] = turn[j.a].T @ (j.at - scene.bodies[j.a].at)
        tie.data, tie.solref, tie.solimp = data, [2 * dt, 1], HARD
    return spec.compile()


def look(model, data, ids):
    mj.mj_kinematics(model, data), mj.mj_comPos(model, data), mj.mj_comVel(model, data)
    spin, moved = data.cvel[ids, :3], data.cvel[ids, 3:]
    arm = data.xipos[ids] - data.subtree_com[model.body_rootid[ids]]
    return np.hstack([data.xipos[ids], data.xquat[ids], moved + np.cross(spin, arm), spin])


def simulate(scene, dt, steps, every, budget, integrator="implicitfast", damped=False, contact=None):
    # the remedy of its manual for stiff chains: damping of every joint, here twice tension times link times step
    damping = 0.0
    if damped:
        n = len(scene.bodies) - 1
        damping = 2 * (scene.bodies[-1].mass + n) * G * scene.length / n * dt
    model = build(scene, dt, integrator, damping, contact)
    data, seen = mj.MjData(model), mj.MjData(model)
    ids = np.arange(1, len(scene.bodies) + 1)

    def state():
        seen.qpos[:], seen.qvel[:] = data.qpos, data.qvel
        return look(model, seen, ids)

    # it starts anew where it diverges; that counts as lost
    alive = lambda: not any(data.warning[w].number for w in LOST)
    run = Run(steps, every, budget).go(lambda k: mj.mj_step(model, data), state, alive)
    return np.array(run.rows), np.array(run.times)


def flex(scene, dt, steps, every, budget):
    """Its own rope: a one-dimensional flex with edges held by constraints. Edges do not stretch by design."""
    n, end = len(scene.bodies) - 1, scene.bodies[-1]
    points = " ".join("%.15g" % x for k in range(n + 1) for x in end.at * k / n)
    edges = " ".join(f"{k} {k + 1}" for k in range(n))
    model = mj.MjModel.from_xml_string(f"""
        <mujoco><option timestep="{dt}" gravity="0 0 {-G}" integrator="discrete" tolerance="1e-10"/><worldbody>
          <flexcomp name="c" type="direct" dim="1" mass="{n + 1}" radius="0.05" point="{points}" element="{edges}">
            <pin id="0"/><edge equality="true" solref="{2 * dt} 1" solimp="0.9999 0.9999 0.001"/>
            <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp></worldbody></mujoco>""")
    model.body_mass[mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, f"c_{n}")] += end.mass - 0.5
    data = mj.MjData(model)
    mj.mj_setConst(model, data), mj.mj_resetData(model, data), mj.mj_forward(model, data)
    mass = model.body_mass[1:]

    def state():
        mj.mj_kinematics(model, data)
        at, speed = data.xpos[1:], data.qvel.reshape(-1, 3)
        total = 0.5 * (mass * (speed**2).sum(1)).sum() + (mass * G * at[:, 2]).sum()
        return np.append(np.vstack([np.zeros(3), at]), total)

    alive = lambda: not any(data.warning[w].number for w in LOST)
    first = state()
    run = Run(steps, every, budget).go(lambda k: mj.mj_step(model, data), state, alive)
    return np.vstack([first, *run.rows]), np.array(run.times)


def floating(scene, dt, steps, every, budget, integrator="implicitfast", inertia=False):
    """W2: its ellipsoid fluid model. Buoyancy, which it lacks, by `gravcomp`; its blunt drag coefficient is half of C_D, as
    its law has no factor 1/2. With `inertia` the body gets the added mass of a sphere as mass of its own."""
    ratio = scene.water / scene.density
    extra = 0.5 * ratio if inertia else 0.0
    mass, blunt = scene.mass * (1 + extra), 0.5 * scene.drag[0]
    words = lambda values: " ".join("%.17g" % x for x in values)
    moments = words(x * (1 + (0 if scene.axes[0] == scene.axes[1] == scene.axes[2] else extra)) for x in scene.inertia)
    pivot = np.array(scene.at)
    joint = f'<joint type="hinge" axis="0 1 0" pos="{words(-pivot)}"/>' if scene.arm else "<freejoint/>"
    wet = f'fluidshape="ellipsoid" fluidcoef="{blunt} 0 0 0 {1 if scene.case == "spins" else 0}"' if scene.water else ""
    body = lambda k: f"""<body pos="{words(pivot + [0, 10 * k, 0])}" quat="{words(scene.turn)}" gravcomp="{(ratio + extra) / (1 + extra)!r}">
        {joint}<inertial pos="0 0 0" mass="{mass!r}" diaginertia="{moments}"/>
        <geom type="ellipsoid" size="{words(scene.axes)}" mass="0" contype="0" conaffinity="0" {wet}/></body>"""
    model = mj.MjModel.from_xml_string(f"""
        <mujoco><option timestep="{dt!r}" gravity="0 0 {-scene.gravity}" integrator="{integrator}" density="{scene.water}"
          viscosity="0" wind="{words(scene.stream)}"/>
        <worldbody>{"".join(map(body, range(scene.count)))}</worldbody></mujoco>""")
    data, seen = mj.MjData(model), mj.MjData(model)
    if not scene.arm:
        # angular velocity of a free joint is in axes of the body
        for k in range(scene.count):
            data.qvel[6 * k : 6 * k + 3] = scene.velocity
            data.qvel[6 * k + 3 : 6 * k + 6] = rotation(np.array([scene.turn]))[0].T @ np.array(scene.spin)

    def state():
        seen.qpos[:], seen.qvel[:] = data.qpos, data.qvel
        mj.mj_forward(model, seen)
        acceleration = seen.qacc[:3] if not scene.arm else np.full(3, np.nan)
        return np.append(look(model, seen, np.array([1]))[0], acceleration)

    alive = lambda: not any(data.warning[w].number for w in LOST)
    first = state()
    run = Run(steps, every, budget).go(lambda k: mj.mj_step(model, data), state, alive)
    return np.vstack([first, *run.rows]), np.array(run.times)
