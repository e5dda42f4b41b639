// The loop allocates nothing: each malloc of this program is counted, and those of the loop's thread must be none.
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/linux/live_server.h"

namespace {

thread_local bool watched = false;  // this thread is the loop's
std::atomic<int> allocations{0}, elsewhere{0};

void Count() { ++(watched ? allocations : elsewhere); }

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) {
  Count();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  Count();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  Count();
  return __libc_realloc(memory, size);
}
void free(void* memory) {
  if (memory != nullptr && watched) Count();
  __libc_free(memory);
}
}

namespace tactus::host {
namespace {

TEST(LoopProof, CountsTheAllocationsOfAWatchedThread) {
  const int before = allocations;
  std::thread([] {
    watched = true;
    std::vector<int>* volatile numbers = new std::vector<int>(100);
    delete numbers;
    watched = false;
  }).join();
  EXPECT_EQ(allocations - before, 4) << "two of each";
}

TEST(LoopProof, TheLoopAllocatesNothingInSessionsFadesAndBetweenThem) {
  allocations = 0;
  LiveServer::Options options;
  options.on_loop_thread = [] { watched = true; };
  LiveServer server(options);
  for (int i = 0; i < 2; ++i) {
    TouchingHost host(server);
    const std::size_t from = server.device().count();
    host.Leave();
    server.ExpectFade(from);
  }
  TouchingHost host(server);
  EXPECT_GT(elsewhere.load(), 0);
  EXPECT_EQ(allocations.load(), 0) << "in " << server.loop().counts().periods.load() << " periods";
}

}  // namespace
}  // namespace tactus::host
