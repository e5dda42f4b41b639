#include "host_tools/serve/serve_command.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host_tools/devices/real_devices.h"
#include "host_tools/link/home_signal.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/link/token.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/serve/device_kinds.h"
#include "host_tools/serve/link_server.h"
#include "host_tools/serve/serve_report.h"
#include "host_tools/serve/served_devices.h"
#include "host_tools/serve/stop_order.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/rate.h"
#include "host_tools/session/scene_piece.h"
#include "host_tools/stability/check_config.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kHighestRate_Hz = 4000;

struct ServeOptions {
  std::string scene;
  DeviceChoice device;
  std::string listen;
  std::string token_file;
  std::string json;
  std::uint32_t rate_Hz = 1000;
  std::uint64_t ticks = 0;
  hal::RealtimeWish wish;
  int client_timeout_ms = 500;
  bool require_realtime = false;
  bool quiet = false;
  StabilityChoice stability;
};

/// What sessions begin with. Without a file: the peg and the plate, and the hand that inserts it.
struct ServedScene {
  std::optional<SceneFile> file;
  std::vector<std::uint8_t> image;
};

/// @throws HostError: as LoadScene; what the loop would refuse
ServedScene LoadServed(const std::string& place) {
  ServedScene served;
  if (place.empty()) return served;
  served.file = LoadScene(place);
  served.image = served.file->Image();
  const auto loader = std::make_unique<servo::SceneLoader<double>>();
  for (std::size_t given = 0; given < served.image.size();) {
    const wire::ScenePart part = PieceOf(served.image, given);
    if (const wire::AckCode code = loader->Take(part).code; code != wire::AckCode::kAccepted) {
      throw HostError(
          fmt::format("{}: the controller refuses the scene: {}", served.file->path, wire::EnumNameAckCode(code)));
    }
    given += part.size();
  }
  return served;
}

std::string DefaultAddress() {
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  return fmt::format("unix:{}/tactus.sock", folder != nullptr && *folder != '\0' ? folder : "/tmp");
}

std::uint32_t RandomSeed() {
  std::uint32_t seed = 0;
  if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) throw HostError("the kernel gives no random numbers");
  return seed;
}

/// Keeps the processors out of deep sleep while it lives, where that is allowed.
class Awake {
 public:
  Awake() : descriptor_(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC)) {
    const std::int32_t most_us = 0;
    if (descriptor_ >= 0 && write(descriptor_, &most_us, sizeof(most_us)) < 0) {  // then it stays as it was
    }
  }
  ~Awake() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

 private:
  int descriptor_;
};

void* RunLoop(void* loop) {
  static_cast<ServoLoop*>(loop)->Run();
  return nullptr;
}

LoopOptions ToLoop(const ServeOptions& options) {
  return {.period_us = PeriodOf(options.rate_Hz), .ticks = options.ticks, .wish = options.wish};
}

