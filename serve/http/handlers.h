#pragma once
// Which request is answered by what.

#include "serve/http/http_request.h"
#include "serve/service/service.h"

namespace micrort::serve {

// The Open Inference Protocol with its extensions, and the page at "/".
HttpHandler OpenInferenceHandler(Service* service);
// TensorFlow Serving.
HttpHandler PredictHandler(Service* service);
// GET /metrics.
HttpHandler MetricsHandler(Service* service);

}  // namespace micrort::serve
