#pragma once
// Protobuf's text format.

#include <google/protobuf/message.h>

#include <initializer_list>
#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::tensorflow {

// kInvalidModel, with line and column, if the text is no such message. Fields that we do not know are
// skipped.
Status ParseText(Span<const uint8_t> bytes, ::google::protobuf::Message* out);

// Whether the text begins with one of these fields, being a message: "node {". Comments may come before.
bool TextBeginsWithMessage(Span<const uint8_t> bytes, std::initializer_list<const char*> fields);

}  // namespace micrort::frontend::tensorflow
