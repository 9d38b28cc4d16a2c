#pragma once
// The operators that an interpreter can run. A program that names only the operators of its model links only
// these.

#include <cstddef>

#include "kernels/base/status.h"
#include "micrort/op_types.h"
#include "micrort/operators.h"

extern "C" {
struct micrort_custom_op;  // micrort/custom_op.h
}

namespace micrort {

struct OpRegistration;

// One function for each operator, in its own object file: ops::Conv2D() and so on.
namespace ops {
#define MICRORT_DECLARE_OPERATOR(name) const OpRegistration& name();
MICRORT_OPERATORS(MICRORT_DECLARE_OPERATOR)
#undef MICRORT_DECLARE_OPERATOR
const OpRegistration& Custom();
}  // namespace ops

}  // namespace micrort

#include "micrort/op_parts.h"

namespace micrort {

// A table from operator code to implementation. Copyable; holds pointers to static data only.
//   OpResolver resolver;
//   resolver.AddConv2D(kInt8).AddSoftmax();
class OpResolver {
 public:
  OpResolver& Add(const OpRegistration& registration);

  // AddConv2D() and so on: one for each operator, for all types or for some, as in AddConv2D(kInt8).
#define MICRORT_ADD_OPERATOR(name)                                          \
  [[gnu::always_inline]] OpResolver& Add##name(OpTypes types = kAllTypes) { \
    PartsOf<ops::name>::Link(types);                                        \
    return Add(ops::name());                                                \
  }
  MICRORT_OPERATORS(MICRORT_ADD_OPERATOR)
#undef MICRORT_ADD_OPERATOR

  // A custom operator, which must outlive every copy of the resolver. If two have the same domain
  // and name, the last one added counts. At most kMaxCustomOps; a resolver with more refuses every model that
  // has custom operators.
  OpResolver& AddCustom(const micrort_custom_op& op);

  // Null if there is none.
  const OpRegistration* Find(int op_code) const {
    return op_code >= 0 && op_code < kMaxOps ? table_[op_code] : nullptr;
  }
  // Null if there is none, or if there are too many.
  const micrort_custom_op* FindCustom(const char* domain, const char* name) const;

  // For tools that inspect models and do not run them: a custom operator that was not added has the outputs
  // that the model declares, and is an error in Run() only.
  OpResolver& TakeUnknownCustom();
  bool takes_unknown_custom() const { return takes_unknown_custom_; }

  static constexpr size_t kMaxCustomOps = 32;

 private:
  static constexpr int kMaxOps = 64;
  const OpRegistration* table_[kMaxOps] = {};
  const micrort_custom_op* custom_[kMaxCustomOps] = {};
  size_t custom_count_ = 0;  // how many were added, even if there is no room for them
  bool takes_unknown_custom_ = false;
};

// Every operator of this library. Using it links them all.
const OpResolver& AllOps();

// kInvalidArgument unless `op` is a whole structure of this version, with a domain, a name, prepare and run.
// For operators that come from elsewhere, such as a shared library.
Status CheckCustomOp(const micrort_custom_op* op);

}  // namespace micrort
