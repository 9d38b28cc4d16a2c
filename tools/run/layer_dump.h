#pragma once
// Writes what every operator computes, as it is computed: later operators may reuse the memory.

#include <string>
#include <vector>

#include "micrort/interpreter.h"
#include "tools/io/tensor_file_name.h"

namespace micrort {

class LayerDump final : public OpObserver {
 public:
  // `sources`: files that are read, which no layer's file may replace.
  LayerDump(std::string folder, std::vector<std::string> sources)
      : folder_(std::move(folder)), sources_(std::move(sources)) {}
  void AfterOp(const OpInfo& op) override;
  // The first error met while writing.
  const Status& status() const { return status_; }

 private:
  Status Write(const TensorView& tensor);

  std::string folder_;
  std::vector<std::string> sources_;
  io::TakenNames names_;
  Status status_;
};

}  // namespace micrort
