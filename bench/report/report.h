#pragma once
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_options.h"
#include "bench/report/check.h"
#include "bench/report/environment.h"
#include "bench/report/plot.h"
#include "bench/report/table.h"

namespace tactus::bench {

/// A bench cannot go on: one sentence for the user, exit code kUsage.
class BenchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What one bench found out. Of a bench called NAME, Finish() writes into the folder of the options
///
///     NAME.csv              the first table; NAME-TABLE.csv each further one
///     NAME-PLOT.svg         each plot
///     NAME.json             everything but the plots; "checks": [{"name", "value", "unit", "goal", "met"}], if there are
///     any NAME.md               the printed tables, for a document NAME.fragment.html    its part of index.html, which
///     WriteIndex() puts together
///
/// and prints environment, checks, tables and notes on standard output. Progress goes to standard error.
class Report {
 public:
  /// @throws BenchError: the folder cannot be made or written
  Report(std::string name, std::string title, const BenchOptions& options);

  /// The reference stays valid.
  Table& AddTable(std::string name, std::string title, std::vector<Table::Column> columns);
  void AddPlot(const std::string& name, const Plot& plot) { AddPicture(name, plot.Svg()); }
  /// The JSON has the rows of this table of ours also as a list of its own: "key": [{column name: value}].
  void ListInJson(std::string key, const Table& table) { lists_.emplace_back(std::move(key), &table); }
  /// An SVG made elsewhere.
  void AddPicture(const std::string& name, std::string svg) { pictures_.emplace_back(name, std::move(svg)); }
  /// A sentence that belongs to the figures.
  void Note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  /// A figure with a goal; the bench ends with kWrong if it is binding and not met.
  void Add(Check check) { checks_.push_back(std::move(check)); }
  /// Something that must not be; the bench ends with kWrong. "wrong" in the JSON.
  void Fault(std::string sentence) { faults_.push_back(std::move(sentence)); }

  /// One line on standard error: what is being measured.
  void Progress(const std::string& what) const;

  /// Writes everything. @returns kGood, or kWrong if there is a fault or a goal is not met. @throws BenchError: cannot write
  int Finish() const;

 private:
  void Print() const;
  std::string Json() const;
  std::string Html() const;
  std::string Markdown() const;
  bool IsGood() const;

  std::string name_, title_;
  BenchOptions options_;
  Environment environment_;
  std::deque<Table> tables_;
  std::vector<std::pair<std::string, std::string>> pictures_;  // (name, SVG)
  std::vector<std::pair<std::string, const Table*>> lists_;
  std::vector<std::string> notes_, faults_;
  std::vector<Check> checks_;
};

/// Writes `text` to a file. @throws BenchError
void WriteFile(const std::filesystem::path& file, const std::string& text);

/// What the benches of `names` whose JSON is in `folder` have missed, a line each: faults and goals; and how many goals are
/// met.
Table SummaryOf(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Puts index.html together from the fragments of `names` that are in `folder`, the summary first. It needs no other file
/// and no network.
/// @returns its path. @throws BenchError
std::filesystem::path WriteIndex(const std::filesystem::path& folder, const std::vector<std::string>& names);

}  // namespace tactus::bench
