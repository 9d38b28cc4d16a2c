#include "serve/grpc/infer_call.h"

#include <chrono>
#include <exception>
#include <mutex>

#include "serve/grpc/raw_call.h"
#include "serve/protocol/v2_proto.h"

namespace micrort::serve {
namespace {

grpc::StatusCode GrpcCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kOk:
      return grpc::StatusCode::OK;
    case ErrorKind::kInvalid:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorKind::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case ErrorKind::kTooLarge:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorKind::kUnavailable:
      return grpc::StatusCode::UNAVAILABLE;
    case ErrorKind::kDeadline:
      return grpc::StatusCode::DEADLINE_EXCEEDED;
    case ErrorKind::kCancelled:
      return grpc::StatusCode::CANCELLED;
    case ErrorKind::kUnauthorized:
      return grpc::StatusCode::UNAUTHENTICATED;
    case ErrorKind::kForbidden:
      return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorKind::kInternal:
      break;
  }
  return grpc::StatusCode::INTERNAL;
}

// The time that the client gives the call, as a timeout of the request.
void TakeDeadline(const grpc::CallbackServerContext& context, InferRequest* request) {
  const auto deadline = context.deadline();
  if (deadline == std::chrono::system_clock::time_point::max()) return;
  const auto left =
      std::chrono::duration_cast<std::chrono::microseconds>(deadline - std::chrono::system_clock::now())
          .count();
  const uint64_t microseconds = left < 1 ? 1 : static_cast<uint64_t>(left);
  if (request->timeout_us == 0 || microseconds < request->timeout_us) request->timeout_us = microseconds;
}

// Lives from the call to OnDone().
class InferCall : public grpc::ServerUnaryReactor {
 public:
  void Start(Service* service, grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes,
             grpc::ByteBuffer* answer) {
    InferRequest request;
    const grpc::Status read = Read(service, bytes, &request);
    if (!read.ok()) return Finish(read);
    TakeDeadline(*context, &request);
    const InferCallback done = [this, service, answer](const InferRequest&, const Error& failure,
                                                       InferResponse made) {
      Error result = failure;
      if (result.ok()) result = service->budget->Take(made.share.bytes(), &answer_share_);
      Finish(result.ok() ? Write(&made, answer) : StatusOf(result));
    };
    Repository::VersionPtr version;
    JobPtr job;
    // Until job and version are noted, the answer may come, but not the end of this object.
    std::unique_lock lock(mutex_);
    const Error error = service->repository->Submit(&request, false, done, &version, &job);
    if (error.ok()) {
      version_ = version;
      job_ = job;
      if (is_cancelled_) version_->Cancel(job_);
      return;
    }
    lock.unlock();
    Finish(StatusOf(error));
  }

 private:
  // Counts the message before it is made.
  grpc::Status Read(Service* service, const grpc::ByteBuffer* bytes, InferRequest* request) {
    const size_t message_bytes = MessageBytes(*message_.GetDescriptor(), *bytes, service->budget->most());
    Error error = service->budget->Take(message_bytes, &request->share);
    if (!error.ok()) return StatusOf(error);
    const grpc::Status read = ReadMessage(bytes, &message_);
    if (!read.ok()) return read;
    if (message_.raw_input_contents_size() == 0) {
      // What is given as numbers becomes tensors beside them; how large their lists are is known now.
      request->share.Release();
      error = service->budget->Take(2 * message_.SpaceUsedLong(), &request->share);
    }
    if (error.ok()) error = ParseV2Message(message_, service->max_tensor_bytes, request);
    return StatusOf(error);
  }

  static grpc::Status Write(InferResponse* made, grpc::ByteBuffer* answer) {
    inference::ModelInferResponse response;
    FormatV2Message(made, &response);
    return WriteMessage(response, answer);
  }

  void OnCancel() override {
    const std::lock_guard lock(mutex_);
    is_cancelled_ = true;
    if (job_ != nullptr) version_->Cancel(job_);
  }
  void OnDone() override {
    // Start() may not have returned.
    { const std::lock_guard lock(mutex_); }
    delete this;
  }

  inference::ModelInferRequest message_;
  std::mutex mutex_;
  Repository::VersionPtr version_;
  JobPtr job_;
  bool is_cancelled_ = false;
  ByteBudget::Share answer_share_;  // of the message, until it is sent
};

}  // namespace

grpc::Status StatusOf(const Error& error) {
  return error.ok() ? grpc::Status::OK : grpc::Status(GrpcCodeOf(error.kind()), error.message());
}

grpc::ServerUnaryReactor* StartInfer(Service* service, grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer) {
  auto* call = new InferCall;
  try {
    call->Start(service, context, bytes, answer);
  } catch (const std::exception& e) {
    // Nothing has been submitted: that is the last thing that Start does.
    call->Finish(StatusOf({ErrorKind::kUnavailable, e.what()}));
  }
  return call;
}

}  // namespace micrort::serve
