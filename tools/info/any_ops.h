#pragma once
// What micrort-info plans with: it runs nothing, so that operators of other programs are welcome.

#include "micrort/op_resolver.h"

namespace micrort {

inline const OpResolver& AnyOps() {
  static const OpResolver resolver = [] {
    OpResolver ops = AllOps();
    return ops.TakeUnknownCustom();
  }();
  return resolver;
}

}  // namespace micrort
