#include "host_tools/serve/listener.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <barrier>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "host_tools/link/host_error.h"
#include "host_tools/link/token.h"
#include "tests/host/temporary_file.h"

namespace tactus::host {
namespace {

std::string RefusalOf(const std::string& address, bool has_token = false) {
  try {
    const Listener listener(address, has_token);
    return "";
  } catch (const HostError& error) {
    return error.what();
  }
}

TEST(Listener, MakesASocketThatOnlyItsOwnerMayUse) {
  const TemporaryFile file("s");
  struct stat status {};
  {
    const Listener listener("unix:" + file.path(), false);
    ASSERT_EQ(lstat(file.path().c_str(), &status), 0);
    EXPECT_TRUE(S_ISSOCK(status.st_mode));
    EXPECT_EQ(status.st_mode & 0777, 0600u);
  }
  EXPECT_NE(lstat(file.path().c_str(), &status), 0) << "it goes with the listener";
}

TEST(Listener, RefusesAPathWhereSomebodyListensAndLeavesHimAlone) {
  const TemporaryFile file("s");
  const Listener first("unix:" + file.path(), false);
  EXPECT_NE(RefusalOf("unix:" + file.path()).find("somebody listens there"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_socket(file.path()));
}

/// As a program that was killed leaves it.
void LeaveSocket(const std::string& path) {
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  std::strcpy(place.sun_path, path.c_str());
  ASSERT_EQ(bind(left, reinterpret_cast<sockaddr*>(&place), sizeof(place)), 0);
  close(left);
}

TEST(Listener, ReplacesASocketThatAKilledProgramHasLeft) {
  const TemporaryFile file("s");
  LeaveSocket(file.path());
  EXPECT_EQ(RefusalOf("unix:" + file.path()), "");
}

TEST(Listener, IsOneWhenTwoTakeOverTheSameSocketAtTheSameTime) {
  for (int i = 0; i < 200; ++i) {
    const TemporaryFile file("s");
    LeaveSocket(file.path());
    std::barrier begin(2);
    std::optional<Listener> listeners[2];
    const auto take = [&](int k) {
      begin.arrive_and_wait();
      try {
        listeners[k].emplace("unix:" + file.path(), false);
      } catch (const HostError&) {
      }
    };
    std::thread other(take, 0);
    take(1);
    other.join();
    ASSERT_NE(listeners[0].has_value(), listeners[1].has_value()) << i;
    ASSERT_TRUE(std::filesystem::is_socket(file.path()));
  }
}

TEST(Listener, TouchesNoFileThatIsNoSocket) {
  const TemporaryFile file("s");
  file.Write({'a'});
  EXPECT_NE(RefusalOf("unix:" + file.path()).find("no socket"), std::string::npos);
  EXPECT_EQ(file.Bytes().size(), 1u);
}

TEST(Listener, RefusesAPortThatIsTaken) {
  const Listener first("tcp:127.0.0.1:0", false);
  EXPECT_NE(RefusalOf(first.address()).find("in use"), std::string::npos);
}

TEST(Listener, AsksForATokenEverywhereButOnLoopback) {
  for (const char* open : {"tcp:0.0.0.0:0", "tcp:[::]:0", "tcp:192.0.2.1:0"}) {
    EXPECT_NE(RefusalOf(open).find("--token-file"), std::string::npos) << open;
  }
  EXPECT_EQ(RefusalOf("tcp:0.0.0.0:0", true), "");
  EXPECT_EQ(RefusalOf("tcp:127.0.0.2:0"), "") << "127.0.0.0/8 is loopback: RFC 1122, 3.2.1.3";
}

TEST(Listener, RefusesWhatIsNoAddress) {
  for (const char* wrong : {"", "unix:", "tcp:", "tcp:127.0.0.1", "tcp:localhost:1", "tcp:127.0.0.1:70000", "tcp::1",
                            "tcp:127.0.0.1:-1", "udp:127.0.0.1:1", "serial:/dev/ttyS0"}) {
    EXPECT_NE(RefusalOf(wrong), "") << wrong;
  }
  EXPECT_NE(RefusalOf("unix:/" + std::string(200, 'x')).find("107"), std::string::npos);
}

TEST(Token, DiffersInEachPlace) {
  const std::string token = "0123456789abcdefXYZ";
  EXPECT_TRUE(EqualTokens(token, token));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string wrong = token;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    EXPECT_FALSE(EqualTokens(token, wrong)) << i;
    EXPECT_FALSE(EqualTokens(token, token.substr(0, i))) << i;
  }
  EXPECT_FALSE(EqualTokens(token, token + "a"));
  EXPECT_FALSE(EqualTokens(token, token + std::string(1000, '\0')));
}

std::string TokenRefusal(const std::string& path) {
  try {
    (void)ReadToken(path);
    return "";
  } catch (const HostError& error) {
    return error.what();
  }
}

TEST(Token, IsReadFromAFileThatNobodyElseMayRead) {
  const TemporaryFile file("token");
  std::ofstream(file.path()) << "0123456789abcdef\n";
  ASSERT_EQ(chmod(file.path().c_str(), 0640), 0);
  EXPECT_NE(TokenRefusal(file.path()).find("chmod 600"), std::string::npos);
  ASSERT_EQ(chmod(file.path().c_str(), 0600), 0);
  EXPECT_EQ(ReadToken(file.path()), "0123456789abcdef");
  std::ofstream(file.path()) << "short\n";
  EXPECT_NE(TokenRefusal(file.path()).find("16 to 256"), std::string::npos);
  std::ofstream(file.path()) << "0123456789abcdef\nsecond line\n";
  EXPECT_NE(TokenRefusal(file.path()).find("one line"), std::string::npos);
  EXPECT_NE(TokenRefusal("/nowhere"), "");
  EXPECT_NE(TokenRefusal("/"), "");
}

}  // namespace
}  // namespace tactus::host
