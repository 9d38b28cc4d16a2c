#include "converter/quantize/type_search.h"

#include <algorithm>

namespace micrort::quantize {
namespace {

// A layer in float has weights of half the size, which costs no time and next to no accuracy.
constexpr LayerType kFloat = LayerType::kFloat16;
// What is gained must be more than the estimate's grain.
constexpr double kLeastGain = 1e-3;

class Searcher {
 public:
  Searcher(const TypeSearch& search, FoundTypes* found) : search_(search), found_(*found) {}

  Status Search() {
    found_.types = search_.fixed;
    MICRORT_RETURN_IF_ERROR(search_.time(found_.types, &found_.microseconds));
    if (!search_.integers_only) {
      MICRORT_RETURN_IF_ERROR(DropSlowLayers());
      MICRORT_RETURN_IF_ERROR(TryAllFloat());
    }
    MICRORT_RETURN_IF_ERROR(search_.loss(found_.types, &found_.loss));
    return found_.loss <= search_.max_loss ? Status() : DropHarmfulLayers();
  }

 private:
  LayerTypes With(const std::string& layer, LayerType type = kFloat) const {
    LayerTypes types = found_.types;
    types[layer] = type;
    return types;
  }
  bool IsInt8(const std::string& layer) const { return found_.types.count(layer) == 0; }

  // Layers that lose nothing one by one, because their neighbours would have to convert, may do so together.
  Status TryAllFloat() {
    LayerTypes all = search_.fixed;
    for (const std::string& layer : search_.layers) all.emplace(layer, kFloat);
    double microseconds = 0.0;
    MICRORT_RETURN_IF_ERROR(search_.time(all, &microseconds));
    if (microseconds > found_.microseconds) return Status();
    for (const std::string& layer : search_.layers) {
      if (IsInt8(layer)) found_.slow.push_back(layer);
    }
    found_.types = std::move(all);
    found_.microseconds = microseconds;
    return Status();
  }

  // One that leaves may make its neighbours slow: they are tried again.
  Status DropSlowLayers() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::string& layer : search_.layers) {
        if (!IsInt8(layer)) continue;
        LayerTypes types = With(layer);
        double microseconds = 0.0;
        MICRORT_RETURN_IF_ERROR(search_.time(types, &microseconds));
        if (microseconds > found_.microseconds * (1.0 - kLeastGain)) continue;
        found_.types = std::move(types);
        found_.microseconds = microseconds;
        found_.slow.push_back(layer);
        changed = true;
      }
    }
    return Status();
  }

  struct Candidate {
    std::string layer;
    LayerType type;
    double gain;  // of loss, for each microsecond that it costs
  };

  Status Weigh(const std::string& layer, LayerType type, std::vector<Candidate>* candidates) const {
    const LayerTypes types = With(layer, type);
    double microseconds = 0.0, loss = 0.0;
    MICRORT_RETURN_IF_ERROR(search_.time(types, &microseconds));
    MICRORT_RETURN_IF_ERROR(search_.loss(types, &loss));
    const double cost = std::max(microseconds - found_.microseconds, found_.microseconds * kLeastGain);
    candidates->push_back({layer, type, (found_.loss - loss) / cost});
    return Status();
  }

  // A layer that is float already keeps more than in int16.
  bool Take(const Candidate& candidate) {
    const auto [it, is_new] = found_.types.emplace(candidate.layer, candidate.type);
    if (!is_new && it->second == kFloat) return false;
    if (!is_new) found_.wide.erase(std::find(found_.wide.begin(), found_.wide.end(), candidate.layer));
    it->second = candidate.type;
    (candidate.type == kFloat ? found_.harmful : found_.wide).push_back(candidate.layer);
    return true;
  }

  Status DropHarmfulLayers() {
    std::vector<Candidate> candidates;
    for (const std::string& layer : search_.layers) {
      if (!IsInt8(layer)) continue;
      const bool may_be_wide = search_.wide.count(layer) != 0;
      if (may_be_wide) MICRORT_RETURN_IF_ERROR(Weigh(layer, LayerType::kInt16x8, &candidates));
      if (may_be_wide && search_.integers_only) continue;
      MICRORT_RETURN_IF_ERROR(Weigh(layer, kFloat, &candidates));
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
    for (const Candidate& candidate : candidates) {
      if (!Take(candidate)) continue;
      MICRORT_RETURN_IF_ERROR(search_.loss(found_.types, &found_.loss));
      if (found_.loss <= search_.max_loss) return search_.time(found_.types, &found_.microseconds);
    }
    return MICRORT_ERROR(kUnsupported, "--max-loss %g: with every layer in %s the loss is still %g",
                         search_.max_loss, search_.integers_only ? "int16x8 or float" : "float", found_.loss);
  }

  const TypeSearch& search_;
  FoundTypes& found_;
};

}  // namespace

Status SearchTypes(const TypeSearch& search, FoundTypes* found) { return Searcher(search, found).Search(); }

}  // namespace micrort::quantize
