// Random numbers: not PyTorch's, and the same at every run.

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

// Made of the node's name, so that no two nodes draw the same. FNV-1a, as far as a float holds it.
float SeedOf(OpContext& c) {
  uint32_t hash = 2166136261u;
  for (const char ch : c.table().origin.name) hash = (hash ^ static_cast<uint8_t>(ch)) * 16777619u;
  return static_cast<float>(hash >> 8);
}

// As many numbers as `like` has elements.
ir::ValueId Draw(OpContext& c, const char* op, ir::ValueId like) {
  return c.Onnx(op, {c.CastTo(like, DType::kFloat32)}, {{"seed", SeedOf(c)}});
}

constexpr char kUniform[] = "RandomUniformLike", kNormal[] = "RandomNormalLike";

// (size, dtype)
template <const char* op>
void ImportOfSize(OpContext& c) {
  const ir::ValueId like = c.Filled(DType::kFloat32, c.arg(0), 0);
  c.Return(c.CastTo(Draw(c, op, like), c.Type(1, DType::kFloat32)));
}

// (self, dtype)
template <const char* op>
void ImportLike(OpContext& c) {
  const ir::ValueId like = c.TensorAt(0);
  c.Return(c.CastTo(Draw(c, op, like), c.Type(1, c.dtype(like))));
}

// (self, from, to)
void ImportUniform(OpContext& c) {
  const double from = c.Float(1, 0), to = c.Float(2, 1);
  const ir::ValueId scaled =
      c.Onnx("Mul", {Draw(c, kUniform, c.TensorAt(0)), c.Scalar(DType::kFloat32, to - from)});
  c.Return(c.build.Add(scaled, c.Scalar(DType::kFloat32, from)));
}

// (self, lambd): by inversion
void ImportExponential(OpContext& c) {
  const ir::ValueId rest = c.Onnx("Sub", {c.Scalar(DType::kFloat32, 1), Draw(c, kUniform, c.TensorAt(0))});
  c.Return(c.Onnx("Div", {c.build.Neg(c.build.Log(rest)), c.Scalar(DType::kFloat32, c.Float(1, 1))}));
}

// (self, p): of the probabilities in self, or all of one
void ImportBernoulli(OpContext& c) {
  const ir::ValueId self = c.TensorAt(0), drawn = Draw(c, kUniform, self);
  const ir::ValueId p =
      c.Has(1) ? c.Scalar(DType::kFloat32, c.Float(1, 0.5)) : c.CastTo(self, DType::kFloat32);
  c.Return(c.CastTo(c.build.Less(drawn, p), c.dtype(self)));
}

constexpr char kNumbers[] = "the same numbers as PyTorch";

}  // namespace

const ImporterList RandomOps = {
    {"bernoulli", "self p", ImportBernoulli, kNumbers},
    {"exponential", "self lambd", ImportExponential, kNumbers},
    {"rand", "size dtype", ImportOfSize<kUniform>, kNumbers},
    {"rand_like", "self dtype", ImportLike<kUniform>, kNumbers},
    {"randn", "size dtype", ImportOfSize<kNormal>, kNumbers},
    {"randn_like", "self dtype", ImportLike<kNormal>, kNumbers},
    {"uniform", "self from to", ImportUniform, kNumbers},
};

}  // namespace micrort::frontend::torchscript
