#pragma once
// Operators that TFLite does not have, of programs that registered them (mnnconvert --custom-domain tflite).

#include "converter/frontend/frontend.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

// Their domain here; a TFLite file has none.
constexpr char kCustomDomain[] = "tflite";

// The operator's importer, or, where options let custom operators through and TFLite does not know the name,
// one that makes it a custom operator: with any inputs, and the outputs that the file states. Entries of
// custom options that are a flexbuffer's map become attributes; other bytes one attribute "custom_options".
// Quantized tensors are real numbers, as for all importers. Null if there is none.
const OpImporter* ImporterFor(const std::string& op, const ImportOptions& options);

}  // namespace micrort::frontend::tflite
