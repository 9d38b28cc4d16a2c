#include "serve/server/server.h"

#include <google/protobuf/stubs/logging.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "serve/grpc/grpc_server.h"
#include "serve/http/handlers.h"
#include "serve/server/convert_model.h"
#include "serve/server/flags.h"
#include "serve/server/notify.h"
#include "serve/service/log.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

namespace micrort::serve {
namespace {

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

void LogModel(bool is_error, const std::string& model, const std::string& message) {
  Log(is_error ? LogLevel::kError : LogLevel::kInfo, message, {{"model", model}});
}

void LogRequest(const HttpExchange& exchange, int status) {
  Log(LogLevel::kInfo, "request",
      {{"path", exchange.raw_path()},
       {"status", std::to_string(status)},
       {"milliseconds", std::to_string(exchange.milliseconds())},
       {"peer", exchange.peer()},
       {"traceparent", exchange.header("traceparent")}});
}

RepositoryOptions RepositoryOptionsOf(const ServerFlags& flags, const OpResolver& resolver,
                                      ComputeGate* gate) {
  RepositoryOptions options;
  options.folder = flags.repository;
  options.mode = flags.mode;
  options.startup_models = flags.startup_models;
  options.poll_seconds = flags.poll_seconds;
  options.max_models = static_cast<size_t>(flags.max_models);
  options.log = LogModel;
  options.context.gate = gate;
  options.context.resolver = &resolver;
  options.context.features = flags.features;
  options.context.limits = flags.limits;
  options.context.threads_per_instance = flags.threads_per_instance;
  options.context.answer_cache_bytes = flags.answer_cache_bytes;
  if (flags.converts) AllowSources(&options);
  return options;
}

Error ListenAll(const ServerFlags& flags, Service* service, HttpServer* http, GrpcServer* grpc) {
  const struct {
    const char* what;
    int port;
    HttpHandler handler;
  } ports[] = {{"http", flags.http_port, OpenInferenceHandler(service)},
               {"metrics", flags.metrics_port, MetricsHandler(service)},
               {"rest-api", flags.rest_api_port, PredictHandler(service)}};
  for (const auto& port : ports) {
    if (port.port == 0) continue;
    int bound = 0;
    MICRORT_SERVE_RETURN_IF_ERROR(http->Listen(flags.host, port.port, port.handler, &bound));
    Log(LogLevel::kInfo, "listening",
        {{"interface", port.what}, {"host", flags.host}, {"port", std::to_string(bound)}});
  }
  if (flags.grpc_port == 0) return {};
  MICRORT_SERVE_RETURN_IF_ERROR(grpc->Start(flags.host, flags.grpc_port, flags.http.max_body_bytes));
  Log(LogLevel::kInfo, "listening",
      {{"interface", "grpc"}, {"host", flags.host}, {"port", std::to_string(flags.grpc_port)}});
  return {};
}

// Until nothing has been asked for a moment, or the time is over.
void WaitForAnswers(const HttpServer& http, std::chrono::steady_clock::time_point deadline) {
  const auto moment = std::chrono::milliseconds(10);
  for (int quiet = 0; quiet < 20 && std::chrono::steady_clock::now() < deadline;) {
    std::this_thread::sleep_for(moment);
    quiet = http.in_flight() == 0 ? quiet + 1 : 0;
  }
}

Error ReadKey(const std::string& path, std::string* key) {
  if (path.empty()) return {};
  std::vector<uint8_t> bytes;
  MICRORT_SERVE_RETURN_IF_ERROR(Error::From(io::ReadFile(path, &bytes)));
  key->assign(bytes.begin(), bytes.end());
  key->erase(key->find_last_not_of(" \r\n\t") + 1);
  if (key->empty()) return Invalid(path + ": expected a key, found nothing");
  return {};
}

Error Serve(const ServerFlags& flags, const OpResolver& resolver) {
  Service service;
  service.version = MICRORT_VERSION;
  service.max_tensor_bytes = flags.max_tensor_bytes;
  service.logs_requests = flags.logs_requests;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadKey(flags.api_key_file, &service.api_key));
  if (!io::IsDirectory(flags.repository)) return Invalid(flags.repository + ": expected a folder of models");

  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  ComputeGate gate(flags.threads != 0 ? flags.threads : static_cast<int>(processors));
  Repository repository(RepositoryOptionsOf(flags, resolver, &gate));
  service.repository = &repository;
  HttpServer http(flags.http_threads, flags.http, flags.logs_requests ? LogRequest : HttpServer::AccessLog());
  GrpcServer grpc(&service);
  MICRORT_SERVE_RETURN_IF_ERROR(ListenAll(flags, &service, &http, &grpc));
  http.Start();
  repository.Start([&service] {
    service.is_loaded = true;
    Log(LogLevel::kInfo, "ready");
    NotifySupervisor("READY=1");
  });

  const sigset_t signals = EndSignals();
  int signal = 0;
  sigwait(&signals, &signal);
  Log(LogLevel::kInfo, "draining");
  NotifySupervisor("STOPPING=1");
  service.is_draining = true;
  std::this_thread::sleep_for(std::chrono::seconds(flags.drain_delay_seconds));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(flags.drain_seconds);
  http.Drain();
  grpc.Stop(deadline);
  WaitForAnswers(http, deadline);
  repository.Stop();
  http.Stop();
  Log(LogLevel::kInfo, "ended");
  return {};
}

}  // namespace

int RunServer(int argc, char** argv, const OpResolver& resolver) {
  ServerFlags flags;
  int exit_code = 0;
  if (!ParseFlags(argc, argv, &flags, &exit_code)) return exit_code;
  // Before there are threads: they inherit it.
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  // Messages that are broken are their sender's error, not lines on stderr.
  google::protobuf::SetLogHandler(nullptr);
  const Error error = Serve(flags, resolver);
  if (error.ok()) return io::kExitOk;
  return io::Fail("micrort-serve", MICRORT_ERROR(kInvalidArgument, "%s", error.message().c_str()));
}

}  // namespace micrort::serve
