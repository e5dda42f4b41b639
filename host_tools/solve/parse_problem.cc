#include "host_tools/solve/parse_problem.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "host_tools/solve/json_shape.h"

namespace tactus::host {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "tactus.problem/1";

struct Sizes {
  explicit Sizes(int body_dof) : linear(body_dof == 6 ? 3 : 2), dof(static_cast<std::size_t>(body_dof)) {}
  std::size_t linear;
  std::size_t dof;
};

std::array<double, 9> ReadInertia(const json& value, const Sizes& sizes, Place place) {
  std::array<double, 9> inertia{};
  if (sizes.dof == 3) {
    inertia[0] = ReadNumber(value, place);
    return inertia;
  }
  if (!value.is_array() || value.size() != 3) throw ShapeError(place, "must be 3 rows of 3 numbers, is " + Show(value));
  for (std::size_t row = 0; row < 3; ++row) {
    place.row = static_cast<int>(row);
    const Vector3 numbers = ReadNumbers<3>(value[row], 3, place);
    std::copy(numbers.begin(), numbers.end(), inertia.begin() + static_cast<std::ptrdiff_t>(3 * row));
  }
  return inertia;
}

BodyDocument ReadBody(const json& object, const Sizes& sizes, Place place) {
  const auto at = [&](const char* field) { return place.field = field, place; };
  ReadObject(object, at(nullptr));
  BodyDocument body;
  body.mass_kg = ReadNumber(Required(object, at("mass_kg")), place);
  body.inertia_kgm2 = ReadInertia(Required(object, at("inertia_kgm2")), sizes, place);
  body.position_m = ReadNumbers<3>(Required(object, at("position_m")), sizes.linear, place);
  body.velocity = ReadNumbers<6>(Required(object, at("velocity")), sizes.dof, place);
  body.wrench = ReadNumbers<6>(Required(object, at("wrench")), sizes.dof, place);
  return body;
}

Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A unit tangent along the normal has no part in the contact's plane. Files that give one tangent to every contact have it
// where a wall faces along that tangent. 1e-6 rad, as the library's limit for a right angle.
bool NamesNoDirection(const Vector3& tangent, const Vector3& normal) {
  constexpr double kTolerance = 1e-6;
  const Vector3 across = Cross(normal, tangent);
  return Dot(across, across) <= kTolerance * kTolerance && std::abs(Dot(tangent, tangent) - 1) <= 2 * kTolerance;
}

// A world vector, or the components along tangent and normal × tangent (planar: along (-n_y, n_x)).
Vector3 ReadSurfaceVelocity(const json& value, const ContactDocument& contact, const Sizes& sizes, const Place& place) {
  if (value.is_array() && value.size() == sizes.linear) return ReadNumbers<3>(value, sizes.linear, place);
  if (!value.is_array() || value.size() != sizes.linear - 1) {
    throw ShapeError(place, (sizes.dof == 6 ? "must be 3 numbers (world) or 2 (along tangent and normal x tangent), is "
                                            : "must be 2 numbers (world) or 1 (along the tangent), is ") +
                                Show(value));
  }
  const Vector3 along = ReadNumbers<3>(value, sizes.linear - 1, place);
  const Vector3& n = contact.normal;
  if (sizes.dof == 3) return {-n[1] * along[0], n[0] * along[0], 0};
  if (!contact.tangent)
    throw ShapeError(place, "2 numbers are along the tangent, and there is no tangent in the contact's plane");
  const Vector3& t = *contact.tangent;
  const Vector3 s = Cross(n, t);
  return {along[0] * t[0] + along[1] * s[0], along[0] * t[1] + along[1] * s[1], along[0] * t[2] + along[1] * s[2]};
}

ContactDocument ReadContact(const json& object, const Sizes& sizes, Place place) {
  const auto at = [&](const char* field) { return place.field = field, place; };
  ReadObject(object, at(nullptr));
  ContactDocument contact;
  contact.id = ReadInteger(Required(object, at("id")), place);
  contact.a = ReadInteger(Required(object, at("a")), place);
  contact.b = ReadInteger(Required(object, at("b")), place);
  contact.point_m = ReadNumbers<3>(Required(object, at("point_m")), sizes.linear, place);
  contact.normal = ReadNumbers<3>(Required(object, at("normal")), sizes.linear, place);
  const json* tangent = Optional(object, at("tangent"));
  if (tangent != nullptr && sizes.dof == 6) contact.tangent = ReadNumbers<3>(*tangent, sizes.linear, place);
  if (contact.tangent == Vector3{}) throw ShapeError(place, "must have length 1, is " + Show(*tangent));
  if (contact.tangent && NamesNoDirection(*contact.tangent, contact.normal)) contact.tangent.reset();
  contact.friction = ReadNumber(Required(object, at("friction")), place);
  const json* static_friction = Optional(object, at("static_friction"));
  if (static_friction != nullptr) contact.static_friction = ReadNumber(*static_friction, place);
  const json* viscous = Optional(object, at("viscous_friction_Ns_per_m"));
  if (viscous != nullptr) contact.viscous_friction_Ns_per_m = ReadNumber(*viscous, place);
  contact.gap_m = ReadNumber(Required(object, at("gap_m")), place);
  const json* surface = Optional(object, at("surface_velocity_mps"));
  if (surface != nullptr) contact.surface_velocity_mps = ReadSurfaceVelocity(*surface, contact, sizes, place);
  const json* compliance = Optional(object, at("compliance_mps_per_Ns"));
  if (compliance != nullptr) contact.compliance_mps_per_Ns = ReadNumber(*compliance, place);
  return contact;
}

JointDocument ReadJoint(const json& object, const Sizes& sizes, Place place) {
  const auto at = [&](const char* field) { return place.field = field, place; };
  ReadObject(object, at(nullptr));
  JointDocument joint;
  joint.a = ReadInteger(Required(object, at("a")), place);
  joint.b = ReadInteger(Required(object, at("b")), place);
  joint.jacobian_a = ReadNumbers<6>(Required(object, at("jacobian_a")), sizes.dof, place);
  const json* jacobian_b = Optional(object, at("jacobian_b"));
  if (joint.b >= 0 && jacobian_b == nullptr) throw ShapeError(place, "is missing");
  if (joint.b >= 0) joint.jacobian_b = ReadNumbers<6>(*jacobian_b, sizes.dof, place);
  joint.speed = ReadNumber(Required(object, at("speed")), place);
  return joint;
}

template <class Item, class Read>
std::vector<Item> ReadList(const json& array, const char* list, const Sizes& sizes, const Read& read) {
  std::vector<Item> items;
  items.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    items.push_back(read(array[i], sizes, Place{.list = list, .index = static_cast<int>(i)}));
  }
  return items;
}

