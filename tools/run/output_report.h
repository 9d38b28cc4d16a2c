#pragma once
// The outputs of a run, for people and for programs.

#include <string>
#include <vector>

#include "micrort/interpreter.h"
#include "tools/run/output_values.h"

namespace micrort {

struct OutputRow {
  size_t position = 0;
  std::string name, file;  // the file's name, with .npy
  std::string dtype;
  std::vector<int64_t> shape;
  double min = 0, max = 0;       // NaN elements are passed over; NaN if there is nothing else
  std::string values;            // the first ones
  std::vector<ScoredClass> top;  // with labels, of outputs that are scores
};

// kUnsupported if all outputs together are larger than all memory may be: many may be one tensor.
Status CheckOutputBytes(const Interpreter& interpreter, const ModelLimits& limits);
// Where WriteOutputs will write.
std::vector<std::string> OutputFiles(const std::vector<OutputRow>& rows, const std::string& folder);
// `labels`: of classes; empty: none are asked for.
std::vector<OutputRow> DescribeOutputs(const Interpreter& interpreter,
                                       const std::vector<std::string>& labels);
Status WriteOutputs(const Interpreter& interpreter, const std::vector<OutputRow>& rows,
                    const std::string& folder);
// On stdout. `has_files`: WriteOutputs has written them, and the table names them.
void PrintTable(const std::vector<OutputRow>& rows, bool has_files);
std::string ToJson(const std::string& model, const std::vector<OutputRow>& rows);

}  // namespace micrort
