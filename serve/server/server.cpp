#include "serve/server/server.h"

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "micrort/version.h"
#include "serve/grpc/grpc_server.h"
#include "serve/http/handlers.h"
#include "serve/repository/regular_file.h"
#include "serve/server/convert_model.h"
#include "serve/server/flags.h"
#include "serve/server/notify.h"
#include "serve/service/freed_memory.h"
#include "serve/service/log.h"
#include "serve/service/trace_context.h"
#include "tools/custom_ops/custom_ops.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

namespace micrort::serve {
namespace {

// Threads that read and write large texts.
constexpr int kWorkers = 2;
// What they still have to do when no model works any more.
constexpr auto kLastMoment = std::chrono::milliseconds(200);
// gRPC has this long to end its connections, once the calls have ended.
constexpr auto kGrpcMoment = std::chrono::milliseconds(300);

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

sigset_t HandledSignals() {
  sigset_t signals = EndSignals();
  sigaddset(&signals, SIGHUP);
  return signals;
}

// Until SIGTERM or SIGINT, of which a second one ends the program at once.
void WaitForEnd(Repository* repository) {
  const sigset_t signals = HandledSignals(), ends = EndSignals();
  constexpr timespec kMoment = {0, 200'000'000};
  FreedMemory freed;
  for (int signal = -1; signal != SIGTERM && signal != SIGINT;) {
    signal = sigtimedwait(&signals, nullptr, &kMoment);
    if (signal == SIGHUP) {
      Log(LogLevel::kInfo, "looking for changed models");
      repository->Refresh();
    }
    freed.GiveBackIfWorthIt(FreedMemory::Clock::now());
  }
  pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);
}

void LogModel(bool is_error, const std::string& model, const std::string& versions,
              const std::string& message) {
  Log(is_error ? LogLevel::kError : LogLevel::kInfo, message, {{"model", model}, {"versions", versions}});
}

void LogRequest(const HttpExchange& exchange, int status) {
  const std::string trace = exchange.header("traceparent");
  Log(LogLevel::kInfo, "request",
      {{"path", exchange.raw_path()},
       {"model", exchange.model().name},
       {"version", exchange.model().version},
       {"status", std::to_string(status)},
       {"milliseconds", std::to_string(exchange.milliseconds())},
       {"peer", exchange.peer()},
       {"traceparent", IsTraceparent(trace) ? trace : ""}});
}

RepositoryOptions RepositoryOptionsOf(const ServerFlags& flags, const OpResolver& resolver, ComputeGate* gate,
                                      ByteBudget* budget) {
  RepositoryOptions options;
  options.folder = flags.repository;
  options.mode = flags.mode;
  options.startup_models = flags.startup_models;
  options.poll_seconds = flags.poll_seconds;
  options.load_seconds = static_cast<uint64_t>(flags.load_seconds);
  options.drain_seconds = static_cast<uint64_t>(flags.drain_seconds);
  options.max_models = static_cast<size_t>(flags.max_models);
  options.log = LogModel;
  options.context.gate = gate;
  options.context.budget = budget;
  options.context.resolver = &resolver;
  options.context.features = flags.features;
  options.context.limits = flags.limits;
  options.context.threads_per_instance = flags.threads_per_instance;
  options.context.answer_cache_bytes = flags.answer_cache_bytes;
  options.context.maps_models = flags.maps_models;
  options.context.text_sequences = flags.text_sequences;
  options.context.shares_beginnings = !flags.reads_all_prompts;
  if (flags.converts) AllowSources(&options);
  return options;
}

GrpcLimits GrpcLimitsOf(const ServerFlags& flags) {
  GrpcLimits limits;
  limits.max_message_bytes = flags.http.parser.max_body_bytes;
  limits.max_header_bytes = flags.http.parser.max_header_bytes;
  limits.max_memory_bytes = flags.max_request_memory;
  limits.header_seconds = flags.http.header_seconds;
  return limits;
}

Error ListenAll(const ServerFlags& flags, const GrpcLimits& limits, Service* service, HttpServer* http,
                GrpcServer* grpc) {
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
  MICRORT_SERVE_RETURN_IF_ERROR(grpc->Start(flags.host, flags.grpc_port, limits));
  Log(LogLevel::kInfo, "listening",
      {{"interface", "grpc"}, {"host", flags.host}, {"port", std::to_string(flags.grpc_port)}});
  return {};
}

// Until nothing has been asked for a moment, or the time is over.
void WaitForAnswers(const HttpServer& http, const std::atomic<bool>& grpc_has_ended,
                    Clock::time_point deadline) {
  const auto moment = std::chrono::milliseconds(10);
  for (int quiet = 0; quiet < 20 && Clock::now() < deadline;) {
    std::this_thread::sleep_for(moment);
    quiet = http.in_flight() == 0 && grpc_has_ended ? quiet + 1 : 0;
  }
}

// Until clients have the answers of what has just been ended, or the time is over.
void WaitForWrites(const HttpServer& http, Clock::time_point deadline) {
  while (http.in_flight() != 0 && Clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// kButForGrpc: all runs have ended and their clients know, but gRPC has many connections to take down.
enum class Drained { kYes, kButForGrpc, kNot };

// Answers what has been asked, within `drain_seconds` and the moment that ending runs takes.
Drained Drain(int drain_seconds, const Service& service, HttpServer* http, GrpcServer* grpc) {
  Repository* repository = service.repository;
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(drain_seconds);
  repository->StopLoading();
  http->Drain();
  std::atomic<bool> grpc_has_ended{false};
  std::thread ends_grpc([&] {
    grpc->Stop(deadline);
    grpc_has_ended = true;
  });
  WaitForAnswers(*http, grpc_has_ended, deadline);
  const bool has_ended = repository->Stop(deadline) &&
                         service.workers->WaitUntil(std::max(deadline, Clock::now()) + kLastMoment);
  if (has_ended) WaitForWrites(*http, Clock::now() + kLastMoment);
  const Clock::time_point last = std::max(deadline, Clock::now()) + kGrpcMoment;
  while (has_ended && !grpc_has_ended && Clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!has_ended || !grpc_has_ended) {
    ends_grpc.detach();
    return has_ended ? Drained::kButForGrpc : Drained::kNot;
  }
  ends_grpc.join();
  http->Stop();
  return Drained::kYes;
}

Error ReadKey(const std::string& path, std::string* key) {
  if (path.empty()) return {};
  MICRORT_SERVE_RETURN_IF_ERROR(ReadRegularFile(path, 4096, key));
  key->erase(key->find_last_not_of(" \r\n\t") + 1);
  if (key->empty()) return Invalid(path + ": expected a key, found nothing");
  return {};
}

// As many descriptors as the system allows; what connections may take of them.
int ConnectionDescriptors() {
  // kOthers are those of files, event loops and gRPC itself.
  constexpr rlim_t kOthers = 64, kMost = 1'000'000;
  rlimit descriptors = {};
  if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return kOthers;
  if (descriptors.rlim_cur < descriptors.rlim_max) {
    descriptors.rlim_cur = descriptors.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &descriptors);
    (void)getrlimit(RLIMIT_NOFILE, &descriptors);
  }
  return static_cast<int>(std::min(std::max(descriptors.rlim_cur, 2 * kOthers) - kOthers, kMost));
}

// Linux doubles a process's table of descriptors when it is full, for which each thread that opens one waits
// tens of milliseconds. As long as there is one thread, that takes no time.
void ReserveDescriptors(int count) {
  const int last = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, count);
  if (last >= 0) close(last);
}

// A quarter of these is gRPC's, whose connections take three each.
void FitDescriptors(HttpLimits* http, GrpcLimits* grpc) {
  const int descriptors = ConnectionDescriptors();
  http->max_connections = std::min(http->max_connections, descriptors / 4 * 3);
  grpc->max_connections = std::min(grpc->max_connections, descriptors / 4 / 3);
  ReserveDescriptors(http->max_connections + 3 * grpc->max_connections);
}

bool IsLoopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.rfind("127.", 0) == 0;
}

