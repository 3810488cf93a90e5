// Bullet in double precision. bullet SCENE OUT si ITERATIONS | dantzig | multibody
//   si: sequential impulses; dantzig: its direct solver of complementarity problems; multibody: reduced coordinates, loops
//   closed by btMultiBodyPoint2Point.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>
#include "drive.h"

static btVector3 vector(const double* v) { return btVector3(v[0], v[1], v[2]); }

static void append(Row& row, const btVector3& at, const btQuaternion& turn, const btVector3& velocity, const btVector3& spin) {
  double numbers[13] = {at.x(), at.y(), at.z(), turn.w(), turn.x(), turn.y(), turn.z(), velocity.x(), velocity.y(), velocity.z(),
                        spin.x(), spin.y(), spin.z()};
  row.insert(row.end(), numbers, numbers + 13);
}

// Where bodies stand at the start.
static std::vector<btTransform> poses(const Scene& s) {
  std::vector<btTransform> out;
  for (auto& b : s.bodies) out.emplace_back(btQuaternion(b.turn[1], b.turn[2], b.turn[3], b.turn[0]), vector(b.at));
  return out;
}

// A tree in reduced coordinates; joints that close loops are constraints.
static btMultiBody* tree(const Scene& s, btMultiBodyDynamicsWorld& world) {
  auto pose = poses(s);
  int count = s.bodies.size();
  auto* body = new btMultiBody(count, 0, btVector3(0, 0, 0), true, false);
  std::vector<bool> hung(count, false);
  std::vector<Joint> loops;
  for (auto& j : s.joints) {
    if (j.b < 0 || hung[j.b]) {
      loops.push_back(j);
      continue;
    }
    hung[j.b] = true;
    auto& b = s.bodies[j.b];
    btTransform from = j.a < 0 ? btTransform::getIdentity() : pose[j.a], to = pose[j.b];
    btQuaternion turn = to.getRotation().inverse() * from.getRotation();
    btVector3 before = from.inverse() * vector(j.at), after = to.getBasis().transpose() * (to.getOrigin() - vector(j.at));
    if (j.ball) body->setupSpherical(j.b, b.mass, vector(b.inertia), j.a, turn, before, after, true);
    else body->setupRevolute(j.b, b.mass, vector(b.inertia), j.a, turn, to.getBasis().transpose() * vector(j.axis), before, after, true);
  }
  body->finalizeMultiDof();
  body->setLinearDamping(0);
  body->setAngularDamping(0);
  body->setHasSelfCollision(false);
  body->setCanSleep(false);
  body->setMaxAppliedImpulse(1e30);
  body->setMaxCoordinateVelocity(1e30);
  world.addMultiBody(body);
  for (auto& j : loops) {
    // a constraint is only solved between links with colliders: its island is found through them
    for (int link = -1; link < count; link++) {
      auto* collider = new btMultiBodyLinkCollider(body, link);
      collider->setCollisionShape(new btSphereShape(0.01));
      world.addCollisionObject(collider, 0, 0);
      if (link < 0) body->setBaseCollider(collider);
      else body->getLink(link).m_collider = collider;
    }
    auto* tie = new btMultiBodyPoint2Point(body, j.a, (btRigidBody*)nullptr, pose[j.a].inverse() * vector(j.at), vector(j.at));
    tie->setMaxAppliedImpulse(1e30);
    world.addMultiBodyConstraint(tie);
  }
  btAlignedObjectArray<btQuaternion> turns;
  btAlignedObjectArray<btVector3> places;
  body->forwardKinematics(turns, places);
  return body;
}