void CheckIdsAreUnique(const std::vector<ContactDocument>& contacts) {
  std::vector<std::pair<std::int32_t, int>> ids;
  for (const ContactDocument& contact : contacts) ids.emplace_back(contact.id, static_cast<int>(ids.size()));
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 1; i < ids.size(); ++i) {
    if (ids[i].first != ids[i - 1].first) continue;
    throw ShapeError(
        Place{.list = "contacts", .index = ids[i].second, .field = "id"},
        "must be unique, is " + std::to_string(ids[i].first) + " as in contacts[" + std::to_string(ids[i - 1].second) + "]");
  }
}

void ReadName(const json& object, ProblemDocument* problem) {
  const Place place{.field = "name"};
  const json* name = Optional(object, place);
  if (name == nullptr) return;
  if (!name->is_string()) throw ShapeError(place, "must be a string, is " + Show(*name));
  problem->name = name->get<std::string>();
}

void ReadHeader(const json& object, ProblemDocument* problem) {
  const json& format = Required(object, Place{.field = "format"});
  if (format != kFormat) {
    throw ShapeError(Place{.field = "format"}, "must be \"" + std::string(kFormat) + "\", is " + Show(format));
  }
  const json& dof = Required(object, Place{.field = "dof"});
  problem->dof = ReadInteger(dof, Place{.field = "dof"});
  if (problem->dof != 6 && problem->dof != 3) {
    throw ShapeError(Place{.field = "dof"}, "must be 6 (spatial) or 3 (planar), is " + Show(dof));
  }
  problem->step_s = ReadNumber(Required(object, Place{.field = "step_s"}), Place{.field = "step_s"});
  const json* directions = Optional(object, Place{.field = "directions"});
  problem->directions = problem->dof == 6 ? 8 : 2;
  if (directions != nullptr) problem->directions = ReadInteger(*directions, Place{.field = "directions"});
  const json* offset = Optional(object, Place{.field = "direction_offset_rad"});
  if (offset != nullptr) problem->direction_offset_rad = ReadNumber(*offset, Place{.field = "direction_offset_rad"});
}

void ReadProblem(const json& object, ProblemDocument* problem) {
  ReadName(ReadObject(object, Place{}), problem);
  ReadHeader(object, problem);
  const Sizes sizes(problem->dof);
  const Place bodies{.field = "bodies"}, contacts{.field = "contacts"}, joints{.field = "joints"};
  problem->bodies = ReadList<BodyDocument>(ReadArray(Required(object, bodies), bodies), "bodies", sizes, ReadBody);
  problem->contacts =
      ReadList<ContactDocument>(ReadArray(Required(object, contacts), contacts), "contacts", sizes, ReadContact);
  const json* list = Optional(object, joints);
  if (list != nullptr) problem->joints = ReadList<JointDocument>(ReadArray(*list, joints), "joints", sizes, ReadJoint);
  CheckIdsAreUnique(problem->contacts);
}

const json* Find(const json& source, const ProblemFault& fault) {
  const json* place = &source;
  if (fault.list != nullptr) {
    place = Optional(source, Place{.field = fault.list});
    if (place == nullptr || fault.index < 0) return nullptr;
    if (static_cast<std::size_t>(fault.index) >= place->size()) return nullptr;
    place = &(*place)[static_cast<std::size_t>(fault.index)];
  }
  return fault.field == nullptr ? nullptr : Optional(*place, Place{.field = fault.field});
}

}  // namespace

ParsedProblem ParseProblem(std::string_view line) {
  ParsedProblem parsed;
  try {
    parsed.source = ParseJson(line);
  } catch (const std::invalid_argument& error) {
    parsed.error = error.what();
    return parsed;
  }
  try {
    ReadProblem(parsed.source, &parsed.problem);
  } catch (const ShapeError& error) {
    parsed.error = error.what();
  }
  return parsed;
}

std::string Describe(const ProblemFault& fault, const json& source) {
  std::string text = Place{.list = fault.list, .index = fault.index, .field = fault.field}.Text() + ": " + fault.what;
  const json* value = Find(source, fault);
  return value == nullptr ? text : text + ", is " + Show(*value);
}

}  // namespace tactus::host
