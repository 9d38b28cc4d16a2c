#include "converter/frontend/caffe/phase.h"

#include <algorithm>
#include <set>
#include <string>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::caffe {

namespace {

// What rules are about.
struct State {
  int32_t level;
  std::set<std::string> stages;
};

bool Meets(const State& state, const ::caffe::NetStateRule& rule) {
  if (rule.has_phase() && rule.phase() != ::caffe::TEST) return false;
  if (rule.has_min_level() && state.level < rule.min_level()) return false;
  if (rule.has_max_level() && state.level > rule.max_level()) return false;
  const auto has = [&](const std::string& stage) { return state.stages.count(stage) != 0; };
  return std::all_of(rule.stage().begin(), rule.stage().end(), has) &&
         std::none_of(rule.not_stage().begin(), rule.not_stage().end(), has);
}

bool IsKept(const State& state, const ::caffe::LayerParameter& layer) {
  const auto meets = [&](const ::caffe::NetStateRule& rule) { return Meets(state, rule); };
  if (layer.include_size() > 0) return std::any_of(layer.include().begin(), layer.include().end(), meets);
  return std::none_of(layer.exclude().begin(), layer.exclude().end(), meets);
}

bool EndsWith(const std::string& s, const std::string& end) {
  return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Status TestLayers(const CaffeNet& net, std::vector<TestLayer>* out) {
  const auto& stages = net.proto.state().stage();
  const State state = {net.proto.state().level(), {stages.begin(), stages.end()}};
  for (int i = 0; i < net.proto.layer_size(); ++i) {
    const ::caffe::LayerParameter& layer = net.proto.layer(i);
    if (layer.include_size() > 0 && layer.exclude_size() > 0)
      return Invalid("layer '{}' has rules of both include and exclude", Shown(layer.name()));
    const auto unknown = net.unknown_fields.find(i);
    if (!IsKept(state, layer)) continue;
    out->push_back({&layer, unknown == net.unknown_fields.end() ? "" : unknown->second});
  }
  return Status();
}

bool IsForTraining(const std::string& type) {
  return EndsWith(type, "Loss") || type == "Accuracy" || type == "DetectionEvaluate" || type == "HDF5Output";
}

bool ReadsData(const std::string& type) {
  return type == "Input" || type == "Data" || type == "ImageData" || type == "MemoryData" ||
         type == "HDF5Data" || type == "WindowData" || type == "AnnotatedData" || type == "VideoData";
}

}  // namespace micrort::frontend::caffe
