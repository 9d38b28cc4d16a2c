#include "serve/server/notify.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace micrort::serve {

void NotifySupervisor(const char* state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address = {};
  if (path == nullptr || std::strlen(path) >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path);
  // A name that begins with '@' is abstract: its first byte is 0.
  if (path[0] == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
  // Nobody is there to be told of a failure.
  (void)!sendto(descriptor, state, std::strlen(state), 0, reinterpret_cast<sockaddr*>(&address), length);
  close(descriptor);
}

}  // namespace micrort::serve