Error MakeService(const ServerFlags& flags, Service* service) {
  service->version = MICRORT_VERSION;
  service->max_tensor_bytes = flags.max_tensor_bytes;
  service->logs_requests = flags.logs_requests;
  service->is_ready_without_all = !flags.is_strictly_ready;
  service->max_text_tokens = flags.max_text_tokens;
  service->text_seconds = flags.text_seconds;
  service->allowed_origins = flags.allowed_origins;
  service->has_repository_calls = flags.has_repository_calls;
  service->host = flags.host;
  service->listens_to_itself = IsLoopback(flags.host);
  MICRORT_SERVE_RETURN_IF_ERROR(ReadKey(flags.repository_key_file, &service->repository_key));
  return ReadKey(flags.api_key_file, &service->api_key);
}

Error Serve(const ServerFlags& flags, const OpResolver& resolver) {
  Service service;
  MICRORT_SERVE_RETURN_IF_ERROR(MakeService(flags, &service));
  if (!io::IsDirectory(flags.repository)) return Invalid(flags.repository + ": expected a folder of models");

  HttpLimits limits = flags.http;
  GrpcLimits grpc_limits = GrpcLimitsOf(flags);
  FitDescriptors(&limits, &grpc_limits);
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  ComputeGate gate(flags.threads != 0 ? flags.threads : static_cast<int>(processors));
  ByteBudget budget(flags.max_request_memory);
  Repository repository(RepositoryOptionsOf(flags, resolver, &gate, &budget));
  WorkerPool workers(kWorkers);
  service.repository = &repository;
  service.budget = &budget;
  service.workers = &workers;
  HttpServer http(flags.http_threads, limits, &budget,
                  flags.logs_requests ? LogRequest : HttpServer::AccessLog());
  GrpcServer grpc(&service);
  Log(LogLevel::kInfo, "starting", {{"version", service.version}, {"repository", flags.repository}});
  MICRORT_SERVE_RETURN_IF_ERROR(ListenAll(flags, grpc_limits, &service, &http, &grpc));
  http.Start();
  repository.Start([&service] {
    if (service.is_draining) return;
    service.is_loaded = true;
    Log(LogLevel::kInfo, "ready");
    NotifySupervisor("READY=1");
  });

  WaitForEnd(&repository);
  Log(LogLevel::kInfo, "draining");
  NotifySupervisor("STOPPING=1");
  service.is_draining = true;
  std::this_thread::sleep_for(std::chrono::seconds(flags.drain_delay_seconds));
  const Drained drained = Drain(flags.drain_seconds, service, &http, &grpc);
  if (drained == Drained::kNot) {
    Log(LogLevel::kError, "ended with work that could not be ended");
  } else {
    Log(LogLevel::kInfo, "ended");
  }
  // Threads that nobody can end use what would be destroyed here.
  if (drained != Drained::kYes) _exit(drained == Drained::kNot ? io::kExitUsage : io::kExitOk);
  return {};
}

}  // namespace

int RunServer(int argc, char** argv, const OpResolver& resolver) {
  ServerFlags flags;
  int exit_code = 0;
  if (ConvertsHere(argc, argv, &exit_code)) return exit_code;
  if (!ParseFlags(argc, argv, &flags, &exit_code)) return exit_code;
  // Before there are threads: they inherit it.
  const sigset_t signals = HandledSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  // Messages that are broken are their sender's error, not lines on stderr.
  google::protobuf::SetLogHandler(nullptr);
  OpResolver ops = resolver;
  if (const Status status = io::AddCustomOps(flags.custom_ops, &ops); !status.ok())
    return io::Fail("micrort-serve", status.WithPrefix("--custom-ops"));
  const Error error = Serve(flags, ops);
  if (error.ok()) return io::kExitOk;
  return io::Fail("micrort-serve", MICRORT_ERROR(kInvalidArgument, "%s", error.message().c_str()));
}

}  // namespace micrort::serve
