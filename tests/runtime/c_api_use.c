/* Uses every function of the C interface, as C. Returns NULL, or what went wrong. */

#include "tests/runtime/c_api_use.h"

#include <string.h>

#include "micrort/micrort_c.h"
#include "micrort/version.h"

#define EXPECT(condition)                \
  do {                                   \
    if (!(condition)) return #condition; \
  } while (0)

typedef struct StepLog {
  int before;
  int after;
  const char* error;
} StepLog;

static void BeforeStep(void* user, const micrort_step* step) {
  StepLog* log = (StepLog*)user;
  ++log->before;
  if (micrort_step_input_count(step) < 1) log->error = "a step has no input";
}

static const char* LookAtStep(const micrort_step* step) {
  micrort_operator op;
  micrort_tensor tensor;
  EXPECT(micrort_step_operator_count(step) == 1);
  EXPECT(micrort_step_operator(step, 1, &op) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_step_operator(step, 0, &op) == MICRORT_OK);
  EXPECT(strcmp(op.type, "Transpose") == 0 && op.node != NULL && op.algorithm != NULL);
  EXPECT(micrort_step_input(step, 0, &tensor) == MICRORT_OK && strcmp(tensor.name, "x") == 0);
  EXPECT(micrort_step_input(step, micrort_step_input_count(step), &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_step_output_count(step) == 1);
  EXPECT(micrort_step_output(step, 1, &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_step_output(step, 0, &tensor) == MICRORT_OK && tensor.data != NULL);
  return NULL;
}

static void AfterStep(void* user, const micrort_step* step) {
  StepLog* log = (StepLog*)user;
  const char* error = LookAtStep(step);
  ++log->after;
  if (error != NULL) log->error = error;
}

static const char* UseCallbacks(const micrort_model* model) {
  micrort_interpreter* interpreter = NULL;
  micrort_options options;
  StepLog log = {0, 0, NULL};
  micrort_options_init(&options);
  options.before_step = BeforeStep;
  options.after_step = AfterStep;
  options.step_user = &log;
  options.whole_tensors = 1;
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK);
  micrort_interpreter_destroy(interpreter);
  EXPECT(log.before == 1 && log.after == 1);
  return log.error;
}

static const char* UseResolver(const micrort_model* model) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_interpreter* interpreter = NULL;
  size_t bytes = 0;
  micrort_resolver* resolver = micrort_resolver_create();
  EXPECT(resolver != NULL);
  EXPECT(micrort_interpreter_create_with(model, resolver, NULL, &interpreter, message, sizeof message) ==
         MICRORT_UNSUPPORTED);
  EXPECT(interpreter == NULL && strstr(message, "Transpose") != NULL);
  micrort_resolver_add(resolver, micrort_op_Transpose());
  EXPECT(micrort_required_arena_bytes_with(model, resolver, NULL, &bytes, NULL, 0) == MICRORT_OK &&
         bytes > 0);
  EXPECT(micrort_required_arena_bytes_with(model, NULL, NULL, &bytes, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_create_with(model, NULL, NULL, &interpreter, NULL, 0) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_create_with(model, resolver, NULL, &interpreter, NULL, 0) == MICRORT_OK);
  micrort_resolver_destroy(resolver);
  micrort_resolver_destroy(NULL);
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK);
  micrort_interpreter_destroy(interpreter);
  return NULL;
}

static const char* UseSizes(const micrort_model* model, const micrort_interpreter* interpreter) {
  const size_t arena = micrort_interpreter_arena_bytes(interpreter);
  EXPECT(micrort_model_file_bytes(model) > micrort_model_weight_bytes(model));
  EXPECT(micrort_model_metadata(model, "none") == NULL && micrort_model_metadata(model, NULL) == NULL);
  EXPECT(micrort_model_packed_file_bytes(model) == 0 && micrort_model_packed_bytes(model) == 0);
  EXPECT(micrort_interpreter_scratch_bytes(interpreter) <= arena);
  EXPECT(micrort_interpreter_arena_lower_bound(interpreter) <= arena);
  EXPECT(micrort_interpreter_packed_in_place_bytes(interpreter) == 0);
  EXPECT(strcmp(micrort_interpreter_isa(interpreter), "scalar") == 0);
  return NULL;
}

