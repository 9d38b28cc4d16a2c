#pragma once
// Quantized weights do not depend on the other layers' types: a search that quantizes a network again and
// again keeps it.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::quantize {

class WeightMemo {
 public:
  struct Integers {
    std::vector<float> scales;
    ir::Value value;
    std::vector<double> mean_errors;  // of products with them
  };
  struct Int4 {
    std::string why_not;  // "": these are the weights
    ir::Value value;
    std::vector<double> mean_errors;
    std::optional<double> noise;
  };

  // Each calls `make` once for the same constant (by its data, which it keeps alive), axis and scales.
  std::vector<float> Scales(const ir::Value& constant, int axis,
                            const std::function<std::vector<float>()>& make);
  std::optional<ir::Value> Half(const ir::Value& constant,
                                const std::function<std::optional<ir::Value>()>& make);
  std::string WhyTooCoarse(const ir::Value& constant, int axis, const std::function<std::string()>& make);
  // `is_static`: for integers that the samples do not change.
  Integers Quantized(const ir::Value& constant, int axis, bool is_static, const std::vector<float>& scales,
                     const std::function<Integers()>& make);
  // `form`: what else decides the integers.
  Int4 InFourBits(const ir::Value& constant, int axis, int form, const std::function<Int4()>& make);

 private:
  using Data = std::shared_ptr<const ir::Bytes>;

  std::map<std::pair<Data, int>, std::vector<float>> scales_;
  std::map<Data, std::optional<ir::Value>> halves_;
  std::map<std::pair<Data, int>, std::string> too_coarse_;
  std::map<std::tuple<Data, int, bool>, std::vector<Integers>> integers_;
  std::map<std::tuple<Data, int, int>, Int4> four_bits_;
};

}  // namespace micrort::quantize
