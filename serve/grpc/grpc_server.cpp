#include "serve/grpc/grpc_server.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/server_posix.h>

#include "serve/grpc/http2_guard.h"
#include "serve/grpc/infer_call.h"
#include "serve/grpc/raw_call.h"
#include "serve/protocol/data_type.h"
#include "serve/protocol/open_inference.grpc.pb.h"
#include "serve/service/trace_context.h"

namespace micrort::serve {
namespace {

using grpc::ByteBuffer;
using grpc::CallbackServerContext;
using Reactor = grpc::ServerUnaryReactor;

void Describe(const std::vector<TensorSpec>& specs,
              google::protobuf::RepeatedPtrField<inference::ModelMetadataResponse::TensorMetadata>* to) {
  for (const TensorSpec& spec : specs) {
    auto* tensor = to->Add();
    tensor->set_name(spec.name);
    tensor->set_datatype(ProtocolName(spec.dtype));
    tensor->mutable_shape()->Add(spec.shape.begin(), spec.shape.end());
  }
}

void SetDuration(uint64_t count, uint64_t ns, inference::StatisticDuration* to) {
  to->set_count(count);
  to->set_ns(ns);
}

void Describe(const ModelVersion& model, inference::ModelStatistics* to) {
  const ModelCounts counts = model.stats().Read();
  const uint64_t computed = counts.succeeded - counts.cache_hits;
  to->set_name(model.name());
  to->set_version(model.version());
  to->set_last_inference(counts.last_inference_ms);
  to->set_inference_count(counts.inferences);
  to->set_execution_count(counts.executions);
  auto* stats = to->mutable_inference_stats();
  SetDuration(counts.succeeded, counts.request.sum_ns(), stats->mutable_success());
  SetDuration(counts.failed, counts.failed_ns, stats->mutable_fail());
  SetDuration(counts.cache_hits, counts.cache_hit_ns, stats->mutable_cache_hit());
  SetDuration(counts.cache_misses, counts.cache_miss_ns, stats->mutable_cache_miss());
  SetDuration(computed, counts.queue.sum_ns(), stats->mutable_queue());
  SetDuration(computed, counts.times.input_ns, stats->mutable_compute_input());
  SetDuration(computed, counts.times.infer_ns, stats->mutable_compute_infer());
  SetDuration(computed, counts.times.output_ns, stats->mutable_compute_output());
  for (const auto& [rows, batch] : counts.batches) {
    auto* one = to->add_batch_stats();
    one->set_batch_size(static_cast<uint64_t>(rows));
    SetDuration(batch.count, batch.times.input_ns, one->mutable_compute_input());
    SetDuration(batch.count, batch.times.infer_ns, one->mutable_compute_infer());
    SetDuration(batch.count, batch.times.output_ns, one->mutable_compute_output());
  }
}

Reactor* Answer(CallbackServerContext* context, const grpc::Status& status) {
  Reactor* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

// Limits what comes before a call is known: its key is checked later.
void Limit(const GrpcLimits& limits, grpc::ServerBuilder* builder) {
  // The size of a message is compared when it is whole, and a small one that is compressed may become any
  // size.
  for (const auto algorithm : {GRPC_COMPRESS_DEFLATE, GRPC_COMPRESS_GZIP})
    builder->SetCompressionAlgorithmSupportStatus(algorithm, false);
  builder->AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder->AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, Http2Guard::kMaxStreams);
  builder->AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                              static_cast<int>(std::min<size_t>(limits.max_header_bytes, INT32_MAX)));
  grpc::ResourceQuota quota("micrort-serve");
  quota.Resize(limits.max_memory_bytes);
  builder->SetResourceQuota(quota);
}

// Each call takes a message as bytes.
using Rpc = inference::GRPCInferenceService;
template <typename Base>
using RawCallsOfModels = Rpc::WithRawCallbackMethod_ModelReady<Rpc::WithRawCallbackMethod_ModelMetadata<
    Rpc::WithRawCallbackMethod_ModelInfer<Rpc::WithRawCallbackMethod_ModelStatistics<Base>>>>;
template <typename Base>
using RawCallsOfRepository = Rpc::WithRawCallbackMethod_RepositoryIndex<
    Rpc::WithRawCallbackMethod_RepositoryModelLoad<Rpc::WithRawCallbackMethod_RepositoryModelUnload<Base>>>;
using RawService = Rpc::WithRawCallbackMethod_ServerLive<Rpc::WithRawCallbackMethod_ServerReady<
    Rpc::WithRawCallbackMethod_ServerMetadata<RawCallsOfModels<RawCallsOfRepository<Rpc::Service>>>>>;

class OpenInferenceService : public RawService {
 public:
  explicit OpenInferenceService(serve::Service* service) : service_(service) {}