static const char* UseNames(const micrort_interpreter* interpreter) {
  micrort_tensor tensor;
  EXPECT(micrort_interpreter_find_input(interpreter, "x", &tensor) == MICRORT_OK && tensor.data != NULL);
  EXPECT(micrort_interpreter_find_input(interpreter, "y", &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_find_input(interpreter, NULL, &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_find_output(interpreter, "y", &tensor) == MICRORT_OK && tensor.data != NULL);
  EXPECT(micrort_interpreter_find_output(interpreter, "x", &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_find_output(interpreter, NULL, &tensor) == MICRORT_INVALID_ARGUMENT);
  return NULL;
}

static const char* UseInterpreter(micrort_interpreter* interpreter) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_tensor x;
  micrort_tensor y;
  micrort_shape shape = {2, {3, 2}};
  int i;
  EXPECT(micrort_interpreter_input_count(interpreter) == 1);
  EXPECT(micrort_interpreter_output_count(interpreter) == 1);
  EXPECT(micrort_interpreter_input(interpreter, 1, &x) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_resize(interpreter, &shape, 1, message, sizeof message) == MICRORT_OK);
  EXPECT(message[0] == '\0');
  EXPECT(micrort_interpreter_input(interpreter, 0, &x) == MICRORT_OK);
  EXPECT(micrort_interpreter_output(interpreter, 0, &y) == MICRORT_OK);
  EXPECT(strcmp(x.name, "x") == 0 && strcmp(y.name, "y") == 0);
  EXPECT(x.dtype == MICRORT_FLOAT32 && x.shape.rank == 2 && x.shape.dims[0] == 3 && x.bytes == 24);
  EXPECT(y.shape.dims[0] == 2 && y.shape.dims[1] == 3 && y.scale == 0);
  for (i = 0; i < 6; ++i) ((float*)x.data)[i] = (float)i;
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK);
  EXPECT(((float*)y.data)[1] == 2 && ((float*)y.data)[5] == 5);
  EXPECT(micrort_interpreter_arena_bytes(interpreter) >= 24);

  shape.rank = 9;
  EXPECT(micrort_interpreter_resize(interpreter, &shape, 1, message, sizeof message) ==
         MICRORT_INVALID_ARGUMENT);
  shape.rank = 1;
  EXPECT(micrort_interpreter_resize(interpreter, &shape, 1, message, 10) == MICRORT_INVALID_ARGUMENT);
  EXPECT(strcmp(message, "model: in") == 0);
  return NULL;
}

/* A Reshape of x [6] to the value of an input [2]. */
static const char* UseValues(const micrort_model* model) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_interpreter* interpreter = NULL;
  micrort_options options;
  micrort_tensor tensor;
  const micrort_shape shapes[2] = {{1, {6}}, {1, {2}}};
  int64_t target[2] = {2, 3};
  const void* values[2];
  values[0] = NULL;
  values[1] = target;
  EXPECT(micrort_model_input_count(model) == 2);
  EXPECT(micrort_model_decides_shapes(model, 0) == 0 && micrort_model_decides_shapes(model, 1) == 1);
  EXPECT(micrort_model_input(model, 1, &tensor) == MICRORT_OK);
  EXPECT(strcmp(tensor.name, "target") == 0 && tensor.shape.dims[0] == 2 && tensor.bytes == 0);
  EXPECT(micrort_model_input(model, 2, &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_create(model, NULL, &interpreter, message, sizeof message) ==
         MICRORT_INVALID_ARGUMENT);
  micrort_options_init(&options);
  options.input_shapes = shapes;
  options.input_shape_count = 2;
  options.input_value_count = 2;
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  options.input_values = values;
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_interpreter_output(interpreter, 0, &tensor) == MICRORT_OK && tensor.shape.dims[1] == 3);
  target[0] = 1;
  target[1] = 6;
  EXPECT(micrort_interpreter_resize_with_values(interpreter, shapes, values, 2, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_interpreter_output(interpreter, 0, &tensor) == MICRORT_OK && tensor.shape.dims[1] == 6);
  micrort_interpreter_destroy(interpreter);
  return NULL;
}

const char* UseCApiWithValues(const void* file, size_t size) {
  micrort_model* model = NULL;
  const char* error;
  EXPECT(micrort_model_from_buffer(file, size, &model, NULL, 0) == MICRORT_OK);
  error = UseValues(model);
  micrort_model_destroy(model);
  return error;
}

static const char* UseState(micrort_interpreter* interpreter) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_tensor tensor;
  float saved[2] = {0, 0};
  float* x;
  const float* y;
  EXPECT(micrort_interpreter_input_count(interpreter) == 1);
  EXPECT(micrort_interpreter_state_count(interpreter) == 1);
  EXPECT(micrort_interpreter_state(interpreter, 1, &tensor) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_state(interpreter, 0, &tensor) == MICRORT_OK);
  EXPECT(strcmp(tensor.name, "total") == 0 && tensor.bytes == sizeof saved);
  EXPECT(micrort_interpreter_input(interpreter, 0, &tensor) == MICRORT_OK);
  x = (float*)tensor.data;
  EXPECT(micrort_interpreter_output(interpreter, 0, &tensor) == MICRORT_OK);
  y = (const float*)tensor.data;
  x[0] = x[1] = 1;
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK && y[0] == -1);
  EXPECT(micrort_interpreter_state_bytes(interpreter) == sizeof saved);
  EXPECT(micrort_interpreter_save_state(interpreter, saved, sizeof saved, NULL, 0) == MICRORT_OK);
  EXPECT(saved[1] == 1);
  EXPECT(micrort_interpreter_save_state(interpreter, NULL, sizeof saved, NULL, 0) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_restore_state(interpreter, NULL, sizeof saved, NULL, 0) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_interpreter_restore_state(interpreter, saved, 3, message, sizeof message) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(strstr(message, "8 bytes") != NULL);
  saved[0] = 5;
  EXPECT(micrort_interpreter_restore_state(interpreter, saved, sizeof saved, NULL, 0) == MICRORT_OK);
  x[0] = x[1] = 1;
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK && y[0] == -6 && y[1] == -2);
  micrort_interpreter_reset_state(interpreter);
  x[0] = x[1] = 1;
  EXPECT(micrort_interpreter_run(interpreter, NULL, 0) == MICRORT_OK && y[0] == -1);
  return NULL;
}

