#pragma once
// Sockets of servers.

#include <string>

struct sockaddr;

namespace micrort::serve {

// A listening socket of the first address of `host` that takes the port; -1 and `why` else.
int ListenOn(const std::string& host, int port, std::string* why);
int PortOf(int descriptor);
// The address of a client, without its port.
std::string PeerOf(const sockaddr* address, int length);

}  // namespace micrort::serve
