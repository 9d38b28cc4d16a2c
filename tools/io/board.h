#pragma once
// What a model file for a microcontroller (mnnconvert --target cortex-m4) takes on its board, for the
// programs that run the file on a PC.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "micrort/micrort.h"

namespace micrort::io {

struct Board {
  std::string target;  // as --target names it; empty: the file is for no microcontroller
  size_t arena_bytes = 0;
  size_t ram_bytes = 0;  // the size of its MemoryBlock: arena, model and interpreter
  size_t file_bytes = 0;
  std::string refusal;        // the core's message if it refuses the file; then both sizes of RAM are 0
  int64_t multiply_adds = 0;  // of the layers, in one run
  double cycles = 0;          // of one run (EstimatedCycles); 0: unknown

  bool is_empty() const { return target.empty(); }
};

// For the file's first program that is for a microcontroller. `limits` bound the loading, as on the PC. Only
// kOutOfMemory is an error; others are the board's refusal.
Status DescribeBoard(const Model& model, const ModelLimits& limits, Board* out);

// "18,048 bytes of RAM (arena 16,384), file 71,360 bytes", or why the core refuses the file.
std::string MemoryText(const Board& board);
// "about 11.1 million a run", or why there is no estimate.
std::string CyclesText(const Board& board);
// One line for programs that ran the file on this CPU, with kernels of the instruction set `isa`.
std::string ElsewhereText(const Board& board, const std::string& isa);
nlohmann::ordered_json BoardJson(const Board& board);

}  // namespace micrort::io
