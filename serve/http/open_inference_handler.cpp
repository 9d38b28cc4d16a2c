#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "serve/http/handlers.h"
#include "serve/http/page.h"
#include "serve/http/replies.h"
#include "serve/protocol/v2_json.h"
#include "serve/service/model_json.h"

namespace micrort::serve {
namespace {

using Path = std::vector<std::string>;

constexpr char kJsonLength[] = "Inference-Header-Content-Length";

void ReplyNotFound(const Exchange& exchange) {
  exchange->Reply(ErrorResponse({ErrorKind::kNotFound, "there is nothing at '" + exchange->raw_path() +
                                                           "'; a model answers POST /v2/models/NAME/infer"}));
}

void ReplyStatus(const Exchange& exchange, bool ok) {
  HttpResponse response = JsonResponse(ok ? "" : ErrorJson("not ready"));
  response.status = ok ? 200 : 503;
  exchange->Reply(std::move(response));
}

// Models that failed are told to those who may list the repository.
void TellReadiness(const Service& service, const Exchange& exchange) {
  const std::vector<IndexEntry> failed = FailedModels(*service.repository);
  const bool is_ready = IsReady(service, failed);
  const bool tells = !failed.empty() && CheckRepositoryKey(service, exchange->header("authorization")).ok();
  HttpResponse response = JsonResponse(ReadinessJson(is_ready, tells ? failed : std::vector<IndexEntry>()));
  response.status = is_ready ? 200 : 503;
  exchange->Reply(std::move(response));
}

void ServerMetadata(const Service& service, const Exchange& exchange) {
  const nlohmann::ordered_json json = {
      {"name", service.name}, {"version", service.version}, {"extensions", ProtocolExtensions()}};
  exchange->Reply(JsonResponse(json.dump()));
}

Error ReadJsonLength(const HttpExchange& exchange, std::optional<size_t>* length) {
  const std::string text = exchange.header(kJsonLength);
  if (text.empty()) return {};
  size_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size())
    return Invalid(std::string(kJsonLength) + ": expected a number of bytes, found '" + text + "'");
  *length = value;
  return {};
}

Error FormatInfer(const InferRequest& request, const InferResponse& response, HttpResponse* reply) {
  V2Body body;
  MICRORT_SERVE_RETURN_IF_ERROR(FormatV2Response(request, response, &body));
  reply->body = std::move(body.bytes);
  if (body.json_bytes.has_value()) {
    reply->content_type = "application/octet-stream";
    reply->headers.push_back({kJsonLength, std::to_string(*body.json_bytes)});
  }
  return {};
}

void InferModel(Service* service, const Exchange& exchange, const std::string& model,
                const std::string& version) {
  InferRequest request;
  std::optional<size_t> json_length;
  const Span<const uint8_t> body = exchange->body();
  Error error = CheckEncoding(*exchange);
  if (error.ok()) error = ReadJsonLength(*exchange, &json_length);
  if (error.ok()) {
    error = ParseCounted(
        service, reinterpret_cast<const char*>(body.data()),
        std::min(json_length.value_or(body.size()), body.size()),
        [&](InferRequest* to) { return ParseV2Request(body, json_length, service->max_tensor_bytes, to); },
        &request);
  }
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  request.model = model;
  request.version = version;
  Infer(service, exchange, &request, false, FormatInfer);
}

void TellModel(Service* service, const Exchange& exchange, const std::string& name,
               const std::string& version, const std::string& what) {
  Repository::VersionPtr model;
  const Error error = service->repository->Find(name, version, false, &model);
  if (what == "ready" && error.kind() != ErrorKind::kInvalid)
    return ReplyStatus(exchange, error.ok() && !service->is_draining);
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  if (what.empty())
    return exchange->Reply(JsonResponse(MetadataJson(*model, service->repository->Versions(name))));
  if (what == "config") return exchange->Reply(JsonResponse(ConfigJson(*model)));
  if (what != "stats") return ReplyNotFound(exchange);
  const bool all = version.empty();
  exchange->Reply(JsonResponse(StatisticsJson(all ? service->repository->Versions(name)
                                                  : std::vector<Repository::VersionPtr>{model})));
}

// v2/models/NAME[/versions/VERSION][/WHAT]
void Models(Service* service, const Exchange& exchange, const Path& path) {
  if (path.size() == 3 && path[2] == "stats") {
    if (IsAllowed(*service, exchange, HttpMethod::kGet))
      exchange->Reply(JsonResponse(StatisticsJson(service->repository->Versions(""))));
    return;
  }
  if (path.size() < 3) return ReplyNotFound(exchange);
  size_t at = 3;
  std::string version;
  if (path.size() >= 5 && path[3] == "versions") {
    version = path[4];
    at = 5;
  }
  if (path.size() > at + 1) return ReplyNotFound(exchange);
  const std::string what = path.size() > at ? path[at] : "";
  const bool infers = what == "infer";
  if (!IsAllowed(*service, exchange, infers ? HttpMethod::kPost : HttpMethod::kGet)) return;
  if (infers) {
    return RunBeside(
        service, exchange, exchange->body().size(),
        [service, exchange, model = path[2], version] { InferModel(service, exchange, model, version); });
  }
  TellModel(service, exchange, path[2], version, what);
}

void RepositoryRequest(Service* service, const Exchange& exchange, const Path& path) {
  const bool is_index = path.size() == 3 && path[2] == "index";
  const bool is_change =
      path.size() == 5 && path[2] == "models" && (path[4] == "load" || path[4] == "unload");
  if (!is_index && !is_change) return ReplyNotFound(exchange);
  if (!IsRepositoryCallAllowed(*service, exchange, is_change)) return;
  if (is_index) return exchange->Reply(JsonResponse(IndexJson(service->repository->Index())));
  const auto done = [exchange](const Error& error) {
    exchange->Reply(error.ok() ? JsonResponse("") : ErrorResponse(error));
  };
  if (path[4] == "load") return service->repository->Load(path[3], done);
  service->repository->Unload(path[3], done);
}

void ShowPage(const Service& service, const Exchange& exchange) {
  // The page itself asks for the key.
  if (exchange->method() != HttpMethod::kGet) {
    (void)IsAllowed(service, exchange, HttpMethod::kGet);
    return;
  }
  HttpResponse response;
  response.content_type = "text/html; charset=utf-8";
  response.headers = {
      {"Content-Security-Policy",
       "default-src 'none'; connect-src 'self'; img-src 'self' blob: data:; style-src 'unsafe-inline'; "
       "script-src 'unsafe-inline'"},
      {"X-Content-Type-Options", "nosniff"}};
  response.body = kPage;
  exchange->Reply(std::move(response));
}

void Answer(Service* service, const Exchange& exchange) {
  const Path& path = exchange->path();
  if (path.empty()) return ShowPage(*service, exchange);
  if (path[0] == "v1") return AnswerCompletions(service, exchange);
  if (path[0] != "v2") return ReplyNotFound(exchange);
  // Probes have no key.
  if (path == Path{"v2", "health", "live"}) return ReplyStatus(exchange, true);
  if (path == Path{"v2", "health", "ready"}) return TellReadiness(*service, exchange);
  if (path.size() == 1) {
    if (IsAllowed(*service, exchange, HttpMethod::kGet)) ServerMetadata(*service, exchange);
    return;
  }
  if (path[1] == "models") return Models(service, exchange, path);
  if (path[1] == "repository") return RepositoryRequest(service, exchange, path);
  ReplyNotFound(exchange);
}

}  // namespace

HttpHandler OpenInferenceHandler(Service* service) {
  return [service](const Exchange& exchange) { Answer(service, exchange); };
}

}  // namespace micrort::serve
