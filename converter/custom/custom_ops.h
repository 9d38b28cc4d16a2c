#pragma once
// Operators of the user's own while a model is converted: those of `--custom-ops` can run, others are taken
// as the source model states them.

#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "micrort/op_resolver.h"

namespace micrort {

// As ir::ConversionBudget, it belongs to the thread as long as the conversion lasts.
class ConversionOps {
 public:
  ConversionOps();
  ~ConversionOps();
  ConversionOps(const ConversionOps&) = delete;
  ConversionOps& operator=(const ConversionOps&) = delete;

  // Adds what these libraries export, as io::AddCustomOps.
  Status Load(const std::vector<std::string>& libraries);

 private:
  OpResolver resolver_;
  const OpResolver* outer_;
};

// The operators of the current conversion, or, where there is none, all of the library and unknown ones.
const OpResolver& CurrentOps();

}  // namespace micrort
