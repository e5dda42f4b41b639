#pragma once
#include "tactus/collide/grid_contacts.h"
#include "tactus/collide/reach.h"
#include "tactus/scene/scene_paths.h"
#include "tactus/scene/spring_shares.h"
#include "tactus/scene/surface_wave.h"

namespace tactus {

/// What was found.
template <class Scalar>
struct SceneContacts {
  Scalar tool_gap_m = Scalar(0);  ///< the smallest of the tools' contacts; 0: they have none
  Scalar min_gap_m = Scalar(0);   ///< of all; 0: there are none
  int found = 0;                  ///< points before they were reduced
  int dropped = 0;                ///< points that had no room
  int deep = 0;                   ///< pairs of a shape and a grid in which the shape is too deep for a way out to be known
};

namespace internal {

/// Shapes that an id can number: of two of 64 it is below 4095.
inline constexpr int kShapesInId = 64;

/// hK/(hK + B), by which an overlap counts where a damper is beside the spring.
template <class Law, class Scalar>
Scalar SpringShare(const Law& law, Scalar period_s) {
  const Scalar hK = period_s * law.stiffness_N_per_m;
  return hK / (hK + law.damping_Ns_per_m);
}

template <class Scalar, SceneCapacity kCapacity>
class ContactFinder {
  using Prepared = PreparedScene<Scalar, kCapacity>;
  using State = SceneState<Scalar, kCapacity>;
  using Points = FixedVector<ContactPoint<Scalar>, kCapacity.candidates>;
  static_assert(kCapacity.shapes <= kShapesInId);

 public:
  ContactFinder(const Prepared& scene, Scalar step_s, Scalar period_s, State* state)
      : scene_(scene),
        step_s_(step_s),
        period_s_(period_s),
        state_(*state),
        solids_(state->work.solids),
        boxes_(state->work.boxes),
        points_(state->work.points) {
    solids_.clear();
    boxes_.clear();
    points_.clear();
  }

  template <int kContacts>
  SceneContacts<Scalar> Run(Scalar tool_speed_mps, Scalar second_speed_mps,
                            FixedVector<Contact<Scalar, 6>, kContacts>* contacts) {
    PlaceShapes(tool_speed_mps, second_speed_mps);
    CollidePairs();
    const int room = Max(0, Min(kContacts, scene_.room.contacts) - contacts->size());
    found_.found = points_.size();
    if (points_.size() > room) {
      found_.dropped += ReduceContacts(room, Mat<Scalar, 3, 3>(Mat<Scalar, 3, 3>::Identity()), {}, &points_);
    }
    const int first = contacts->size();
    for (const ContactPoint<Scalar>& point : points_) (void)contacts->push_back(ToContact(point));  // reduced to fit
    if (Yields(kCapacity) && scene_.yields) {
      const auto pair_of = [](const Contact<Scalar, 6>& contact) { return contact.id / kPairIdStride; };
      ShareSprings(scene_.margin_m, first, pair_of, contacts);
    }
    return found_;
  }

