#pragma once
// Model repositories that tests make.

#include <string>

#include "tests/programs/process.h"

namespace micrort::test {

// y = Relu(x) + bias, float32[?,4].
void AddReluModel(const TemporaryFolder& repository, const std::string& name, int version, float bias = 0);
// y = x beside itself, along the first dimension; of every type, an input a type: in_FP32 gives out_FP32.
void AddTypesModel(const TemporaryFolder& repository, const std::string& name);
// com.acme.ZeroOut of int32[?,?].
void AddZeroOutModel(const TemporaryFolder& repository, const std::string& name);
// y = table[x], float32 of int64[?,1]; an index of 8 and more is an error of the run.
void AddGatherModel(const TemporaryFolder& repository, const std::string& name);
// y = x + (0 + 1 + ... + (max(s) - 1)), float32[?,4] of float32[?,4] and int64[?], which decides shapes.
void AddRangeModel(const TemporaryFolder& repository, const std::string& name);
// y = cos of cos of ... x, t times, float32[4] of int64 and float32[4]; runs as long as a test wants, with
// --max-work kNoEnd.
void AddLoopModel(const TemporaryFolder& repository, const std::string& name);
constexpr char kNoEnd[] = "1000000000000000000";
// y = x and all x before it in the sequence, float32[1].
void AddSumModel(const TemporaryFolder& repository, const std::string& name);
// The digits of the meter reader: float32[1,10] of float32[1,1,32,24]; pictures are cropped and multiplied by
// 0.0039.
void AddDigitsModel(const TemporaryFolder& repository, const std::string& name);

void WriteText(const std::string& path, const std::string& text);

}  // namespace micrort::test
