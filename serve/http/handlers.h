#pragma once
// Which request is answered by what.

#include "serve/http/http_request.h"
#include "serve/service/service.h"

namespace micrort::serve {

// The Open Inference Protocol with its extensions, OpenAI's completions at "/v1", and the page at "/".
HttpHandler OpenInferenceHandler(Service* service);
// "/v1/completions", "/v1/chat/completions" and "/v1/models".
void AnswerCompletions(Service* service, const Exchange& exchange);
// TensorFlow Serving.
HttpHandler PredictHandler(Service* service);
// GET /metrics.
HttpHandler MetricsHandler(Service* service);

}  // namespace micrort::serve
