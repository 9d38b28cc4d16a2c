#pragma once
// Operators of the user's own while a model is converted: those of `--custom-ops` can run, others are taken
// as the source model states them.

#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "micrort/op_resolver.h"

namespace micrort {

// As ir::ConversionBudget, it belongs to the thread as long as the conversion lasts. Libraries stay loaded.
class ConversionOps {
 public:
  ConversionOps();
  ~ConversionOps();
  ConversionOps(const ConversionOps&) = delete;
  ConversionOps& operator=(const ConversionOps&) = delete;

  // Adds what a shared library exports; see micrort/custom_op.h. kIo if it cannot be loaded, kInvalidArgument
  // if it is none of these.
  Status Load(const std::string& path);

 private:
  OpResolver resolver_;
  const OpResolver* outer_;
};

// Of the conversion at hand, or, where there is none, all of the library and unknown ones.
const OpResolver& CurrentOps();

}  // namespace micrort
