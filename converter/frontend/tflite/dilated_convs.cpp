#include "converter/frontend/tflite/dilated_convs.h"

#include <limits>
#include <optional>

#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::tflite {

namespace {

// Block sizes, then begin and end of the borders of height and of width.
struct BlockOperands {
  int64_t h, w, borders[4];
};

bool ReadIntegers(const ModelFile& file, const fb::SubGraph& graph, int32_t index,
                  std::vector<int64_t>* out) {
  if (index < 0) return false;
  const fb::Tensor& tensor = *graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  ir::Value value;
  return IsConstant(file, tensor) && ReadConstant(file, tensor, &value).ok() && ir::AnyIntegersOf(value, out);
}

std::optional<BlockOperands> ReadBlock(const ModelFile& file, const fb::SubGraph& graph,
                                       const fb::Operator& op) {
  constexpr int64_t kLargest = std::numeric_limits<int16_t>::max();
  std::vector<int64_t> sizes, borders;
  if (op.inputs() == nullptr || op.inputs()->size() != 3 || op.outputs() == nullptr ||
      op.outputs()->size() != 1 || op.outputs()->Get(0) < 0 || op.inputs()->Get(0) < 0 ||
      !ReadIntegers(file, graph, op.inputs()->Get(1), &sizes) ||
      !ReadIntegers(file, graph, op.inputs()->Get(2), &borders) || sizes.size() != 2 || borders.size() != 4) {
    return std::nullopt;
  }
  for (const int64_t size : sizes) {
    if (size < 1 || size > kLargest) return std::nullopt;
  }
  for (const int64_t border : borders) {
    if (border < 0 || border > kLargest) return std::nullopt;
  }
  return BlockOperands{sizes[0], sizes[1], {borders[0], borders[1], borders[2], borders[3]}};
}

template <typename OptionsT>
bool IsPlainWindow(const OptionsT* o) {
  return o != nullptr && o->padding() == fb::Padding::Valid && o->stride_h() == 1 && o->stride_w() == 1 &&
         o->dilation_h_factor() == 1 && o->dilation_w_factor() == 1;
}

bool IsPlainConv(const ModelFile& file, const fb::Operator& op) {
  const std::string name = file.OpName(op);
  if (op.outputs() == nullptr || op.outputs()->size() != 1 || op.outputs()->Get(0) < 0) return false;
  if (name == "CONV_2D") return IsPlainWindow(op.builtin_options_as_Conv2DOptions());
  return name == "DEPTHWISE_CONV_2D" && IsPlainWindow(op.builtin_options_as_DepthwiseConv2DOptions());
}

std::optional<Dilation> Combine(const BlockOperands& before, const BlockOperands& after) {
  if (before.h != after.h || before.w != after.w) return std::nullopt;
  int32_t pads[4];
  for (int i = 0; i < 4; ++i) {
    if (before.borders[i] < after.borders[i]) return std::nullopt;
    pads[i] = static_cast<int32_t>(before.borders[i] - after.borders[i]);
  }
  return Dilation{before.h, before.w, pads[0], pads[2], pads[1], pads[3]};
}

// Who reads each tensor, if that is one operator, as its first input.
std::map<int32_t, const fb::Operator*> OnlyReaders(const fb::SubGraph& graph,
                                                   const std::vector<int32_t>& outputs) {
  std::map<int32_t, const fb::Operator*> readers;
  for (const int32_t index : outputs) readers[index] = nullptr;
  for (const fb::Operator* op : *graph.operators()) {
    if (op->inputs() == nullptr) continue;
    for (flatbuffers::uoffset_t i = 0; i < op->inputs()->size(); ++i) {
      const auto [entry, is_first] = readers.emplace(op->inputs()->Get(i), i == 0 ? op : nullptr);
      if (!is_first) entry->second = nullptr;
    }
  }
  return readers;
}

}  // namespace

void DilatedConvs::Find(const ModelFile& file, const fb::SubGraph& graph,
                        const std::vector<int32_t>& outputs) {
  if (graph.operators() == nullptr) return;
  const auto readers = OnlyReaders(graph, outputs);
  const auto reader_of = [&](const fb::Operator& op) -> const fb::Operator* {
    const auto found = readers.find(op.outputs()->Get(0));
    return found == readers.end() ? nullptr : found->second;
  };
  for (const fb::Operator* op : *graph.operators()) {
    if (file.OpName(*op) != "SPACE_TO_BATCH_ND") continue;
    const auto before = ReadBlock(file, graph, *op);
    const fb::Operator* conv = before ? reader_of(*op) : nullptr;
    if (conv == nullptr || !IsPlainConv(file, *conv)) continue;
    const fb::Operator* last = reader_of(*conv);
    if (last == nullptr || file.OpName(*last) != "BATCH_TO_SPACE_ND") continue;
    const auto after = ReadBlock(file, graph, *last);
    const auto dilation = after ? Combine(*before, *after) : std::nullopt;
    if (!dilation) continue;
    convs_[conv] = *dilation;
    handed_on_.insert({op, last});
  }
}

const Dilation* DilatedConvs::Of(const fb::Operator& conv) const {
  const auto found = convs_.find(&conv);
  return found == convs_.end() ? nullptr : &found->second;
}

}  // namespace micrort::frontend::tflite
