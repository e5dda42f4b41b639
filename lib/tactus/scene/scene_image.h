#pragma once
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>

#include "tactus/core/crc32.h"
#include "tactus/scene/scene.h"

namespace tactus {

// A scene as bytes, for a link and a recording: magic, version, the scene, and the CRC-32 of all before it. Little endian;
// a number is a double, an enumeration a byte, a list a count of two bytes and its items, bytes a count of four and
// themselves. docs/wire.md.

inline constexpr std::uint32_t kSceneMagic = 0x4E435354u;  // "TSCN"
inline constexpr std::uint16_t kSceneVersion = 5;

namespace internal {

/// Calls `visit(name, member)` for each member, in the order of the image.
template <class Visit, class B>
void VisitBody(Visit&& visit, B& b) {
  visit("mass_kg", b.mass_kg);
  visit("inertia_kgm2", b.inertia_kgm2);
  visit("p_WB_m", b.p_WB_m);
  visit("q_WB", b.q_WB);
  visit("velocity_mps", b.velocity_mps);
  visit("omega_radps", b.omega_radps);
  visit("motion", b.motion);
}
template <class Visit, class S>
void VisitShape(Visit&& visit, S& s) {
  visit("kind", s.kind);
  visit("body", s.body);
  visit("material", s.material);
  visit("hull", s.hull);
  visit("radius_m", s.radius_m);
  visit("half_m", s.half_m);
  visit("p_BS_m", s.p_BS_m);
  visit("q_BS", s.q_BS);
}
template <class Visit, class L>
void VisitLaw(Visit&& visit, L& l) {
  visit("a", l.a);
  visit("b", l.b);
  visit("friction", l.friction);
  visit("static_friction", l.static_friction);
  visit("viscous_friction_Ns_per_m", l.viscous_friction_Ns_per_m);
  visit("stiffness_N_per_m", l.stiffness_N_per_m);
  visit("damping_Ns_per_m", l.damping_Ns_per_m);
  visit("surface_velocity_mps", l.surface_velocity_mps);
  visit("wave_length_m", l.wave_length_m);
  visit("wave_along", l.wave_along);
  visit("wave_height_m", l.wave_height_m);
  visit("wave_friction", l.wave_friction);
}
template <class Visit, class J>
void VisitJoint(Visit&& visit, J& j) {
  visit("kind", j.kind);
  visit("a", j.a);
  visit("b", j.b);
  visit("p_AJ_m", j.p_AJ_m);
  visit("p_BJ_m", j.p_BJ_m);
  visit("q_AJ", j.q_AJ);
  visit("q_BJ", j.q_BJ);
  visit("limited", j.limited);
  visit("low", j.low);
  visit("high", j.high);
  visit("stiffness", j.stiffness);
  visit("rest", j.rest);
  visit("damping", j.damping);
  visit("friction", j.friction);
  visit("motor_speed", j.motor_speed);
  visit("motor_force", j.motor_force);
  visit("pitch_m_per_rad", j.pitch_m_per_rad);
  visit("ratio", j.ratio);
  visit("length_m", j.length_m);
}
template <class Visit, class F>
void VisitField(Visit&& visit, F& f) {
  visit("kind", f.kind);
  visit("p_W_m", f.p_W_m);
  visit("direction", f.direction);
  visit("strength", f.strength);
  visit("max_force_N", f.max_force_N);
  visit("count", f.count);
}
template <class Visit, class P>
void VisitPath(Visit&& visit, P& p) {
  visit("p_WP_m", p.p_WP_m);
  visit("q_WP", p.q_WP);
  visit("way_m", p.way_m);
  visit("axis", p.axis);
  visit("turn_rad", p.turn_rad);
  visit("period_s", p.period_s);
  visit("spin_radps", p.spin_radps);
}
template <class Visit, class G>
void VisitGrid(Visit&& visit, G& g) {
  visit("spacing_m", g.spacing_m);
  visit.Bytes("bytes", g.bytes);
}
template <class Visit, class S>
void VisitSceneItself(Visit&& visit, S& s) {
  visit("gravity_W_mps2", s.gravity_W_mps2);
  visit("margin_m", s.margin_m);
  visit("max_push_out_mps", s.max_push_out_mps);
}

/// Writes, counts and never writes beyond the end.
class SceneWriter {
 public:
  explicit SceneWriter(std::span<std::uint8_t> room) : room_(room) {}

