#ifndef MICRORT_MICRORT_C_H
#define MICRORT_MICRORT_C_H
/*
 * The C interface of MicroRT. C99. The ABI is stable: enumerators keep their values, functions their meaning,
 * structures their fields; only micrort_options may grow, at its end, which is why it carries its size.
 *
 *   micrort_model* model = NULL;
 *   micrort_interpreter* interpreter = NULL;
 *   char message[MICRORT_MESSAGE_BYTES];
 *   if (micrort_model_from_file("model.fb", &model, message, sizeof message) != MICRORT_OK ||
 *       micrort_interpreter_create(model, NULL, &interpreter, message, sizeof message) != MICRORT_OK) {
 *     puts(message);
 *   }
 *   micrort_tensor x, y;
 *   micrort_interpreter_input(interpreter, 0, &x);
 *   micrort_interpreter_output(interpreter, 0, &y);
 *   ... fill x.data ...
 *   micrort_interpreter_run(interpreter, message, sizeof message);
 *   ... read y.data ...
 *   micrort_interpreter_destroy(interpreter);
 *   micrort_model_destroy(model);
 *
 * Errors: a function that may fail returns a status and, if the caller passes a buffer, writes the reason
 * into it: a terminated string, cut to message_bytes, empty on success. The buffer may be NULL. Handles
 * may be NULL only where a comment allows it.
 *
 * Threads: a model may be used by any number of threads at once. An interpreter may be used by one thread at
 * a time; only micrort_interpreter_cancel may be called by any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "micrort/operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Marks the functions that libmicrort.so exports. */
#ifdef __GNUC__
#define MICRORT_API __attribute__((visibility("default")))
#else
#define MICRORT_API
#endif

#define MICRORT_MAX_RANK 8
#define MICRORT_MESSAGE_BYTES 400 /* no message is longer, including its terminator */

typedef enum micrort_status {
  MICRORT_OK = 0,
  MICRORT_INVALID_ARGUMENT = 1, /* the caller's mistake: wrong shape, dtype, null handle */
  MICRORT_INVALID_MODEL = 2,    /* the file is malformed */
  MICRORT_UNSUPPORTED = 3,      /* the file is valid, but this build cannot run it */
  MICRORT_OUT_OF_MEMORY = 4,    /* an allocation failed, or the caller's arena is too small */
  MICRORT_IO = 5,               /* a file could not be read */
  MICRORT_OUT_OF_RANGE = 6,     /* an index in the data points outside a tensor */
  MICRORT_INTERNAL = 7,         /* a defect of MicroRT */
  MICRORT_CANCELLED = 8,        /* micrort_interpreter_cancel ended the run */
  MICRORT_DEADLINE_EXCEEDED = 9 /* the run was not done in its time */
} micrort_status;

typedef enum micrort_dtype {
  MICRORT_UNKNOWN = 0,
  MICRORT_FLOAT32 = 1,
  MICRORT_FLOAT16 = 2,
  MICRORT_INT8 = 3,
  MICRORT_UINT8 = 4,
  MICRORT_INT16 = 5,
  MICRORT_UINT16 = 6,
  MICRORT_INT32 = 7,
  MICRORT_UINT32 = 8,
  MICRORT_INT64 = 9,
  MICRORT_UINT64 = 10,
  MICRORT_FLOAT64 = 11,
  MICRORT_BOOL = 12,
  MICRORT_BFLOAT16 = 13,
  MICRORT_INT4 = 14
} micrort_dtype;

struct micrort_custom_op;
typedef struct micrort_model micrort_model;
typedef struct micrort_interpreter micrort_interpreter;

typedef struct micrort_shape {
  int32_t rank;
  int64_t dims[MICRORT_MAX_RANK]; /* outermost first */
} micrort_shape;

/*
 * An input or output as the caller sees it. Elements are row-major. The caller writes `data` of an input
 * before each run (see keep_inputs). `data` of an output is valid after a run, until inputs are
 * written for the next one. Everything may change with micrort_interpreter_resize and ends with the
 * interpreter, except `name`, which lives as long as the model.
 */