  Reactor* ServerLive(CallbackServerContext* context, const ByteBuffer* bytes, ByteBuffer* answer) override {
    return AnswerShort<inference::ServerLiveRequest, inference::ServerLiveResponse>(
        context, bytes, answer, [](const auto&, auto* response) {
          response->set_live(true);
          return grpc::Status::OK;
        });
  }

  Reactor* ServerReady(CallbackServerContext* context, const ByteBuffer* bytes, ByteBuffer* answer) override {
    return AnswerShort<inference::ServerReadyRequest, inference::ServerReadyResponse>(
        context, bytes, answer, [this](const auto&, auto* response) {
          response->set_ready(IsReady(*service_, FailedModels(*service_->repository)));
          return grpc::Status::OK;
        });
  }

  Reactor* ModelReady(CallbackServerContext* context, const ByteBuffer* bytes, ByteBuffer* answer) override {
    if (!IsAllowed(*context)) return Refuse(context);
    return AnswerShort<inference::ModelReadyRequest, inference::ModelReadyResponse>(
        context, bytes, answer, [this](const auto& request, auto* response) {
          Repository::VersionPtr model;
          const Error error = service_->repository->Find(request.name(), request.version(), false, &model);
          if (error.kind() == ErrorKind::kInvalid) return StatusOf(error);
          response->set_ready(error.ok() && !service_->is_draining);
          return grpc::Status::OK;
        });
  }

  Reactor* ServerMetadata(CallbackServerContext* context, const ByteBuffer* bytes,
                          ByteBuffer* answer) override {
    if (!IsAllowed(*context)) return Refuse(context);
    return AnswerShort<inference::ServerMetadataRequest, inference::ServerMetadataResponse>(
        context, bytes, answer, [this](const auto&, auto* response) {
          response->set_name(service_->name);
          response->set_version(service_->version);
          for (const std::string& extension : ProtocolExtensions()) response->add_extensions(extension);
          return grpc::Status::OK;
        });
  }

  Reactor* ModelMetadata(CallbackServerContext* context, const ByteBuffer* bytes,
                         ByteBuffer* answer) override {
    if (!IsAllowed(*context)) return Refuse(context);
    return AnswerShort<inference::ModelMetadataRequest, inference::ModelMetadataResponse>(
        context, bytes, answer, [this](const auto& request, auto* response) {
          Repository::VersionPtr model;
          const Error error = service_->repository->Find(request.name(), request.version(), false, &model);
          if (!error.ok()) return StatusOf(error);
          response->set_name(model->name());
          for (const auto& version : service_->repository->Versions(model->name()))
            response->add_versions(version->version());
          response->set_platform("micrort");
          Describe(model->inputs(), response->mutable_inputs());
          Describe(model->outputs(), response->mutable_outputs());
          return grpc::Status::OK;
        });
  }

  Reactor* ModelInfer(CallbackServerContext* context, const ByteBuffer* bytes, ByteBuffer* answer) override {
    if (!IsAllowed(*context)) return Refuse(context);
    SendTraceBack(context);
    return StartInfer(service_, context, bytes, answer);
  }

  Reactor* ModelStatistics(CallbackServerContext* context, const ByteBuffer* bytes,
                           ByteBuffer* answer) override {
    if (!IsAllowed(*context)) return Refuse(context);
    return AnswerShort<inference::ModelStatisticsRequest, inference::ModelStatisticsResponse>(
        context, bytes, answer, [this](const auto& request, auto* response) {
          Repository::VersionPtr model;
          Error error;
          if (!request.name().empty())
            error = service_->repository->Find(request.name(), request.version(), false, &model);
          if (!error.ok()) return StatusOf(error);
          for (const auto& version : service_->repository->Versions(request.name())) {
            if (request.version().empty() || request.version() == version->version())
              Describe(*version, response->add_model_stats());
          }
          return grpc::Status::OK;
        });
  }

