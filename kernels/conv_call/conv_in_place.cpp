#include "kernels/conv_call/conv_in_place.h"

#include <cstring>

#include "kernels/base/dcheck.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/conv_rows.h"

namespace micrort {
namespace {

// A window's share of the image, at most, and no more than stays in a second-level cache; unless that leaves
// stripes with fewer rows than have to move from one window to the next.
constexpr int64_t kWindowShare = 8;

int64_t Reach(const Conv2DParams& p) { return (p.kernel_h - 1) * p.dilation_h; }

int64_t BlockBytes(int64_t bytes) { return static_cast<int64_t>(AlignedBlock(static_cast<uint64_t>(bytes))); }

void CopyRows(uint8_t* to, const void* from, int64_t bytes) {
  std::memcpy(to, from, static_cast<size_t>(bytes));
}

}  // namespace

bool ConvInPlace::IsSupported(const Conv2DParams& p, const Conv2DAlgorithm& algorithm) {
  return algorithm.by_rows && p.is_depthwise() && p.batch == 1 && !p.transposed && !p.types.dynamic &&
         p.stride_h == 1 && p.out_h == p.in_h && p.out_h > 0 && InputRowBytes(p) == OutputRowBytes(p) &&
         InputRowBytes(p) > 0 && p.pad_top >= 0 && p.pad_top <= Reach(p);
}

InPlacePlan ConvInPlace::Plan(const ConvCall& call, int workers) {
  const Conv2DParams& p = call.params;
  const int64_t parts = ClampRow(workers, 1, p.out_h), row_bytes = InputRowBytes(p);
  const int64_t share = p.out_h * row_bytes / (kWindowShare * parts);
  const int64_t most_bytes = MachineModelOf(call.target.features).window_bytes;
  const int64_t window_bytes = share < most_bytes ? share : most_bytes;
  const int64_t most = CeilDiv(p.out_h, parts);
  const int64_t fitting = window_bytes / row_bytes - Reach(p);
  const int64_t stripe = ClampRow(fitting > Reach(p) ? fitting : Reach(p), 1, most);

  ConvCall planned = call;
  planned.in_place.workers = workers;
  planned.in_place.stripe = CeilDiv(most, CeilDiv(most, stripe));
  const ConvInPlace run(planned);
  planned.in_place.part_bytes = static_cast<uint64_t>(run.LayerOffset()) + AlignedBlock(run.LayerBytes());
  return planned.in_place;
}

ConvInPlace::ConvInPlace(const ConvCall& call)
    : call_(call),
      p_(call.params),
      target_{call.target.features, 1},
      row_bytes_(InputRowBytes(p_)),
      parts_(ClampRow(call.in_place.workers, 1, p_.out_h)),
      stripe_(call.in_place.stripe) {}

int64_t ConvInPlace::BelowOffset() const {
  const int64_t rows = stripe_ + Reach(p_) < p_.in_h ? stripe_ + Reach(p_) : p_.in_h;
  return BlockBytes(rows * row_bytes_);
}

int64_t ConvInPlace::LayerOffset() const {
  return BelowOffset() + (parts_ > 1 ? BlockBytes((Reach(p_) - p_.pad_top) * row_bytes_) : 0);
}

// Scratch of the largest stripe.
uint64_t ConvInPlace::LayerBytes() const {
  uint64_t most = 0;
  for (int64_t part = 0; part < parts_; ++part) {
    for (int64_t first = PartBegin(part), end; first < PartBegin(part + 1); first = end) {
      end = ClampRow(first + stripe_, 0, PartBegin(part + 1));
      const uint64_t bytes = call_.algorithm->scratch_bytes(RowsOf(p_, first, end), target_, call_.plan);
      if (bytes > most) most = bytes;
    }
  }
  return most;
}

void ConvInPlace::Run(const ConvTensors& tensors, const Parallel& parallel) const {
  MICRORT_DCHECK(tensors.x == tensors.y && tensors.residual == nullptr);
  MICRORT_DCHECK(IsAligned(tensors.scratch));
  const auto memory = [&](size_t part) {
    return BytesAt(tensors.scratch, static_cast<int64_t>(part * call_.in_place.part_bytes));
  };
  const auto parts = static_cast<size_t>(parts_);
  ParallelFor(parallel, parts,
              [&](size_t part, int) { KeepNeighbours(static_cast<int64_t>(part), tensors.x, memory(part)); });
  ParallelFor(parallel, parts,
              [&](size_t part, int) { RunPart(static_cast<int64_t>(part), tensors, memory(part)); });
}

// Those above to the front of the window, those below to their own place.
void ConvInPlace::KeepNeighbours(int64_t part, const void* x, uint8_t* memory) const {
  const int64_t first = PartBegin(part), end = PartBegin(part + 1);
  const int64_t above = InputBegin(p_, first), below = InputEnd(p_, end - 1);
  CopyRows(memory, BytesAt(x, above * row_bytes_), (first - above) * row_bytes_);
  CopyRows(memory + BelowOffset(), BytesAt(x, end * row_bytes_), (below - end) * row_bytes_);
}

void ConvInPlace::RunPart(int64_t part, const ConvTensors& tensors, uint8_t* memory) const {
  const int64_t part_end = PartBegin(part + 1);
  int64_t held = InputBegin(p_, PartBegin(part)), held_end = PartBegin(part);  // rows in the window
  for (int64_t first = held_end, end; first < part_end; first = end) {
    end = ClampRow(first + stripe_, 0, part_end);
    const int64_t front = InputBegin(p_, first), needed = InputEnd(p_, end - 1);
    std::memmove(memory, memory + (front - held) * row_bytes_,
                 static_cast<size_t>((held_end - front) * row_bytes_));
    held = front;
    while (held_end < needed) {
      const bool own = held_end < part_end;
      const int64_t rows_end = own && needed > part_end ? part_end : needed;
      const uint8_t* from = own ? BytesAt(tensors.x, held_end * row_bytes_)
                                : memory + BelowOffset() + (held_end - part_end) * row_bytes_;
      CopyRows(memory + (held_end - held) * row_bytes_, from, (rows_end - held_end) * row_bytes_);
      held_end = rows_end;
    }

    ConvTensors stripe = tensors;
    stripe.x = memory;
    stripe.y = BytesAt(tensors.y, first * row_bytes_);
    stripe.scratch = memory + LayerOffset();
    call_.algorithm->run(RowsOf(p_, first, end), target_, call_.plan, stripe, Sequential());
  }
}

bool MayRunInPlace(const ConvCall& call) { return ConvInPlace::IsSupported(call.params, *call.algorithm); }

void PlanInPlace(int workers, ConvCall* call) { call->in_place = ConvInPlace::Plan(*call, workers); }

uint64_t InPlaceScratchBytes(const ConvCall& call) { return ConvInPlace(call).scratch_bytes(); }

void RunConvInPlace(const ConvCall& call, const ConvTensors& tensors, const Parallel& parallel) {
  ConvInPlace(call).Run(tensors, parallel);
}

}  // namespace micrort