typedef struct micrort_tensor {
  const char* name;
  micrort_dtype dtype;
  micrort_shape shape;
  void* data;
  size_t bytes;
  float scale; /* real = scale * (q - zero_point); 0 if the tensor is not quantized as a whole */
  int32_t zero_point;
} micrort_tensor;

/* An operator of the model. */
typedef struct micrort_operator {
  const char* type;      /* "Conv2D" */
  const char* node;      /* name of the source node; may be empty */
  const char* algorithm; /* empty if there is only one */
  uint64_t layer;        /* its name in a file of `micrort-bench --tune`; 0 if there is only one algorithm */
  int64_t multiply_adds;
} micrort_operator;

/* One step of a run: an operator, or several that run as one. Valid during a callback. */
typedef struct micrort_step micrort_step;
/* Called around each step, on the thread that runs. May read tensors, must not write them. */
typedef void (*micrort_step_callback)(void* user, const micrort_step* step);

/*
 * The operators that a program can run. A program that names only the operators of its model links only
 * these:
 *
 *   micrort_resolver* resolver = micrort_resolver_create();
 *   micrort_resolver_add(resolver, micrort_op_Conv2D());
 *   micrort_resolver_add(resolver, micrort_op_Softmax());
 *   micrort_interpreter_create_with(model, resolver, NULL, &interpreter, message, sizeof message);
 *   micrort_resolver_destroy(resolver);
 */
typedef struct micrort_resolver micrort_resolver;
typedef struct micrort_registration micrort_registration;
/* micrort_op_Conv2D() and so on: see micrort/operators.h. */
#define MICRORT_DECLARE_OP(name) MICRORT_API const micrort_registration* micrort_op_##name(void);
MICRORT_OPERATORS(MICRORT_DECLARE_OP)
#undef MICRORT_DECLARE_OP
/* Without operators; NULL if there is no memory. */
MICRORT_API micrort_resolver* micrort_resolver_create(void);
MICRORT_API void micrort_resolver_add(micrort_resolver* resolver, const micrort_registration* op);
/* Call it after the last interpreter has been created with the resolver. NULL is allowed. */
MICRORT_API void micrort_resolver_destroy(micrort_resolver* resolver);

/* Call micrort_options_init first, then change fields. */
typedef struct micrort_options {
  size_t struct_bytes; /* sizeof(micrort_options) */
  int32_t threads;     /* including the calling thread, 1..64 */
  const char*
      isa; /* strongest instruction set to use, "scalar", "avx2", "neon" ...; NULL: all that the CPU has */
  void* arena; /* aligned to 64 bytes, outlives the interpreter; NULL: the interpreter allocates one block */
  size_t arena_bytes;
  const micrort_shape*
      input_shapes; /* the first shapes, one for each input; NULL: dynamic dimensions are 1 */
  size_t input_shape_count;
  /* One for each input: the elements of inputs that decide shapes, read during the call; NULL for all others.
   */
  const void* const* input_values;
  size_t input_value_count;
  /* The content of a file of `micrort-bench --tune`, read during the call: it decides the algorithms of
   * layers. MICRORT_INVALID_ARGUMENT if it is malformed, or was measured on another instruction set or number
   * of threads. NULL: estimates decide. */
  const char* tuned;
  size_t tuned_bytes;
  /* Limits for the model, in bytes and operations, as ModelLimits of the C++ interface; 0: the default.
   * A model over a limit is MICRORT_UNSUPPORTED. */
  uint64_t max_operators;
  uint64_t max_tensor_bytes;
  uint64_t max_memory_bytes;
  uint64_t max_work;
  uint64_t max_planning_work;
  /* Custom operators (micrort/custom_op.h), which outlive the interpreter. At most 32. */
  const struct micrort_custom_op* const* custom_ops;
  size_t custom_op_count;
  /* For profilers, and for reading intermediate values; either may be NULL. Both see the same program as runs
   * without them. */
  micrort_step_callback before_step;
  micrort_step_callback after_step;
  void* step_user; /* passed to both */
  /* Not 0: each operator runs by itself and its outputs are whole in memory afterwards, for callbacks that
   * read them. Takes more time and a larger arena. */
  int32_t whole_tensors;
  /* Not 0: a run leaves inputs as the caller wrote them, so that unchanged inputs need not be written
   * again. If 0, their memory is reused, which makes the arena smaller. */
  int32_t keep_inputs;
  /* Not 0: waiting threads sleep at once. A run then takes less CPU time, and longer. */
  int32_t no_spin;
  /* The CPUs that the interpreter's own threads run on, bit i for the system's CPU i; the calling thread
   * stays where it is (see micrort_bind_thread). 0: the system decides; on ARM under Linux and Android,
   * if cores differ, threads run on the big ones, if there are at least as many as threads. */
  uint64_t cpus;
} micrort_options;