  Reactor* RepositoryIndex(CallbackServerContext* context, const ByteBuffer* bytes,
                           ByteBuffer* answer) override {
    if (const Error error = CheckRepositoryKey(*service_, KeyOf(*context)); !error.ok())
      return Answer(context, StatusOf(error));
    return AnswerShort<inference::RepositoryIndexRequest, inference::RepositoryIndexResponse>(
        context, bytes, answer, [this](const auto& request, auto* response) {
          for (const IndexEntry& entry : service_->repository->Index()) {
            if (request.ready() && entry.state != "READY") continue;
            auto* model = response->add_models();
            model->set_name(entry.model);
            model->set_version(entry.version);
            model->set_state(entry.state);
            model->set_reason(entry.reason);
          }
          return grpc::Status::OK;
        });
  }

  Reactor* RepositoryModelLoad(CallbackServerContext* context, const ByteBuffer* bytes,
                               ByteBuffer* answer) override {
    return Change<inference::RepositoryModelLoadRequest, inference::RepositoryModelLoadResponse>(
        context, bytes, answer, &Repository::Load);
  }

  Reactor* RepositoryModelUnload(CallbackServerContext* context, const ByteBuffer* bytes,
                                 ByteBuffer* answer) override {
    return Change<inference::RepositoryModelUnloadRequest, inference::RepositoryModelUnloadResponse>(
        context, bytes, answer, &Repository::Unload);
  }

 private:
  using ChangeFunction = void (Repository::*)(const std::string& name, Repository::Done done);

  // The repository's thread ends the call.
  template <typename Request, typename Response>
  Reactor* Change(CallbackServerContext* context, const ByteBuffer* bytes, ByteBuffer* answer,
                  ChangeFunction change) {
    if (const Error error = CheckRepositoryKey(*service_, KeyOf(*context)); !error.ok())
      return Answer(context, StatusOf(error));
    Request request;
    grpc::Status status = ReadShortMessage(bytes, &request);
    if (status.ok()) status = WriteMessage(Response(), answer);
    if (!status.ok()) return Answer(context, status);
    Reactor* reactor = context->DefaultReactor();
    (service_->repository->*change)(request.model_name(),
                                    [reactor](const Error& error) { reactor->Finish(StatusOf(error)); });
    return reactor;
  }

  static std::string KeyOf(const CallbackServerContext& context) {
    const auto key = context.client_metadata().find("authorization");
    const bool is_given = key != context.client_metadata().end();
    return is_given ? std::string(key->second.data(), key->second.size()) : "";
  }
  bool IsAllowed(const CallbackServerContext& context) const {
    return CheckKey(*service_, KeyOf(context)).ok();
  }
  // gRPC ends the program when it is told to send a byte that metadata cannot hold, and takes any.
  static void SendTraceBack(CallbackServerContext* context) {
    const auto trace = context->client_metadata().find("traceparent");
    if (trace == context->client_metadata().end()) return;
    const std::string value(trace->second.data(), trace->second.size());
    if (IsTraceparent(value)) context->AddInitialMetadata("traceparent", value);
  }
  static Reactor* Refuse(CallbackServerContext* context) {
    return Answer(context,
                  StatusOf({ErrorKind::kUnauthorized, "expected metadata 'authorization: Bearer KEY'"}));
  }

  serve::Service* service_;
};

}  // namespace

struct GrpcServer::Impl {
  explicit Impl(Service* service) : calls(service) {}
  OpenInferenceService calls;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<GrpcGate> gate;
};

GrpcServer::GrpcServer(Service* service) : service_(service) {}
GrpcServer::~GrpcServer() { Stop(std::chrono::steady_clock::now()); }

Error GrpcServer::Start(const std::string& host, int port, const GrpcLimits& limits) {
  impl_ = std::make_unique<Impl>(service_);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(static_cast<int>(std::min<size_t>(limits.max_message_bytes, INT32_MAX)));
  Limit(limits, &builder);
  builder.RegisterService(&impl_->calls);
  impl_->server = builder.BuildAndStart();
  if (impl_->server == nullptr) {
    impl_.reset();
    return {ErrorKind::kInternal, "gRPC does not start"};
  }
  impl_->gate = std::make_unique<GrpcGate>(limits, [server = impl_->server.get()](int descriptor) {
    grpc::AddInsecureChannelFromFd(server, descriptor);
  });
  return impl_->gate->Listen(host, port);
}

void GrpcServer::Stop(std::chrono::steady_clock::time_point deadline) {
  if (impl_ == nullptr) return;
  impl_->gate->Close();
  const auto left = deadline - std::chrono::steady_clock::now();
  impl_->server->Shutdown(std::chrono::system_clock::now() +
                          std::chrono::duration_cast<std::chrono::system_clock::duration>(left));
  impl_->server->Wait();
  impl_->gate->Stop();
  impl_.reset();
}

}  // namespace micrort::serve
