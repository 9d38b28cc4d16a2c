#pragma once
// Plain data as C++ statements that build it: `c.params.batch = 1;`, one for each field that differs from a
// value-initialized object.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace micrort::aot {

// A number as a C++ expression that gives its very bits.
template <typename T>
std::string Literal(T value) {
  char text[64];
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    const char* type = std::is_same_v<T, float> ? "float" : "double";
    if (std::isnan(value)) return std::string("std::numeric_limits<") + type + ">::quiet_NaN()";
    if (std::isinf(value))
      return std::string(value < 0 ? "-" : "") + "std::numeric_limits<" + type + ">::infinity()";
    std::snprintf(text, sizeof text, "%a%s", static_cast<double>(value), std::is_same_v<T, float> ? "f" : "");
    return text;
  } else if constexpr (std::is_signed_v<T>) {
    if (value == INT64_MIN) return "INT64_MIN";
    const auto wide = static_cast<long long>(value);
    std::snprintf(text, sizeof text, wide > INT32_MAX || wide <= INT32_MIN ? "%lldLL" : "%lld", wide);
    return text;
  } else {
    const auto wide = static_cast<unsigned long long>(value);
    std::snprintf(text, sizeof text, wide > UINT32_MAX ? "%lluULL" : "%lluU", wide);
    return text;
  }
}

class Assignments {
 public:
  Assignments(std::string path, std::string* text) : path_(std::move(path)), text_(*text) {}

  // `initial`: what the field of a value-initialized object has.
  template <typename T>
  void Field(const char* name, const T& value, const T& initial) {
    const std::string path = path_ + "." + name;
    if constexpr (std::is_enum_v<T>) {
      if (value != initial) {
        // The type of an element of an array is a reference.
        Assign(path, "static_cast<std::remove_reference_t<decltype(" + path + ")>>(" +
                         Literal(static_cast<int>(value)) + ")");
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      if (value != initial || std::signbit(value) != std::signbit(initial)) Assign(path, Literal(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (value != initial) Assign(path, Literal(value));
    } else {
      Assignments fields(path, &text_);
      Fields(fields, value, initial);
    }
  }
  template <typename T, size_t N>
  void Field(const char* name, const T (&values)[N], const T (&initial)[N]) {
    for (size_t i = 0; i < N; ++i) {
      Field((std::string(name) + "[" + std::to_string(i) + "]").c_str(), values[i], initial[i]);
    }
  }
  // Several fields; `names` are separated by ", ".
  template <typename... T>
  void AllFields(const std::string& names, const std::tuple<const T&...>& values,
                 const std::tuple<const T&...>& initial) {
    EachField(names, values, initial, std::index_sequence_for<T...>());
  }
  // Assigns a pointer, whose target has a name.
  void Pointer(const char* name, const std::string& target) { Assign(path_ + "." + name, target); }

 private:
  template <typename Tuple, size_t... kIndices>
  void EachField(const std::string& names, const Tuple& values, const Tuple& initial,
                 std::index_sequence<kIndices...>) {
    size_t next = 0;
    const auto take_name = [&] {
      const size_t begin = next, end = std::min(names.find(',', begin), names.size());
      next = end + 2;
      return names.substr(begin, end - begin);
    };
    (Field(take_name().c_str(), std::get<kIndices>(values), std::get<kIndices>(initial)), ...);
  }

  void Assign(const std::string& path, const std::string& value) {
    text_ += "    " + path + " = " + value + ";\n";
  }

  std::string path_;
  std::string& text_;
};

// Tells Assignments which fields of a type it assigns, in this order. The local type has the names of fields
// in its scope.
#define MICRORT_FIELDS(Type, ...)                                               \
  inline void Fields(Assignments& to, const Type& value, const Type& initial) { \
    struct Reader : Type {                                                      \
      explicit Reader(const Type& object) : Type(object) {}                     \
      auto All() const { return std::tie(__VA_ARGS__); }                        \
    };                                                                          \
    to.AllFields(#__VA_ARGS__, Reader(value).All(), Reader(initial).All());     \
  }

}  // namespace micrort::aot
