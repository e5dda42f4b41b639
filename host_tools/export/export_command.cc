#include "host_tools/export/export_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "host_tools/export/contact_tables.h"
#include "host_tools/export/table_files.h"
#include "host_tools/link/host_error.h"
#include "host_tools/session/log_file.h"

namespace tactus::host {
namespace {

struct ExportOptions {
  std::string log, csv, npz, mat, contacts, joints, bodies, events;
};

void ExportTicks(const ExportOptions& options) {
  std::string damage;  // told in the end, whatever is exported
  const RecordingTable table = ReadRecording(options.log, &damage);
  if (!options.csv.empty()) WriteCsv(table, options.csv);
  if (!options.npz.empty()) WriteNpz(table, options.npz);
  if (!options.mat.empty()) WriteMat(table, options.mat);
  fmt::print("{} ticks, {} fields\n", table.ticks, table.columns.size());
}

/// @throws HostError: the recording breaks off or is damaged. What is written is what stands before that
void ExpectWhole(const std::string& log) {
  const std::string damage = ReadLog(log, [](wire::LogDirection, const wire::Frame&) {});
  if (!damage.empty()) throw HostError(damage, kExitFailed);
}

void Export(const ExportOptions& options) {
  const std::string* const places[] = {&options.log,      &options.csv,    &options.npz,    &options.mat,
                                       &options.contacts, &options.joints, &options.bodies, &options.events};
  for (const std::string* const& place : places) {
    if (!place->empty() &&
        std::count_if(std::begin(places), std::end(places), [&](const auto* p) { return *p == *place; }) > 1)
      throw HostError(fmt::format("export: '{}' is given twice; each needs a file of its own", *place));
  }
  const bool of_ticks = !options.csv.empty() || !options.npz.empty() || !options.mat.empty();
  if (!of_ticks && options.contacts.empty() && options.joints.empty() && options.bodies.empty() && options.events.empty())
    throw HostError("export: where to? Give --csv, --npz, --mat, --contacts, --joints, --bodies or --events");
  if (of_ticks) ExportTicks(options);
  if (!options.contacts.empty()) fmt::print("{} contacts\n", WriteContacts(options.log, options.contacts));
  if (!options.joints.empty()) fmt::print("{} joints\n", WriteJoints(options.log, options.joints));
  if (!options.bodies.empty()) fmt::print("{} poses\n", WriteBodies(options.log, options.bodies));
  if (!options.events.empty()) fmt::print("{} events\n", WriteEvents(options.log, options.events));
  ExpectWhole(options.log);
}

}  // namespace

void AddExportCommand(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const command = app.add_subcommand("export", "Recordings as time series: CSV, NumPy, MATLAB");
  command->add_option("log", options->log, "a recording (run --log, hil --log)")->required();
  command->add_option("--csv", options->csv, "one line a tick, names and units in the first");
  command->add_option("--npz", options->npz, "numpy.load(FILE)['p_WT_m'] has a row a tick");
  command->add_option("--mat", options->mat, "load FILE in MATLAB gives a matrix for each field");
  command->add_option("--contacts", options->contacts,
                      "CSV, one line a contact and tick: place, normal, gap, forces, slip; the recording is replayed");
  command->add_option(
      "--joints", options->joints,
      "CSV, one line a joint of the scene and tick: coordinate, place, force and torque on its first body; the "
      "recording is replayed");
  command->add_option("--bodies", options->bodies,
                      "CSV, one line a moving body of the scene and tick: place and posture as the tick begins; the "
                      "recording is replayed");
  command->add_option("--events", options->events,
                      "CSV, one line an event: a contact begins, ends, slips, sticks; the recording is replayed");
  command->callback([options] { Export(*options); });
}

}  // namespace tactus::host
