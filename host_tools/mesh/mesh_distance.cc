#include "host_tools/mesh/mesh_distance.h"
#include "tactus/core/spatial.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tactus::host {
namespace {

constexpr std::size_t kLeaf = TriangleBoxes::kLeaf;

double Distance2(const Vec3& x, const Vec3& low, const Vec3& high) {
  return (x - x.cwiseMax(low).cwiseMin(high)).squaredNorm();
}

}  // namespace

// The plane's seven regions, by the signs of the barycentric coordinates and of the projections on the edges.
TrianglePoint NearestOnTriangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, bc = c - b;
  const double a_ab = ab.dot(x - a), a_ac = ac.dot(x - a), b_ab = ab.dot(x - b), b_ac = ac.dot(x - b), c_ab = ab.dot(x - c),
               c_ac = ac.dot(x - c);
  if (a_ab <= 0 && a_ac <= 0) return {a, 0, -1};
  if (b_ab >= 0 && b_ac <= b_ab) return {b, 1, -1};
  if (c_ac >= 0 && c_ab <= c_ac) return {c, 2, -1};
  const double w_c = a_ab * b_ac - b_ab * a_ac, w_b = c_ab * a_ac - a_ab * c_ac, w_a = b_ab * c_ac - c_ab * b_ac;
  if (w_c <= 0 && a_ab >= 0 && b_ab <= 0) return {a + ab * (a_ab / (a_ab - b_ab)), -1, 0};
  if (w_a <= 0 && b_ac - b_ab >= 0 && c_ab - c_ac >= 0) {
    return {b + bc * ((b_ac - b_ab) / ((b_ac - b_ab) + (c_ab - c_ac))), -1, 1};
  }
  if (w_b <= 0 && a_ac >= 0 && c_ac <= 0) return {a + ac * (a_ac / (a_ac - c_ac)), -1, 2};
  const double sum = w_a + w_b + w_c;
  return {a + ab * (w_b / sum) + ac * (w_c / sum), -1, -1};
}

MeshDistance::MeshDistance(const TriangleMesh& mesh) : mesh_(mesh), boxes_(mesh) {
  const std::size_t count = mesh.triangle.size();
  face_normal_.resize(count);
  edge_normal_.resize(count);
  vertex_normal_.assign(mesh.vertex_m.size(), Vec3::Zero());
  std::map<std::pair<int, int>, Vec3> edges;  // the smaller number first
  for (std::size_t t = 0; t < count; ++t) {
    const std::array<int, 3>& corner = mesh.triangle[t];
    Vec3 place[3];
    for (std::size_t i = 0; i < 3; ++i) place[i] = mesh.vertex_m[static_cast<std::size_t>(corner[i])];
    face_normal_[t] = Cross(Vec3(place[1] - place[0]), Vec3(place[2] - place[0])).normalized();  // 0 for one without an area
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 to_next = (place[(i + 1) % 3] - place[i]).normalized(),
                 to_last = (place[(i + 2) % 3] - place[i]).normalized();
      const double angle = std::acos(std::clamp(to_next.dot(to_last), -1.0, 1.0));
      vertex_normal_[static_cast<std::size_t>(corner[i])] += angle * face_normal_[t];
      const auto [low, high] = std::minmax(corner[i], corner[(i + 1) % 3]);
      edges.try_emplace({low, high}, Vec3::Zero()).first->second += face_normal_[t];
    }
  }
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(mesh.triangle[t][i], mesh.triangle[t][(i + 1) % 3]);
      edge_normal_[t][i] = edges.at({low, high});
    }
  }
}

void MeshDistance::Look(int triangle, const Vec3& x, Nearest* nearest) const {
  const std::size_t t = static_cast<std::size_t>(triangle);
  const std::array<int, 3>& corner = mesh_.triangle[t];
  const auto place = [&](std::size_t i) { return mesh_.vertex_m[static_cast<std::size_t>(corner[i])]; };
  const TrianglePoint point = NearestOnTriangle(x, place(0), place(1), place(2));
  const double distance2 = (x - point.place).squaredNorm();
  if (distance2 >= nearest->distance2) return;
  nearest->distance2 = distance2;
  nearest->place = point.place;
  if (point.vertex >= 0) {
    nearest->normal = vertex_normal_[static_cast<std::size_t>(corner[static_cast<std::size_t>(point.vertex)])];
  } else {
    nearest->normal = point.edge >= 0 ? edge_normal_[t][static_cast<std::size_t>(point.edge)] : face_normal_[t];
  }
}

void MeshDistance::Search(std::size_t box, std::size_t from, std::size_t to, const Vec3& x, Nearest* nearest) const {
  if (to - from <= kLeaf) {
    for (std::size_t i = from; i < to; ++i) Look(boxes_.order()[i], x, nearest);
    return;
  }
  const std::size_t middle = from + (to - from) / 2, left = 2 * box + 1, right = 2 * box + 2;
  const double to_left = Distance2(x, boxes_[left].low, boxes_[left].high),
               to_right = Distance2(x, boxes_[right].low, boxes_[right].high);
  const auto visit_left = [&] {
    if (to_left < nearest->distance2) Search(left, from, middle, x, nearest);
  };
  const auto visit_right = [&] {
    if (to_right < nearest->distance2) Search(right, middle, to, x, nearest);
  };
  if (to_left <= to_right) {
    visit_left();
    visit_right();
  } else {
    visit_right();
    visit_left();
  }
}

double MeshDistance::operator()(const Vec3& x_m) const {
  Nearest nearest;
  Search(0, 0, boxes_.order().size(), x_m, &nearest);
  const double distance_m = std::sqrt(nearest.distance2);
  return nearest.normal.dot(x_m - nearest.place) < 0 ? -distance_m : distance_m;
}

}  // namespace tactus::host
