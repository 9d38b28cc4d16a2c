#include "tools/io/npy.h"

#include <cstring>

namespace micrort::io {
namespace {

struct Descr {
  const char* text;  // without the byte order
  DType dtype;
};
constexpr Descr kDescrs[] = {{"f4", DType::kFloat32}, {"f2", DType::kFloat16}, {"f8", DType::kFloat64},
                             {"i1", DType::kInt8},    {"u1", DType::kUInt8},   {"i2", DType::kInt16},
                             {"u2", DType::kUInt16},  {"i4", DType::kInt32},   {"u4", DType::kUInt32},
                             {"i8", DType::kInt64},   {"u8", DType::kUInt64},  {"b1", DType::kBool}};

// The header is a Python dictionary literal: finds the text behind 'key': .
bool FindValue(const std::string& header, const char* key, size_t* begin) {
  const size_t at = header.find("'" + std::string(key) + "'");
  if (at == std::string::npos) return false;
  const size_t colon = header.find(':', at);
  if (colon == std::string::npos) return false;
  *begin = header.find_first_not_of(' ', colon + 1);
  return *begin != std::string::npos;
}

bool ParseDescr(const std::string& header, DType* out) {
  size_t at;
  if (!FindValue(header, "descr", &at) || header.size() < at + 5 || header[at] != '\'' ||
      header[at + 4] != '\'') {
    return false;
  }
  const char order = header[at + 1];
  const std::string kind = header.substr(at + 2, 2);
  for (const Descr& d : kDescrs) {
    if (kind != d.text) continue;
    *out = d.dtype;
    return order == '<' || order == '|' || (SizeOf(d.dtype) == 1 && order == '>');
  }
  return false;
}

// Every dimension of so many digits fits an int64_t.
constexpr size_t kMaxDigits = 18;

bool ParseShape(const std::string& header, std::vector<int64_t>* out) {
  size_t at;
  if (!FindValue(header, "shape", &at) || header[at] != '(') return false;
  const size_t end = header.find(')', at);
  if (end == std::string::npos) return false;
  for (size_t i = at + 1; i < end;) {
    if (header[i] == ' ' || header[i] == ',') {
      ++i;
      continue;
    }
    int64_t dim = 0;
    size_t digits = 0;
    for (; i < end && header[i] >= '0' && header[i] <= '9'; ++i) {
      if (++digits > kMaxDigits) return false;
      dim = dim * 10 + (header[i] - '0');
    }
    if (digits == 0) return false;
    if (i < end && header[i] == 'L') ++i;  // written by Python 2
    out->push_back(dim);
  }
  return true;
}

// Column-major to row-major.
void Reorder(NamedArray* array) {
  const size_t size = SizeOf(array->dtype), n = array->elements();
  const std::vector<uint8_t> source = array->data;
  std::vector<size_t> index(array->shape.size(), 0);
  for (size_t i = 0; i < n; ++i) {
    size_t from = 0, stride = 1;
    for (size_t d = 0; d < index.size(); ++d) {
      from += index[d] * stride;
      stride *= static_cast<size_t>(array->shape[d]);
    }
    std::memcpy(array->data.data() + i * size, source.data() + from * size, size);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < static_cast<size_t>(array->shape[d])) break;
      index[d] = 0;
    }
  }
}

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicBytes = 6;

Status ParseHeader(const std::string& what, Span<const uint8_t> bytes, std::string* header, size_t* data_at) {
  if (bytes.size() < 12 || std::memcmp(bytes.data(), kMagic, kMagicBytes) != 0) {
    return MICRORT_ERROR(kInvalidArgument, "%s: not a .npy file", what.c_str());
  }
  const bool long_header = bytes[6] >= 2;
  const size_t at = long_header ? 12 : 10;
  size_t length = bytes[8] | static_cast<size_t>(bytes[9]) << 8;
  if (long_header) length |= static_cast<size_t>(bytes[10]) << 16 | static_cast<size_t>(bytes[11]) << 24;
  if (bytes[6] < 1 || bytes[6] > 3 || length > bytes.size() - at) {
    return MICRORT_ERROR(kInvalidArgument, "%s: broken .npy header", what.c_str());
  }
  header->assign(reinterpret_cast<const char*>(bytes.data()) + at, length);
  *data_at = at + length;
  return Status();
}

}  // namespace

Status ParseNpy(const std::string& what, Span<const uint8_t> bytes, NamedArray* out) {
  std::string header;
  size_t data_at = 0;
  MICRORT_RETURN_IF_ERROR(ParseHeader(what, bytes, &header, &data_at));
  NamedArray array;
  size_t order_at;
  if (!ParseDescr(header, &array.dtype)) {
    const std::string found = header.substr(0, header.find_last_not_of(" \n") + 1);
    if (found.find("'>") != std::string::npos)
      return MICRORT_ERROR(
          kInvalidArgument,
          "%s: big-endian elements are not read: np.save(file, x.astype(x.dtype.newbyteorder('<')))",
          what.c_str());
    return MICRORT_ERROR(kInvalidArgument,
                         "%s: element type not supported; found %.100s; np.save(file, x.astype(np.float32)) "
                         "writes one that is",
                         what.c_str(), found.c_str());
  }
  if (!ParseShape(header, &array.shape) || !FindValue(header, "fortran_order", &order_at)) {
    return MICRORT_ERROR(kInvalidArgument, "%s: broken .npy header", what.c_str());
  }
  MICRORT_RETURN_IF_ERROR(CheckArrayBytes(what, array.dtype, array.shape, bytes.size() - data_at));
  array.data.assign(bytes.begin() + data_at, bytes.end());
  if (header.compare(order_at, 4, "True") == 0) Reorder(&array);
  *out = std::move(array);
  return Status();
}

std::vector<uint8_t> FormatNpy(DType dtype, const std::vector<int64_t>& shape, const void* data) {
  const DType written = dtype == DType::kBFloat16 ? DType::kUInt16 : dtype;
  const char* descr = "";
  for (const Descr& d : kDescrs) {
    if (d.dtype == written) descr = d.text;
  }
  std::string header = std::string("{'descr': '") + (SizeOf(written) == 1 ? '|' : '<') + descr +
                       "', 'fortran_order': False, 'shape': (";
  size_t bytes = SizeOf(dtype);
  for (size_t i = 0; i < shape.size(); ++i) {
    header += (i == 0 ? "" : " ") + std::to_string(shape[i]) + ",";
    bytes *= static_cast<size_t>(shape[i]);
  }
  header += "), }";
  // Data starts at a multiple of 64; the header ends with a new line.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::vector<uint8_t> file(kMagic, kMagic + kMagicBytes);
  file.insert(file.end(),
              {1, 0, static_cast<uint8_t>(header.size()), static_cast<uint8_t>(header.size() >> 8)});
  file.insert(file.end(), header.begin(), header.end());
  const auto* elements = static_cast<const uint8_t*>(data);
  file.insert(file.end(), elements, elements + bytes);
  return file;
}

}  // namespace micrort::io