 private:
  /// Each shape in the world, and its box, wider by what it can reach in the step.
  void PlaceShapes(Scalar tool_speed_mps, Scalar second_speed_mps) {
    FixedVector<Mat<Scalar, 3, 3>, kCapacity.bodies> R_WB;
    SceneList<Mat<Scalar, 3, 3>, kCapacity.paths> R_WP;
    for (int i = 0; i < scene_.bodies.size(); ++i) {
      const RigidBodyState<Scalar>& body = state_.bodies[i];
      const Vec<Scalar, 3> v = body.twist_W.template head<3>(), omega = body.twist_W.template tail<3>();
      Scalar speed_mps = Norm(v) + Norm(omega) * scene_.bodies[i].reach_m;
      if (i == kTool) speed_mps = Max(speed_mps, tool_speed_mps);
      if (kCapacity.hands > 1 && i == kSecondTool) speed_mps = Max(speed_mps, second_speed_mps);
      (void)way_m_.push_back(step_s_ * speed_mps);  // of bodies' capacity
      (void)R_WB.push_back(RotationMatrix(body.q_WT));
    }
    for (int i = 0; i < scene_.paths.size(); ++i) {
      const Vec<Scalar, 6>& twist_W = state_.carriers[i].at.twist_W;
      const Vec<Scalar, 3> v = twist_W.template head<3>(), omega = twist_W.template tail<3>();
      (void)path_way_m_.push_back(step_s_ * (Norm(v) + Norm(omega) * scene_.paths[i].reach_m));  // of paths' capacity
      (void)R_WP.push_back(RotationMatrix(state_.carriers[i].at.q_WT));
    }
    for (const typename Prepared::Part& part : scene_.parts) {
      const Hull<Scalar>* const hull = part.shape.kind == ShapeKind::kHull ? &scene_.hulls[part.hull] : nullptr;
      const bool fixed = part.body == kWorld;
      const Mat<Scalar, 3, 3>& R = IsPath(part.body) ? R_WP[PathOf(part.body)] : R_WB[fixed ? kTool : part.body];
      const Vec<Scalar, 3> p_WS_m = fixed ? part.p_BS_m : Vec<Scalar, 3>(FrameOf(part.body).p_WT_m + Times(R, part.p_BS_m));
      const Mat<Scalar, 3, 3> R_WS = fixed ? part.R_BS : Mat<Scalar, 3, 3>(R * part.R_BS);
      (void)solids_.push_back(Place(part.shape, p_WS_m, R_WS, hull));  // of shapes' capacity
      (void)boxes_.push_back(BoxAt(part.box, p_WS_m, R_WS, Way_m(part.body) + scene_.margin_m));
    }
  }
  Scalar Way_m(int body) const {
    if (IsPath(body)) return path_way_m_[PathOf(body)];
    return body == kWorld ? Scalar(0) : way_m_[body];
  }
  /// Of a body or a path. @param[in] body  not kWorld
  const RigidBodyState<Scalar>& FrameOf(int body) const {
    return IsPath(body) ? state_.carriers[PathOf(body)].at : state_.bodies[body];
  }
  /// Of the point of this body that is there now.
  Vec<Scalar, 3> VelocityAt(int body, const Vec<Scalar, 3>& point_m) const {
    if (body == kWorld) return Vec<Scalar, 3>::Zero();
    const RigidBodyState<Scalar>& frame = FrameOf(body);
    const Vec<Scalar, 3> v = frame.twist_W.template head<3>(), omega = frame.twist_W.template tail<3>();
    return v + Cross(omega, Vec<Scalar, 3>(point_m - frame.p_WT_m));
  }
  /// What a path that turns carries along with it goes round: from the velocity ω × c of the path's point at the body's
  /// centre to its way in the step, (exp(hω) c - c)/h. Along the tangent alone a body would creep outwards by ω² h/2 a
  /// second. The same for all contacts of the body, so that they agree.
  Vec<Scalar, 3> TurnInwards(int path, int body) const {
    const RigidBodyState<Scalar>& frame = FrameOf(path);
    const Vec<Scalar, 3> omega = frame.twist_W.template tail<3>();
    if (omega.isZero(0) || !(period_s_ > Scalar(0)) || body < 0 || IsPath(body)) return Vec<Scalar, 3>::Zero();
    const Vec<Scalar, 3> c_m = state_.bodies[body].p_WT_m - frame.p_WT_m;
    const Mat<Scalar, 3, 3> R = RotationMatrix(ExpMap(Vec<Scalar, 3>(period_s_ * omega)));
    return Vec<Scalar, 3>((Times(R, c_m) - c_m) / period_s_) - Cross(omega, c_m);
  }
  const typename Prepared::Law& LawOf(ShapePair pair) const {
    return scene_.laws[scene_.law_of[scene_.parts[pair.a].material][scene_.parts[pair.b].material]];
  }
  /// Whether the law's surface, which moves or waves, is b's. Of two shapes of that material it is b's.
  bool IsOfB(const typename Prepared::Law& law, ShapePair pair) const {
    return scene_.parts[pair.b].material == law.surface;
  }
  WavePlace<Scalar> PlaceOn(const typename Prepared::Law& law, ShapePair pair, const ContactPoint<Scalar>& point) const {
    const bool of_b = IsOfB(law, pair);
    const int waved = of_b ? pair.b : pair.a, other = of_b ? pair.a : pair.b;
    const Vec<Scalar, 3> seen_mps =
        VelocityAt(scene_.parts[other].body, point.point_m) - VelocityAt(scene_.parts[waved].body, point.point_m);
    return PlaceOnWave(law, solids_[waved].R_WS, solids_[waved].p_WS_m, point.point_m, seen_mps, period_s_ / 2);
  }

  /// Bodies that a joint holds together do not touch each other; what is joined to the world may touch it.
  bool AreJoined(int a, int b) const {
    if (a < 0 || b < 0) return false;
    for (const typename Prepared::Link& link : scene_.links) {
      if (RowsOf(link.kind) >= 3 && ((link.a == a && link.b == b) || (link.a == b && link.b == a))) return true;
    }
    return false;
  }

