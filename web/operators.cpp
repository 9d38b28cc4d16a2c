// The operators that a page's models have, in place of all (MICRORT_WEB_OPERATORS).

#include MICRORT_WEB_OPERATORS

namespace micrort {

// The library's own is then not linked.
const OpResolver& AllOps() {
  static const OpResolver resolver = ModelOps();
  return resolver;
}

}  // namespace micrort
