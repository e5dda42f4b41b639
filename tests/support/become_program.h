#pragma once
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace tactus::host {

/// In a child, behind fork: runs the program `words[0]` in its place, which ends when this test does.
[[noreturn]] inline void BecomeProgram(std::vector<std::string> words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace tactus::host
