#pragma once
// The first step of a conversion: the source model as a graph, changed as the options ask for.

#include <map>
#include <optional>
#include <string>

#include "converter/convert.h"
#include "converter/ir/graph.h"
#include "kernels/base/platform/mapped_file.h"

namespace micrort {

struct SourceImport {
  ir::Module module;
  std::map<std::string, std::string> renamed_outputs;  // as in named_values.h
  MappedFile weights;                                  // the second file of formats that have two
  frontend::ImportOptions options;                     // as they were in the end; they refer to `weights`
};

// name: for messages. folder: where files lie that the model names. Notes, sources and what cannot be
// converted go to *result.
Status ImportSource(const std::string& name, Span<const uint8_t> model,
                    const std::optional<std::string>& folder, const ConvertOptions& options,
                    SourceImport* out, ConvertResult* result);

// Applies the options that change the graph before any pass: inputs, states, caches, bounds of sizes.
Status ApplyToGraph(const ConvertOptions& options, ir::Module* module, ConvertResult* result);

}  // namespace micrort
