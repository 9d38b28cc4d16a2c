#include "tools/run/output_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "tools/io/array.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"
#include "tools/io/printable.h"
#include "tools/io/session.h"
#include "tools/io/tensor_file_name.h"

namespace micrort {
namespace {

// Part by part: an output may take all the memory that there is.
void FindRange(const TensorView& view, double* min, double* max) {
  constexpr size_t kPart = 1 << 16;
  const auto* bytes = static_cast<const uint8_t*>(view.data);
  const size_t element_bytes = SizeOf(view.dtype);
  *min = *max = std::numeric_limits<double>::quiet_NaN();
  for (size_t at = 0; at < view.elements(); at += kPart) {
    const size_t count = std::min(kPart, view.elements() - at);
    io::NamedArray part{"", view.dtype, {static_cast<int64_t>(count)}, {}}, wide;
    part.data.assign(bytes + at * element_bytes, bytes + (at + count) * element_bytes);
    if (!io::ConvertArray(part, DType::kFloat64, &wide).ok()) return;
    for (size_t i = 0; i < count; ++i) {
      // fmin and fmax pass NaN over.
      *min = std::fmin(*min, wide.as<double>()[i]);
      *max = std::fmax(*max, wide.as<double>()[i]);
    }
  }
}

}  // namespace

Status CheckOutputBytes(const Interpreter& interpreter, const ModelLimits& limits) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < interpreter.output_count(); ++i) bytes += interpreter.output(i).bytes();
  if (bytes <= limits.max_memory_bytes) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "%zu outputs have more than %llu bytes together (ModelLimits::max_memory_bytes, "
                       "--max-memory)",
                       interpreter.output_count(), static_cast<unsigned long long>(limits.max_memory_bytes));
}

std::vector<OutputRow> DescribeOutputs(const Interpreter& interpreter,
                                       const std::vector<std::string>& labels) {
  const std::vector<std::string> files = io::FileSafeNames(io::OutputNames(interpreter));
  std::vector<OutputRow> rows;
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const TensorView view = interpreter.output(i);
    OutputRow row{i, view.name, files[i] + ".npy", Name(view.dtype), io::ToVector(view.shape), 0, 0, "", {}};
    FindRange(view, &row.min, &row.max);
    row.values = FirstElements(view);
    if (!labels.empty()) row.top = TopClasses(view, labels);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> OutputFiles(const std::vector<OutputRow>& rows, const std::string& folder) {
  std::vector<std::string> files;
  for (const OutputRow& row : rows) files.push_back(folder + "/" + row.file);
  return files;
}

Status WriteOutputs(const Interpreter& interpreter, const std::vector<OutputRow>& rows,
                    const std::string& folder) {
  for (const OutputRow& row : rows) {
    const TensorView view = interpreter.output(row.position);
    const std::vector<uint8_t> npy = io::FormatNpy(view.dtype, row.shape, view.data);
    MICRORT_RETURN_IF_ERROR(
        io::WriteFileAtomically(folder + "/" + row.file, Span<const uint8_t>(npy.data(), npy.size())));
  }
  return Status();
}

void PrintTable(const std::vector<OutputRow>& rows, bool has_files) {
  constexpr size_t kMaxNameWidth = 60;  // a longer one, and its line, is longer
  size_t name_width = 4, file_width = 4, shape_width = 5;
  for (const OutputRow& row : rows) {
    name_width = std::max(name_width, std::min(row.name.size(), kMaxNameWidth));
    file_width = std::max(file_width, row.file.size());
    shape_width = std::max(shape_width, io::ShapeText(row.shape).size());
  }
  const auto width = [](size_t n) { return static_cast<int>(n); };
  // A column with the space behind it, or nothing.
  const auto in_file_column = [&](std::string text) {
    text.resize(file_width + 2, ' ');
    return has_files ? text : std::string();
  };
  std::printf("%-3s  %-*s  %s%-8s  %-*s  %12s  %12s\n", "#", width(name_width), "name",
              in_file_column("file").c_str(), "type", width(shape_width), "shape", "min", "max");
  for (const OutputRow& row : rows) {
    std::printf("%-3zu  %-*s  %s%-8s  %-*s  %12g  %12g\n", row.position, width(name_width),
                io::Printable(row.name).c_str(), in_file_column(row.file).c_str(), row.dtype.c_str(),
                width(shape_width), io::ShapeText(row.shape).c_str(), row.min, row.max);
  }
  for (const OutputRow& row : rows) {
    std::printf("\n%s: %s\n", io::Printable(row.name).c_str(), row.values.c_str());
    for (const ScoredClass& c : row.top)
      std::printf("  %-10.4g  %zu  %s\n", c.score, c.index, io::Printable(c.label).c_str());
  }
}

std::string ToJson(const std::string& model, const std::vector<OutputRow>& rows) {
  nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
  for (const OutputRow& row : rows) {
    nlohmann::ordered_json top = nlohmann::ordered_json::array();
    for (const ScoredClass& c : row.top)
      top.push_back({{"index", c.index}, {"label", c.label}, {"score", c.score}});
    outputs.push_back({{"position", row.position},
                       {"name", row.name},
                       {"file", row.file},
                       {"dtype", row.dtype},
                       {"shape", row.shape},
                       {"min", row.min},
                       {"max", row.max}});
    if (!row.top.empty()) outputs.back()["top"] = std::move(top);
  }
  const nlohmann::ordered_json document = {{"model", model}, {"outputs", outputs}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace micrort
