#include "tests/converter/tflite_int16.h"
#include "tests/converter/tflite_int16_ops.h"

namespace micrort::testing::tflite_int16 {
namespace {

OneOp Chosen(const std::string& op, Type type = Type::Int16) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).In({2, 8}, Type::Int16, Scale(kInputScale));
  one.Out({2, 8}, type, type == Type::Int16 ? Scale(kInputScale) : Quantized());
  return one;
}

OneOp Resize(const std::string& op) { return MoveOp(op, {1, 2, 2, 3}, {{4, 4}}, {1, 4, 4, 3}); }

OneOp Joined(const std::string& op, const TfliteDims& y) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).In({2, 8}, Type::Int16, Scale(kInputScale));
  fb::PackOptionsT pack;
  pack.values_count = 2;
  if (op == "PACK") one.With(pack);
  if (op == "CONCATENATION") one.With(fb::ConcatenationOptionsT());
  one.Out(y, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp Parts(const std::string& op) {
  OneOp one(op);
  if (op == "SPLIT") one.Scalar(1);
  one.In({2, 8}, Type::Int16, Scale(kInputScale));
  if (op == "SPLIT_V") one.Ints({4, 4}).Scalar(1);
  fb::SplitOptionsT split;
  fb::SplitVOptionsT split_v;
  fb::UnpackOptionsT unpack;
  split.num_splits = split_v.num_splits = unpack.num = 2;
  if (op == "SPLIT") one.With(split);
  if (op == "SPLIT_V") one.With(split_v);
  if (op == "UNPACK") one.With(unpack);
  const TfliteDims part = op == "UNPACK" ? TfliteDims{8} : TfliteDims{2, 4};
  one.Out(part, Type::Int16, Scale(kInputScale)).Out(part, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp Select(const std::string& op) {
  OneOp one(op);
  one.In({2, 8}, Type::Bool)
      .In({2, 8}, Type::Int16, Scale(kInputScale))
      .In({2, 8}, Type::Int16, Scale(kInputScale));
  one.Out({2, 8}, Type::Int16, Scale(kInputScale));
  return one;
}

template <typename OptionsT>
OneOp Blocks(const std::string& op, const TfliteDims& x, const TfliteDims& y) {
  OptionsT options;
  options.block_size = 2;
  OneOp one = MoveOp(op, x, {}, y);
  one.With(options);
  return one;
}

OneOp Padded() {
  OneOp one("PADV2");
  one.In({8}, Type::Int16, Scale(kInputScale));
  AddOnes<int32_t>(&one, {1, 2}, Type::Int32, {});
  AddOnes<int16_t>(&one, {1}, Type::Int16, Scale(kInputScale));
  one.Out({10}, Type::Int16, Scale(kInputScale));
  return one;
}

// Paddings are a matrix.
OneOp PaddedBy(const std::string& op) {
  OneOp one(op);
  one.In({8}, Type::Int16, Scale(kInputScale));
  AddOnes<int32_t>(&one, {1, 2}, Type::Int32, {});
  if (op == "MIRROR_PAD") one.With(fb::MirrorPadOptionsT());
  one.Out({10}, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp Batches(const std::string& op, const TfliteDims& x, const TfliteDims& y) {
  OneOp one(op);
  one.In(x, Type::Int16, Scale(kInputScale)).Ints({1, 1});
  one.op().inputs.push_back(
      one.builder().Constant<int32_t>("crops", {2, 2}, Type::Int32, std::vector<int32_t>(4)));
  one.Out(y, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp Picked(const std::string& op) {
  OneOp one(op);
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).Ints({1});
  if (op == "GATHER") one.With(fb::GatherOptionsT());
  one.Out({1, 8}, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp Largest() {
  OneOp one("TOPK_V2");
  one.In({2, 8}, Type::Int16, Scale(kInputScale)).Scalar(3);
  one.Out({2, 3}, Type::Int16, Scale(kInputScale)).Out({2, 3}, Type::Int32);
  return one;
}

OneOp Filled() {
  OneOp one("FILL");
  one.Ints({2, 8}).In({}, Type::Int16, Scale(kInputScale)).Out({2, 8}, Type::Int16, Scale(kInputScale));
  return one;
}

OneOp ReversedSequences() {
  fb::ReverseSequenceOptionsT options;
  options.seq_dim = 1;
  OneOp one = MoveOp("REVERSE_SEQUENCE", {2, 8}, {{3, 4}}, {2, 8});
  one.With(options);
  return one;
}

}  // namespace

std::vector<Int16Op> Int16Moves() {
  const auto move = [](const std::string& op, const TfliteDims& x, const std::vector<TfliteDims>& constants,
                       const TfliteDims& y) {
    return Int16Op{op, [=] { return MoveOp(op, x, constants, y); }};
  };
  std::vector<Int16Op> all = {
      move("RESHAPE", {2, 8}, {{16}}, {16}),
      move("TRANSPOSE", {2, 8}, {{1, 0}}, {8, 2}),
      move("SLICE", {2, 8}, {{0, 1}, {2, 3}}, {2, 3}),
      move("STRIDED_SLICE", {2, 8}, {{0, 1}, {2, 8}, {1, 2}}, {2, 4}),
      move("TILE", {2, 8}, {{2, 1}}, {4, 8}),
      move("REVERSE_V2", {2, 8}, {{1}}, {2, 8}),
      move("EXPAND_DIMS", {2, 8}, {{0}}, {1, 2, 8}),
      move("SQUEEZE", {1, 2, 8}, {}, {2, 8}),
      move("BROADCAST_TO", {1, 8}, {{2, 8}}, {2, 8}),
      {"REVERSE_SEQUENCE", ReversedSequences},
      move("ZEROS_LIKE", {2, 8}, {}, {2, 8}),
      {"RESIZE_NEAREST_NEIGHBOR", [] { return Resize("RESIZE_NEAREST_NEIGHBOR"); }},
      {"RESIZE_BILINEAR", [] { return Resize("RESIZE_BILINEAR"); }},
      {"CONCATENATION",
       [] {
         return Joined("CONCATENATION", {4, 8});
       }},
      {"PACK",
       [] {
         return Joined("PACK", {2, 2, 8});
       }},
      {"PADV2", Padded},
      {"TOPK_V2", Largest},
      {"FILL", Filled},
      {"DEPTH_TO_SPACE",
       [] {
         return Blocks<fb::DepthToSpaceOptionsT>("DEPTH_TO_SPACE", {1, 2, 2, 4}, {1, 4, 4, 1});
       }},
      {"SPACE_TO_DEPTH", [] {
         return Blocks<fb::SpaceToDepthOptionsT>("SPACE_TO_DEPTH", {1, 4, 4, 1}, {1, 2, 2, 4});
       }}};
  for (const char* op : {"SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND"}) {
    all.push_back({op, [op] { return Batches(op, {1, 2, 2, 3}, {1, 2, 2, 3}); }});
  }
  for (const char* op : {"PAD", "MIRROR_PAD"}) all.push_back({op, [op] { return PaddedBy(op); }});
  for (const char* op : {"SPLIT", "SPLIT_V", "UNPACK"}) all.push_back({op, [op] { return Parts(op); }});
  for (const char* op : {"SELECT", "SELECT_V2"}) all.push_back({op, [op] { return Select(op); }});
  for (const char* op : {"GATHER", "GATHER_ND"}) all.push_back({op, [op] { return Picked(op); }});
  for (const char* op : {"MAXIMUM", "MINIMUM"}) all.push_back({op, [op] { return Chosen(op); }});
  for (const char* op : {"EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"})
    all.push_back({op, [op] { return Chosen(op, Type::Bool); }});
  return all;
}

}  // namespace micrort::testing::tflite_int16
