// Two servers behind HAProxy, with the configuration of deploy/proxy.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/serve/repository_fixture.h"
#include "tests/serve/server_process.h"

namespace micrort::test {
namespace {

// Ends the proxy with the test.
class Haproxy {
 public:
  explicit Haproxy(const std::vector<int>& servers) : port_(FreePorts(1)[0]) {
    setenv("FRONTEND", Address(port_).c_str(), 1);
    setenv("SERVER_1", Address(servers[0]).c_str(), 1);
    setenv("SERVER_2", Address(servers[1]).c_str(), 1);
    const std::string configuration = SourceFile("deploy/proxy/haproxy.cfg");
    child_ = fork();
    if (child_ == 0) {
      execlp("haproxy", "haproxy", "-q", "-db", "-f", configuration.c_str(), nullptr);
      _exit(127);
    }
  }
  ~Haproxy() {
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
  }
  std::string url() const { return "http://" + Address(port_) + "/"; }

 private:
  static std::string Address(int port) { return "127.0.0.1:" + std::to_string(port); }
  int port_;
  pid_t child_;
};

TEST(ServeFleet, AServerThatDiesCostsNoRequest) {
  if (RunCommand({"haproxy", "-v"}).exit_code != 0) GTEST_SKIP() << "skipped: no haproxy";
  const TemporaryFolder repository;
  AddReluModel(repository, "relu", 1);
  ServerProcess dying(repository.path());
  const ServerProcess staying(repository.path());
  ASSERT_TRUE(dying.is_ready() && staying.is_ready());
  const Haproxy proxy({dying.http_port(), staying.http_port()});
  for (int i = 0; i < 100 && Curl(proxy.url() + "v2/health/ready").status != 200; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));

  const std::string url = proxy.url() + "v2/models/relu/infer";
  const std::string request = R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,2,3,4]}]})";
  std::atomic<bool> ends{false};
  std::atomic<int> asked{0}, answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back([&] {
      while (!ends) {
        const Answer answer = Post(url, request, std::vector<std::string>(49, url));
        for (size_t at = 0; (at = answer.body.find("model_name", at)) != std::string::npos; ++at) ++answered;
        asked += 50;
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(dying.pid(), SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  ends = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, asked);
  EXPECT_GT(asked, 100);
}

TEST(ServeFleet, AHostThatIsReplacedByANewVersionCostsNoRequest) {
  const TemporaryFolder before, after;
  AddReluModel(before, "relu", 1);
  AddReluModel(after, "relu", 1);
  AddReluModel(after, "relu", 2);
  const ProcessResult fleet =
      RunCommand({"/usr/bin/python3", SourceFile("tests/serve/fleet.py"),
                  std::string(MICRORT_PROGRAMS_FOLDER) + "/micrort-serve",
                  SourceFile("deploy/proxy/haproxy.cfg"), before.path(), after.path()});
  if (fleet.exit_code == 77) GTEST_SKIP() << "skipped: " << fleet.out;
  EXPECT_EQ(fleet.exit_code, 0) << fleet.err;
  EXPECT_EQ(fleet.out, "ok\n");
}

}  // namespace
}  // namespace micrort::test