const char* UseCApiWithState(const void* file, size_t size) {
  micrort_model* model = NULL;
  micrort_interpreter* interpreter = NULL;
  const char* error;
  EXPECT(micrort_model_from_buffer(file, size, &model, NULL, 0) == MICRORT_OK);
  EXPECT(micrort_interpreter_create(model, NULL, &interpreter, NULL, 0) == MICRORT_OK);
  error = UseState(interpreter);
  micrort_interpreter_destroy(interpreter);
  micrort_model_destroy(model);
  return error;
}

static const char* UseCpus(const micrort_model* model) {
  micrort_options options;
  micrort_interpreter* interpreter = NULL;
  const uint64_t big = micrort_big_cpus(), little = micrort_little_cpus();
  EXPECT((big == 0) == (little == 0));
  EXPECT((big & little) == 0 || big == little);
  EXPECT(micrort_bind_thread(0) != MICRORT_OK);
  micrort_options_init(&options);
  options.threads = 2;
  options.no_spin = 1;
  options.cpus = big;
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, NULL, 0) == MICRORT_OK);
  micrort_interpreter_destroy(interpreter);
  return NULL;
}

static const char* UseModel(const micrort_model* model) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_interpreter* interpreter = NULL;
  micrort_options options;
  micrort_shape shape = {2, {100, 2}};
  size_t bytes = 0;
  size_t more_bytes = 0;
  const char* error;
  micrort_options_init(&options);
  EXPECT(micrort_required_arena_bytes(model, NULL, &bytes, message, sizeof message) == MICRORT_OK);
  EXPECT(bytes > 0);
  options.input_shapes = &shape;
  options.input_shape_count = 1;
  EXPECT(micrort_required_arena_bytes(model, &options, &more_bytes, message, sizeof message) == MICRORT_OK);
  EXPECT(more_bytes > bytes);
  options.threads = 2;
  options.isa = "scalar";
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message) == MICRORT_OK);
  error = UseInterpreter(interpreter);
  if (error == NULL) error = UseNames(interpreter);
  if (error == NULL) error = UseSizes(model, interpreter);
  micrort_interpreter_destroy(interpreter);
  if (error == NULL) error = UseCallbacks(model);
  if (error == NULL) error = UseCpus(model);
  if (error == NULL) error = UseResolver(model);
  if (error != NULL) return error;

  options.isa = "abacus";
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message) ==
         MICRORT_INVALID_ARGUMENT);
  EXPECT(interpreter == NULL);
  EXPECT(strstr(message, "abacus") != NULL);
  options.struct_bytes = 1000;
  EXPECT(micrort_interpreter_create(model, &options, &interpreter, NULL, 0) == MICRORT_INVALID_ARGUMENT);
  return NULL;
}

const char* UseCApi(const void* file, size_t size) {
  char message[MICRORT_MESSAGE_BYTES];
  micrort_model* model = NULL;
  const char* error;
  EXPECT(micrort_model_from_file("/nonexistent/model.fb", &model, message, sizeof message) == MICRORT_IO);
  EXPECT(model == NULL);
  EXPECT(strstr(message, "/nonexistent/model.fb") != NULL);
  EXPECT(strcmp(micrort_version(), MICRORT_VERSION) == 0);
  EXPECT(strcmp(micrort_status_name(MICRORT_INVALID_MODEL), "invalid model") == 0);
  EXPECT(micrort_model_from_buffer(file, 16, &model, message, sizeof message) == MICRORT_INVALID_MODEL);
  EXPECT(micrort_model_from_buffer(file, size, NULL, message, sizeof message) == MICRORT_INVALID_ARGUMENT);
  EXPECT(micrort_model_from_buffer(file, size, &model, message, sizeof message) == MICRORT_OK);
  error = UseModel(model);
  micrort_model_destroy(model);
  micrort_model_destroy(NULL);
  micrort_interpreter_destroy(NULL);
  return error;
}
