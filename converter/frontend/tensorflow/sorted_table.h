#pragma once
// The table that a checkpoint's index is: sorted pairs of keys and values in blocks, as LevelDB writes it
// (doc/table_format.md of LevelDB), compressed by Snappy or not at all.

#include <map>
#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::tensorflow {

// All pairs of the table. kInvalidModel for anything that contradicts the format, a checksum included;
// kUnsupported for another compression, and for more than 256 MiB of blocks.
Status ReadSortedTable(Span<const uint8_t> bytes, std::map<std::string, std::string>* out);

}  // namespace micrort::frontend::tensorflow
