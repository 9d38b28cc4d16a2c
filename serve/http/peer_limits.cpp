#include "serve/http/peer_limits.h"

namespace micrort::serve {

PeerLimits::Room PeerLimits::Enter(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  const auto found = of_peer_.find(peer);
  if (found != of_peer_.end() && found->second >= most_of_peer_) return Room::kPeerHasTooMany;
  if (all_ >= most_) return Room::kTooMany;
  ++all_;
  ++of_peer_[peer];
  return Room::kYes;
}

void PeerLimits::Leave(const std::string& peer) {
  const std::lock_guard lock(mutex_);
  --all_;
  const auto found = of_peer_.find(peer);
  if (--found->second == 0) of_peer_.erase(found);
}

}  // namespace micrort::serve
