#include "tools/run/layer_dump.h"

#include "tools/io/file.h"
#include "tools/io/npy.h"
#include "tools/io/session.h"

namespace micrort {

Status LayerDump::Write(const TensorView& tensor) {
  const std::string name = names_.Take(io::FileSafeNames({tensor.name})[0]);
  const std::vector<uint8_t> npy = io::FormatNpy(tensor.dtype, io::ToVector(tensor.shape), tensor.data);
  const std::string path = folder_ + "/" + name + ".npy";
  MICRORT_RETURN_IF_ERROR(io::CheckOutputFiles({path}, sources_));
  return io::WriteFileAtomically(path, Span<const uint8_t>(npy.data(), npy.size()));
}

void LayerDump::AfterOp(const OpInfo& op) {
  for (const TensorView& output : op.outputs) {
    if (status_.ok()) status_ = Write(output);
  }
}

}  // namespace micrort
