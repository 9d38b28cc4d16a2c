#pragma once
// Writes what every operator computes, as it is computed: later operators may reuse the memory.

#include <set>
#include <string>

#include "micrort/interpreter.h"

namespace micrort {

class LayerDump final : public OpObserver {
 public:
  explicit LayerDump(std::string folder) : folder_(std::move(folder)) {}
  void AfterOp(const OpInfo& op) override;
  // The first error met while writing.
  const Status& status() const { return status_; }

 private:
  Status Write(const TensorView& tensor);

  std::string folder_;
  std::set<std::string> names_;  // file names taken
  Status status_;
};

}  // namespace micrort
