#include "host_tools/doctor/doctor_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host_tools/doctor/findings.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

struct DoctorOptions {
  std::string root = "/";
  std::optional<std::uint32_t> user;
  bool json = false;
};

User UserOf(const DoctorOptions& options) {
  if (options.user) return {.id = *options.user, .groups = {}};
  User user{.id = geteuid(), .groups = {}};
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, getgroups(0, nullptr))));
  const int count = getgroups(static_cast<int>(groups.size()), groups.data());
  for (int i = 0; i < count; ++i) user.groups.push_back(groups[static_cast<std::size_t>(i)]);
  user.groups.push_back(getegid());
  return user;
}

void Print(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const char* const mark = finding.judgement == Finding::Judgement::kWrong ? "WRONG" : Name(finding.judgement);
    fmt::print("{:<8}{:<14} {}\n", mark, finding.name, finding.found);
    if (!finding.fix.empty()) fmt::print("{:23}mend it:  {}\n", "", finding.fix);
    if (!finding.cost.empty()) fmt::print("{:23}it costs: {}\n", "", finding.cost);
  }
}

void PrintJson(const std::vector<Finding>& findings, int wrong) {
  nlohmann::ordered_json json = {{"format", "tactus.doctor/1"}, {"wrong", wrong}};
  nlohmann::ordered_json& list = json["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"name", finding.name},
                    {"judgement", Name(finding.judgement)},
                    {"found", finding.found},
                    {"fix", finding.fix},
                    {"cost", finding.cost}});
  }
  fmt::print("{}\n", json.dump(1));
}

int Doctor(const DoctorOptions& options) {
  const Machine machine(options.root);
  if (!machine.Has("/proc")) throw HostError(fmt::format("'{}' has no folder proc: it stands for no machine", options.root));
  const std::vector<Finding> findings = Examine(machine, UserOf(options));
  int wrong = 0;
  for (const Finding& finding : findings) wrong += finding.judgement == Finding::Judgement::kWrong ? 1 : 0;
  options.json ? PrintJson(findings, wrong) : Print(findings);
  return wrong > 0 ? kExitFailed : kExitOk;
}

}  // namespace

void AddDoctorCommand(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* const command = app.add_subcommand(
      "doctor",
      "What is wrong with this machine for real time, how to fix it, what that costs; exits with 1 if anything is");
  command->add_option("--root", options->root, "look at the proc, sys and dev below this folder")->capture_default_str();
  command->add_option("--user", options->user, "judge for this user id, in no group (default: who runs it)");
  command->add_flag("--json", options->json, "print tactus.doctor/1");
  command->callback([options] {
    if (const int code = Doctor(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
