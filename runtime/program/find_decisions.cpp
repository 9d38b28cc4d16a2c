#include <algorithm>

#include "kernels/base/target.h"
#include "runtime/model/schema_text.h"
#include "runtime/program/decisions.h"

namespace micrort {

namespace {

// Whether kernels are chosen alike: a CPU may have more than its strongest instruction set builds on.
bool IsFor(const schema::Program& program, const ProgramTarget& target) {
  CpuFeatures stated = 0;
  return program.workers() == static_cast<uint32_t>(target.workers) &&
         ParseTarget(Text(program.target()), &stated) &&
         (stated & kCpuTraits) == (target.features & kCpuTraits) &&
         StrongestIsa(stated) == StrongestIsa(target.features);
}

bool HasShapes(const schema::Program& program, Span<const Shape> shapes) {
  Span<const int32_t> stated = Ints(program.input_shapes());
  for (const Shape& shape : shapes) {
    const auto rank = static_cast<size_t>(shape.rank);
    if (stated.size() < rank || !std::equal(shape.dims, shape.dims + rank, stated.begin())) return false;
    stated = {stated.data() + rank, stated.size() - rank};
  }
  return stated.empty();
}

}  // namespace

const schema::Program* FindDecisions(const schema::Subgraph& source, const ProgramTarget& target,
                                     Span<const Shape> input_shapes) {
  for (uint32_t i = 0; i < Count(source.programs()); ++i) {
    const schema::Program& program = *source.programs()->Get(i);
    if (IsFor(program, target) && HasShapes(program, input_shapes)) return &program;
  }
  return nullptr;
}

uint8_t DecidedAlgorithm(const schema::Program& decisions, size_t node) {
  return decisions.algorithms()->Get(static_cast<uint32_t>(node));
}

}  // namespace micrort
