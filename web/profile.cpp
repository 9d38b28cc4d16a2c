// Times of the steps of runs, for Interpreter.profile() of micrort.mjs.

#include <chrono>
#include <cstddef>
#include <vector>

#include "micrort/micrort_c.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Step {
  micrort_operator first;  // of the operators that run as one
  uint32_t operators;
  double milliseconds;  // of all runs
};

struct Profile {
  std::vector<Step> steps;
  size_t at = 0;
  Clock::time_point start;
};

void Before(void* user, const micrort_step*) { static_cast<Profile*>(user)->start = Clock::now(); }

void After(void* user, const micrort_step* step) {
  auto& profile = *static_cast<Profile*>(user);
  const double taken = std::chrono::duration<double, std::milli>(Clock::now() - profile.start).count();
  if (profile.at == profile.steps.size()) {
    Step& added = profile.steps.emplace_back();
    added.operators = static_cast<uint32_t>(micrort_step_operator_count(step));
    (void)micrort_step_operator(step, 0, &added.first);
  }
  profile.steps[profile.at++].milliseconds += taken;
}

}  // namespace

// micrort.mjs reads structures of the C interface at these places.
static_assert(sizeof(micrort_tensor) == 96 && sizeof(micrort_shape) == 72);
static_assert(offsetof(micrort_tensor, name) == 0 && offsetof(micrort_tensor, dtype) == 4);
static_assert(offsetof(micrort_tensor, shape) == 8 && offsetof(micrort_shape, dims) == 8);
static_assert(offsetof(micrort_tensor, data) == 80 && offsetof(micrort_tensor, bytes) == 84);
static_assert(offsetof(micrort_tensor, scale) == 88 && offsetof(micrort_tensor, zero_point) == 92);
static_assert(offsetof(micrort_options, input_shapes) == 20 &&
              offsetof(micrort_options, input_shape_count) == 24);
static_assert(offsetof(micrort_options, input_values) == 28 &&
              offsetof(micrort_options, input_value_count) == 32);
static_assert(offsetof(micrort_options, max_memory_bytes) == 64 &&
              offsetof(micrort_options, keep_inputs) == 112 && sizeof(micrort_options) == 128);
static_assert(offsetof(Step, first.type) == 0 && offsetof(Step, first.node) == 4 &&
              offsetof(Step, first.algorithm) == 8 && offsetof(Step, first.multiply_adds) == 24);
static_assert(offsetof(Step, operators) == 32 && offsetof(Step, milliseconds) == 40);

extern "C" {

// Null if there is no memory; otherwise destroyed after the interpreter that the options are for.
Profile* micrort_web_profile_create(micrort_options* options) {
  auto* profile = new (std::nothrow) Profile();
  if (profile == nullptr) return nullptr;
  options->before_step = Before;
  options->after_step = After;
  options->step_user = profile;
  return profile;
}
void micrort_web_profile_destroy(Profile* profile) { delete profile; }
// Before each run.
void micrort_web_profile_rewind(Profile* profile) { profile->at = 0; }
// After sizes have changed, which may change the steps.
void micrort_web_profile_clear(Profile* profile) { profile->steps.clear(); }
size_t micrort_web_profile_count(const Profile* profile) { return profile->steps.size(); }
const Step* micrort_web_profile_steps(const Profile* profile) { return profile->steps.data(); }

}  // extern "C"
