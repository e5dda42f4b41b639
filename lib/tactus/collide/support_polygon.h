#pragma once
#include <cstdint>

#include "tactus/collide/core_pair.h"

namespace tactus {

/// What a core shows to a direction: a face, an edge or a corner, with the numbers of its parts.
template <class Scalar>
struct SupportPolygon {
  int size = 0;                                    ///< 1: a corner, 2: an edge, ≥ 3: a face
  Vec<Scalar, 3> normal = Vec<Scalar, 3>::Zero();  ///< of a face, outward
  Vec<Scalar, 3> point_m[kFaceCorners];            ///< a face's counterclockwise, seen from outside
  std::uint8_t vertex[kFaceCorners] = {};
  std::uint8_t edge[kFaceCorners] = {};  ///< from corner i to the next
};

/// A face is shown, or an edge, if it is tilted by less than 45°: beyond, a gap measured along the shared normal is off by
/// 1 - cos of the tilt, and only the nearest pair is a contact.
template <class Scalar>
inline constexpr Scalar kShownCos = Scalar(0.7);

namespace internal {

/// Number of a box' edge: its axis and the two bits of its place.
inline std::uint8_t BoxEdge(int axis, int vertex) {
  return static_cast<std::uint8_t>(4 * axis + ((vertex >> ((axis + 1) % 3)) & 1) + 2 * ((vertex >> ((axis + 2) % 3)) & 1));
}

template <class Scalar>
void ShowBox(const Core<Scalar>& core, const Vec<Scalar, 3>& d, SupportPolygon<Scalar>* shown) {
  const Vec<Scalar, 3>& half_m = core.half_m;
  int corner = core.Support(d), most = 0, least = -1;
  for (int i = 0; i < 3; ++i) {
    if (Abs(d(i)) > Abs(d(most))) most = i;
    if (half_m(i) > Scalar(0) && (least < 0 || Abs(d(i)) < Abs(d(least)))) least = i;
  }
  const bool is_solid = half_m(0) > Scalar(0) && half_m(1) > Scalar(0) && half_m(2) > Scalar(0);
  if (is_solid && Abs(d(most)) >= kShownCos<Scalar>) {
    const int u = (most + 1) % 3, w = (most + 2) % 3;
    const bool up = d(most) > Scalar(0);
    const int base = up ? 1 << most : 0;
    const int turn[4] = {0, up ? 1 << u : 1 << w, 1 << u | 1 << w, up ? 1 << w : 1 << u};
    shown->size = 4;
    shown->normal(most) = up ? Scalar(1) : Scalar(-1);
    for (int i = 0; i < 4; ++i) {
      shown->vertex[i] = static_cast<std::uint8_t>(base | turn[i]);
      shown->edge[i] = BoxEdge(((turn[i] ^ turn[(i + 1) % 4]) >> u & 1) != 0 ? u : w, base | turn[i]);
    }
  } else if (least >= 0 && Abs(d(least)) <= kShownCos<Scalar>) {
    shown->size = 2;
    shown->vertex[0] = static_cast<std::uint8_t>(corner & ~(1 << least));
    shown->vertex[1] = static_cast<std::uint8_t>(corner | 1 << least);
    shown->edge[0] = BoxEdge(least, corner);
  } else {
    shown->size = 1;
    shown->vertex[0] = static_cast<std::uint8_t>(corner);
  }
}

/// Of the faces and edges at the farthest vertex the one that faces d most.
template <class Scalar>
void ShowHull(const Hull<Scalar>& hull, int corner, const Vec<Scalar, 3>& d, SupportPolygon<Scalar>* shown) {
  const int first = hull.first_of_vertex[corner];
  int best_face = -1, best_edge = -1;
  Scalar facing = kShownCos<Scalar>, steep = kShownCos<Scalar>;
  int i = first;
  for (int turn = 0; turn < kHullVertices; ++turn) {
    const int face = hull.half_edge[i].face;
    const Scalar along = d.dot(hull.normal[face]);
    if (along >= facing) {
      facing = along;
      best_face = face;
    }
    const Vec<Scalar, 3> e = hull.vertex_m[hull.half_edge[i ^ 1].origin] - hull.vertex_m[corner];
    const Scalar slope = Abs(d.dot(e)) / Norm(e);
    if (slope <= steep) {
      steep = slope;
      best_edge = i;
    }
    i = hull.Around(i);
    if (i == first) break;
  }
  shown->size = 1;
  shown->vertex[0] = static_cast<std::uint8_t>(corner);
  if (best_face >= 0) {
    shown->normal = hull.normal[best_face];
    shown->size = 0;
    const int start = hull.first_of_face[best_face];
    i = start;
    for (int c = 0; c < kFaceCorners; ++c) {
      shown->vertex[c] = hull.half_edge[i].origin;
      shown->edge[c] = static_cast<std::uint8_t>(i / 2);
      ++shown->size;
      i = hull.half_edge[i].next;
      if (i == start) break;
    }
  } else if (best_edge >= 0) {
    shown->size = 2;
    shown->vertex[0] = hull.half_edge[best_edge & ~1].origin;  // from its lower end: the order does not depend on the corner
    shown->vertex[1] = hull.half_edge[best_edge | 1].origin;
    shown->edge[0] = static_cast<std::uint8_t>(best_edge / 2);
  }
}

}  // namespace internal

/// What `core` shows to the unit direction d, both in the core's own frame; points likewise.
/// Cost: a box none, a hull its neighbours of one vertex after a support
template <class Scalar>
void Show(const Core<Scalar>& core, const Vec<Scalar, 3>& d, SupportPolygon<Scalar>* shown) {
  if (core.hull != nullptr) {
    internal::ShowHull(*core.hull, core.Support(d), d, shown);
  } else {
    internal::ShowBox(core, d, shown);
  }
  for (int i = 0; i < shown->size; ++i) shown->point_m[i] = core.Vertex(shown->vertex[i]);
}

}  // namespace tactus
