#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "host_tools/doctor/findings.h"

namespace tactus::host {
namespace {

using Judgement = Finding::Judgement;
constexpr const char* kCpu0 = "sys/devices/system/cpu/cpu0/";

/// Files that stand for a machine on which nothing is wrong.
class Tree {
 public:
  Tree() {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::path(testing::TempDir()) / (std::string("doctor.") + test->name());
    std::filesystem::remove_all(root_);
    Put("proc/sys/kernel/osrelease", "6.1.0-rt\n");
    Put("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian 6.1.192-2\n");
    Put("proc/sys/kernel/sched_rt_runtime_us", "950000\n");
    Limits("90", "unlimited");
    Put("sys/kernel/realtime", "1\n");
    Put("sys/devices/system/cpu/isolated", "1\n");
    for (const std::string cpu : {"cpu0/", "cpu1/"}) {
      Put("sys/devices/system/cpu/" + cpu + "cpufreq/scaling_governor", "performance\n");
      Put("sys/devices/system/cpu/" + cpu + "cpuidle/state0/latency", "2\n");
      Put("sys/devices/system/cpu/" + cpu + "cpuidle/state0/name", "C1\n");
    }
    Put("sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "1\n");
    Put("dev/ttyUSB0", "");
    std::filesystem::permissions(root_ / "dev/ttyUSB0", std::filesystem::perms(0666));
  }
  ~Tree() { std::filesystem::remove_all(root_); }

  void Put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  void Remove(const std::string& path) const { std::filesystem::remove_all(root_ / path); }
  void Limits(const std::string& priority, const std::string& memory) const {
    Put("proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n"
        "Max locked memory         " +
            memory + "              " + memory +
            "              bytes     \n"
            "Max realtime priority     " +
            priority + "                    0                    \n");
  }
  std::filesystem::path root() const { return root_; }

  /// What was found of this name.
  std::string Found(const std::string& name) const {
    for (const Finding& finding : Examine(Machine(root_), {.id = 4711, .groups = {}})) {
      if (finding.name == name) return finding.found;
    }
    return "";
  }
  /// Names of what is judged so, in order.
  std::string Judged(Judgement judgement, std::uint32_t user = 4711) const {
    std::string names;
    for (const Finding& finding : Examine(Machine(root_), {.id = user, .groups = {}})) {
      if (finding.judgement != judgement) continue;
      names += (names.empty() ? "" : ", ") + finding.name;
      EXPECT_EQ(finding.fix.empty(), judgement != Judgement::kWrong) << finding.name << ": what is wrong can be mended";
      EXPECT_EQ(finding.cost.empty(), judgement != Judgement::kWrong) << finding.name;
    }
    return names;
  }

 private:
  std::filesystem::path root_;
};

TEST(Doctor, FindsNothingWrongWithAGoodMachine) {
  const Tree tree;
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "");
  EXPECT_EQ(tree.Judged(Judgement::kUnknown), "");
  EXPECT_EQ(tree.Judged(Judgement::kAbsent), "");
}

TEST(Doctor, FindsEachThingThatIsWrongAndNothingElse) {
  const Tree tree;
  tree.Put("sys/kernel/realtime", "0\n");
  tree.Put("proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "kernel");
  tree.Put("sys/kernel/realtime", "1\n");

  tree.Limits("0", "unlimited");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "RT priority");
  EXPECT_EQ(tree.Judged(Judgement::kWrong, 0), "") << "root";
  tree.Limits("90", "8388608");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "locked memory");
  EXPECT_EQ(tree.Found("locked memory"), "8192 KiB, the loop wants 131072 KiB");
  tree.Limits("90", "unlimited");

  tree.Put(std::string(kCpu0) + "cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "governor");
  tree.Put(std::string(kCpu0) + "cpufreq/scaling_governor", "performance\n");

  tree.Put(std::string(kCpu0) + "cpuidle/state4/latency", "890\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "C-states");
  tree.Put("dev/cpu_dma_latency", "");
  std::filesystem::permissions(tree.root() / "dev/cpu_dma_latency", std::filesystem::perms(0666));
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "") << "serve keeps the processor out of it";
  tree.Remove("dev/cpu_dma_latency");
  tree.Put(std::string(kCpu0) + "cpuidle/state4/disable", "1\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "") << "a state that is switched off";

  tree.Put("sys/devices/system/cpu/isolated", "\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "isolation");
  tree.Put("sys/devices/system/cpu/isolated", "1\n");

  tree.Put("proc/sys/kernel/sched_rt_runtime_us", "-1\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "throttling");
  tree.Put("proc/sys/kernel/sched_rt_runtime_us", "950000\n");

  tree.Put("sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "16\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "USB latency");
  tree.Remove("sys/bus/usb-serial/devices/ttyUSB1");

  std::filesystem::permissions(tree.root() / "dev/ttyUSB0", std::filesystem::perms(0600));
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "permissions");
  EXPECT_EQ(tree.Judged(Judgement::kWrong, 0), "") << "root";
}

TEST(Doctor, LooksWhetherRootHasRootsRights) {
  const Tree tree;
  tree.Limits("0", "8388608");
  tree.Put("proc/self/status", "Name:\ttactus\nCapEff:\t000001ffffffffff\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong, 0), "");
  tree.Put("proc/self/status", "Name:\ttactus\nCapEff:\t00000000a80425fb\n");  // Source: what Docker leaves by default
  EXPECT_EQ(tree.Judged(Judgement::kWrong, 0), "RT priority, locked memory");
}

TEST(Doctor, CallsWhatIsNotThereAbsentAndWhatCannotBeReadUnknown) {
  const Tree tree;
  for (const char* path : {"sys/devices/system/cpu/cpu0/cpufreq", "sys/devices/system/cpu/cpu1/cpufreq", "sys/bus", "dev",
                           "sys/devices/system/cpu/cpu0/cpuidle", "sys/devices/system/cpu/cpu1/cpuidle"})
    tree.Remove(path);
  tree.Remove("proc/self/limits");
  tree.Put("proc/sys/kernel/sched_rt_runtime_us", "rubbish\n");
  EXPECT_EQ(tree.Judged(Judgement::kWrong), "");
  EXPECT_EQ(tree.Judged(Judgement::kAbsent), "governor, C-states, USB latency, permissions");
  EXPECT_EQ(tree.Judged(Judgement::kUnknown), "RT priority, locked memory, throttling");
}

}  // namespace
}  // namespace tactus::host
