#include "host_tools/hil/rig_command.h"

#include <fmt/core.h>

#include <csignal>
#include <ctime>
#include <filesystem>

#include "host_tools/hil/rig_report.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/report/text_file.h"
#include "host_tools/rig/device_numbers.h"
#include "host_tools/session/finish.h"

namespace tactus::host {
namespace {

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &utc);
  return {text, size};
}

}  // namespace

int RunRigCommand(const RigCommand& command) {
  (void)std::signal(SIGPIPE, SIG_IGN);  // a board that is gone is an error of the write, not the end of this program
  const RigFile rig = LoadRig(command.rig);
  CheckWritable(command.report);
  CheckWritable(command.junit);
  RigResult result;
  {
    const StopSignal stop_signal;
    result = RunRig(rig);
  }
  std::filesystem::path picture;
  if (!command.report.empty() && rig.wall && !result.wall.empty()) {
    picture = std::filesystem::path(command.report).replace_extension(".svg");
    WriteText(picture.string(), WallSvg(*rig.wall, result.wall));
  }
  const std::string page = RigMarkdown(rig, result, Now(), picture.filename().string());
  fmt::print("{}", page);
  if (!command.report.empty()) WriteText(command.report, page);
  if (!command.junit.empty()) WriteText(command.junit, RigJunit(rig, result));
  if (result.stopped_by != 0) return kExitSignal + result.stopped_by;
  return result.failed() ? kExitFailed : kExitOk;
}

}  // namespace tactus::host