MICRORT_API void micrort_options_init(micrort_options* options);

/* Big CPUs are closer to the fastest than to the slowest of those that the calling thread may run on; little
 * CPUs are the others. Both are all of them if they are alike, and 0 if the system does not report it. */
MICRORT_API uint64_t micrort_big_cpus(void);
MICRORT_API uint64_t micrort_little_cpus(void);
/* Binds the calling thread from now on. MICRORT_INVALID_ARGUMENT if it may run on none of them;
 * MICRORT_UNSUPPORTED on other systems than Linux. */
MICRORT_API micrort_status micrort_bind_thread(uint64_t cpus);

/* Functions of the program that provide all memory of the library. `alignment` is a power of two, and the
 * same when a block is allocated and deallocated. */
typedef struct micrort_allocator {
  void* (*allocate)(void* context, size_t bytes, size_t alignment); /* returns NULL if there is no memory */
  void (*deallocate)(void* context, void* data,
                     size_t alignment); /* data is never NULL; a null function: memory is never released */
  void* context;
} micrort_allocator;

/* Sets the allocator of the process; NULL is the heap. Call it while no object of the library exists and no
 * other thread uses the library. Stacks and bookkeeping of threads still come from the system. */
MICRORT_API void micrort_set_allocator(const micrort_allocator* allocator);

/* The version of the library, "0.2.0"; MICRORT_VERSION of <micrort/version.h> is that of the headers. */
MICRORT_API const char* micrort_version(void);

/* "invalid model" and so on; never NULL. */
MICRORT_API const char* micrort_status_name(micrort_status status);

/* Map a file, or use the caller's buffer in place, which must be aligned to 64 bytes and unchanged while the
 * model lives. */
MICRORT_API micrort_status micrort_model_from_file(const char* path, micrort_model** model, char* message,
                                                   size_t message_bytes);
MICRORT_API micrort_status micrort_model_from_buffer(const void* data, size_t size, micrort_model** model,
                                                     char* message, size_t message_bytes);
/* Call it after all interpreters of the model are destroyed. NULL is allowed. */
MICRORT_API void micrort_model_destroy(micrort_model* model);

MICRORT_API size_t micrort_model_input_count(const micrort_model* model);
/* The input as declared: a dynamic dimension is -1; no data, no bytes. MICRORT_INVALID_ARGUMENT if there is
 * no such input. */
MICRORT_API micrort_status micrort_model_input(const micrort_model* model, size_t index,
                                               micrort_tensor* tensor);
/* 1 if the input's value decides shapes and must be passed when an interpreter is created, otherwise 0. */
MICRORT_API int32_t micrort_model_decides_shapes(const micrort_model* model, size_t index);

/* Bytes of the file; of constant data in it, without packed weights; of weights packed in the file for CPU
 * classes (mnnconvert --target); of weights that were packed in memory for the interpreters created so far.
 */
