#pragma once

namespace micrort {

// The part of the page about Caffe's layers.
void PrintCaffeLayers();

}  // namespace micrort
