#pragma once

namespace micrort {

// The part of the page about TensorFlow's operators.
void PrintTensorflowOps();

}  // namespace micrort
