#pragma once
// The trace that a client or proxy began (W3C Trace Context).

#include <string_view>

namespace micrort::serve {

// Whether `text` is a traceparent of version 00: "00-", 32 hexadecimal digits in lower case, 16, and 2, with
// '-' between them, identifiers not all zero. Nothing else is sent back or logged: it is the client's text.
bool IsTraceparent(std::string_view text);

}  // namespace micrort::serve
