#pragma once
// Byte-pair encoding: the best pair of neighbours becomes one symbol, again and again.

#include <cstdint>
#include <queue>
#include <vector>

namespace micrort::text {

struct Symbol {
  int32_t id = 0;
  uint32_t begin = 0, length = 0;  // in the text; a symbol of length 0 has become a part of another
  bool is_fixed = false;           // joins no other
  int32_t previous = -1, next = -1;
};

struct Merge {
  double priority = 0;  // the lowest first; of equal ones, the leftmost pair
  int32_t id = 0;       // of the joined symbol
};

// find(left, right, &merge): whether two symbols join, and to what. n log n.
template <typename Find>
class SymbolMerger {
 public:
  SymbolMerger(std::vector<Symbol>* symbols, const Find& find) : symbols_(*symbols), find_(find) {}

  void Run() {
    const auto count = static_cast<int32_t>(symbols_.size());
    for (int32_t i = 0; i < count; ++i) {
      symbols_[i].previous = i - 1;
      symbols_[i].next = i + 1 < count ? i + 1 : -1;
    }
    for (int32_t i = 0; i + 1 < count; ++i) Offer(i);
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      // Symbols may have become others since it was offered.
      Merge merge;
      if (CanJoin(best.left, &merge) && merge.id == best.merge.id) Join(best.left, best.merge.id);
    }
  }

 private:
  struct Candidate {
    Merge merge;
    int32_t left;
    bool operator<(const Candidate& other) const {
      if (merge.priority != other.merge.priority) return merge.priority > other.merge.priority;
      return left > other.left;
    }
  };

  bool CanJoin(int32_t left, Merge* merge) const {
    if (left < 0 || symbols_[left].length == 0 || symbols_[left].next < 0) return false;
    const Symbol &a = symbols_[left], &b = symbols_[a.next];
    return !a.is_fixed && !b.is_fixed && find_(a, b, merge);
  }

  void Offer(int32_t left) {
    Merge merge;
    if (CanJoin(left, &merge)) queue_.push({merge, left});
  }

  void Join(int32_t left, int32_t id) {
    Symbol &a = symbols_[left], &b = symbols_[a.next];
    a.id = id;
    a.length += b.length;
    b.length = 0;
    a.next = b.next;
    if (a.next >= 0) symbols_[a.next].previous = left;
    Offer(a.previous);
    Offer(left);
  }

  std::vector<Symbol>& symbols_;
  const Find& find_;
  std::priority_queue<Candidate> queue_;
};

template <typename Find>
void MergeSymbols(std::vector<Symbol>* symbols, const Find& find) {
  SymbolMerger<Find>(symbols, find).Run();
}

}  // namespace micrort::text
