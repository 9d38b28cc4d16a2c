#include "serve/http/handlers.h"
#include "serve/http/replies.h"
#include "serve/protocol/predict_json.h"
#include "serve/service/model_json.h"

namespace micrort::serve {
namespace {

// v1/models/NAME[/versions/VERSION|/labels/LABEL][:VERB|/metadata]
struct Target {
  std::string model, version;
  bool is_label = false;
  std::string verb;  // "predict"
  bool is_metadata = false;
};

bool ParseTarget(std::vector<std::string> path, Target* target) {
  if (path.size() < 3 || path[0] != "v1" || path[1] != "models") return false;
  if (const size_t colon = path.back().rfind(':'); colon != std::string::npos) {
    target->verb = path.back().substr(colon + 1);
    path.back().resize(colon);
  } else if (path.size() > 3 && path.back() == "metadata") {
    target->is_metadata = true;
    path.pop_back();
  }
  target->model = path[2];
  if (path.size() == 3) return true;
  if (path.size() != 5 || (path[3] != "versions" && path[3] != "labels")) return false;
  target->version = path[4];
  target->is_label = path[3] == "labels";
  return true;
}

void Predict(Service* service, const Exchange& exchange, const Target& target) {
  Repository::VersionPtr model;
  InferRequest request;
  PredictFormat format = PredictFormat::kColumns;
  Error error = CheckEncoding(*exchange);
  if (error.ok()) error = service->repository->Find(target.model, target.version, target.is_label, &model);
  if (error.ok()) {
    const Span<const uint8_t> body = exchange->body();
    error = ParseCounted(
        service, reinterpret_cast<const char*>(body.data()), body.size(),
        [&](InferRequest* to) {
          return ParsePredictRequest(body, model->inputs(), service->max_tensor_bytes, to, &format);
        },
        &request);
  }
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  request.model = target.model;
  request.version = target.version;
  Infer(service, exchange, &request, target.is_label,
        [format](const InferRequest&, const InferResponse& response, HttpResponse* reply) {
          return FormatPredictResponse(response, format, &reply->body);
        });
}

void Tell(Service* service, const Exchange& exchange, const Target& target) {
  Repository::VersionPtr model;
  const Error error = service->repository->Find(target.model, target.version, target.is_label, &model);
  if (!error.ok()) return exchange->Reply(ErrorResponse(error));
  if (target.is_metadata) return exchange->Reply(JsonResponse(SignatureJson(*model)));
  std::vector<Repository::VersionPtr> versions = {model};
  if (target.version.empty()) versions = service->repository->Versions(target.model);
  exchange->Reply(JsonResponse(VersionStatusJson(versions)));
}

void AnswerPredict(Service* service, const Exchange& exchange) {
  Target target;
  if (!ParseTarget(exchange->path(), &target)) {
    return exchange->Reply(
        ErrorResponse({ErrorKind::kNotFound, "there is nothing at '" + exchange->raw_path() + "'"}));
  }
  if (target.verb.empty()) {
    if (IsAllowed(*service, exchange, HttpMethod::kGet)) Tell(service, exchange, target);
    return;
  }
  if (!IsAllowed(*service, exchange, HttpMethod::kPost)) return;
  if (target.verb != "predict")
    return exchange->Reply(ErrorResponse(Invalid("expected :predict, found ':" + target.verb + "'")));
  RunBeside(service, exchange, exchange->body().size(),
            [service, exchange, target] { Predict(service, exchange, target); });
}

}  // namespace

HttpHandler PredictHandler(Service* service) {
  return [service](const Exchange& exchange) { AnswerPredict(service, exchange); };
}

}  // namespace micrort::serve
