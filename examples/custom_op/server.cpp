// micrort-serve with the operators of this program.

#include "serve/server/server.h"

#include "micrort/custom_op.h"
#include "micrort/op_resolver.h"

extern "C" const micrort_custom_op kZeroOut, kTensorflowZeroOut;

int main(int argc, char** argv) {
  micrort::OpResolver resolver = micrort::AllOps();
  resolver.AddCustom(kZeroOut).AddCustom(kTensorflowZeroOut);
  return micrort::serve::RunServer(argc, argv, resolver);
}
