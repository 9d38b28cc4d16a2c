#pragma once
// What weights of one graph have become: layers that share them, as the steps of an unrolled recurrence do,
// share their integers, scales and biases, and these are searched for once.

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/quantize/layer_types.h"

namespace micrort::quantize {

struct StoredWeights {
  struct Key {
    ir::ValueId weights;
    int channel_axis;
    LayerType type = LayerType::kInt8;
    bool aligned = false;  // scales of int4 that are made for products of integers

    bool operator<(const Key& other) const {
      return std::tie(weights, channel_axis, type, aligned) <
             std::tie(other.weights, other.channel_axis, other.type, other.aligned);
    }
  };
  struct Entry {
    ir::ValueId value = ir::kNoValue;
    std::vector<double> mean_errors;  // of products with them
    std::optional<double> noise;
  };
  // Weights of static int8, where biases may raise the scales of a layer.
  struct StaticEntry {
    std::vector<float> scales;  // that no bias has raised
    std::vector<std::pair<std::vector<float>, ir::ValueId>> values;
    std::map<std::vector<int64_t>, ir::ValueId> biases;
  };

  std::map<Key, Entry> entries;
  std::map<Key, StaticEntry> static_entries;
  std::map<ir::ValueId, std::string> too_coarse;  // why int8 does not hold weights; "": it does

  const Entry* Find(const Key& key) const {
    const auto it = entries.find(key);
    return it == entries.end() ? nullptr : &it->second;
  }
};

}  // namespace micrort::quantize
