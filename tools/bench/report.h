#pragma once
// Prints and writes what was measured.

#include <string>

#include "tools/bench/measure.h"

namespace micrort {

void PrintResult(const BenchResult& result, ProfileMode profile);
std::string ToJson(const BenchResult& result);
// For a check that passed.
void PrintResult(const io::SelfTestResult& result);
std::string ToJson(const std::string& model, const io::SelfTestResult& result);
Status WriteJson(const BenchResult& result, const std::string& path);
// The last profiled run as complete events, readable by chrome://tracing and Perfetto.
Status WriteTrace(const BenchResult& result, const std::string& path);

}  // namespace micrort
