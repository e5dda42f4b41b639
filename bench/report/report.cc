#include "bench/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "host_tools/standard_streams.h"

namespace tactus::bench {
namespace {

constexpr const char* kPageHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Tactus: benchmarks</title>
<style>
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 1180px; padding: 0 1em; color: #222; }
h2 { border-top: 1px solid #bbb; padding-top: .8em; margin-top: 2em; }
table { border-collapse: collapse; font-size: 13px; margin: .6em 0 1.2em; }
th, td { border-bottom: 1px solid #ddd; padding: .2em .7em; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid #888; } .words { text-align: left; }
.wide { overflow-x: auto; max-height: 640px; overflow-y: auto; } svg { max-width: 100%; height: auto; }
.environment { color: #555; font-size: 13px; } .fault { color: #b00; font-weight: bold; }
</style></head><body>
<h1>Tactus: benchmarks</h1>
<p>How each figure was taken, and what it means: docs/benchmarks.md. Wall times move with whatever else the machine does;
ratios taken in one run are what counts.</p>
)";

std::string Paragraphs(const std::vector<std::string>& sentences, const char* kind) {
  std::string html;
  for (const std::string& sentence : sentences)
    html += fmt::format("<p class=\"{}\">{}</p>\n", kind, EscapeMarkup(sentence));
  return html;
}

/// What is not met first.
Table ChecksTable(const std::vector<Check>& checks) {
  const auto met =
      static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), [](const Check& check) { return check.met; }));
  Table table("checks", fmt::format("Goals: {} of {} met", met, checks.size()),
              {{"check"}, {"value"}, {"unit"}, {"goal"}, {"met"}});
  for (const bool which : {false, true}) {
    for (const Check& check : checks) {
      if (check.met == which) table.AddRow({check.name, check.value, check.unit, check.goal, check.met ? "yes" : "NO"});
    }
  }
  return table;
}

nlohmann::ordered_json Json(const Check& check) {
  nlohmann::ordered_json json{{"name", check.name},
                              {"value", std::isfinite(check.value) ? nlohmann::ordered_json(check.value) : nullptr},
                              {"unit", check.unit},
                              {"goal", check.goal},
                              {"met", check.met}};
  if (!check.binding) json["binding"] = false;
  return json;
}

/// The rows of one bench in the summary. @returns whether it has a report
bool AddMissed(const std::string& bench, const nlohmann::json& report, Table* missed, std::size_t* met, std::size_t* goals) {
  if (!report.contains("bench")) return false;
  for (const auto& fault : report.value("wrong", nlohmann::json::array()))
    missed->AddRow({bench, "FAULT: " + fault.get<std::string>(), {}, "", ""});
  for (const auto& check : report.value("checks", nlohmann::json::array())) {
    ++*goals;
    *met += check["met"].get<bool>();
    if (check["met"].get<bool>()) continue;
    const auto& value = check["value"];
    missed->AddRow({bench, check["name"].get<std::string>(),
                    value.is_number() ? Table::Cell(value.get<double>()) : Table::Cell(), check["unit"].get<std::string>(),
                    check["goal"].get<std::string>()});
  }
  return true;
}

}  // namespace

Report::Report(std::string name, std::string title, const BenchOptions& options)
    : name_(std::move(name)), title_(std::move(title)), options_(options), environment_(DescribeEnvironment()) {
  std::error_code error;
  std::filesystem::create_directories(options_.out, error);
  if (error) throw BenchError(fmt::format("{}: {}", options_.out.string(), error.message()));
  WriteFile(options_.out / (name_ + ".json"), "{}\n");  // better now than after minutes of measuring
  if (!options_.json.empty()) WriteFile(options_.json, "{}\n");
}

Table& Report::AddTable(std::string name, std::string title, std::vector<Table::Column> columns) {
  return tables_.emplace_back(std::move(name), std::move(title), std::move(columns));
}

void Report::Progress(const std::string& what) const { host::PrintError("bench {}: {}", name_, what); }

bool Report::IsGood() const {
  return faults_.empty() &&
         std::all_of(checks_.begin(), checks_.end(), [](const Check& check) { return check.met || !check.binding; });
}

