#pragma once
// What files are that users take for models: by their first bytes, by what is in them, or by how their names
// end; and what to do with them instead.

#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// For mnnconvert. OK if the file is none that it cannot read; else what it is, and what to convert instead.
Status KnownButNotRead(Span<const uint8_t> bytes);

// `unread`: why no frontend reads the file. What its name says about it, where that explains it; else
// `unread`.
Status KnownByName(const std::string& path, const Status& unread);

// For programs that run models. `unread`: why the file is no model of MicroRT. If it is one of another
// format, how it becomes one; else `unread`.
Status ExplainNoMicrortModel(const std::string& path, const Status& unread);

}  // namespace micrort::io
