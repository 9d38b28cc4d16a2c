#include <algorithm>
#include <cstring>

#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/fused/fused_program.h"

namespace micrort {
namespace {

constexpr size_t kMaxBlock = FusedSizesOf(kSmallStack).block;
static_assert(kSmallStack || kMaxBlock == kMaxFusedBlock);

bool IsStore(FusedOp op) {
  return op >= FusedOpOf(FusedMove::kStoreF32) && op <= FusedOpOf(FusedMove::kStoreU8);
}

// The bytes of an element in memory; 0: the instruction has none.
size_t BytesOf(FusedOp op) {
  switch (static_cast<FusedMove>(op)) {
    case FusedMove::kLoadF16:
    case FusedMove::kStoreF16:
      return 2;
    case FusedMove::kLoadS8:
    case FusedMove::kLoadU8:
    case FusedMove::kStoreS8:
    case FusedMove::kStoreU8:
      return 1;
    case FusedMove::kEnd:
      return 0;
    default:
      return op >= kFusedMoves && op < kFirstFusedBinary ? 0 : 4;
  }
}

class InstructionRun {
 public:
  InstructionRun(const FusedF32Kernel& kernel, const FusedLayout& layout,
                 Span<const PlannedInstruction> planned, const FusedPiece& piece)
      : kernel_(kernel), layout_(layout), planned_(planned), piece_(piece) {}

  void Run() {
    for (size_t k = 0; k < planned_.size(); ++k) {
      const PlannedInstruction& p = planned_[k];
      code_[k] = {p.handler, piece_.places[p.place], p.a, p.b};
    }
    const size_t rest = piece_.n % kernel_.block;
    if (rest != piece_.n) kernel_.run(code_, piece_.n - rest);
    if (rest != 0) RunRest(piece_.n - rest, rest);
  }

 private:
  // Elements [first, first + rest) of a block: those of inputs and outputs in copies that are as long as a
  // block.
  void RunRest(size_t first, size_t rest) {
    alignas(64) uint8_t copies[kFirstFusedBuffer][kMaxBlock * 4];
    bool is_copied[kFirstFusedBuffer] = {}, is_written[kFirstFusedBuffer] = {};
    for (size_t k = 0; k < planned_.size(); ++k) {
      const FusedPlace place = planned_[k].place;
      const size_t bytes = BytesOf(planned_[k].op);
      auto* const memory = static_cast<uint8_t*>(code_[k].memory) + first * bytes;
      if (place >= kFirstFusedBuffer) {
        // A function of an earlier stage wrote the elements alone.
        std::memset(memory + rest * bytes, 0, (kernel_.block - rest) * bytes);
        code_[k].memory = memory;
        continue;
      }
      if (bytes == 0 || (place < kMaxFusedInputs && layout_.operands[place] == FusedOperand::kOne)) continue;
      if (!is_copied[place]) {
        std::memset(copies[place], 0, kernel_.block * bytes);
        std::memcpy(copies[place], memory, rest * bytes);
      }
      is_copied[place] = true;
      is_written[place] = is_written[place] || IsStore(planned_[k].op);
      code_[k].memory = copies[place];
    }
    kernel_.run(code_, kernel_.block);
    for (size_t place = kFirstFusedOutput; place < kFirstFusedBuffer; ++place) {
      const size_t bytes = layout_.output_bytes[place - kFirstFusedOutput];
      if (is_written[place])
        std::memcpy(static_cast<uint8_t*>(piece_.places[place]) + first * bytes, copies[place], rest * bytes);
    }
  }

  const FusedF32Kernel& kernel_;
  const FusedLayout& layout_;
  const Span<const PlannedInstruction> planned_;
  const FusedPiece& piece_;
  FusedInstruction code_[kMaxFusedInstructions];
};

void RunFunction(const FusedStage& stage, const FusedPiece& piece) {
  const auto *a = static_cast<const float*>(piece.places[stage.a]),
             *b = static_cast<const float*>(piece.places[stage.b]);
  auto* to = static_cast<float*>(piece.places[stage.to]);
  if (stage.unary_fn != nullptr) return stage.unary_fn(stage.unary, a, to, piece.n);
  stage.binary_fn(stage.binary, a, stage.a_operand == FusedOperand::kOne ? 0 : 1, b,
                  stage.b_operand == FusedOperand::kOne ? 0 : 1, to, piece.n);
}

void RunPiece(const void* function, const FusedPiece& piece) {
  const auto& program = *static_cast<const FusedProgram*>(function);
  const FusedF32Kernel& kernel = VariantOf(FusedF32Kernels(), program.kernel);
  for (const FusedStage& stage : program.stages) {
    if (stage.count == 0) {
      RunFunction(stage, piece);
    } else {
      const Span<const PlannedInstruction> planned(program.instructions.data() + stage.first, stage.count);
      InstructionRun(kernel, program.layout, planned, piece).Run();
    }
  }
}

}  // namespace

void RunFusedProgram(const FusedProgram& program, const void* const* in, void* const* out,
                     const Parallel& parallel) {
  RunFused(program.layout, RunPiece, &program, in, out, parallel);
}

}  // namespace micrort
