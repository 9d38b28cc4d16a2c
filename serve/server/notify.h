#pragma once

namespace micrort::serve {

// Tells systemd (Type=notify) the state of the server, where it has started it.
void NotifySupervisor(const char* state);

}  // namespace micrort::serve
