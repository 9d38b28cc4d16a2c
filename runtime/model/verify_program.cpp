#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

// For different classes of CPUs, numbers of threads and input shapes.
constexpr uint32_t kMaxPrograms = 64;

Status VerifyCount(const char* what, uint32_t found, uint32_t expected) {
  if (found == expected) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected %u %s, found %u", expected, what, found);
}

Status VerifyProgram(VerifyContext& context, const schema::Subgraph& subgraph,
                     const schema::Program& program) {
  const uint32_t tensors = Count(subgraph.tensors()), operators = Count(subgraph.operators());
  MICRORT_RETURN_IF_ERROR(VerifyCount("algorithms", Count(program.algorithms()), operators));
  MICRORT_RETURN_IF_ERROR(VerifyCount("offsets", Count(program.offsets()), tensors));
  MICRORT_RETURN_IF_ERROR(VerifyCount("scratch offsets", Count(program.scratch_offsets()), operators));
  const uint32_t pairs = Count(program.stripes()) / 2;
  MICRORT_RETURN_IF_ERROR(VerifyCount("numbers of stripes", Count(program.stripes()), 2 * pairs));
  // Flatbuffers are smaller than 2 GiB, so this does not overflow.
  const uint32_t rewrites = pairs + Count(program.concats()) + Count(program.in_place());
  if (rewrites > operators) {
    return MICRORT_ERROR(kInvalidModel, "expected at most %u rewrites, one an operator, found %u", operators,
                         rewrites);
  }
  return context.Spend(uint64_t{tensors} + 2 * uint64_t{operators} + Count(program.input_shapes()));
}

}  // namespace

Status VerifyPrograms(VerifyContext& context, const schema::Subgraph& subgraph) {
  const uint32_t programs = Count(subgraph.programs());
  if (programs > kMaxPrograms) {
    return MICRORT_ERROR(kInvalidModel, "expected at most %u programs, found %u", kMaxPrograms, programs);
  }
  for (uint32_t i = 0; i < programs; ++i) {
    if (Status s = VerifyProgram(context, subgraph, *subgraph.programs()->Get(i)); !s.ok()) {
      return s.WithPrefix("program %u", i);
    }
  }
  return Status();
}

}  // namespace micrort
