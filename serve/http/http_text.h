#pragma once
// The head of an answer, before its body.

#include <string>
#include <string_view>

#include "serve/http/http_request.h"

namespace micrort::serve {

// The status line and fields of an answer, with the empty line behind them.
std::string ResponseHead(const HttpHead& request, const HttpResponse& response, bool closes);
// {"error": message}; 503 with Retry-After.
HttpResponse ErrorText(int status, const std::string& message);
// Whether an Expect is "100-continue", in any case.
bool IsContinue(std::string_view text);

}  // namespace micrort::serve
