#include "bench/peers/peers_bench.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/statistics.h"
#include "bench/measure/timing.h"
#include "bench/measure/whitened.h"
#include "bench/peers/peer.h"
#include "bench/report/report.h"
#include "bench/scenes/scenes.h"
#include "tactus/solve/dantzig/dantzig.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/lemke/lemke_dense.h"
#include "tactus/solve/lemke/lemke_reduced.h"
#include "tactus/solve/lemke/lemke_structural.h"

namespace tactus::bench {
namespace {

constexpr Capacity kCapacity{.bodies = 4, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
using Problem = WhitenedProblem<double, kCapacity>;
using Impulses = WhitenedImpulses<double, kCapacity>;

constexpr double kExact = 1e-8;   // what theory section 6 accepts in double
constexpr double kCoarse = 1e-3;  // iterative solvers: better than nothing

// What one solver did with the problems of one scene.
struct Tally {
  std::string solver;
  std::vector<double> time_us, of_lu;
  int problems = 0, exact = 0, coarse = 0, wrong = 0, failures = 0;
  double worst_residual = 0;

  explicit Tally(std::string name) : solver(std::move(name)) {}
  void Add(bool claimed, double residual, double microseconds, double lu_us) {
    ++problems;
    time_us.push_back(microseconds);
    of_lu.push_back(microseconds / lu_us);
    if (!claimed) {
      ++failures;
      return;
    }
    ++(residual <= kExact ? exact : residual <= kCoarse ? coarse : wrong);
    if (!(residual <= worst_residual)) worst_residual = residual;
  }
  void AddNoAnswer() {
    ++problems;
    ++failures;
  }
};

struct Scene {
  const char* name;
  host::ProblemDocument (*make)(Random*);
};

constexpr Scene kScenes[] = {
    {"peg n=16", [](Random* random) { return Peg(16, random); }},
    {"face on surface n=4", [](Random* random) { return Situation(3, random); }},
    {"block in groove n=8", [](Random* random) { return Situation(5, random); }},
    {"block in corner n=12", [](Random* random) { return Situation(8, random); }},
    {"random n=10", [](Random* random) { return RandomBodies(1, 10, random); }},
    {"stack m=2 n=8",
     [](Random* random) {
       return Stack(std::array{4, 4}, random);
     }},
    {"stack m=4 n=16",
     [](Random* random) {
       return Stack(std::array{4, 4, 4, 4}, random);
     }},
};

// All solvers on all problems of one scene.
class Contest {
 public:
  Contest(const BenchOptions& options, LuYardstick* lu, std::vector<Peer>* peers,
          const std::vector<const PeerLibrary*>& libraries)
      : timing_(options.quick ? Timing{3, 20'000, 1e7} : Timing{7, 20'000, 5e7}),
        lu_(lu),
        peers_(peers),
        libraries_(libraries) {}

  std::vector<Tally> Run(const Scene& scene, bool friction, const BenchOptions& options) {
    tallies_.clear();
    for (int i = 0; i < (options.quick ? 3 : 20); ++i) {
      Random random(options.seed * 3000017 + static_cast<std::uint64_t>(i));
      host::ProblemDocument document = scene.make(&random);
      Push(static_cast<int>(document.bodies.size()) - 1, document.bodies.size() == 1 ? 0.04 : 0.1, &random, &document);
      if (!friction) RemoveFriction(&document);
      ToWhitened(document, &problem_);
      if (friction) {
        WriteOut(problem_, &lcp_);
      } else {
        WriteOutNormals();
      }
      next_ = 0;
      lu_us_ = lu_->Lu_us(lcp_.M);
      AddOurs(friction);
      AddPeers(friction);
    }
    return tallies_;
  }

 private:
  void WriteOutNormals() {
    FormSystem<1>(problem_, &system_);
    lcp_.M = SquareMatrix(system_.size);
    lcp_.q.assign(system_.b.begin(), system_.b.begin() + system_.size);
    for (std::size_t i = 0; i < lcp_.q.size(); ++i) {
      for (std::size_t j = 0; j < lcp_.q.size(); ++j) lcp_.M(static_cast<int>(i), static_cast<int>(j)) = system_.A[i][j];
    }
  }

  // The tally of the next solver of the list, which is the same for every problem.
  Tally& Next(const std::string& name) {
    if (next_ == tallies_.size()) tallies_.emplace_back(name);
    return tallies_[next_++];
  }

  template <class Solver>
  void AddLemke(const char* name, Solver* solver) {
    LemkeReport report;
    const int limit = Solver::PivotLimit(problem_);
    const double time_ns = MedianNanoseconds(timing_, [&] {
      report = solver->SolveCold(problem_, 0, limit);
      Keep(*solver);
    });
    solver->GetImpulses(problem_, &impulses_);
    Next(name).Add(report.outcome == LemkeOutcome::kSolved, ComplementarityResidual(problem_, impulses_), time_ns / 1000,
                   lu_us_);
  }

  void AddOurs(bool friction) {
    AddLemke("Tactus lemke_reduced", &reduced_);
    if (friction) {
      AddLemke("Tactus lemke_structural", &structural_);
      AddLemke("Tactus lemke_dense", &dense_);
      return;
    }
    DantzigReport<double> report;
    const double time_ns = MedianNanoseconds(timing_, [&] {
      report = dantzig_.Solve(problem_, 10'000);
      Keep(dantzig_);
    });
    dantzig_.GetImpulses(problem_, &impulses_);
    Next("Tactus dantzig")
        .Add(report.outcome == DantzigOutcome::kSolved, ComplementarityResidual(problem_, impulses_), time_ns / 1000,
             lu_us_);
  }

  void AddPeers(bool friction) {
    for (std::size_t p = 0; p < peers_->size(); ++p) {
      const auto& solvers = libraries_[p]->solvers;
      for (std::size_t s = 0; s < solvers.size(); ++s) {
        if (friction && solvers[s].symmetric_only) continue;
        Tally& tally = Next(solvers[s].name);
        const std::optional<Peer::Answer> answer = (*peers_)[p].Solve(static_cast<int>(s), lcp_, timing_.samples);
        if (!answer) {
          tally.AddNoAnswer();
          continue;
        }
        tally.Add(answer->claims_solution, Residual(answer->z, friction), answer->time_us, lu_us_);
      }
    }
  }

  double Residual(const std::vector<double>& z, bool friction) {
    if (friction) {
      ReadImpulses(problem_, z, &impulses_);
    } else {
      impulses_ = {};
      std::copy(z.begin(), z.end(), impulses_.theta.begin());
    }
    return ComplementarityResidual(problem_, impulses_);
  }

  Timing timing_;
  LuYardstick* lu_;
  std::vector<Peer>* peers_;
  std::vector<const PeerLibrary*> libraries_;
  std::vector<Tally> tallies_;
  std::size_t next_ = 0;
  double lu_us_ = 0;
  Problem problem_;
  Impulses impulses_;
  ContactLcp lcp_;
  DantzigSystem<double, kCapacity.contacts> system_;
  LemkeReduced<double, kCapacity> reduced_;
  LemkeStructural<double, kCapacity> structural_;
  LemkeDense<double, kCapacity> dense_;
  DantzigContacts<double, kCapacity> dantzig_;
};

void AddRows(const Scene& scene, const std::vector<Tally>& tallies, Report* report, Table* table) {
  for (const Tally& t : tallies) {
    const bool timed = !t.time_us.empty();
    table->AddRow({scene.name, t.solver, t.problems, t.exact, t.coarse, t.wrong, t.failures,
                   timed ? Table::Cell(Median(t.time_us)) : Table::Cell(),
                   timed ? Table::Cell(Median(t.of_lu)) : Table::Cell(), t.worst_residual});
    if (t.solver.starts_with("Tactus") && t.exact != t.problems) {
      report->Fault(fmt::format("{}: {} solves {} of {}", scene.name, t.solver, t.exact, t.problems));
    }
  }
}

Table& MakeTable(const char* name, const char* title, Report* report) {
  return report->AddTable(name, title,
                          {{"problems of"},
                           {"solver"},
                           {"problems"},
                           {"exact"},
                           {"coarse"},
                           {"wrong"},
                           {"failures"},
                           {"time", "us"},
                           {"of LU"},
                           {"worst residual"}});
}

}  // namespace

int RunPeers(const BenchOptions& options) {
  Report report("peers", "Other solvers on the same problems, in the same run, judged by the same checker", options);
  std::vector<Peer> peers;
  std::vector<const PeerLibrary*> present;
  for (const PeerLibrary& library : kPeers) {
    if (!IsBuilt(library.program)) {
      report.Note(fmt::format("{} is absent: apt-get install {}, then configure again: cmake build/host", library.name,
                              library.package));
      continue;
    }
    peers.emplace_back(library);
    present.push_back(&library);
  }
  LuYardstick lu(options.quick ? 3 : 7);
  const auto contest = std::make_unique<Contest>(options, &lu, &peers, present);
  Table& frictional = MakeTable("friction", "With friction: the LCP (6), n(2+d) rows", &report);
  Table& normals = MakeTable("frictionless", "Without: w = A f + b, n rows", &report);
  for (const Scene& scene : kScenes) {
    for (const bool friction : {true, false}) {
      report.Progress(fmt::format("{}, {} friction", scene.name, friction ? "with" : "without"));
      AddRows(scene, contest->Run(scene, friction, options), &report, friction ? &frictional : &normals);
    }
  }
  report.Note(
      "exact: called solved, residual at most 1e-8; coarse: at most 1e-3; wrong: called solved and worse; failures: "
      "nothing claimed, a crash, or more than 10 s. Peers get the LCP written out and ready, ours the whitened "
      "problem; the time is that of the solve alone. Bullet's and DART's own friction law is a box, another law: only "
      "their solvers for a general LCP are given problems with friction.");
  return report.Finish();
}

}  // namespace tactus::bench