void Report::Print() const {
  std::string text = title_ + "\n";
  for (const auto& [what, value] : environment_) text += fmt::format("  {:<9} {}\n", what, value);
  if (!checks_.empty()) text += "\n" + ChecksTable(checks_).Text();
  for (const Table& table : tables_) {
    if (table.is_printed()) text += "\n" + table.Text();
  }
  text += "\n";
  for (const std::string& note : notes_) text += note + "\n";
  for (const std::string& fault : faults_) text += "FAULT: " + fault + "\n";
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) != 0) throw BenchError(fmt::format("cannot print the figures: {}", std::strerror(errno)));
}

std::string Report::Json() const {
  nlohmann::ordered_json json{{"bench", name_}, {"title", title_}, {"seed", options_.seed}, {"quick", options_.quick}};
  for (const auto& [what, value] : environment_) json["environment"][what] = value;
  for (const Table& table : tables_) json["tables"][table.name()] = table.Json();
  for (const Check& check : checks_) json["checks"].push_back(bench::Json(check));
  json["notes"] = notes_;
  for (const auto& [key, table] : lists_) json[key] = table->Json()["rows"];
  json["wrong"] = faults_;
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string Report::Html() const {
  std::string html = fmt::format("<h2 id=\"{0}\">{1}</h2>\n<p class=\"environment\"><code>tactus bench {0}{2}</code>", name_,
                                 EscapeMarkup(title_), options_.quick ? " --quick" : "");
  for (const auto& [what, value] : environment_) html += fmt::format(" · {}: {}", what, EscapeMarkup(value));
  html += "</p>\n" + Paragraphs(faults_, "fault");
  if (!checks_.empty()) html += ChecksTable(checks_).Html();
  for (const auto& [name, svg] : pictures_) html += svg;
  for (const Table& table : tables_) html += table.Html();
  return html + Paragraphs(notes_, "note");
}

std::string Report::Markdown() const {
  std::string text = checks_.empty() ? "" : ChecksTable(checks_).Markdown();
  for (const Table& table : tables_) {
    if (table.is_printed()) text += (text.empty() ? "" : "\n") + table.Markdown();
  }
  return text;
}

int Report::Finish() const {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const std::string file = t == 0 ? name_ + ".csv" : fmt::format("{}-{}.csv", name_, tables_[t].name());
    WriteFile(options_.out / file, tables_[t].Csv());
  }
  for (const auto& [name, svg] : pictures_) WriteFile(options_.out / fmt::format("{}-{}.svg", name_, name), svg);
  WriteFile(options_.out / (name_ + ".fragment.html"), Html());
  WriteFile(options_.out / (name_ + ".md"), Markdown());
  const std::string json = Json();
  WriteFile(options_.out / (name_ + ".json"), json);
  if (!options_.json.empty()) WriteFile(options_.json, json);
  Print();
  return IsGood() ? kGood : kWrong;
}

void WriteFile(const std::filesystem::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw BenchError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

Table SummaryOf(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  Table missed("summary", "", {{"bench"}, {"not met"}, {"value"}, {"unit"}, {"goal"}});
  std::size_t met = 0, goals = 0, benches = 0;
  for (const std::string& name : names) {
    std::ifstream file(folder / (name + ".json"), std::ios::binary);
    const nlohmann::json report = file ? nlohmann::json::parse(file, nullptr, false) : nlohmann::json{};
    benches += report.is_object() && AddMissed(name, report, &missed, &met, &goals);
  }
  missed.SetTitle(fmt::format("{} of {} goals of {} benches met", met, goals, benches));
  return missed;
}

std::filesystem::path WriteIndex(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::string page = kPageHead + SummaryOf(folder, names).Html(), links, fragments;
  for (const std::string& name : names) {
    std::ifstream file(folder / (name + ".fragment.html"), std::ios::binary);
    if (!file) continue;
    links += fmt::format("{}<a href=\"#{}\">{}</a>", links.empty() ? "<p>" : " · ", name, name);
    fragments.append(std::istreambuf_iterator<char>(file), {});
  }
  const std::filesystem::path index = folder / "index.html";
  WriteFile(index, page + links + "</p>\n" + fragments + "</body></html>\n");
  return index;
}

}  // namespace tactus::bench
