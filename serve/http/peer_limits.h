#pragma once
// How many connections there are, altogether and of each peer.

#include <mutex>
#include <string>
#include <unordered_map>

namespace micrort::serve {

// Thread-safe.
class PeerLimits {
 public:
  enum class Room { kYes, kPeerHasTooMany, kTooMany };

  PeerLimits(size_t most, size_t most_of_peer) : most_(most), most_of_peer_(most_of_peer) {}

  // Counts a connection, unless there is no room for it.
  Room Enter(const std::string& peer);
  void Leave(const std::string& peer);

 private:
  const size_t most_, most_of_peer_;
  std::mutex mutex_;
  size_t all_ = 0;
  std::unordered_map<std::string, size_t> of_peer_;
};

}  // namespace micrort::serve
