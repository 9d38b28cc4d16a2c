#pragma once

#include <micrort/memory_block.h>

#include "examples/static_memory/model.h"

// The model of the program. TRUST_MODEL leaves the verifier out.
inline micrort::Result<micrort::Model> LoadModel(micrort::MemoryBlock* block) {
#if defined(TRUST_MODEL)
  return micrort::TrustedModelIn(*block, model_file, ModelFileBytes());
#else
  return micrort::ModelIn(*block, model_file, ModelFileBytes());
#endif
}
