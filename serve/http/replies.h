#pragma once
// Answers that all handlers give alike.

#include <string>

#include "serve/http/http_request.h"
#include "serve/service/service.h"

namespace micrort::serve {

HttpResponse JsonResponse(std::string body);
HttpResponse ErrorResponse(const Error& error);
// Whether the request may go on; if not, it has been answered.
bool IsAllowed(const Service& service, const Exchange& exchange, HttpMethod method);
// The body, and whether it is as it was sent: a body that is compressed is refused.
Error CheckEncoding(const HttpExchange& exchange);

// Submits `request`; `format` makes the answer of a success, on the loop's thread.
using ResponseFormat = std::function<Error(const InferRequest&, const InferResponse&, HttpResponse*)>;
void Infer(Service* service, const Exchange& exchange, InferRequest* request, bool is_label,
           ResponseFormat format);

}  // namespace micrort::serve
