#include "converter/ir/options_bytes.h"

namespace micrort::ir {

std::string OptionsBytes(const Node& node) {
  // Most options fit. A block of a kilobyte, the default, makes malloc sort all free ones each time.
  constexpr size_t kUsualBytes = 256;
  flatbuffers::FlatBufferBuilder builder(kUsualBytes);
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
