#include "converter/preprocess_inputs.h"

#include <algorithm>

#include "converter/ir/build.h"
#include "tools/io/array.h"
#include "tools/io/stated_pictures.h"

namespace micrort {
namespace {

// The axis of the channels, or -1 if no picture fits the input: as io::LoadImage sees it.
int ChannelAxis(const ir::Value& input) {
  const bool is_float = input.dtype == DType::kFloat32 || input.dtype == DType::kFloat16;
  const int rank = input.rank();
  if (!is_float || rank < 3 || rank > 4 || (rank == 4 && input.shape[0] > 1)) return -1;
  const auto is_channels = [&](int axis) {
    const int64_t dim = input.shape[static_cast<size_t>(axis)];
    return dim == 1 || dim == 3;
  };
  if (is_channels(rank - 3)) return rank - 3;
  return is_channels(rank - 1) ? rank - 1 : -1;
}

// One value for all channels, or one each, so that they broadcast along `axis`.
ir::ValueId ChannelConstant(ir::Builder& build, const std::vector<float>& values, int axis, int rank) {
  std::vector<int64_t> shape(static_cast<size_t>(rank - axis), 1);
  shape[0] = static_cast<int64_t>(values.size());
  return build.Constant(shape, values);
}

bool AreAll(const std::vector<float>& values, float value) {
  return std::all_of(values.begin(), values.end(), [value](float v) { return v == value; });
}

Status CheckValues(const char* flag, const std::vector<float>& values, const ir::Value& input, int axis) {
  const int64_t channels = input.shape[static_cast<size_t>(axis)];
  if (values.size() == 1 || static_cast<int64_t>(values.size()) == channels) return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "--preprocess: input '%s' has %lld channels; expected 1 or as many values "
                       "for %s, found %zu",
                       input.name.c_str(), static_cast<long long>(channels), flag, values.size());
}

Status Embed(const io::Preprocess& preprocess, int axis, ir::ValueId input, ir::Graph* graph) {
  MICRORT_RETURN_IF_ERROR(CheckValues("--mean", preprocess.mean, graph->value(input), axis));
  MICRORT_RETURN_IF_ERROR(CheckValues("--scale", preprocess.scale, graph->value(input), axis));
  const std::string name = graph->value(input).name;
  const DType dtype = graph->value(input).dtype;
  const int rank = graph->value(input).rank();
  ir::Value pixels = graph->value(input);
  pixels.dtype = DType::kUInt8;
  graph->Rename(input, name + "/normalized");
  const ir::ValueId given = graph->AddValue(std::move(pixels));
  *std::find(graph->inputs.begin(), graph->inputs.end(), input) = given;

  ir::Builder build(*graph, {name + "/preprocess", "preprocess"}, name);
  ir::ValueId x = build.Cast(given, DType::kFloat32);
  if (preprocess.color == io::Color::kBgr && graph->value(given).shape[static_cast<size_t>(axis)] == 3)
    x = build.Gather(x, build.Integers({2, 1, 0}), axis);
  if (!AreAll(preprocess.mean, 0.0f)) {
    x = build.Sub(x, ChannelConstant(build, preprocess.mean, axis, rank));
  }
  if (!AreAll(preprocess.scale, 1.0f)) {
    x = build.Mul(x, ChannelConstant(build, preprocess.scale, axis, rank));
  }
  if (dtype != DType::kFloat32) x = build.Cast(x, dtype);
  MICRORT_RETURN_IF_ERROR(build.status());
  graph->ReplaceUses(input, x);
  return Status();
}

}  // namespace

Status EmbedPreprocess(const io::Preprocess& preprocess, ir::Graph* graph) {
  bool has_pictures = false;
  for (size_t i = 0; i < graph->caller_inputs(); ++i) {
    const int axis = ChannelAxis(graph->value(graph->inputs[i]));
    if (axis < 0) continue;
    has_pictures = true;
    MICRORT_RETURN_IF_ERROR(Embed(preprocess, axis, graph->inputs[i], graph));
  }
  if (!has_pictures) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--preprocess: no input is a picture, of floats, with 1 or 3 channels first or last");
  }
  graph->Sort();
  return Status();
}

io::Preprocess PreprocessOutside(const ConvertOptions& options) {
  if (!options.embeds_preprocess) return options.preprocess;
  io::Preprocess left;
  left.fit = options.preprocess.fit;
  return left;
}

void StatePictures(const ConvertOptions& options, ir::Module* module) {
  auto& metadata = module->metadata;
  // The source cannot know.
  metadata.erase(std::remove_if(metadata.begin(), metadata.end(),
                                [](const auto& entry) { return entry.first == io::kPicturesKey; }),
                 metadata.end());
  const io::Preprocess left = PreprocessOutside(options);
  if (!left.is_default()) metadata.emplace_back(io::kPicturesKey, io::PicturesJson(left));
}

}  // namespace micrort
