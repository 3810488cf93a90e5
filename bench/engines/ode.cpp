// ODE in double precision. ode SCENE OUT step | quick ITERATIONS
//   step: dWorldStep, its direct solver; quick: dWorldQuickStep, successive over-relaxation.
#include <ode/ode.h>
#include "drive.h"

static dWorldID world;
static dJointGroupID touches;

static void touch(void*, dGeomID a, dGeomID b) {
  dContact points[8];
  int count = dCollide(a, b, 8, &points[0].geom, sizeof(dContact));
  for (int k = 0; k < count; k++) {
    points[k].surface.mode = dContactApprox1;
    points[k].surface.mu = 0.5;
    dJointAttach(dJointCreateContact(world, touches, &points[k]), dGeomGetBody(a), dGeomGetBody(b));
  }
}

int main(int count, char** word) {
  Scene s(word[1]);
  bool direct = std::string(word[3]) == "step";
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  world = dWorldCreate();
  touches = dJointGroupCreate(0);
  dSpaceID space = dSimpleSpaceCreate(0);
  dWorldSetGravity(world, 0, 0, -s.gravity);
  if (count > 4) dWorldSetQuickStepNumIterations(world, atoi(word[4]));
  // what its manual advises for bodies at rest
  dWorldSetContactSurfaceLayer(world, 1e-3);
  dWorldSetContactMaxCorrectingVel(world, 0.5);
  if (s.touching) dCreatePlane(space, 0, 0, 1, 0);

  std::vector<dBodyID> bodies;
  for (auto& b : s.bodies) {
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, b.at[0], b.at[1], b.at[2]);
    dQuaternion turn = {b.turn[0], b.turn[1], b.turn[2], b.turn[3]};
    dBodySetQuaternion(body, turn);
    dBodySetGyroscopicMode(body, 1);
    if (s.touching) dGeomSetBody(dCreateBox(space, 2 * b.half[0], 2 * b.half[1], 2 * b.half[2]), body);
    bodies.push_back(body);
  }
  for (auto& j : s.joints) {
    dBodyID a = j.a < 0 ? 0 : bodies[j.a], b = j.b < 0 ? 0 : bodies[j.b];
    dJointID joint = j.ball ? dJointCreateBall(world, 0) : dJointCreateHinge(world, 0);
    dJointAttach(joint, a, b);
    if (j.ball) {
      dJointSetBallAnchor(joint, j.at[0], j.at[1], j.at[2]);
    } else {
      dJointSetHingeAnchor(joint, j.at[0], j.at[1], j.at[2]);
      dJointSetHingeAxis(joint, j.axis[0], j.axis[1], j.axis[2]);
    }
  }

  auto step = [&] {
    if (s.touching) dSpaceCollide(space, 0, touch);
    direct ? dWorldStep(world, s.dt) : dWorldQuickStep(world, s.dt);
    dJointGroupEmpty(touches);
  };
  auto look = [&](Row& row) {
    for (auto body : bodies) {
      const dReal *at = dBodyGetPosition(body), *turn = dBodyGetQuaternion(body);
      const dReal *velocity = dBodyGetLinearVel(body), *spin = dBodyGetAngularVel(body);
      row.insert(row.end(), at, at + 3);
      row.insert(row.end(), turn, turn + 4);
      row.insert(row.end(), velocity, velocity + 3);
      row.insert(row.end(), spin, spin + 3);
    }
  };
  drive(s, word[2], step, look);
  _Exit(0);
}