  /// All pairs that are near. Beyond the room for them a pair is not remembered: its search begins anew in each tick.
  void CollidePairs() {
    auto& near = state_.work.near;
    near.clear();
    state_.work.on_grids.clear();
    int last = 0;  // pairs come in the order of their numbers, and are remembered so
    FindPairs(boxes_, scene_.body_of_part, [&](ShapePair pair) {
      const int body_a = scene_.parts[pair.a].body, body_b = scene_.parts[pair.b].body;
      if (AreJoined(body_a, body_b)) return;
      NearPair<Scalar> one{.pair = pair, .cache = {}};
      while (last < state_.near.size() && Order(state_.near[last].pair) < Order(pair)) ++last;
      if (last < state_.near.size() && Order(state_.near[last].pair) == Order(pair)) one.cache = state_.near[last].cache;
      PairContacts<Scalar> contacts;
      const Scalar reach_m = scene_.margin_m + Way_m(body_a) + Way_m(body_b);
      if (!OnGrid(pair, reach_m, &contacts))
        found_.dropped += Collide(solids_[pair.a], solids_[pair.b], reach_m, &one.cache, &contacts).dropped;
      if (near.size() < scene_.room.pairs) (void)near.push_back(one);
      Keep(contacts, pair, IsTool(body_a) || IsTool(body_b));
    });
    state_.near.clear();
    for (const NearPair<Scalar>& one : near) (void)state_.near.push_back(one);  // as large
    state_.on_grids.clear();
    for (const std::int32_t id : state_.work.on_grids) (void)state_.on_grids.push_back(id);  // as large
  }

  /// The contacts of a pair of which one is a grid. @returns false: none is
  bool OnGrid(ShapePair pair, Scalar reach_m, PairContacts<Scalar>* contacts) {
    if constexpr (kCapacity.grids > 0) {
      const bool of_b = scene_.parts[pair.b].shape.kind == ShapeKind::kGrid;
      if (!of_b && scene_.parts[pair.a].shape.kind != ShapeKind::kGrid) return false;
      const int grid = of_b ? pair.b : pair.a, other = of_b ? pair.a : pair.b;
      FixedVector<std::int32_t, kMaxPairContacts> last;
      for (const std::int32_t id : state_.on_grids) {
        if (id / kPairIdStride == Order(pair)) (void)last.push_back(id % kPairIdStride);  // no more than a pair has
      }
      const GridReport<Scalar> report =
          CollideGrid(scene_.clouds[scene_.parts[other].cloud], solids_[other].p_WS_m, solids_[other].R_WS,
                      scene_.grids[scene_.parts[grid].hull], solids_[grid].p_WS_m, solids_[grid].R_WS, reach_m,
                      std::span<const std::int32_t>(last.begin(), static_cast<std::size_t>(last.size())), contacts);
      if (contacts->size() == kMaxPairContacts) found_.dropped += report.dropped;
      if (report.is_deep) ++found_.deep;
      for (ContactPoint<Scalar>& point : *contacts) {
        (void)state_.work.on_grids.push_back(Order(pair) * kPairIdStride + point.id);  // those beyond the room start cold
        if (!of_b) point.normal = -point.normal;                                       // from b into a
      }
      return true;
    } else {
      return false;
    }
  }
  bool IsTool(int body) const { return body == kTool || (kCapacity.hands > 1 && scene_.hands > 1 && body == kSecondTool); }
  static int Order(ShapePair pair) { return pair.a * kShapesInId + pair.b; }

  void Keep(const PairContacts<Scalar>& contacts, ShapePair pair, bool of_tool) {
    const typename Prepared::Law& law = LawOf(pair);
    for (ContactPoint<Scalar> point : contacts) {
      if (law.wave_height_m > Scalar(0)) PutOnWave(PlaceOn(law, pair, point), IsOfB(law, pair), &point);
      point.id += Order(pair) * kPairIdStride;
      found_.min_gap_m = has_gap_ ? Min(found_.min_gap_m, point.gap_m) : point.gap_m;
      has_gap_ = true;
      if (of_tool) found_.tool_gap_m = Min(found_.tool_gap_m, point.gap_m);
      if (points_.size() < scene_.room.candidates && points_.push_back(point) == Status::kOk) continue;
      ++found_.dropped;
      ContactPoint<Scalar>& shallowest = Shallowest();
      if (point.gap_m < shallowest.gap_m) shallowest = point;
    }
  }
  ContactPoint<Scalar>& Shallowest() {
    int shallowest = 0;
    for (int i = 1; i < points_.size(); ++i) {
      if (points_[i].gap_m > points_[shallowest].gap_m) shallowest = i;
    }
    return points_[shallowest];
  }

