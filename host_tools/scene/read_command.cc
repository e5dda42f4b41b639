#include "host_tools/scene/read_command.h"

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <vector>

#include "host_tools/link/host_error.h"
#include "host_tools/link/token.h"
#include "host_tools/link/transport.h"
#include "host_tools/report/text_file.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/session/board_client.h"
#include "tactus/core/crc32.h"

namespace tactus::host {
namespace {

struct ReadOptions {
  std::string link, token_file, scene, out;
  std::vector<std::string> changes;
};

/// Name and title of the shipped scene that has this image; empty: none has.
std::string NameOf(const std::vector<std::uint8_t>& image) {
  for (const std::string& path : ShippedScenes()) {
    const SceneFile file = LoadScene(path);
    if (file.Image() == image) return fmt::format("{}: {}", std::filesystem::path(path).stem().string(), file.title);
  }
  return "";
}

/// @returns 1 if a scene was given and another one is in force
int Read(const ReadOptions& options) {
  std::vector<std::uint8_t> expected;  // a scene that is wrong shall be said before the board is asked
  if (!options.scene.empty()) expected = LoadScene(options.scene, options.changes).Image();
  const std::unique_ptr<Transport> transport =
      OpenTransport(options.link, options.token_file.empty() ? "" : ReadToken(options.token_file));
  BoardClient board(*transport, nullptr);
  (void)board.Hello();
  const std::vector<std::uint8_t> image = board.ReadScene();
  if (image.empty()) {
    fmt::print("no scene is in force: the peg and the plate of the Config, or nothing yet\n");
  } else {
    const std::string name = NameOf(image);
    fmt::print("in force: {} bytes, CRC-32 {:08x}; {}\n", image.size(), Crc32(image),
               name.empty() ? "none of the scenes that come with Tactus" : name);
  }
  if (!options.out.empty()) WriteBytes(options.out, image);
  if (options.scene.empty()) return kExitOk;
  const bool same = image == expected;
  fmt::print("{} {}\n", same ? "it is the same as" : "it differs from", options.scene);
  return same ? kExitOk : kExitFailed;
}

}  // namespace

void AddReadCommand(CLI::App& command) {
  const auto options = std::make_shared<ReadOptions>();
  CLI::App* const read = command.add_subcommand("read", "which scene is in force in a controller");
  read->add_option("scene", options->scene, "to compare with: a TOML file, or the name of a shipped scene");
  read->add_option("--link", options->link, "unix:PATH, tcp:HOST:PORT or serial:/dev/ttyX[:BAUD]")->required();
  read->add_option("--token-file", options->token_file, "what `tactus serve --token-file` asks for");
  read->add_option("--out", options->out, "write its image, as it went over the wire, to this file");
  AddSetOption(read, &options->changes);
  read->callback([options] {
    if (const int code = Read(*options); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
