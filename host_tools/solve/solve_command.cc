#include "host_tools/solve/solve_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "host_tools/solve/line_reader.h"
#include "host_tools/solve/parse_problem.h"
#include "host_tools/solve/solver_registry.h"
#include "host_tools/solve/write_solution.h"
#include "host_tools/standard_streams.h"

namespace tactus::host {
namespace {

struct Options {
  std::string file;
  std::string solver = "lemke_reduced";
  std::string scalar = "double";
  std::string cone = "polygon";
  SolveRequest request;
};

struct Counts {
  long lines = 0;
  long solved = 0, jammed = 0, budget = 0, invalid = 0;
  std::string first_invalid;  // "line 7: contacts[3].friction: must be >= 0, is -0.1"

  void Add(const SolutionDocument& solution, long line_number) {
    ++lines;
    switch (solution.status) {
      case SolveStatus::kSolved: ++solved; return;
      case SolveStatus::kJammed: ++jammed; return;
      case SolveStatus::kBudget: ++budget; return;
      case SolveStatus::kInvalid: break;
    }
    if (++invalid == 1)
      first_invalid = solution.name ? fmt::format("line {}: {}", line_number, solution.error) : solution.error;
  }
};

template <class... Args>
int Complain(fmt::format_string<Args...> text, Args&&... args) {
  PrintError("tactus solve: {}", fmt::format(text, std::forward<Args>(args)...));
  return kUsageOrFile;
}

/// A file descriptor that is closed when it was opened here.
class Input {
 public:
  explicit Input(const std::string& file)
      : is_standard_(file == "-"), descriptor_(is_standard_ ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (!is_standard_ && descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

 private:
  bool is_standard_;
  int descriptor_;
};

bool IsDirectory(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos; }

// Every line leaves at once: what was solved before a broken pipe or an interrupt is not lost.
bool Write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) return false;
    written += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return true;
}

SolutionDocument SolveLine(std::string_view line, ProblemSolver* solver) {
  const ParsedProblem parsed = ParseProblem(line);
  SolutionDocument solution;
  if (parsed.error.empty()) {
    solution = solver->Solve(parsed.problem);
  } else {
    solution.error = parsed.error;
  }
  solution.name = parsed.problem.name;
  if (solution.fault) solution.error = Describe(solution.fault, parsed.source);
  return solution;
}

int Finish(const Options& options, const Counts& counts) {
  if (counts.lines == 0) return Complain("{}: there is no problem in it", options.file);
  if (counts.solved == counts.lines) return kAllSolved;
  PrintError("tactus solve: {} problems: {} solved, {} jammed, {} budget, {} invalid", counts.lines, counts.solved,
             counts.jammed, counts.budget, counts.invalid);
  if (counts.invalid == 0) return kSomeUnsolved;
  PrintError("tactus solve: first invalid: {}", counts.first_invalid);
  return kSomeInvalid;
}

int SolveAll(const Options& options, int descriptor, ProblemSolver* solver) {
  LineReader reader(descriptor);
  Counts counts;
  std::string out;
  while (true) {
    std::string_view line;
    const LineReader::Result result = reader.Next(&line);
    if (result == LineReader::Result::kError) return Complain("{}: {}", options.file, std::strerror(errno));
    if (result == LineReader::Result::kEnd) return Finish(options, counts);
    SolutionDocument solution;
    if (result == LineReader::Result::kTooLong) {
      solution.error = fmt::format("longer than {} bytes", LineReader::kMaxLineBytes);
    } else if (IsBlank(line)) {
      continue;
    } else {
      solution = SolveLine(line, solver);
    }
    if (solution.status == SolveStatus::kInvalid) solution.scalar = Name(options.request.scalar);
    if (!solution.name && !solution.error.empty()) {  // nothing else tells which problem this is
      solution.error = fmt::format("line {}: {}", reader.line_number(), solution.error);
    }
    counts.Add(solution, reader.line_number());
    out.clear();
    WriteSolution(solution, options.solver, &out);
    if (Write(out)) continue;
    if (errno == EPIPE) return kUsageOrFile;  // the reader has seen enough
    return Complain("cannot write the solution of line {}: {}", reader.line_number(), std::strerror(errno));
  }
}

int Run(Options options) {
  const SolverEntry* entry = FindSolver(options.solver);
  if (entry == nullptr) {
    std::string known;
    for (const SolverEntry& solver : Solvers()) known += fmt::format("{}{}", known.empty() ? "" : ", ", solver.name);
    return Complain("no solver '{}'; there is: {}", options.solver, known);
  }
  if (options.scalar != Name(ScalarKind::kDouble) && options.scalar != Name(ScalarKind::kFloat)) {
    return Complain("no scalar '{}'; there is: double, float", options.scalar);
  }
  options.request.scalar = options.scalar == Name(ScalarKind::kFloat) ? ScalarKind::kFloat : ScalarKind::kDouble;
  if (options.cone != Name(Cone::kPolygon) && options.cone != Name(Cone::kRound)) {
    return Complain("no cone '{}'; there is: polygon, round", options.cone);
  }
  options.request.cone = options.cone == Name(Cone::kRound) ? Cone::kRound : Cone::kPolygon;
  const Input input(options.file);
  if (input.descriptor() < 0) return Complain("{}: {}", options.file, std::strerror(errno));
  if (IsDirectory(input.descriptor())) return Complain("{}: is a directory", options.file);
  const std::unique_ptr<ProblemSolver> solver = entry->make(options.request);
  return SolveAll(options, input.descriptor(), solver.get());
}

constexpr const char* kFooter =
    "One problem a line in (tactus.problem/1), one solution a line out (tactus.solution/1), in the same order, whatever\n"
    "happens: docs/problem_format.md. Blank lines are skipped.\n"
    "\n"
    "Exit code: 0 every problem solved; 1 some jammed or out of budget; 2 wrong arguments, no such file, nothing in it,\n"
    "or the output cannot be written; 3 some lines are not a valid problem.";

}  // namespace

void AddSolveCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("solve", "Solve contact problems, one a line");
  const std::shared_ptr<Options> options = std::make_shared<Options>();
  std::string solvers = "Algorithm:";
  for (const SolverEntry& entry : Solvers()) solvers += fmt::format("\n{}: {}", entry.name, entry.description);
  command->add_option("FILE", options->file, "Problems, one JSON object a line; - is standard input")->required();
  command->add_option("--solver", options->solver, solvers)->capture_default_str();
  command->add_option("--scalar", options->scalar, "double or float")->capture_default_str();
  command
      ->add_option("--cone", options->cone,
                   "polygon: with the problem's directions; round: Coulomb's, where it is found (Lemke's solvers)")
      ->capture_default_str();
  command->add_flag("--warm", options->request.warm, "Start from the previous line's basis, by contact id");
  command->add_flag("--merge", options->request.merge, "Merge near-duplicate contacts");
  command->add_option("--seed", options->request.seed, "Of the covering vector")->capture_default_str();
  command->footer(kFooter);
  command->callback([options] {
    const int code = Run(*options);
    if (code != kAllSolved) throw CLI::RuntimeError(code);
  });
}

}  // namespace tactus::host
