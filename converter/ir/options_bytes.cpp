#include "converter/ir/options_bytes.h"

namespace micrort::ir {

std::string OptionsBytes(const Node& node) {
  flatbuffers::FlatBufferBuilder builder;
  const auto options = node.options.Pack(builder);
  builder.Finish(schema::CreateOperator(builder, node.code, node.options.type, options));
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

}  // namespace micrort::ir