int Serve(const ServeOptions& options) {
  const ServedScene scene = LoadServed(options.scene);
  CheckWritable(options.json);
  const std::string token = options.token_file.empty() ? "" : ReadToken(options.token_file);
  LoopOptions loop_options = ToLoop(options);
  loop_options.scene = scene.image;
  ServedDevices devices(options.device, scene.file ? &*scene.file : nullptr, loop_options.period_us, options.wish.priority);
  if (!options.stability.allows()) loop_options.limits = devices.Limits(loop_options.period_us);
  const Listener listener(options.listen.empty() ? DefaultAddress() : options.listen, !token.empty());
  const std::vector<std::uint8_t> last_order = StopOrder();
  hal::MonotonicTime time;
  const auto link = std::make_unique<hal::ThreadLink>(last_order);
  const auto loop = std::make_unique<ServoLoop>(loop_options, devices.device(), *link, time, RandomSeed());
  LinkServer server(listener, *loop, *link, token, std::chrono::milliseconds(options.client_timeout_ms));
  const Awake awake;
  (void)std::signal(SIGPIPE, SIG_IGN);  // nobody reads what it says: that is no end of a loop with force
  const StopSignal stop_signal;
  const HomeSignal home_signal;
  const int memory = hal::LockMemory();
  pthread_t thread{};
  if (const int error = hal::StartThread(RunLoop, loop.get(), &thread); error != 0)
    throw HostError(fmt::format("cannot start the loop's thread: {}", std::strerror(error)));
  while (!loop->grant_known()) usleep(100);
  hal::RealtimeGrant grant = loop->grant();
  grant.memory = memory;
  const std::string refused = Refusals(options.wish, grant);
  // What is only forbidden may be done without; a processor that is not there was a mistake.
  const bool give_up = grant.cpu != 0 || (options.require_realtime && !grant.all());
  if (!refused.empty()) PrintError("tactus: {}{}", give_up ? "" : "warning: ", refused.substr(0, refused.size() - 1));
  if (give_up) {  // no session has been asked for, so none has to end
    loop->Stop();
    pthread_join(thread, nullptr);
    return kExitUsage;
  }
  if (!options.quiet) {
    fmt::print("serving {} at {} Hz on {}{}\n", options.device.text(), options.rate_Hz, listener.address(),
               scene.file ? ", scene: " + scene.file->title : "");
    (void)std::fflush(stdout);  // main() looks at the end
  }
  server.Run([&] {
    if (HomeSignal::Take()) devices.Home();
    devices.Look();
  });
  pthread_join(thread, nullptr);
  const ServeSummary run{.device = options.device.text(),
                         .address = listener.address(),
                         .options = loop_options,
                         .why = devices.why(),
                         .loop = loop.get(),
                         .server = server.counts(),
                         .link = link->counters(),
                         .grant = grant,
                         .stopped_by = StopSignal::Raised()};
  if (!options.quiet) PrintServeReport(run);
  if (!options.json.empty()) WriteServeJson(run, options.json);
  if (!loop->zeros_written()) {
    PrintError("tactus: the device has not taken the last zeros: switch it off");
    return kExitFailed;
  }
  return run.stopped_by != 0 ? kExitSignal + run.stopped_by : kExitOk;
}

}  // namespace

void AddServeCommand(CLI::App& app) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* const command = app.add_subcommand("serve", "Be the controller: the servo loop in real time on this machine");
  std::string devices = "where the forces go:";
  for (const DeviceKind& kind : DeviceKinds())
    devices += fmt::format(" {}{}{} ({});", kind.name, *kind.place != '\0' ? ":" : "", kind.place, kind.what);
  for (const RealDevice& device : RealDevices())
    devices += fmt::format(" {}:PATH[,set=NAME] ({}; sets: {});", device.name, device.what, device.sets);
  devices.back() = '.';
  command->add_option(
      "--scene", options->scene,
      "what sessions begin with: a TOML file, or the name of a shipped one (default: the peg and the plate); a "
      "host may bring another one along: hil --scene");
  command->add_option("--device", options->device.device, devices)->capture_default_str();
  options->device.AddOptions(command);
  AddRateOption(command, kHighestRate_Hz, &options->rate_Hz);
  command->add_option("--cpu", options->wish.cpu, "the processor that the loop runs on (default: any)")
      ->check(CLI::Range(0, 1023));
  command->add_option("--priority", options->wish.priority, "SCHED_FIFO; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0, 98));
  command->add_option("--listen", options->listen,
                      "unix:PATH or tcp:ADDRESS:PORT (default: tactus.sock in $XDG_RUNTIME_DIR, or in /tmp)");
  command->add_option("--token-file", options->token_file, "hosts must show the token in this file (mode 0600)");
  command
      ->add_option("--client-timeout", options->client_timeout_ms,
                   "ms in which a host must send something, if only a 0x00, and take what waits for it")
      ->capture_default_str()
      ->check(CLI::Range(50, 60000));
  command->add_option("--ticks", options->ticks, "stop after so many periods (default: at Ctrl-C)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  command->add_option("--seed", options->device.seed, "of the simulated hand's tremor")->capture_default_str();
  command->add_option("--json", options->json, "write the summary and the histograms to this file");
  options->stability.AddOption(command);
  command->add_flag("--require-realtime", options->require_realtime, "do not run without what was asked for");
  command->add_flag("--quiet", options->quiet, "say nothing but warnings");
  command->callback([options] {
    if (const int code = Serve(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
