#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/part_crossing.h"
#include "host_tools/mesh/triangle_mesh.h"
#include "tactus/core/spatial.h"

namespace tactus::host {
namespace {

using Edge = std::pair<int, int>;  // the smaller number first

struct EdgeUse {
  int triangle;
  bool forwards;  // the triangle goes from the smaller number to the larger
};

class Repairer {
 public:
  explicit Repairer(TriangleMesh* mesh) : mesh_(*mesh) {}

  MeshRepairs Run() {
    DropWithoutArea();
    CollectEdges();
    CheckClosed();
    TurnAlike();
    TurnOutward(std::vector<bool>(static_cast<std::size_t>(parts_)));
    CheckApart();
    MeasureParts();
    TurnOutward(FindCavities());
    Turn();
    return repairs_;
  }

 private:
  const Vec3& Place(int t, int corner) const {
    return mesh_
        .vertex_m[static_cast<std::size_t>(mesh_.triangle[static_cast<std::size_t>(t)][static_cast<std::size_t>(corner)])];
  }
  int Count() const { return static_cast<int>(mesh_.triangle.size()); }

  /// A triangle with two equal corners, and all but one of those with the same corners.
  void DropWithoutArea() {
    std::set<std::array<int, 3>> seen;
    std::vector<std::array<int, 3>> kept;
    for (const std::array<int, 3>& triangle : mesh_.triangle) {
      std::array<int, 3> sorted = triangle;
      std::sort(sorted.begin(), sorted.end());
      const bool has_area = sorted[0] != sorted[1] && sorted[1] != sorted[2];
      if (has_area && seen.insert(sorted).second) kept.push_back(triangle);
    }
    repairs_.dropped = mesh_.triangle.size() - kept.size();
    if (kept.empty()) {
      throw HostError(fmt::format("none of the mesh's {} triangles has an area: is --scale right?", mesh_.triangle.size()));
    }
    mesh_.triangle = std::move(kept);
  }

  void CollectEdges() {
    for (int t = 0; t < Count(); ++t) {
      const std::array<int, 3>& corner = mesh_.triangle[static_cast<std::size_t>(t)];
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = corner[i], b = corner[(i + 1) % 3];
        edges_[{std::min(a, b), std::max(a, b)}].push_back({t, a < b});
      }
    }
  }

  std::string Where(const Edge& edge) const {
    const Vec3 &a = mesh_.vertex_m[static_cast<std::size_t>(edge.first)],
               &b = mesh_.vertex_m[static_cast<std::size_t>(edge.second)];
    return fmt::format("({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g}) m", a.x(), a.y(), a.z(), b.x(), b.y(), b.z());
  }
  void CheckClosed() const {
    std::size_t open = 0, crowded = 0;
    const Edge *first_open = nullptr, *first_crowded = nullptr;
    for (const auto& [edge, uses] : edges_) {
      if (uses.size() == 1 && open++ == 0) first_open = &edge;
      if (uses.size() > 2 && crowded++ == 0) first_crowded = &edge;
    }
    if (open > 0) {
      throw HostError(
          fmt::format("the mesh has a hole: {} edges have one triangle, the first from {}. Close it in a mesh "
                      "editor, or join vertices that should be one",
                      open, Where(*first_open)));
    }
    if (crowded > 0) {
      throw HostError(
          fmt::format("the mesh is no surface: {} edges have more than two triangles, the first from {}. "
                      "Separate or unite the parts that meet there",
                      crowded, Where(*first_crowded)));
    }
  }

  /// Walks over each part: neighbours go along their common edge in opposite directions.
  void TurnAlike() {
    part_.assign(mesh_.triangle.size(), -1);
    turned_.assign(mesh_.triangle.size(), false);
    for (int seed = 0; seed < Count(); ++seed) {
      if (part_[static_cast<std::size_t>(seed)] >= 0) continue;
      std::vector<int> open{seed};
      part_[static_cast<std::size_t>(seed)] = parts_;
      while (!open.empty()) {
        const int t = open.back();
        open.pop_back();
        Spread(t, &open);
      }
      ++parts_;
    }
    repairs_.parts = static_cast<std::size_t>(parts_);
    if (parts_ > kMostParts) {
      throw HostError(fmt::format("the mesh has {} parts that do not hang together, and {} are the most: is it joined?",
                                  parts_, kMostParts));
    }
  }
  void Spread(int t, std::vector<int>* open) {
    const std::array<int, 3>& corner = mesh_.triangle[static_cast<std::size_t>(t)];
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = corner[i], b = corner[(i + 1) % 3];
      const Edge edge{std::min(a, b), std::max(a, b)};
      const std::vector<EdgeUse>& uses = edges_.at(edge);
      const EdgeUse& mine = uses[0].triangle == t ? uses[0] : uses[1];
      const EdgeUse& other = uses[0].triangle == t ? uses[1] : uses[0];
      const std::size_t n = static_cast<std::size_t>(other.triangle);
      const bool want = (mine.forwards == other.forwards) != turned_[static_cast<std::size_t>(t)];
      if (part_[n] < 0) {
        part_[n] = parts_;
        turned_[n] = want;
        open->push_back(other.triangle);
      } else if (turned_[n] != want) {
        throw HostError(
            fmt::format("the mesh has no inside: its winding cannot be made alike at the edge from {}", Where(edge)));
      }
    }
  }
  void Turn() {
    for (std::size_t t = 0; t < mesh_.triangle.size(); ++t) {
      if (!turned_[t]) continue;
      std::swap(mesh_.triangle[t][1], mesh_.triangle[t][2]);
      ++repairs_.turned;
    }
  }

