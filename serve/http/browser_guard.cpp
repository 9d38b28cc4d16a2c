#include "serve/http/browser_guard.h"

#include <arpa/inet.h>

#include <algorithm>

namespace micrort::serve {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// "http://a:80" is "a:80".
std::string WithoutScheme(const std::string& origin) {
  const size_t scheme = origin.find("://");
  return scheme == std::string::npos ? "" : origin.substr(scheme + 3);
}

// "[::1]:8000" is "::1", and "a:80" is "a".
std::string WithoutPort(const std::string& host) {
  if (!host.empty() && host[0] == '[') return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  return host.substr(0, host.rfind(':'));
}

bool IsAddress(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

// A name without dots is nobody's on the internet.
bool IsLocalName(const std::string& host) {
  const std::string end = ".localhost";
  return host.find('.') == std::string::npos ||
         (host.size() > end.size() && host.compare(host.size() - end.size(), end.size(), end) == 0);
}

bool IsNamed(const Service& service, const std::string& origin) {
  const auto& named = service.allowed_origins;
  return std::any_of(named.begin(), named.end(), [&](const std::string& one) {
    return one == "*" || (!origin.empty() && Lower(one) == origin);
  });
}

bool IsOwnHost(const Service& service, const std::string& host) {
  if (host.empty() || IsAddress(host) || IsLocalName(host) || host == Lower(service.host)) return true;
  const auto& named = service.allowed_origins;
  return std::any_of(named.begin(), named.end(), [&](const std::string& origin) {
    return origin == "*" || WithoutPort(Lower(WithoutScheme(origin))) == host;
  });
}

// What a form of a page can send without asking first.
bool IsFormType(const std::string& type, bool is_of_browser) {
  if (type.rfind("text/plain", 0) == 0 || type.rfind("multipart/form-data", 0) == 0) return true;
  // curl sends it, too.
  return is_of_browser && type.rfind("application/x-www-form-urlencoded", 0) == 0;
}

}  // namespace

Error CheckOrigin(const Service& service, const HttpExchange& exchange) {
  const std::string origin = Lower(exchange.header("origin")),
                    site = Lower(exchange.header("sec-fetch-site"));
  if (origin.empty() && (site.empty() || site == "same-origin" || site == "none")) return {};
  if (!origin.empty() && WithoutScheme(origin) == Lower(exchange.header("host"))) return {};
  if (IsNamed(service, origin)) return {};
  return {ErrorKind::kForbidden,
          "a web page of '" + origin + "' may not ask this server; --allow-origin names pages that may"};
}

Error CheckChange(const Service& service, const HttpExchange& exchange) {
  MICRORT_SERVE_RETURN_IF_ERROR(CheckOrigin(service, exchange));
  const bool is_of_browser = !exchange.header("origin").empty() || !exchange.header("sec-fetch-site").empty();
  const std::string host = WithoutPort(Lower(exchange.header("host")));
  // Where others reach this server, names lead to it that it does not know; then a key protects it.
  const bool checks_host = is_of_browser || service.listens_to_itself;
  if (checks_host && !IsOwnHost(service, host)) {
    return {ErrorKind::kForbidden, "expected an address or localhost in Host, found '" + host +
                                       "'; --allow-origin http://" + host + " lets it pass"};
  }
  if (IsFormType(Lower(exchange.header("content-type")), is_of_browser))
    return {ErrorKind::kForbidden, "expected Content-Type: application/json"};
  return {};
}

HttpResponse PreflightResponse(const Service& service, const HttpExchange& exchange) {
  HttpResponse response;
  response.status = 204;
  response.headers.push_back({"Allow", "GET, HEAD, POST, OPTIONS"});
  if (!CheckOrigin(service, exchange).ok()) return response;
  response.headers.push_back({"Access-Control-Allow-Methods", "GET, HEAD, POST"});
  response.headers.push_back(
      {"Access-Control-Allow-Headers", "Authorization, Content-Type, Inference-Header-Content-Length"});
  return response;
}

void AddOrigin(const Service& service, const HttpExchange& exchange, HttpResponse* response) {
  const std::string origin = exchange.header("origin");
  if (origin.empty() || !IsNamed(service, Lower(origin))) return;
  response->headers.push_back({"Access-Control-Allow-Origin", origin});
  response->headers.push_back({"Access-Control-Expose-Headers", "Inference-Header-Content-Length"});
  response->headers.push_back({"Vary", "Origin"});
}

}  // namespace micrort::serve