  template <class T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && std::endian::native == std::endian::little);
    if (size_ + sizeof(T) <= room_.size()) std::memcpy(room_.data() + size_, &value, sizeof(T));
    size_ += sizeof(T);
  }
  template <class T>
  void operator()(const char*, const T& value) {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      Put(static_cast<std::uint8_t>(value));
    } else if constexpr (std::is_same_v<T, int>) {
      Put(static_cast<std::int32_t>(value));
    } else {
      Put(value);
    }
  }
  template <class Items, class Visit>
  void List(const char*, const Items& list, Visit&& visit) {
    Put(static_cast<std::uint16_t>(list.size()));
    for (const auto& item : list) visit(*this, item);
  }
  void Bytes(const char*, std::span<const std::uint8_t> bytes) {
    Put(static_cast<std::uint32_t>(bytes.size()));
    if (!bytes.empty() && size_ + bytes.size() <= room_.size())
      std::memcpy(room_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  std::size_t size() const { return size_; }

 private:
  std::span<std::uint8_t> room_;
  std::size_t size_ = 0;
};

/// Reads; keeps the first fault and from there on zeros.
class SceneReader {
 public:
  explicit SceneReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class T>
  T Take() {
    T value{};
    if (fault_) return value;
    if (at_ + sizeof(T) > bytes_.size()) {
      fault_ = {.what = "the image ends here", .list = list_, .index = index_, .field = field_};
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  template <class T>
  void operator()(const char* name, T& value) {
    field_ = name;
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(Take<std::uint8_t>());
    } else if constexpr (std::is_same_v<T, bool>) {
      value = Take<std::uint8_t>() != 0;
    } else if constexpr (std::is_same_v<T, int>) {
      value = Take<std::int32_t>();
    } else {
      value = Take<T>();
    }
  }
  template <class Items, class Visit>
  void List(const char* name, Items& list, Visit&& visit) {
    list.clear();
    field_ = nullptr;
    if (index_ < 0) list_ = name;
    const int count = Take<std::uint16_t>();
    if (!fault_ && count > Items::capacity()) {
      fault_ = {.what = "are more than there is room for", .list = name, .value = static_cast<double>(count)};
    }
    if (fault_) return;
    list.resize(count);
    const int outer = index_;  // of a list inside a list the outer place is told
    for (int i = 0; i < count; ++i) {
      if (outer < 0) index_ = i;
      visit(*this, list[i]);
    }
    if (!fault_) index_ = outer;
  }
  /// A view of the image.
  void Bytes(const char* name, std::span<const std::uint8_t>& bytes) {
    field_ = name;
    const std::size_t size = Take<std::uint32_t>();
    if (!fault_ && size > bytes_.size() - at_)
      fault_ = {.what = "the image ends here", .list = list_, .index = index_, .field = field_};
    bytes = fault_ ? std::span<const std::uint8_t>() : bytes_.subspan(at_, size);
    at_ += bytes.size();
  }
  const SceneFault& fault() const { return fault_; }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  SceneFault fault_;
  const char* list_ = nullptr;
  const char* field_ = nullptr;
  int index_ = -1;
};

/// Both ways: all before the grids, which come last.
template <class Archive, class S>
void VisitSceneLists(Archive& archive, S& scene) {
  VisitSceneItself(archive, scene);
  VisitLaw(archive, scene.default_law);
  archive.List("bodies", scene.bodies, [](auto& a, auto& item) { VisitBody(a, item); });
  archive.List("shapes", scene.shapes, [](auto& a, auto& item) { VisitShape(a, item); });
  archive.List("hulls", scene.hulls, [](auto& a, auto& item) {
    const auto number = [](auto& inner, auto& x) { inner("", x); };
    a.List("vertices", item.vertex_m, number);
    a.List("faces", item.counts, number);
    a.List("corners", item.corners, number);
  });
  archive.List("laws", scene.laws, [](auto& a, auto& item) { VisitLaw(a, item); });
  archive.List("joints", scene.joints, [](auto& a, auto& item) { VisitJoint(a, item); });
  archive.List("fields", scene.fields, [](auto& a, auto& item) { VisitField(a, item); });
  archive.List("paths", scene.paths, [](auto& a, auto& item) { VisitPath(a, item); });
}
/// Both ways.
template <class Archive, class S>
void VisitSceneImage(Archive& archive, S& scene) {
  VisitSceneLists(archive, scene);
  archive.List("grids", scene.grids, [](auto& a, auto& item) { VisitGrid(a, item); });
}

}  // namespace internal

/// @returns how many bytes the image has; if `room` is smaller, it holds only their beginning
template <SceneCapacity kCapacity>
std::size_t WriteScene(const Scene<kCapacity>& scene, std::span<std::uint8_t> room) noexcept {
  internal::SceneWriter writer(room);
  writer.Put(kSceneMagic);
  writer.Put(kSceneVersion);
  internal::VisitSceneImage(writer, scene);
  if (writer.size() <= room.size())
    writer.Put(Crc32(room.first(writer.size())));
  else
    writer.Put(std::uint32_t{0});
  return writer.size();
}

/// The checksum's own size [B]: an image ends with it.
inline constexpr std::size_t kSceneCrcBytes = 4;

/// ReadScene where the bytes may have been summed up already.
/// @param[in] sum  () → CRC-32 of all bytes before the image's own checksum; it is asked for last
template <class Sum, SceneCapacity kCapacity>
SceneFault ReadSummedScene(std::span<const std::uint8_t> bytes, Sum&& sum, Scene<kCapacity>* scene) noexcept {
  internal::SceneReader reader(bytes);
  if (reader.Take<std::uint32_t>() != kSceneMagic) return {.what = "is no image of a scene", .field = "magic"};
  if (const auto version = reader.Take<std::uint16_t>(); version != kSceneVersion) {
    return {.what = "is an image of another version", .field = "version", .value = static_cast<double>(version)};
  }
  internal::VisitSceneImage(reader, *scene);
  const auto told = reader.Take<std::uint32_t>();
  if (reader.fault()) return reader.fault();
  if (reader.at() != bytes.size()) return {.what = "has bytes after its end", .field = "size"};
  if (told != sum()) return {.what = "does not fit its checksum", .field = "crc"};
  return {};
}

/// Reads an image; what it says is not checked yet: Validate does that.
/// @param[out] scene  to be used only if there is no fault, and while `bytes` are as they are: its grids are views of them
template <SceneCapacity kCapacity>
SceneFault ReadScene(std::span<const std::uint8_t> bytes, Scene<kCapacity>* scene) noexcept {
  return ReadSummedScene(
      bytes, [&] { return Crc32(bytes.first(bytes.size() - kSceneCrcBytes)); }, scene);
}

/// Room that the image of any scene of this capacity fits into [B].
template <SceneCapacity kCapacity>
constexpr std::size_t kSceneImageBytes = 6 + 5 * 8 + 130 + 16 + 4 + 169u * kCapacity.bodies + 93u * kCapacity.shapes +
                                         (6u + 24u * kHullVertices + kHullFaces + 2u * kHullEdges) * kCapacity.hulls +
                                         130u * kCapacity.laws + 230u * kCapacity.joints + 85u * kCapacity.fields +
                                         128u * kCapacity.paths + 12u * kCapacity.grids + kCapacity.grid_bytes;

}  // namespace tactus
