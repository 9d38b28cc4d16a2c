#include "serve/http/replies.h"

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

HttpResponse ErrorResponse(const Error& error) {
  HttpResponse response;
  response.status = StatusOf(error.kind());
  response.body = ErrorJson(error.message());
  if (error.kind() == ErrorKind::kUnavailable) response.headers.push_back({"Retry-After", "1"});
  if (error.kind() == ErrorKind::kUnauthorized) response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

bool IsAllowed(const Service& service, const Exchange& exchange, HttpMethod method) {
  if (exchange->method() != method) {
    HttpResponse response = JsonResponse(ErrorJson("this path is not for this method"));
    response.status = 405;
    response.headers.push_back({"Allow", method == HttpMethod::kGet ? "GET, HEAD" : "POST"});
    exchange->Reply(std::move(response));
    return false;
  }
  if (HasKey(service, exchange->header("Authorization"))) return true;
  exchange->Reply(ErrorResponse({ErrorKind::kUnauthorized, "expected 'Authorization: Bearer KEY'"}));
  return false;
}

Error CheckEncoding(const HttpExchange& exchange) {
  const std::string encoding = exchange.header("Content-Encoding");
  if (encoding.empty() || encoding == "identity") return {};
  return Invalid("Content-Encoding '" + encoding + "' is not supported: send the body as it is");
}

void Infer(Service* service, const Exchange& exchange, InferRequest* request, bool is_label,
           ResponseFormat format) {
  Repository::VersionPtr version;
  JobPtr job;
  const InferCallback done = [exchange, format = std::move(format)](
                                 const InferRequest& asked, const Error& error, InferResponse response) {
    if (!error.ok()) return exchange->Reply(ErrorResponse(error));
    auto made = std::make_shared<InferResponse>(std::move(response));
    auto kept = std::make_shared<InferRequest>(WithoutInputs(asked));
    exchange->ReplyWith([made, kept, format] {
      HttpResponse reply;
      const Error failure = format(*kept, *made, &reply);
      return failure.ok() ? reply : ErrorResponse(failure);
    });
  };
  const Error error = service->repository->Submit(request, is_label, done, &version, &job);
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  exchange->WhenClosed([version, job] { version->Cancel(job); });
}

}  // namespace micrort::serve
