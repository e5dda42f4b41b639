#include "host_tools/solve/write_solution.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace tactus::host {
namespace {

void AppendNumber(double value, std::string* out) {
  if (std::isfinite(value)) {
    fmt::format_to(std::back_inserter(*out), "{}", value);
  } else {
    *out += "null";  // JSON has no word for it
  }
}

// [item, item, ...], each item written by `append(item, out)`.
template <class Items, class Append>
void AppendList(const Items& items, const Append& append, std::string* out) {
  *out += '[';
  const char* separator = "";
  for (const auto& item : items) {
    *out += separator;
    append(item, out);
    separator = ",";
  }
  *out += ']';
}

void AppendNumbers(const std::vector<double>& values, std::string* out) { AppendList(values, AppendNumber, out); }

void AppendText(std::string_view text, std::string* out) {
  *out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void AppendImpulses(const char* prefix, const std::vector<ImpulseDocument>& impulses, std::string* out) {
  *out += prefix;
  *out += "\"normal_impulse_Ns\":";
  AppendList(
      impulses, [](const ImpulseDocument& i, std::string* o) { AppendNumber(i.normal_Ns, o); }, out);
  *out += ",\"friction_impulse_Ns\":";
  AppendList(
      impulses, [](const ImpulseDocument& i, std::string* o) { AppendNumbers(i.friction_Ns, o); }, out);
}

void AppendVerdict(const Verdict<double>& verdict, std::string* out) {
  const std::pair<const char*, double> shares[] = {{"contact", verdict.contact},     {"penetration", verdict.penetration},
                                                   {"joint", verdict.joint},         {"motion", verdict.motion},
                                                   {"energy", verdict.energy},       {"nu_mps", verdict.nu_mps},
                                                   {"sigma_mps", verdict.sigma_mps}, {"gamma_Ns", verdict.gamma_Ns}};
  fmt::format_to(std::back_inserter(*out), ",\"verdict\":{{\"worst_contact\":{}", verdict.worst_contact);
  for (const auto& [name, value] : shares) {
    fmt::format_to(std::back_inserter(*out), ",\"{}\":", name);
    AppendNumber(value, out);
  }
  *out += '}';
}

void AppendRound(const SolutionDocument& solution, std::string* out) {
  fmt::format_to(std::back_inserter(*out), ",\"cone\":\"{}\",\"round_residual\":", Name(*solution.cone));
  AppendNumber(solution.round_residual, out);
  if (!solution.contact_cone.empty()) {
    *out += ",\"contact_cone\":";
    AppendList(
        solution.contact_cone,
        [](Cone cone, std::string* o) { fmt::format_to(std::back_inserter(*o), "\"{}\"", Name(cone)); }, out);
  }
  *out += ",\"friction_Ns\":";
  AppendList(
      solution.friction_Ns, [](const std::array<double, 2>& f, std::string* o) { AppendList(f, AppendNumber, o); }, out);
}

void AppendAnswer(const SolutionDocument& solution, std::string* out) {
  *out += ",\"velocity\":";
  AppendList(solution.velocity, AppendNumbers, out);
  AppendImpulses(",", solution.impulse, out);
  *out += ",\"joint_impulse_Ns\":";
  AppendNumbers(solution.joint_impulse_Ns, out);
  *out += ",\"tangent\":";
  AppendList(solution.tangent, AppendNumbers, out);
  if (solution.status == SolveStatus::kJammed) {
    AppendImpulses(",\"certificate\":{", solution.certificate, out);
    *out += ",\"joint_impulse_Ns\":";
    AppendNumbers(solution.certificate_joint_Ns, out);
    *out += '}';
  }
}

}  // namespace

void WriteSolution(const SolutionDocument& solution, std::string_view solver, std::string* out) {
  *out += "{\"format\":\"tactus.solution/1\",\"name\":";
  solution.name ? AppendText(*solution.name, out) : static_cast<void>(*out += "null");
  *out += ",\"solver\":";
  AppendText(solver, out);
  fmt::format_to(std::back_inserter(*out), ",\"scalar\":\"{}\",\"status\":\"{}\"", solution.scalar, Name(solution.status));
  if (solution.status == SolveStatus::kInvalid) {
    *out += ",\"error\":";
    AppendText(solution.error, out);
  }
  fmt::format_to(std::back_inserter(*out), ",\"rung\":\"{}\",\"pivots\":{},\"residual\":", Name(solution.rung),
                 solution.pivots);
  solution.status == SolveStatus::kInvalid ? static_cast<void>(*out += "null") : AppendNumber(solution.residual, out);
  if (solution.status == SolveStatus::kBudget) {
    fmt::format_to(std::back_inserter(*out), ",\"shortfall\":\"{}\"", Name(solution.shortfall));
  }
  if (solution.status != SolveStatus::kInvalid) AppendVerdict(solution.verdict, out);
  if (solution.cone) AppendRound(solution, out);
  if (!solution.friction_coefficient.empty()) {
    *out += ",\"friction_coefficient\":";
    AppendNumbers(solution.friction_coefficient, out);
  }
  AppendAnswer(solution, out);
  fmt::format_to(std::back_inserter(*out), ",\"solve_ns\":{}}}\n", solution.solve_ns);
}

}  // namespace tactus::host
