#include "serve/http/listening_socket.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace micrort::serve {

int ListenOn(const std::string& host, int port, std::string* why) {
  addrinfo hints = {}, *addresses = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int failure = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &addresses);
  if (failure != 0) {
    *why = gai_strerror(failure);
    return -1;
  }
  int descriptor = -1;
  for (addrinfo* a = addresses; a != nullptr && descriptor < 0; a = a->ai_next) {
    descriptor = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
    const int on = 1;
    if (descriptor >= 0) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (descriptor >= 0 && bind(descriptor, a->ai_addr, a->ai_addrlen) == 0 && listen(descriptor, 1024) == 0)
      break;
    const int error = errno;
    *why = std::strerror(error);
    if (error == EADDRINUSE)
      *why +=
          "; another program has this port: choose others by --http-port, --grpc-port, --metrics-port and "
          "--rest-api-port";
    if (error == EACCES) *why += "; ports below 1024 are for root: choose one above";
    if (descriptor >= 0) close(descriptor);
    descriptor = -1;
  }
  freeaddrinfo(addresses);
  return descriptor;
}

int PortOf(int descriptor) {
  sockaddr_storage address = {};
  socklen_t length = sizeof address;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  char port[8] = "0";
  getnameinfo(reinterpret_cast<sockaddr*>(&address), length, nullptr, 0, port, sizeof port, NI_NUMERICSERV);
  return std::atoi(port);
}

std::string PeerOf(const sockaddr* address, int length) {
  char name[64] = "";
  getnameinfo(address, static_cast<socklen_t>(length), name, sizeof name, nullptr, 0, NI_NUMERICHOST);
  return name;
}

}  // namespace micrort::serve
