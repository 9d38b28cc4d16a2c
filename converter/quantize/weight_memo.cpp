#include "converter/quantize/weight_memo.h"

namespace micrort::quantize {
namespace {

template <typename Map, typename Make>
typename Map::mapped_type FindOrMake(Map* map, const typename Map::key_type& key, const Make& make) {
  const auto it = map->find(key);
  return it != map->end() ? it->second : map->emplace(key, make()).first->second;
}

}  // namespace

std::vector<float> WeightMemo::Scales(const ir::Value& constant, int axis,
                                      const std::function<std::vector<float>()>& make) {
  return FindOrMake(&scales_, {constant.data, axis}, make);
}

std::optional<ir::Value> WeightMemo::Half(const ir::Value& constant,
                                          const std::function<std::optional<ir::Value>()>& make) {
  return FindOrMake(&halves_, constant.data, make);
}

std::string WeightMemo::WhyTooCoarse(const ir::Value& constant, int axis,
                                     const std::function<std::string()>& make) {
  return FindOrMake(&too_coarse_, {constant.data, axis}, make);
}

WeightMemo::Int4 WeightMemo::InFourBits(const ir::Value& constant, int axis, int form,
                                        const std::function<Int4()>& make) {
  return FindOrMake(&four_bits_, {constant.data, axis, form}, make);
}

WeightMemo::Integers WeightMemo::Quantized(const ir::Value& constant, int axis, bool is_static,
                                           const std::vector<float>& scales,
                                           const std::function<Integers()>& make) {
  std::vector<Integers>& kept = integers_[{constant.data, axis, is_static}];
  for (const Integers& integers : kept) {
    if (integers.scales == scales) return integers;
  }
  kept.push_back(make());
  return kept.back();
}

}  // namespace micrort::quantize
