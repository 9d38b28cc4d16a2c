#include "serve/http/handlers.h"
#include "serve/http/replies.h"
#include "serve/service/metrics_text.h"

namespace micrort::serve {

HttpHandler MetricsHandler(Service* service) {
  return [service](const Exchange& exchange) {
    if (exchange->raw_path() != "/metrics")
      return exchange->Reply(ErrorResponse({ErrorKind::kNotFound, "expected /metrics"}));
    if (!IsAllowed(*service, exchange, HttpMethod::kGet)) return;
    HttpResponse response;
    response.content_type = "text/plain; version=0.0.4";
    response.body = MetricsText(*service->repository);
    exchange->Reply(std::move(response));
  };
}

}  // namespace micrort::serve
