#include "converter/ir/options_bytes.h"

#include <utility>

namespace micrort::ir {

std::string OptionsBytes(const Node& node) {
  // Each node of a graph is packed several times: the builder's memory serves all of them. One whose growth
  // failed cannot be used any more, and goes with the exception. One that has become large goes, too.
  static thread_local flatbuffers::FlatBufferBuilder kept;
  flatbuffers::FlatBufferBuilder builder = std::move(kept);
  builder.Clear();
  const auto options = node.options.Pack(builder);
  schema::OperatorBuilder op(builder);
  op.add_code(node.code);
  op.add_options_type(node.options.type);
  op.add_options(options);
  op.add_rounding(node.rounding);
  builder.Finish(op.Finish());
  std::string bytes(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  constexpr size_t kMostKept = size_t{1} << 16;
  if (bytes.size() <= kMostKept) kept = std::move(builder);
  return bytes;
}

}  // namespace micrort::ir