MICRORT_API size_t micrort_model_file_bytes(const micrort_model* model);
MICRORT_API size_t micrort_model_weight_bytes(const micrort_model* model);
MICRORT_API size_t micrort_model_packed_file_bytes(const micrort_model* model);
MICRORT_API size_t micrort_model_packed_bytes(const micrort_model* model);
/* How many rows a run may append to caches at most, where those of sliding windows are rings; SIZE_MAX
 * without rings. */
MICRORT_API size_t micrort_model_state_chunk(const micrort_model* model);

/* Text of the file's metadata with this key, in the memory of the file; NULL if it has none. */
MICRORT_API const char* micrort_model_metadata(const micrort_model* model, const char* key);

/* The exact options->arena_bytes that micrort_interpreter_create needs. `options` may be NULL. */
MICRORT_API micrort_status micrort_required_arena_bytes(const micrort_model* model,
                                                        const micrort_options* options, size_t* bytes,
                                                        char* message, size_t message_bytes);
/* The same with the operators of a resolver. A program that calls only these two functions does not link
 * every operator. */
MICRORT_API micrort_status micrort_required_arena_bytes_with(const micrort_model* model,
                                                             const micrort_resolver* resolver,
                                                             const micrort_options* options, size_t* bytes,
                                                             char* message, size_t message_bytes);
MICRORT_API micrort_status micrort_interpreter_create_with(const micrort_model* model,
                                                           const micrort_resolver* resolver,
                                                           const micrort_options* options,
                                                           micrort_interpreter** interpreter, char* message,
                                                           size_t message_bytes);
/* Runs every operator of the library, and those of options->custom_ops. `options` may be NULL. */
MICRORT_API micrort_status micrort_interpreter_create(const micrort_model* model,
                                                      const micrort_options* options,
                                                      micrort_interpreter** interpreter, char* message,
                                                      size_t message_bytes);
/* NULL is allowed. */
MICRORT_API void micrort_interpreter_destroy(micrort_interpreter* interpreter);

MICRORT_API size_t micrort_interpreter_input_count(const micrort_interpreter* interpreter);
MICRORT_API size_t micrort_interpreter_output_count(const micrort_interpreter* interpreter);
/* MICRORT_INVALID_ARGUMENT if there is no such input or output. */
MICRORT_API micrort_status micrort_interpreter_input(const micrort_interpreter* interpreter, size_t index,
                                                     micrort_tensor* tensor);
MICRORT_API micrort_status micrort_interpreter_output(const micrort_interpreter* interpreter, size_t index,
                                                      micrort_tensor* tensor);
/* The same by name. */
MICRORT_API micrort_status micrort_interpreter_find_input(const micrort_interpreter* interpreter,
                                                          const char* name, micrort_tensor* tensor);
MICRORT_API micrort_status micrort_interpreter_find_output(const micrort_interpreter* interpreter,
                                                           const char* name, micrort_tensor* tensor);
/* In use now; of these, needed only because of scratch; the largest sum of bytes alive at once. */
MICRORT_API size_t micrort_interpreter_arena_bytes(const micrort_interpreter* interpreter);
MICRORT_API size_t micrort_interpreter_scratch_bytes(const micrort_interpreter* interpreter);
MICRORT_API size_t micrort_interpreter_arena_lower_bound(const micrort_interpreter* interpreter);
/* Packed weights that are read in place from the file. */
MICRORT_API size_t micrort_interpreter_packed_in_place_bytes(const micrort_interpreter* interpreter);
/* The strongest instruction set in use: "avx2"; never NULL. */
MICRORT_API const char* micrort_interpreter_isa(const micrort_interpreter* interpreter);

/* One shape for each input. On error the interpreter keeps its former shapes. */
MICRORT_API micrort_status micrort_interpreter_resize(micrort_interpreter* interpreter,
                                                      const micrort_shape* shapes, size_t count,
                                                      char* message, size_t message_bytes);
/* The same with values for inputs that decide shapes, and NULL for the others; `count` of each. Without
 * values these inputs keep theirs. */
