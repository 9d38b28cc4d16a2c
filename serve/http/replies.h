#pragma once
// Answers that all handlers give alike.

#include <functional>
#include <string>

#include "serve/http/http_request.h"
#include "serve/service/service.h"

namespace micrort::serve {

HttpResponse JsonResponse(std::string body);
// How an interface writes an error.
using ErrorFormat = std::string (*)(const Error&);
std::string PlainError(const Error& error);  // {"error": message}
HttpResponse ErrorResponse(const Error& error, ErrorFormat format = PlainError);
// Whether the request may go on; if not, it has been answered.
bool IsAllowed(const Service& service, const Exchange& exchange, HttpMethod method,
               ErrorFormat format = PlainError);
// The same of calls of the repository; `changes`: it loads or unloads.
bool IsRepositoryCallAllowed(const Service& service, const Exchange& exchange, bool changes);
// The body, and whether it is as it was sent: a body that is compressed is refused.
Error CheckEncoding(const HttpExchange& exchange);

// Runs `task`, which reads or writes a text of so many bytes, where that holds nobody up.
void RunBeside(Service* service, const Exchange& exchange, size_t bytes, std::function<void()> task);

// Reads a request from the JSON of an exchange, whose memory is counted before.
using RequestParser = std::function<Error(InferRequest*)>;
Error ParseCounted(Service* service, const char* json, size_t length, const RequestParser& parse,
                   InferRequest* request);

// Submits `request`; `format` makes the answer of a success, and its memory is counted before.
using ResponseFormat = std::function<Error(const InferRequest&, const InferResponse&, HttpResponse*)>;
void Infer(Service* service, const Exchange& exchange, InferRequest* request, bool is_label,
           ResponseFormat format);

}  // namespace micrort::serve
