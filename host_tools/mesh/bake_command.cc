#include "host_tools/mesh/bake_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/bake_grid.h"

namespace tactus::host {
namespace {

struct Request {
  std::string mesh, out;
  double resolution_m = 1e-3, band_m = 0, scale = 1;
};

void Say(const TriangleMesh& mesh, const MeshRepairs& repairs) {
  fmt::print("{} vertices, {} triangles, {} closed part{}", mesh.vertex_m.size(), mesh.triangle.size(), repairs.parts,
             repairs.parts == 1 ? "" : "s");
  if (repairs.cavities > 0) fmt::print(", {} of them cavities", repairs.cavities);
  fmt::print("\n");
  if (repairs.turned > 0) fmt::print("mended: the winding of {} triangles\n", repairs.turned);
  if (repairs.dropped > 0) fmt::print("left out: {} triangles without an area, or given twice\n", repairs.dropped);
}

void Say(const BakeReport& report, std::size_t bytes) {
  fmt::print("{} x {} x {} samples in {} blocks, {} of them near the surface\n", report.samples[0], report.samples[1],
             report.samples[2], report.blocks, report.stored);
  fmt::print("distances to {:g} mm, in steps of {:.2f} um\n", 1e3 * report.band_m, 1e6 * report.step_m);
  fmt::print("against the mesh, within 1 mm of it: p50 {:.2f} um, p99 {:.1f} um, max {:.0f} um\n", 1e6 * report.error_p50_m,
             1e6 * report.error_p99_m, 1e6 * report.error_max_m);
  fmt::print("{} bytes: of the memory of a board with 1 MiB of flash {:.0f} %\n", bytes,
             100.0 * static_cast<double>(bytes) / (1 << 20));
}

void Bake(const Request& request) {
  TriangleMesh mesh = ReadMesh(request.mesh, request.scale);
  const MeshRepairs repairs = MakeWatertight(&mesh);
  Say(mesh, repairs);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const BakeProgress progress = [terminal](double share) {
    if (terminal) fmt::print(stderr, "\r{:3.0f} % of the distances{}", 100 * share, share >= 1 ? "\r\033[K" : "");
  };
  BakeReport report;
  const std::vector<std::uint8_t> bytes =
      BakeGrid(mesh, {.spacing_m = request.resolution_m, .band_m = request.band_m}, &report, progress);
  Say(report, bytes.size());
  const std::string out =
      request.out.empty() ? std::filesystem::path(request.mesh).replace_extension(".tsdf").string() : request.out;
  std::ofstream file(out, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}'", out));
  fmt::print("wrote {}\n", out);
}

}  // namespace

void AddBakeCommand(CLI::App& scene_command) {
  const auto request = std::make_shared<Request>();
  CLI::App* const bake = scene_command.add_subcommand("bake", "makes a distance grid from a closed mesh (STL, OBJ, PLY)");
  bake->add_option("mesh", request->mesh, "file")->required()->check(CLI::ExistingFile);
  const std::map<std::string, double> lengths{{"um", 1e-6}, {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}};
  bake->add_option("--resolution", request->resolution_m, "between samples, as 0.5mm (default: 1mm)")
      ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED));
  bake->add_option("--band", request->band_m,
                   "distances up to this are stored, as 4mm (default: four samples, 2mm at least)")
      ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED));
  bake->add_option("--scale", request->scale, "metres a unit of the file (default: 1; a file in millimetres: 0.001)")
      ->check(CLI::Range(1e-9, 1e9));
  bake->add_option("--out", request->out, "file (default: the mesh's name with .tsdf)");
  bake->callback([request] { Bake(*request); });
}

}  // namespace tactus::host
