#pragma once

namespace micrort {

// The part of the page about PyTorch's operators.
void PrintTorchscriptOps();

}  // namespace micrort
