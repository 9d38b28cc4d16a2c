#include "converter/quantize/bits_search.h"

#include <algorithm>
#include <utility>

namespace micrort::quantize {
namespace {

// After as many layers as fit in the order of their loss: how many later ones are tried one by one.
constexpr int kMostSingleTrials = 6;

class BitsSearcher {
 public:
  BitsSearcher(const BitsSearch& search, FoundBits* found) : search_(search), found_(*found) {}

  Status Search() {
    found_.types = search_.fixed;
    for (const std::string& layer : search_.layers) found_.types.emplace(layer, search_.types[0]);
    MICRORT_RETURN_IF_ERROR(search_.loss(found_.types, &found_.loss));
    if (!(found_.loss <= search_.max_loss)) {
      return MICRORT_ERROR(kUnsupported,
                           "--max-loss %g: with every layer in %s that has no type of its own the loss is "
                           "still %g",
                           search_.max_loss, LayerTypeName(search_.types[0]), found_.loss);
    }
    const size_t steps = search_.types.size() - 1;
    const double least = found_.loss;
    for (size_t i = 0; i < steps; ++i) {
      const auto share = static_cast<double>(uint64_t{1} << (steps - 1 - i));
      const double bound = least + (search_.max_loss - least) / share;
      MICRORT_RETURN_IF_ERROR(Narrow(search_.types[i], search_.types[i + 1], bound));
    }
    found_.bytes = search_.bytes(found_.types);
    return Status();
  }

 private:
  struct Candidate {
    std::string layer;
    double loss;  // that it adds, alone
    double loss_per_byte;
  };

  // Takes these types if the loss stays within the bound.
  Status Try(LayerTypes types, double bound, bool* fits) {
    double loss = 0.0;
    MICRORT_RETURN_IF_ERROR(search_.loss(types, &loss));
    *fits = loss <= bound;
    if (!*fits) return Status();
    found_.types = std::move(types);
    found_.loss = loss;
    return Status();
  }

  Status Narrow(LayerType wide, LayerType narrow, double bound) {
    LayerTypes all = found_.types;
    for (const std::string& layer : search_.layers) {
      if (all.at(layer) == wide) all[layer] = narrow;
    }
    bool fits = false;
    MICRORT_RETURN_IF_ERROR(Try(std::move(all), bound, &fits));
    if (fits) return Status();
    std::vector<Candidate> candidates;
    MICRORT_RETURN_IF_ERROR(Weigh(wide, narrow, &candidates));
    size_t taken = 0;
    MICRORT_RETURN_IF_ERROR(TakeFirst(candidates, narrow, bound, &taken));
    return TakeSingle(candidates, taken, narrow, bound);
  }

  // In the order in which they are to become narrower.
  Status Weigh(LayerType wide, LayerType narrow, std::vector<Candidate>* candidates) const {
    const int64_t bytes = search_.bytes(found_.types);
    double before = 0.0;
    MICRORT_RETURN_IF_ERROR(search_.rough_loss(found_.types, &before));
    for (const std::string& layer : search_.layers) {
      if (found_.types.at(layer) != wide) continue;
      LayerTypes types = found_.types;
      types[layer] = narrow;
      const int64_t saved = bytes - search_.bytes(types);
      if (saved <= 0) continue;
      double loss = 0.0;
      MICRORT_RETURN_IF_ERROR(search_.rough_loss(types, &loss));
      const double added = loss > before ? loss - before : 0.0;  // both may be infinite
      candidates->push_back({layer, added, added / static_cast<double>(saved)});
    }
    std::stable_sort(candidates->begin(), candidates->end(), [](const Candidate& a, const Candidate& b) {
      return a.loss_per_byte < b.loss_per_byte;
    });
    return Status();
  }

  // As many from the first on as the bound allows, by bisection.
  Status TakeFirst(const std::vector<Candidate>& candidates, LayerType narrow, double bound, size_t* taken) {
    size_t too_many = candidates.size() + 1;
    const LayerTypes before = found_.types;
    while (*taken + 1 < too_many) {
      const size_t count = (*taken + too_many) / 2;
      LayerTypes types = before;
      for (size_t i = 0; i < count; ++i) types[candidates[i].layer] = narrow;
      bool fits = false;
      MICRORT_RETURN_IF_ERROR(Try(std::move(types), bound, &fits));
      (fits ? *taken : too_many) = count;
    }
    return Status();
  }

  // Some of the others may be small enough for what is left.
  Status TakeSingle(const std::vector<Candidate>& candidates, size_t first, LayerType narrow, double bound) {
    int trials = 0;
    for (size_t i = first; i < candidates.size() && trials < kMostSingleTrials; ++i) {
      if (found_.loss + candidates[i].loss > bound) continue;
      LayerTypes types = found_.types;
      types[candidates[i].layer] = narrow;
      bool fits = false;
      MICRORT_RETURN_IF_ERROR(Try(std::move(types), bound, &fits));
      ++trials;
    }
    return Status();
  }

  const BitsSearch& search_;
  FoundBits& found_;
};

}  // namespace

Status SearchBits(const BitsSearch& search, FoundBits* found) { return BitsSearcher(search, found).Search(); }

}  // namespace micrort::quantize