MICRORT_API micrort_status micrort_interpreter_resize_with_values(micrort_interpreter* interpreter,
                                                                  const micrort_shape* shapes,
                                                                  const void* const* values, size_t count,
                                                                  char* message, size_t message_bytes);
/* Makes no heap allocation. MICRORT_INVALID_ARGUMENT if an input that decides shapes holds another value than
 * the one that memory was planned for. */
MICRORT_API micrort_status micrort_interpreter_run(micrort_interpreter* interpreter, char* message,
                                                   size_t message_bytes);
/* The same, but MICRORT_DEADLINE_EXCEEDED if it is not done after that many microseconds, at least 1. */
MICRORT_API micrort_status micrort_interpreter_run_for(micrort_interpreter* interpreter,
                                                       uint64_t microseconds, char* message,
                                                       size_t message_bytes);
/* May be called by any thread: the current run ends with MICRORT_CANCELLED, or, if there is none, the next
 * one. */
MICRORT_API void micrort_interpreter_cancel(micrort_interpreter* interpreter);

/* The operators that a step runs, at least one, in run order. MICRORT_INVALID_ARGUMENT if there is no such
 * operator. */
MICRORT_API size_t micrort_step_operator_count(const micrort_step* step);
MICRORT_API micrort_status micrort_step_operator(const micrort_step* step, size_t index,
                                                 micrort_operator* op);
/* Inputs of the first operator, outputs of the last one. A tensor without data is absent, or not whole in
 * memory. */
MICRORT_API size_t micrort_step_input_count(const micrort_step* step);
MICRORT_API size_t micrort_step_output_count(const micrort_step* step);
MICRORT_API micrort_status micrort_step_input(const micrort_step* step, size_t index, micrort_tensor* tensor);
MICRORT_API micrort_status micrort_step_output(const micrort_step* step, size_t index,
                                               micrort_tensor* tensor);

/*
 * State: values that the model carries from one run to the next. They are neither inputs nor outputs: each
 * run finds the values that the last successful run left, the first run zeros or the model's initial values.
 */
MICRORT_API size_t micrort_interpreter_state_count(const micrort_interpreter* interpreter);
/* The value that the next run will find; its data may be read and written between runs.
 * MICRORT_INVALID_ARGUMENT if there is no such value. */
MICRORT_API micrort_status micrort_interpreter_state(const micrort_interpreter* interpreter, size_t index,
                                                     micrort_tensor* tensor);
/* Back to zeros or initial values. */
MICRORT_API void micrort_interpreter_reset_state(micrort_interpreter* interpreter);
/* Save and restore all values, for this or another interpreter of the model with the same shapes; of caches,
 * the rows in use. MICRORT_INVALID_ARGUMENT if `bytes` is not micrort_interpreter_state_bytes, or if the data
 * to restore were not saved by micrort_interpreter_save_state. */
MICRORT_API size_t micrort_interpreter_state_bytes(const micrort_interpreter* interpreter);
MICRORT_API micrort_status micrort_interpreter_save_state(const micrort_interpreter* interpreter, void* to,
                                                          size_t bytes, char* message, size_t message_bytes);
MICRORT_API micrort_status micrort_interpreter_restore_state(micrort_interpreter* interpreter,
                                                             const void* from, size_t bytes, char* message,
                                                             size_t message_bytes);
/* Rows of caches (mnnconvert --kv-cache) in use; 0 without caches. */
MICRORT_API size_t micrort_interpreter_state_length(const micrort_interpreter* interpreter);
/* Keeps the first `length` rows. MICRORT_INVALID_ARGUMENT if fewer are in use, without caches, or if a cache
 * is a ring that has no longer what the next row's window sees. */
MICRORT_API micrort_status micrort_interpreter_truncate_state(micrort_interpreter* interpreter, size_t length,
                                                              char* message, size_t message_bytes);

#ifdef __cplusplus
}
#endif

#endif
