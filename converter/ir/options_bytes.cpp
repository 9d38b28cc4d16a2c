#include "converter/ir/options_bytes.h"

namespace micrort::ir {

std::string OptionsBytes(const Node& node) {
  // Each node of a graph is packed several times: the builder's memory serves all of them.
  static thread_local flatbuffers::FlatBufferBuilder builder;
  builder.Clear();
  const auto options = node.options.Pack(builder);
  schema::OperatorBuilder op(builder);
  op.add_code(node.code);
  op.add_options_type(node.options.type);
  op.add_options(options);
  op.add_rounding(node.rounding);
  builder.Finish(op.Finish());
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

}  // namespace micrort::ir
