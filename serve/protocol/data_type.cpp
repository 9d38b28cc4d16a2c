#include "serve/protocol/data_type.h"

#include <algorithm>
#include <cctype>

namespace micrort::serve {
namespace {

struct Names {
  DType dtype;
  const char* protocol;
  const char* tensorflow;
};

constexpr Names kNames[] = {
    {DType::kBool, "BOOL", "DT_BOOL"},         {DType::kUInt8, "UINT8", "DT_UINT8"},
    {DType::kUInt16, "UINT16", "DT_UINT16"},   {DType::kUInt32, "UINT32", "DT_UINT32"},
    {DType::kUInt64, "UINT64", "DT_UINT64"},   {DType::kInt8, "INT8", "DT_INT8"},
    {DType::kInt16, "INT16", "DT_INT16"},      {DType::kInt32, "INT32", "DT_INT32"},
    {DType::kInt64, "INT64", "DT_INT64"},      {DType::kFloat16, "FP16", "DT_HALF"},
    {DType::kFloat32, "FP32", "DT_FLOAT"},     {DType::kFloat64, "FP64", "DT_DOUBLE"},
    {DType::kBFloat16, "BF16", "DT_BFLOAT16"},
};

}  // namespace

const char* ProtocolName(DType dtype) {
  for (const Names& names : kNames) {
    if (names.dtype == dtype) return names.protocol;
  }
  return "";
}

DType FromProtocolName(const std::string& name) {
  for (const Names& names : kNames) {
    if (names.protocol == name) return names.dtype;
  }
  return DType::kUnknown;
}

std::string ProtocolNameHint(const std::string& name) {
  std::string all, lowered = name;
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const Names& names : kNames) {
    if (lowered == Name(names.dtype) || name == names.tensorflow)
      return std::string("; did you mean ") + names.protocol + "?";
    all += (all.empty() ? "" : ", ") + std::string(names.protocol);
  }
  return "; expected one of " + all;
}

const char* TensorflowName(DType dtype) {
  for (const Names& names : kNames) {
    if (names.dtype == dtype) return names.tensorflow;
  }
  return "DT_INVALID";
}

}  // namespace micrort::serve
