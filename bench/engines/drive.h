// Reads a scene as scenes.py writes it, steps an engine, writes times and rows: n, n times [us], rows of 13 numbers a body.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

struct Body { double mass, inertia[3], at[3], turn[4], half[3]; };  // turn: w x y z
struct Joint { bool ball; int a, b; double at[3], axis[3]; };       // -1: the world

struct Scene {
  double dt, budget, gravity;
  int steps, every, touching;
  std::vector<Body> bodies;
  std::vector<Joint> joints;

  explicit Scene(const char* path) {
    std::ifstream in(path);
    auto read = [&](double* to, int count) { for (int k = 0; k < count; k++) in >> to[k]; };
    for (std::string word; in >> word;) {
      if (word == "run") {
        in >> dt >> steps >> every >> budget >> gravity >> touching;
      } else if (word == "body") {
        Body b;
        read(&b.mass, 14);
        bodies.push_back(b);
      } else if (word == "joint") {
        Joint j;
        std::string form;
        in >> form >> j.a >> j.b;
        j.ball = form == "ball";
        read(j.at, 3);
        read(j.axis, 3);
        joints.push_back(j);
      }
    }
  }
};

// CPU time of the process [us]: the wall's does not repeat on a machine that others use
inline double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

using Row = std::vector<double>;

// Steps until the end, or until the budget of CPU time in steps is spent; `look` appends 13 numbers a body.
inline void drive(const Scene& s, const char* path, std::function<void()> step, std::function<void(Row&)> look) {
  Row times, rows;
  double spent = 0;
  for (int k = 0; k < s.steps && (k < 3 || spent < 1e6 * s.budget); k++) {
    double start = cpu();
    step();
    times.push_back(cpu() - start);
    spent += times.back();
    if (s.every && (k + 1) % s.every == 0) look(rows);
  }
  FILE* out = fopen(path, "wb");
  double count = times.size();
  fwrite(&count, 8, 1, out);
  fwrite(times.data(), 8, times.size(), out);
  fwrite(rows.data(), 8, rows.size(), out);
  fclose(out);
}
