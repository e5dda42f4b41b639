#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/scenes/random.h"
#include "host_tools/solve/problem_document.h"

namespace tactus::bench {

/// The scenes of the papers: bodies at rest that touch without clearance. The wrench that pushes them is added by Push().
/// With friction, every contact has its own μ between 0.2 and 0.3, as far as Lloyd tells his.

/// A cylinder of radius 10 mm, 40 mm long and 0.2 kg, through a hole: [Lloyd04] Fig. 4. Half of the contacts are spread
/// evenly around the top of the hole, half around the bottom. @param contacts  even
host::ProblemDocument Peg(int contacts, Random* random);

/// The ten situations of one body, [Lloyd04] Figs. 1, 7: n = 1…16. Which ten he took he does not say in full; named are
/// block in corner, ball in the rim of a hole, block in groove, face on surface, peg in hole.
inline constexpr int kSituations = 10;
host::ProblemDocument Situation(int index, Random* random);

/// Blocks of 0.1 m and 1 kg, one on the other, gravity: [Lloyd04] Fig. 9.
/// @param contacts  of block k with what is below it: 4, the corners of a face; 8, two faces turned by 45° to each other
host::ProblemDocument Stack(std::span<const int> contacts, Random* random);

/// One to three bodies, contacts all over them with normals towards their centres, up to 60° off.
host::ProblemDocument RandomBodies(int bodies, int contacts, Random* random);

/// A cube in a corner, `contacts` of them spread over its three faces at random.
host::ProblemDocument CrowdedCorner(int contacts, Random* random);

/// Planar: disks of diameter 3 in a triangle with `base` of them on the ground, each touching its neighbours, gravity; the
/// cannonball arrangement of [AnitescuHart] Fig. 2 with one μ between 0.1 and 0.8, every disk pushed.
host::ProblemDocument DiskPile(int base, Random* random);

/// Adds a random wrench to body `body`: force 10 N and torque 0.36 N·m for the peg's 0.2 kg and 40 mm, in proportion to the
/// mass and to `size_m` for others (deviations of a normal distribution).
void Push(int body, double size_m, Random* random, host::ProblemDocument* problem);

/// The next tick: every entry of every wrench changed by a random share, deviation `share`.
host::ProblemDocument Nudged(host::ProblemDocument problem, double share, Random* random);

void RemoveFriction(host::ProblemDocument* problem);

}  // namespace tactus::bench
