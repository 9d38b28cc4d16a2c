#include "tests/serve/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace micrort::test {
namespace {

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::vector<int> FreePorts(int count) {
  std::vector<int> sockets, ports;
  for (int i = 0; i < count; ++i) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    sockets.push_back(socket(AF_INET, SOCK_STREAM, 0));
    bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), length);
    getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &length);
    ports.push_back(ntohs(address.sin_port));
  }
  for (int s : sockets) close(s);
  return ports;
}

ServerProcess::ServerProcess(const std::string& repository, const std::vector<std::string>& flags,
                             const std::string& program)
    : ports_(FreePorts(4)) {
  std::vector<std::string> command = {std::string(MICRORT_PROGRAMS_FOLDER) + "/" + program,
                                      "--model-repository", repository};
  const char* names[] = {"--http-port", "--rest-api-port", "--metrics-port", "--grpc-port"};
  for (int i = 0; i < 4; ++i) {
    command.push_back(names[i]);
    command.push_back(std::to_string(ports_[static_cast<size_t>(i)]));
  }
  command.insert(command.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string log = folder_ / "log";
  child_ = fork();
  if (child_ == 0) {
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  for (int i = 0; i < 600 && !is_ready_; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_ready_ = Curl(http() + "v2/health/ready").status == 200;
    if (waitpid(child_, nullptr, WNOHANG) == child_) {
      child_ = -1;
      return;
    }
  }
}

ServerProcess::~ServerProcess() { Stop(); }

std::string ServerProcess::log() const { return FileText(folder_ / "log"); }

int ServerProcess::Stop() {
  if (child_ < 0) return -1;
  kill(child_, SIGTERM);
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Answer Curl(const std::string& url, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::vector<std::string> command = {
      "curl", "-s", "--max-time", "60", "-D", folder / "headers", "-w", "%{stderr}%{http_code}"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(url);
  const ProcessResult result = RunCommand(command);
  return {std::atoi(result.err.c_str()), FileText(folder / "headers"), result.out};
}

Answer Post(const std::string& url, const std::string& body, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::ofstream(folder / "body", std::ios::binary) << body;
  std::vector<std::string> all = {"--data-binary", "@" + (folder / "body")};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Curl(url, all);
}

bool IsPending(const ServerProcess& server, const std::string& model) {
  return Curl(server.metrics() + "metrics")
             .body.find("micrort_requests_pending{model=\"" + model + "\",version=\"1\"} 1") !=
         std::string::npos;
}

}  // namespace micrort::test