  /// Six times the volume that a part encloses, as its triangles will be wound.
  double Volume6(int part) const {
    double sum = 0;
    for (int t = 0; t < Count(); ++t) {
      if (part_[static_cast<std::size_t>(t)] != part) continue;
      const double piece = Place(t, 0).dot(Cross(Place(t, 1), Place(t, 2)));
      sum += turned_[static_cast<std::size_t>(t)] ? -piece : piece;
    }
    return sum;
  }
  /// How often a part winds around a point: the sum of its triangles' solid angles by 4π (van Oosterom and Strackee).
  double Winding(int part, const Vec3& p) const {
    double angle = 0;
    for (int t = 0; t < Count(); ++t) {
      if (part_[static_cast<std::size_t>(t)] != part) continue;
      const Vec3 a = Place(t, 0) - p, b = Place(t, 1) - p, c = Place(t, 2) - p;
      const double la = a.norm(), lb = b.norm(), lc = c.norm();
      const double sign = turned_[static_cast<std::size_t>(t)] ? -1 : 1;
      angle += sign * 2 * std::atan2(a.dot(Cross(b, c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return angle / (4 * std::numbers::pi);
  }
  /// Those within an odd number of others. None crosses another, so that one point tells for all of a part: just below its
  /// largest triangle, for the triangle itself may lie on another part's.
  std::vector<bool> FindCavities() {
    Vec3 low = Place(0, 0), high = low;
    std::vector<Vec3> largest(static_cast<std::size_t>(parts_), Vec3::Zero()), point = largest;
    for (int t = 0; t < Count(); ++t) {
      const std::size_t part = static_cast<std::size_t>(part_[static_cast<std::size_t>(t)]);
      const Vec3 normal = Cross(Vec3(Place(t, 1) - Place(t, 0)), Vec3(Place(t, 2) - Place(t, 0)));
      low = low.cwiseMin(Place(t, 0));
      high = high.cwiseMax(Place(t, 0));
      if (normal.squaredNorm() <= largest[part].squaredNorm()) continue;
      largest[part] = turned_[static_cast<std::size_t>(t)] ? Vec3(-normal) : normal;
      point[part] = (Place(t, 0) + Place(t, 1) + Place(t, 2)) / 3;
    }
    std::vector<bool> cavities(static_cast<std::size_t>(parts_));
    for (int part = 0; part < parts_; ++part) {
      const std::size_t n = static_cast<std::size_t>(part);
      const Vec3 p = point[n] - kTouching * (high - low).norm() * largest[n].normalized();
      int around = 0;
      for (int other = 0; other < parts_; ++other) {
        if (other != part && std::abs(Winding(other, p)) > 0.5) ++around;
      }
      cavities[n] = around % 2 == 1;
      if (around % 2 == 1) ++repairs_.cavities;
    }
    return cavities;
  }
  void TurnOutward(const std::vector<bool>& cavities) {
    std::vector<bool> turn(static_cast<std::size_t>(parts_));
    for (int part = 0; part < parts_; ++part) {
      turn[static_cast<std::size_t>(part)] = (Volume6(part) < 0) != cavities[static_cast<std::size_t>(part)];
    }
    for (int t = 0; t < Count(); ++t) {
      const std::size_t n = static_cast<std::size_t>(t);
      turned_[n] = turned_[n] != turn[static_cast<std::size_t>(part_[n])];
    }
  }

  /// A part that is partly inside of another is neither a body beside it nor a cavity in it.
  void CheckApart() const {
    if (parts_ < 2) return;
    TriangleMesh outward = mesh_;
    for (std::size_t t = 0; t < turned_.size(); ++t) {
      if (turned_[t]) std::swap(outward.triangle[t][1], outward.triangle[t][2]);
    }
    const std::optional<PartCrossing> crossing = FindCrossing(outward, part_);
    if (!crossing) return;
    throw HostError(
        fmt::format("parts {} and {} of the mesh intersect at ({:.4g}, {:.4g}, {:.4g}) m: unite them in the program "
                    "that made them",
                    crossing->a + 1, crossing->b + 1, crossing->place_m.x(), crossing->place_m.y(), crossing->place_m.z()));
  }

  void MeasureParts() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    repairs_.boxes_m.assign(static_cast<std::size_t>(parts_), {Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)});
    for (int t = 0; t < Count(); ++t) {
      auto& [low, high] = repairs_.boxes_m[static_cast<std::size_t>(part_[static_cast<std::size_t>(t)])];
      for (int i = 0; i < 3; ++i) {
        low = low.cwiseMin(Place(t, i));
        high = high.cwiseMax(Place(t, i));
      }
    }
  }

  static constexpr int kMostParts = 200;  // each is compared with each

  TriangleMesh& mesh_;
  MeshRepairs repairs_;
  std::map<Edge, std::vector<EdgeUse>> edges_;
  std::vector<int> part_;
  std::vector<bool> turned_;  // against the file
  int parts_ = 0;
};

}  // namespace

MeshRepairs MakeWatertight(TriangleMesh* mesh) { return Repairer(mesh).Run(); }

}  // namespace tactus::host
