#include "serve/scheduler/sequence_store.h"

namespace micrort::serve {

void SequenceStore::GiveUpIdle(Clock::time_point now) {
  while (!sequences_.empty() && now - sequences_.front().used > max_idle_) End(sequences_.front().number);
}

const std::vector<uint8_t>* SequenceStore::Find(uint64_t sequence, Clock::time_point now) {
  GiveUpIdle(now);
  const auto found = by_number_.find(sequence);
  return found == by_number_.end() ? nullptr : &found->second->state;
}

std::vector<uint8_t>* SequenceStore::Keep(uint64_t sequence, size_t bytes, Clock::time_point now) {
  GiveUpIdle(now);
  auto found = by_number_.find(sequence);
  const size_t before = found == by_number_.end() ? 0 : found->second->state.size();
  if (bytes > most_bytes_ || bytes_ - before > most_bytes_ - bytes) return nullptr;
  if (found == by_number_.end()) {
    if (sequences_.size() >= most_) return nullptr;
    sequences_.push_back({sequence, now, {}});
    found = by_number_.emplace(sequence, std::prev(sequences_.end())).first;
  }
  Sequence& kept = *found->second;
  kept.used = now;
  kept.state.resize(bytes);
  bytes_ += bytes - before;
  sequences_.splice(sequences_.end(), sequences_, found->second);
  return &kept.state;
}

void SequenceStore::End(uint64_t sequence) {
  const auto found = by_number_.find(sequence);
  if (found == by_number_.end()) return;
  bytes_ -= found->second->state.size();
  sequences_.erase(found->second);
  by_number_.erase(found);
}

}  // namespace micrort::serve
