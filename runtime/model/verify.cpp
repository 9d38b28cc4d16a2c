#include "runtime/model/verify.h"

#include "kernels/base/part.h"
#include "runtime/model/verify_steps.h"

namespace micrort {

// Of programs that append to caches.
MICRORT_PART(VerifyCaches);

namespace {

Status VerifyKinds(VerifyContext& context, const schema::Subgraph& subgraph) {
  if (MICRORT_HAS_PART(VerifyCaches)) return VerifyCaches(context, subgraph);
  for (uint32_t k = 0; k < Count(subgraph.states()); ++k) {
    if (subgraph.states()->Get(k)->kind() != schema::StateKind::Value)
      return MICRORT_ERROR(kUnsupported, "state %u: the program links no caches (OpResolver::AddAppend)", k);
  }
  return Status();
}

Status VerifyLists(VerifyContext& context, const schema::Subgraph& subgraph) {
  if (Count(subgraph.tensors()) > kMaxTensors) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u tensors, found %u", kMaxTensors,
                         Count(subgraph.tensors()));
  }
  if (Count(subgraph.operators()) > kMaxOperators) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u operators, found %u", kMaxOperators,
                         Count(subgraph.operators()));
  }
  return context.Spend(uint64_t{Count(subgraph.inputs())} + Count(subgraph.outputs()));
}

Status VerifySubgraph(VerifyContext& context, const schema::Subgraph& subgraph) {
  MICRORT_RETURN_IF_ERROR(VerifyLists(context, subgraph));
  const uint32_t tensors = Count(subgraph.tensors());
  for (uint32_t i = 0; i < tensors; ++i) {
    const schema::Tensor& tensor = *subgraph.tensors()->Get(i);
    if (Status s = VerifyTensor(context, tensor); !s.ok()) {
      return s.WithPrefix("tensor %u ('%.100s')", i, Text(tensor.name()));
    }
  }
  MICRORT_RETURN_IF_ERROR(VerifyNames(context, subgraph));
  for (uint32_t i = 0; i < Count(subgraph.operators()); ++i) {
    const schema::Operator& op = *subgraph.operators()->Get(i);
    if (Status s = VerifyOperator(context, subgraph, op); !s.ok()) {
      return s.WithPrefix("node %u ('%.100s', %s)", i, Text(op.name()), schema::EnumNameOpCode(op.code()));
    }
  }
  MICRORT_RETURN_IF_ERROR(VerifyOrder(context, subgraph));
  MICRORT_RETURN_IF_ERROR(VerifyStates(context, subgraph));
  MICRORT_RETURN_IF_ERROR(VerifyKinds(context, subgraph));
#if !defined(MICRORT_NO_PLANNING)
  MICRORT_RETURN_IF_ERROR(VerifySizeRules(context, subgraph));
#endif
  MICRORT_RETURN_IF_ERROR(VerifyPlan(context, subgraph));
  return VerifyPrograms(context, subgraph);
}

Status VerifyContent(VerifyContext& context) {
  MICRORT_RETURN_IF_ERROR(VerifyBuffers(context));
  const uint32_t subgraphs = Count(context.model->subgraphs());
  if (subgraphs == 0) return MICRORT_ERROR(kInvalidModel, "expected a subgraph, found none");
  if (subgraphs > kMaxSubgraphs) {
    return MICRORT_ERROR(kUnsupported, "expected at most %u subgraphs, found %u", kMaxSubgraphs, subgraphs);
  }
  for (uint32_t i = 0; i < subgraphs; ++i) {
    const schema::Subgraph& subgraph = *context.model->subgraphs()->Get(i);
    if (Status s = VerifySubgraph(context, subgraph); !s.ok()) {
      return subgraphs == 1 ? s : s.WithPrefix("subgraph %u ('%.100s')", i, Text(subgraph.name()));
    }
  }
#if defined(MICRORT_NO_PLANNING)
  return Status();  // a file with bodies is refused where it is run
#else
  return VerifyBodies(context);
#endif
}

}  // namespace

Status VerifyContext::Spend(uint64_t elements) {
  if (elements > budget) {
    return MICRORT_ERROR(kInvalidModel, "the lists together are longer than the file of %zu bytes",
                         file.size());
  }
  budget -= elements;
  return Status();
}

Status VerifyVersion(const schema::Model& model) {
  const uint32_t version = model.schema_version();
  if (version > kSchemaVersion) {
    return MICRORT_ERROR(kUnsupported, "expected schema version %u or older, found %u: update MicroRT",
                         kSchemaVersion, version);
  }
  if (version == 0) return MICRORT_ERROR(kInvalidModel, "the file names no schema version");
  return Status();
}

Result<const schema::Model*> VerifyModel(Span<const uint8_t> file, OuterBuffers outer) {
  MICRORT_RETURN_IF_ERROR(VerifyStructure(file));
  VerifyContext context{file, schema::GetModel(file.data()), file.size(), outer};
  MICRORT_RETURN_IF_ERROR(VerifyVersion(*context.model));
  MICRORT_RETURN_IF_ERROR(VerifyContent(context));
  return context.model;
}

Result<const schema::Model*> TrustModel(Span<const uint8_t> file) {
  MICRORT_RETURN_IF_ERROR(VerifyHeader(file));
  const schema::Model* const model = schema::GetModel(file.data());
  MICRORT_RETURN_IF_ERROR(VerifyVersion(*model));
  return model;
}

}  // namespace micrort
