#include "serve/http/replies.h"

#include <exception>
#include <utility>

#include "serve/http/browser_guard.h"
#include "serve/http/event_loop.h"
#include "serve/protocol/json_size.h"
#include "serve/service/freed_memory.h"
#include "serve/service/model_json.h"

namespace micrort::serve {
namespace {

int StatusOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kOk:
      return 200;
    case ErrorKind::kInvalid:
      return 400;
    case ErrorKind::kUnauthorized:
      return 401;
    case ErrorKind::kForbidden:
      return 403;
    case ErrorKind::kNotFound:
      return 404;
    case ErrorKind::kTooLarge:
      return 413;
    case ErrorKind::kCancelled:
      return 499;  // nobody reads it but logs
    case ErrorKind::kInternal:
      return 500;
    case ErrorKind::kUnavailable:
      return 503;
    case ErrorKind::kDeadline:
      return 504;
  }
  return 500;
}

// The fields of a request that its answer is made from, without its inputs, whose bytes end with the
// exchange.
InferRequest WithoutInputs(const InferRequest& request) {
  InferRequest copy;
  copy.outputs = request.outputs;
  copy.binary_outputs = request.binary_outputs;
  return copy;
}

}  // namespace

HttpResponse JsonResponse(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  return response;
}

std::string PlainError(const Error& error) { return ErrorJson(error.message()); }

HttpResponse ErrorResponse(const Error& error, ErrorFormat format) {
  HttpResponse response;
  response.status = StatusOf(error.kind());
  response.body = format(error);
  if (error.kind() == ErrorKind::kUnavailable) response.headers.push_back({"Retry-After", "1"});
  if (error.kind() == ErrorKind::kUnauthorized) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

namespace {

bool HasMethod(const Service& service, const Exchange& exchange, HttpMethod method, ErrorFormat format) {
  if (exchange->method() == HttpMethod::kOptions) {
    exchange->Reply(PreflightResponse(service, *exchange));
    return false;
  }
  if (exchange->method() == method) return true;
  const std::string expected = method == HttpMethod::kGet ? "GET, HEAD" : "POST";
  HttpResponse response = JsonResponse(format(
      Invalid(exchange->raw_path() + ": expected " + expected + ", found " + exchange->method_name())));
  response.status = 405;
  response.headers.push_back({"Allow", expected});
  exchange->Reply(std::move(response));
  return false;
}

// False, and answered, if there is an error.
bool Passes(const Exchange& exchange, const Error& error, ErrorFormat format = PlainError) {
  if (!error.ok()) exchange->Reply(ErrorResponse(error, format));
  return error.ok();
}

}  // namespace

bool IsAllowed(const Service& service, const Exchange& exchange, HttpMethod method, ErrorFormat format) {
  if (!HasMethod(service, exchange, method, format)) return false;
  if (method == HttpMethod::kPost && !Passes(exchange, CheckOrigin(service, *exchange), format)) return false;
  return Passes(exchange, CheckKey(service, exchange->header("authorization")), format);
}

bool IsRepositoryCallAllowed(const Service& service, const Exchange& exchange, bool changes) {
  if (!HasMethod(service, exchange, HttpMethod::kPost, PlainError)) return false;
  const Error error = changes ? CheckChange(service, *exchange) : CheckOrigin(service, *exchange);
  return Passes(exchange, error) &&
         Passes(exchange, CheckRepositoryKey(service, exchange->header("authorization")));
}

Error CheckEncoding(const HttpExchange& exchange) {
  const std::string encoding = exchange.header("Content-Encoding");
  if (encoding.empty() || encoding == "identity") return {};
  return Invalid("Content-Encoding '" + encoding + "' is not supported: send the body as it is");
}

namespace {

// Texts up to this size are read and written in less time than an event loop may be held up.
constexpr size_t kShortText = 16 * 1024;

// What is made of larger ones leaves memory behind that the allocator would keep.
constexpr size_t kLargeText = 1024 * 1024;

HttpResponse OutOfMemory() { return ErrorResponse({ErrorKind::kUnavailable, "out of memory"}); }

void RunGuarded(const Exchange& exchange, const std::function<void()>& task) {
  try {
    task();
  } catch (const std::exception&) {
    exchange->Reply(OutOfMemory());
  }
}

HttpResponse MakeReply(Service* service, const InferRequest& request, const InferResponse& response,
                       size_t bytes, const ResponseFormat& format) {
  HttpResponse reply;
  Error error = service->budget->Take(bytes, &reply.share);
  if (error.ok()) {
    reply.body.reserve(bytes);
    error = format(request, response, &reply);
  }
  return error.ok() ? std::move(reply) : ErrorResponse(error);
}

}  // namespace

void RunBeside(Service* service, const Exchange& exchange, size_t bytes, std::function<void()> task) {
  if (bytes > kShortText) {
    return service->workers->Post([exchange, bytes, task = std::move(task)] {
      RunGuarded(exchange, task);
      if (bytes > kLargeText) GiveBackFreedMemory();
    });
  }
  if (exchange->loop()->is_current()) return RunGuarded(exchange, task);
  exchange->loop()->Post([exchange, task = std::move(task)] { RunGuarded(exchange, task); });
}

Error ParseCounted(Service* service, const char* json, size_t length, const RequestParser& parse,
                   InferRequest* request) {
  ByteBudget::Share document;
  MICRORT_SERVE_RETURN_IF_ERROR(service->budget->Take(JsonDocumentBytes(json, length), &document));
  MICRORT_SERVE_RETURN_IF_ERROR(parse(request));
  document.Release();
  size_t bytes = 0;
  for (const Tensor& tensor : request->inputs) bytes += tensor.owned.size();
  return service->budget->Take(bytes, &request->share);
}

void Infer(Service* service, const Exchange& exchange, InferRequest* request, bool is_label,
           ResponseFormat format) {
  Repository::VersionPtr version;
  JobPtr job;
  const InferCallback done = [service, exchange, format = std::move(format)](
                                 const InferRequest& asked, const Error& error, InferResponse response) {
    exchange->SetModel({response.model, response.version});
    if (!error.ok()) return exchange->Reply(ErrorResponse(error));
    const auto made = std::make_shared<InferResponse>(std::move(response));
    const auto kept = std::make_shared<InferRequest>(WithoutInputs(asked));
    const size_t bytes = JsonTextBytes(*kept, *made);
    RunBeside(service, exchange, bytes, [service, exchange, made, kept, bytes, format] {
      HttpResponse reply = MakeReply(service, *kept, *made, bytes, format);
      AddOrigin(*service, *exchange, &reply);
      exchange->Reply(std::move(reply));
    });
  };
  const Error error = service->repository->Submit(request, is_label, done, &version, &job);
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  exchange->WhenClosed([version, job] { version->Cancel(job); });
}

}  // namespace micrort::serve