static void look_tree(btMultiBody& body, int count, Row& row) {
  btAlignedObjectArray<btQuaternion> turns;
  btAlignedObjectArray<btVector3> places, spins, velocities;
  body.forwardKinematics(turns, places);
  spins.resize(count + 1);
  velocities.resize(count + 1);
  body.compTreeLinkVelocities(&spins[0], &velocities[0]);
  for (int k = 0; k < count; k++) {
    btMatrix3x3 turn;
    for (int axis = 0; axis < 3; axis++) {
      btVector3 unit(0, 0, 0);
      unit[axis] = 1;
      btVector3 along = body.localDirToWorld(k, unit);
      for (int r = 0; r < 3; r++) turn[r][axis] = along[r];
    }
    btQuaternion q;
    turn.getRotation(q);
    append(row, body.localPosToWorld(k, btVector3(0, 0, 0)), q, turn * velocities[k + 1], turn * spins[k + 1]);
  }
}

// Free bodies and joints between them.
static std::vector<btRigidBody*> free_bodies(const Scene& s, btDiscreteDynamicsWorld& world) {
  auto pose = poses(s);
  std::vector<btRigidBody*> bodies;
  for (size_t k = 0; k < s.bodies.size(); k++) {
    auto& b = s.bodies[k];
    btCollisionShape* shape = s.touching ? (btCollisionShape*)new btBoxShape(vector(b.half)) : new btEmptyShape;
    btRigidBody::btRigidBodyConstructionInfo info(b.mass, new btDefaultMotionState(pose[k]), shape, vector(b.inertia));
    info.m_friction = 0.5;
    bodies.push_back(new btRigidBody(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back());
  }
  for (auto& j : s.joints) {
    int moved = j.b >= 0 ? j.b : j.a, base = j.b >= 0 ? j.a : -1;
    auto at = [&](int k) { return pose[k].inverse() * vector(j.at); };
    auto axis = [&](int k) { return pose[k].getBasis().transpose() * vector(j.axis); };
    btTypedConstraint* joint;
    if (j.ball)
      joint = base < 0 ? new btPoint2PointConstraint(*bodies[moved], at(moved))
                       : new btPoint2PointConstraint(*bodies[base], *bodies[moved], at(base), at(moved));
    else
      joint = base < 0 ? new btHingeConstraint(*bodies[moved], at(moved), axis(moved))
                       : new btHingeConstraint(*bodies[base], *bodies[moved], at(base), at(moved), axis(base), axis(moved));
    world.addConstraint(joint, true);
  }
  return bodies;
}

int main(int count, char** word) {
  Scene s(word[1]);
  std::string mode = word[3];
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver impulses;
  btDantzigSolver dantzig;
  btMLCPSolver direct(&dantzig);
  btMultiBodyConstraintSolver reduced;
  btMultiBodyDynamicsWorld* trees = nullptr;
  btDiscreteDynamicsWorld* world;
  if (mode == "multibody") world = trees = new btMultiBodyDynamicsWorld(&dispatcher, &broadphase, &reduced, &configuration);
  else {
    auto* solver = mode == "si" ? (btConstraintSolver*)&impulses : &direct;
    world = new btDiscreteDynamicsWorld(&dispatcher, &broadphase, solver, &configuration);
    if (mode == "dantzig") world->getSolverInfo().m_minimumSolverBatchSize = 1;
  }
  world->setGravity(btVector3(0, 0, -s.gravity));
  if (count > 4) world->getSolverInfo().m_numIterations = atoi(word[4]);
  if (s.touching) {
    btTransform below(btQuaternion::getIdentity(), btVector3(0, 0, -1));
    auto* floor = new btRigidBody(0, new btDefaultMotionState(below), new btBoxShape(btVector3(50, 50, 1)));
    floor->setFriction(0.5);
    world->addRigidBody(floor);
  }
  bool in_tree = trees && !s.joints.empty();
  btMultiBody* body = in_tree ? tree(s, *trees) : nullptr;
  std::vector<btRigidBody*> bodies;
  if (!in_tree) bodies = free_bodies(s, *world);

  auto look = [&](Row& row) {
    if (in_tree) look_tree(*body, s.bodies.size(), row);
    for (auto* b : bodies) append(row, b->getCenterOfMassPosition(), b->getOrientation(), b->getLinearVelocity(), b->getAngularVelocity());
  };
  drive(s, word[2], [&] { world->stepSimulation(s.dt, 0); }, look);
  _Exit(0);
}
