#pragma once
// What web pages of others may ask of this server: nothing. Browsers send requests of any page to any
// address, and say in Origin whose page it is.

#include "serve/http/http_request.h"
#include "serve/service/service.h"

namespace micrort::serve {

// An error (kForbidden) if a page of another origin sent the request, unless --allow-origin names it.
Error CheckOrigin(const Service& service, const HttpExchange& exchange);
// The same for what changes the state of the server. Then neither a name of somebody that leads to this
// address stands in Host, nor do bodies come as forms of pages send them.
Error CheckChange(const Service& service, const HttpExchange& exchange);

// The answer to a browser that asks whether a page may send a request.
HttpResponse PreflightResponse(const Service& service, const HttpExchange& exchange);
// Lets the page that --allow-origin names read the answer.
void AddOrigin(const Service& service, const HttpExchange& exchange, HttpResponse* response);

}  // namespace micrort::serve