  Contact<Scalar, 6> ToContact(const ContactPoint<Scalar>& point) const {
    const int order = point.id / kPairIdStride;
    const ShapePair pair{static_cast<std::uint8_t>(order / kShapesInId), static_cast<std::uint8_t>(order % kShapesInId)};
    const typename Prepared::Law& law = LawOf(pair);
    const int a = scene_.parts[pair.a].body, b = scene_.parts[pair.b].body;
    Contact<Scalar, 6> contact{.id = point.id,
                               .a = IsPath(a) ? kFixed : a,
                               .b = IsPath(b) ? kFixed : b,
                               .point_m = point.point_m,
                               .normal = point.normal,
                               .tangent = point.tangent,
                               .friction = law.friction,
                               .gap_m = point.gap_m,
                               .static_friction = law.static_friction,
                               .viscous_friction_Ns_per_m = law.viscous_friction_Ns_per_m};
    if (Yields(kCapacity) && law.stiffness_N_per_m > Scalar(0) && period_s_ > Scalar(0)) Yield(law, &contact);
    if (law.wave_friction > Scalar(0)) {
      const Scalar share = Scalar(1) + law.wave_friction * PlaceOn(law, pair, point).cos;
      contact.friction *= share;
      contact.static_friction *= share;
    }
    const bool slides = !law.surface_velocity_mps.isZero(0);
    if (!slides && !IsPath(a) && !IsPath(b)) return contact;
    Vec<Scalar, 3> w = Vec<Scalar, 3>::Zero();
    if (IsPath(a)) w -= VelocityAt(a, point.point_m) + TurnInwards(a, b);
    if (IsPath(b)) w += VelocityAt(b, point.point_m) + TurnInwards(b, a);
    if (slides) {
      const bool of_b = IsOfB(law, pair);
      w += Times(solids_[of_b ? pair.b : pair.a].R_WS, law.surface_velocity_mps) * (of_b ? Scalar(1) : Scalar(-1));
    }
    contact.surface_velocity_mps = {w.dot(point.tangent), w.dot(Cross(point.normal, point.tangent))};
    contact.surface_normal_velocity_mps = w.dot(point.normal);
    return contact;
  }

  /// A spring K and a damper B at the end of the step (theory 1, compliance):
  ///
  ///     Φ ≥ 0:  b = Φ/h                 Φ < 0:  b = K Φ/(h K + B)              ε = 1/(h (h K + B))
  void Yield(const typename Prepared::Law& law, Contact<Scalar, 6>* contact) const {
    const Scalar K = law.stiffness_N_per_m, B = law.damping_Ns_per_m, h = period_s_;
    contact->compliance_mps_per_Ns = Scalar(1) / (h * (h * K + B));
    if (contact->gap_m < Scalar(0)) contact->gap_m *= SpringShare(law, h);
  }

  const Prepared& scene_;
  const Scalar step_s_, period_s_;
  State& state_;
  SceneContacts<Scalar> found_;
  bool has_gap_ = false;
  FixedVector<Scalar, kCapacity.bodies> way_m_;
  SceneList<Scalar, kCapacity.paths> path_way_m_;
  FixedVector<Solid<Scalar>, kCapacity.shapes>& solids_;
  FixedVector<WorldBox<Scalar>, kCapacity.shapes>& boxes_;
  Points& points_;
};

}  // namespace internal

/// All points where bodies of the scene touch each other or the world, or can within the step. Bounded; no heap.
///
/// @param[in]     step_s          the time within which contacts are searched for: a half more than a period
/// @param[in]     tool_speed_mps  of the handle that draws the tool, at its fastest point
/// @param[in]     period_s        h: a wave is read h/2 ahead, and a contact that yields does so within h.
///                                0: waves are read as they stand, and no contact yields
/// @param[in,out] state           where the bodies are; the pairs' caches
/// @param[in,out] contacts        appended: at most as many as there is room for; see ReduceContacts for which
/// @param[in]     second_speed_mps  as tool_speed_mps, of a second hand
template <class Scalar, SceneCapacity kCapacity, int kContacts>
SceneContacts<Scalar> FindContacts(const PreparedScene<Scalar, kCapacity>& scene, Scalar step_s, Scalar tool_speed_mps,
                                   Scalar period_s, SceneState<Scalar, kCapacity>* state,
                                   FixedVector<Contact<Scalar, 6>, kContacts>* contacts,
                                   Scalar second_speed_mps = Scalar(0)) noexcept {
  return internal::ContactFinder<Scalar, kCapacity>(scene, step_s, period_s, state)
      .Run(tool_speed_mps, second_speed_mps, contacts);
}

/// Φ of a contact of a scene: the solver has that of one that yields with its damper in it.
template <class Scalar, SceneCapacity kCapacity>
Scalar GapOf(const PreparedScene<Scalar, kCapacity>& scene, const Contact<Scalar, 6>& contact, Scalar period_s) noexcept {
  if (contact.compliance_mps_per_Ns == Scalar(0) || contact.gap_m >= Scalar(0)) return contact.gap_m;
  const int order = contact.id / kPairIdStride;
  const auto &a = scene.parts[order / internal::kShapesInId], &b = scene.parts[order % internal::kShapesInId];
  return contact.gap_m / internal::SpringShare(scene.laws[scene.law_of[a.material][b.material]], period_s);
}

}  // namespace tactus
