#include "host_tools/mesh/bake_command.h"

#include <fmt/core.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/bake_grid.h"
#include "host_tools/mesh/height_field.h"
#include "host_tools/report/text_file.h"
#include "tactus/scene/scene.h"

namespace tactus::host {
namespace {

struct Request {
  std::string mesh, out;
  double resolution_m = 1e-3, band_m = 0, scale = 1, cell_m = 0, thickness_m = 0;
  bool is_heights = false;
};

void Say(const TriangleMesh& mesh, const MeshRepairs& repairs) {
  fmt::print("{} vertices, {} triangles, {} closed part{}", mesh.vertex_m.size(), mesh.triangle.size(), repairs.parts,
             repairs.parts == 1 ? "" : "s");
  if (repairs.cavities > 0) fmt::print(", {} of them cavities", repairs.cavities);
  fmt::print("\n");
  if (repairs.turned > 0) fmt::print("repaired: the winding of {} triangles\n", repairs.turned);
  if (repairs.dropped > 0) fmt::print("left out: {} triangles without an area, or given twice\n", repairs.dropped);
}

/// No sample need be in such a part: the grid would be without it.
void RefuseSmall(const MeshRepairs& repairs, double resolution_m) {
  for (std::size_t i = 0; i < repairs.boxes_m.size(); ++i) {
    const auto& [low, high] = repairs.boxes_m[i];
    const double size_m = (high - low).maxCoeff();
    if (size_m >= resolution_m) continue;
    throw HostError(
        fmt::format("part {} of the mesh is smaller than a sample: {:.3g} mm at ({:g}, {:g}, {:g}) m, and "
                    "--resolution is {:g} mm. Give a finer one, or remove the part; is --scale right?",
                    i + 1, 1e3 * size_m, low.x(), low.y(), low.z(), 1e3 * resolution_m));
  }
}

void Say(const BakeReport& report, std::size_t bytes) {
  fmt::print("{} x {} x {} samples in {} blocks, {} of them near the surface\n", report.samples[0], report.samples[1],
             report.samples[2], report.blocks, report.stored);
  fmt::print("distances to {:g} mm, in steps of {:.2f} um\n", 1e3 * report.band_m, 1e6 * report.step_m);
  const double ball_m = LargestBall_m(report.band_m);
  if (ball_m > 0) {
    fmt::print("for balls and roundings of bodies up to {:g} mm of radius\n", std::round(1e6 * ball_m) / 1e3);
  } else {
    fmt::print("for no body's ball: its radius and {:g} mm have to be within --band\n",
               std::round(1e6 * (report.band_m - ball_m)) / 1e3);
  }
  fmt::print("against the mesh, within 1 mm of it: p50 {:.2f} um, p99 {:.1f} um, max {:.0f} um\n", 1e6 * report.error_p50_m,
             1e6 * report.error_p99_m, 1e6 * report.error_max_m);
  fmt::print("{} bytes: of the memory of a board with 1 MiB of flash {:.0f} %\n", bytes,
             100.0 * static_cast<double>(bytes) / (1 << 20));
}

/// A mesh, or the body below heights: its triangles are half a sample long, its bottom is beyond all stored distances.
TriangleMesh ReadSurface(const Request& request) {
  if (!request.is_heights) return ReadMesh(request.mesh, request.scale);
  if (request.thickness_m < 0) throw HostError(fmt::format("--thickness is {:g} mm, below zero", 1e3 * request.thickness_m));
  const double band_m = request.band_m > 0 ? request.band_m : DefaultBand_m(request.resolution_m);
  const double deep_m = std::max({2 * band_m, 8 * request.resolution_m, 4e-3});
  const HeightField field = ReadHeightField(request.mesh, request.cell_m, request.scale);
  fmt::print("{} x {} heights, {:g} mm apart\n", field.columns, field.rows, 1e3 * field.cell_m);
  return MeshOf(field, request.resolution_m / 2, request.thickness_m > 0 ? request.thickness_m : deep_m);
}

/// What is thinner than a sample has surfaces that the grid cannot tell apart.
void WarnOfThin(const MeshRepairs& repairs, double resolution_m) {
  for (std::size_t i = 0; i < repairs.boxes_m.size(); ++i) {
    const auto& [low, high] = repairs.boxes_m[i];
    const double size_m = (high - low).minCoeff();
    if (size_m >= resolution_m) continue;
    fmt::print(
        "warning: part {} is {:.3g} mm thick, less than --resolution, {:g} mm: its surfaces will be beside the mesh\n",
        i + 1, 1e3 * size_m, 1e3 * resolution_m);
  }
}

void WarnOfLarge(std::size_t bytes) {
  if (bytes <= static_cast<std::size_t>(kServoScene.grid_bytes)) return;
  fmt::print("warning: no scene takes it: all grids of one may have {} bytes; a coarser --resolution makes fewer\n",
             kServoScene.grid_bytes);
}

void Bake(const Request& request) {
  (void)CheckedOptions({.spacing_m = request.resolution_m, .band_m = request.band_m});
  TriangleMesh mesh = ReadSurface(request);
  const MeshRepairs repairs = MakeWatertight(&mesh);
  Say(mesh, repairs);
  RefuseSmall(repairs, request.resolution_m);
  WarnOfThin(repairs, request.resolution_m);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const BakeProgress progress = [terminal](double share) {
    if (terminal) fmt::print(stderr, "\r{:3.0f} % of the distances{}", 100 * share, share >= 1 ? "\r\033[K" : "");
  };
  BakeReport report;
  const std::vector<std::uint8_t> bytes =
      BakeGrid(mesh, {.spacing_m = request.resolution_m, .band_m = request.band_m}, &report, progress);
  Say(report, bytes.size());
  WarnOfLarge(bytes.size());
  const std::string out =
      request.out.empty() ? std::filesystem::path(request.mesh).replace_extension(".tsdf").string() : request.out;
  WriteBytes(out, bytes);
  fmt::print("wrote {}\n", out);
}

}  // namespace

void AddBakeCommand(CLI::App& scene_command) {
  const auto request = std::make_shared<Request>();
  CLI::App* const bake =
      scene_command.add_subcommand("bake", "makes a distance grid from a closed mesh (STL, OBJ, PLY) or heights");
  bake->add_option("mesh", request->mesh, "file; with --cell a text file of heights, a row a line")
      ->required()
      ->check(CLI::ExistingFile);
  const std::map<std::string, double> lengths{{"um", 1e-6}, {"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}};
  bake->add_option("--resolution", request->resolution_m, "between samples, as 0.5mm (default: 1mm)")
      ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED));
  bake->add_option("--band", request->band_m,
                   "distances up to this are stored, as 12mm (default: four samples, 8mm at least); a ball of a body needs "
                   "its radius, 3mm and the scene's margin_m")
      ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED));
  bake->add_option("--scale", request->scale, "metres a unit of the file (default: 1; a file in millimetres: 0.001)")
      ->check(CLI::Range(1e-9, 1e9));
  CLI::Option* const cell = bake->add_option("--cell", request->cell_m, "the file has heights, so far apart, as 2mm")
                                ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED));
  bake->add_option("--thickness", request->thickness_m,
                   "below the lowest height, as 20mm (default: twice the band, eight samples, 4mm: the most of them)")
      ->transform(CLI::AsNumberWithUnit(lengths, CLI::AsNumberWithUnit::UNIT_REQUIRED))
      ->needs(cell);
  bake->add_option("--out", request->out, "file (default: the mesh's name with .tsdf)");
  bake->callback([request, cell] {
    request->is_heights = cell->count() > 0;
    Bake(*request);
  });
}

}  // namespace tactus::host
