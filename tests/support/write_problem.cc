#include "tests/support/write_problem.h"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace tactus::test {
namespace {

using nlohmann::ordered_json;

template <std::size_t kSize>
ordered_json First(std::size_t count, const std::array<double, kSize>& numbers) {
  return std::vector<double>(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
}

ordered_json Inertia(const host::BodyDocument& body, int dof) {
  if (dof == 3) return body.inertia_kgm2[0];
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < 9; i += 3)
    rows.push_back({body.inertia_kgm2[i], body.inertia_kgm2[i + 1], body.inertia_kgm2[i + 2]});
  return rows;
}

}  // namespace

std::string WriteProblem(const host::ProblemDocument& problem) {
  const std::size_t dof = static_cast<std::size_t>(problem.dof), linear = dof == 6 ? 3 : 2;
  ordered_json bodies = ordered_json::array(), contacts = ordered_json::array(), joints = ordered_json::array();
  for (const host::BodyDocument& body : problem.bodies) {
    bodies.push_back({{"mass_kg", body.mass_kg},
                      {"inertia_kgm2", Inertia(body, problem.dof)},
                      {"position_m", First(linear, body.position_m)},
                      {"velocity", First(dof, body.velocity)},
                      {"wrench", First(dof, body.wrench)}});
  }
  for (const host::ContactDocument& contact : problem.contacts) {
    ordered_json& out = contacts.emplace_back(ordered_json{{"id", contact.id},
                                                           {"a", contact.a},
                                                           {"b", contact.b},
                                                           {"point_m", First(linear, contact.point_m)},
                                                           {"normal", First(linear, contact.normal)}});
    if (contact.tangent) out["tangent"] = First(linear, *contact.tangent);
    out["friction"] = contact.friction;
    out["gap_m"] = contact.gap_m;
    if (contact.surface_velocity_mps != host::Vector3{})
      out["surface_velocity_mps"] = First(linear, contact.surface_velocity_mps);
    if (contact.compliance_mps_per_Ns != 0) out["compliance_mps_per_Ns"] = contact.compliance_mps_per_Ns;
  }
  for (const host::JointDocument& joint : problem.joints) {
    joints.push_back({{"a", joint.a},
                      {"b", joint.b},
                      {"jacobian_a", First(dof, joint.jacobian_a)},
                      {"jacobian_b", First(dof, joint.jacobian_b)},
                      {"speed", joint.speed}});
  }
  ordered_json line{{"format", "tactus.problem/1"}};
  if (problem.name) line["name"] = *problem.name;
  line["dof"] = problem.dof;
  line["step_s"] = problem.step_s;
  line["directions"] = problem.directions;
  line["direction_offset_rad"] = problem.direction_offset_rad;
  line["bodies"] = bodies;
  line["contacts"] = contacts;
  line["joints"] = joints;
  return line.dump();
}

}  // namespace tactus::test
