// org.micrort.Native over the C interface. No exception of C++ leaves a function; those of Java are pending
// when it returns.

#include <jni.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "micrort/micrort_c.h"

namespace {

// A model with the copy that it reads, if it has one.
struct OpenModel {
  micrort_model* model = nullptr;
  void* bytes = nullptr;
  ~OpenModel() {
    micrort_model_destroy(model);
    std::free(bytes);
  }
};

OpenModel& ModelAt(jlong handle) { return *reinterpret_cast<OpenModel*>(handle); }
micrort_interpreter* InterpreterAt(jlong handle) { return reinterpret_cast<micrort_interpreter*>(handle); }

jbyteArray BytesOf(JNIEnv* env, const char* text) {
  const auto size = static_cast<jsize>(std::strlen(text));
  jbyteArray bytes = env->NewByteArray(size);
  if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text));
  return bytes;
}

std::string TextOf(JNIEnv* env, jbyteArray bytes) {
  if (bytes == nullptr) return "";
  std::string text(static_cast<size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

void Throw(JNIEnv* env, micrort_status status, const char* message) {
  if (env->ExceptionCheck() == JNI_TRUE) return;
  jclass type = env->FindClass("org/micrort/MicroRTException");
  if (type == nullptr) return;
  jmethodID make = env->GetMethodID(type, "<init>", "(I[B)V");
  jbyteArray text = make == nullptr ? nullptr : BytesOf(env, message);
  if (text == nullptr) return;
  auto error = static_cast<jthrowable>(env->NewObject(type, make, static_cast<jint>(status), text));
  if (error != nullptr) env->Throw(error);
}

// A call that may fail: Call(env, [&](char* message, size_t bytes) { return micrort_...(message, bytes); }).
template <typename Function>
bool Call(JNIEnv* env, Function&& function) {
  char message[MICRORT_MESSAGE_BYTES] = "";
  const micrort_status status = function(message, sizeof message);
  if (status != MICRORT_OK) Throw(env, status, message[0] == '\0' ? micrort_status_name(status) : message);
  return status == MICRORT_OK;
}

// References of Java's that end with this object, but for the one that is kept. Android has room for few
// hundred in a function.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* env) : env_(env), is_open_(env->PushLocalFrame(8) == JNI_OK) {}
  ~LocalFrame() {
    if (is_open_) env_->PopLocalFrame(nullptr);
  }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;

  bool is_open() const { return is_open_; }
  jobject Keep(jobject object) {
    is_open_ = false;
    return env_->PopLocalFrame(object);
  }

 private:
  JNIEnv* env_;
  bool is_open_;
};

jobject TensorOf(JNIEnv* env, const micrort_tensor& tensor) {
  if (tensor.bytes > INT32_MAX) {
    Throw(env, MICRORT_UNSUPPORTED, "a tensor of 2 GiB or more, which no ByteBuffer holds");
    return nullptr;
  }
  LocalFrame frame(env);
  if (!frame.is_open()) return nullptr;
  jclass type = env->FindClass("org/micrort/Tensor");
  if (type == nullptr) return nullptr;
  jmethodID make = env->GetMethodID(type, "<init>", "([BI[JLjava/nio/ByteBuffer;FI)V");
  jbyteArray name = make == nullptr ? nullptr : BytesOf(env, tensor.name);
  jlongArray shape = name == nullptr ? nullptr : env->NewLongArray(tensor.shape.rank);
  if (shape == nullptr) return nullptr;
  static_assert(sizeof(jlong) == sizeof(tensor.shape.dims[0]), "");
  env->SetLongArrayRegion(shape, 0, tensor.shape.rank, reinterpret_cast<const jlong*>(tensor.shape.dims));
  jobject data = tensor.data == nullptr
                     ? nullptr
                     : env->NewDirectByteBuffer(tensor.data, static_cast<jlong>(tensor.bytes));
  if (env->ExceptionCheck() == JNI_TRUE) return nullptr;
  return frame.Keep(env->NewObject(type, make, name, static_cast<jint>(tensor.dtype), shape, data,
                                   tensor.scale, tensor.zero_point));
}

// False with an exception pending if a shape is too long or missing.
bool ReadShapes(JNIEnv* env, jobjectArray given, std::vector<micrort_shape>* shapes) {
  shapes->resize(given == nullptr ? 0 : static_cast<size_t>(env->GetArrayLength(given)));
  for (size_t i = 0; i < shapes->size(); ++i) {
    auto dims = static_cast<jlongArray>(env->GetObjectArrayElement(given, static_cast<jsize>(i)));
    const jsize rank = dims == nullptr ? -1 : env->GetArrayLength(dims);
    if (rank < 0 || rank > MICRORT_MAX_RANK) {
      Throw(env, MICRORT_INVALID_ARGUMENT, "expected a shape of at most 8 dimensions for each input");
      return false;
    }
    (*shapes)[i].rank = rank;
    env->GetLongArrayRegion(dims, 0, rank, reinterpret_cast<jlong*>((*shapes)[i].dims));
    env->DeleteLocalRef(dims);
  }
  return true;
}

// Memory for vectors and strings may be missing.
template <typename Function>
auto Guarded(JNIEnv* env, Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception&) {
    Throw(env, MICRORT_OUT_OF_MEMORY, "out of memory");
    return {};
  }
}

}  // namespace

#define MICRORT_NATIVE(type, name) extern "C" JNIEXPORT type JNICALL Java_org_micrort_Native_##name

MICRORT_NATIVE(jlong, modelFromFile)(JNIEnv* env, jclass, jbyteArray path) {
  return Guarded(env, [&]() -> jlong {
    auto open = std::make_unique<OpenModel>();
    const std::string file = TextOf(env, path);
    const bool ok = Call(env, [&](char* message, size_t bytes) {
      return micrort_model_from_file(file.c_str(), &open->model, message, bytes);
    });
    return ok ? reinterpret_cast<jlong>(open.release()) : 0;
  });
}

MICRORT_NATIVE(jlong, modelFromBytes)(JNIEnv* env, jclass, jobject buffer, jint offset, jint size) {
  return Guarded(env, [&]() -> jlong {
    constexpr size_t kAlignment = 64;
    auto open = std::make_unique<OpenModel>();
    const auto count = static_cast<size_t>(size);
    open->bytes = std::aligned_alloc(kAlignment, (count / kAlignment + 1) * kAlignment);
    const auto* from = static_cast<const char*>(env->GetDirectBufferAddress(buffer));
    if (open->bytes == nullptr || from == nullptr) {
      Throw(env, MICRORT_OUT_OF_MEMORY, "cannot copy the model");
      return 0;
    }
    std::memcpy(open->bytes, from + offset, count);
    const bool ok = Call(env, [&](char* message, size_t bytes) {
      return micrort_model_from_buffer(open->bytes, count, &open->model, message, bytes);
    });
    return ok ? reinterpret_cast<jlong>(open.release()) : 0;
  });
}

MICRORT_NATIVE(jobjectArray, modelInputs)(JNIEnv* env, jclass, jlong handle, jobject) {
  const micrort_model* model = ModelAt(handle).model;
  jclass type = env->FindClass("org/micrort/Tensor");
  const auto count = static_cast<jsize>(micrort_model_input_count(model));
  jobjectArray inputs = type == nullptr ? nullptr : env->NewObjectArray(count, type, nullptr);
  for (jsize i = 0; inputs != nullptr && i < count; ++i) {
    micrort_tensor tensor;
    micrort_model_input(model, static_cast<size_t>(i), &tensor);
    jobject object = TensorOf(env, tensor);
    if (object == nullptr) return nullptr;
    env->SetObjectArrayElement(inputs, i, object);
    env->DeleteLocalRef(object);
  }
  return inputs;
}

MICRORT_NATIVE(jbyteArray, modelMetadata)(JNIEnv* env, jclass, jlong handle, jbyteArray key, jobject) {
  return Guarded(env, [&]() -> jbyteArray {
    const char* text = micrort_model_metadata(ModelAt(handle).model, TextOf(env, key).c_str());
    return text == nullptr ? nullptr : BytesOf(env, text);
  });
}

MICRORT_NATIVE(void, destroyModel)(JNIEnv*, jclass, jlong handle) { delete &ModelAt(handle); }

MICRORT_NATIVE(jlong, createInterpreter)
(JNIEnv* env, jclass, jlong model, jint threads, jbyteArray isa, jboolean keep_inputs, jobjectArray shapes) {
  return Guarded(env, [&]() -> jlong {
    std::vector<micrort_shape> read;
    if (!ReadShapes(env, shapes, &read)) return 0;
    const std::string name = TextOf(env, isa);
    micrort_options options;
    micrort_options_init(&options);
    options.threads = threads;
    options.isa = isa == nullptr ? nullptr : name.c_str();
    options.keep_inputs = keep_inputs == JNI_TRUE ? 1 : 0;
    options.input_shapes = shapes == nullptr ? nullptr : read.data();
    options.input_shape_count = read.size();
    micrort_interpreter* interpreter = nullptr;
    Call(env, [&](char* message, size_t bytes) {
      return micrort_interpreter_create(ModelAt(model).model, &options, &interpreter, message, bytes);
    });
    return reinterpret_cast<jlong>(interpreter);
  });
}

MICRORT_NATIVE(void, destroyInterpreter)(JNIEnv*, jclass, jlong handle) {
  micrort_interpreter_destroy(InterpreterAt(handle));
}

MICRORT_NATIVE(jint, inputCount)(JNIEnv*, jclass, jlong handle) {
  return static_cast<jint>(micrort_interpreter_input_count(InterpreterAt(handle)));
}

MICRORT_NATIVE(jint, outputCount)(JNIEnv*, jclass, jlong handle) {
  return static_cast<jint>(micrort_interpreter_output_count(InterpreterAt(handle)));
}

namespace {

using ByIndex = micrort_status (*)(const micrort_interpreter*, size_t, micrort_tensor*);
using ByName = micrort_status (*)(const micrort_interpreter*, const char*, micrort_tensor*);

jobject FindAt(JNIEnv* env, jlong handle, jint index, ByIndex find) {
  micrort_tensor tensor;
  if (index < 0 || find(InterpreterAt(handle), static_cast<size_t>(index), &tensor) != MICRORT_OK) {
    Throw(env, MICRORT_INVALID_ARGUMENT, ("there is no tensor " + std::to_string(index)).c_str());
    return nullptr;
  }
  return TensorOf(env, tensor);
}

jobject FindNamed(JNIEnv* env, jlong handle, jbyteArray name, ByName find) {
  return Guarded(env, [&]() -> jobject {
    micrort_tensor tensor;
    const std::string text = TextOf(env, name);
    if (find(InterpreterAt(handle), text.c_str(), &tensor) == MICRORT_OK) return TensorOf(env, tensor);
    Throw(env, MICRORT_INVALID_ARGUMENT, ("there is no tensor '" + text + "'").c_str());
    return nullptr;
  });
}

}  // namespace

MICRORT_NATIVE(jobject, input)(JNIEnv* env, jclass, jlong handle, jint index) {
  return FindAt(env, handle, index, micrort_interpreter_input);
}
MICRORT_NATIVE(jobject, output)(JNIEnv* env, jclass, jlong handle, jint index) {
  return FindAt(env, handle, index, micrort_interpreter_output);
}
MICRORT_NATIVE(jobject, inputNamed)(JNIEnv* env, jclass, jlong handle, jbyteArray name) {
  return FindNamed(env, handle, name, micrort_interpreter_find_input);
}
MICRORT_NATIVE(jobject, outputNamed)(JNIEnv* env, jclass, jlong handle, jbyteArray name) {
  return FindNamed(env, handle, name, micrort_interpreter_find_output);
}

MICRORT_NATIVE(void, run)(JNIEnv* env, jclass, jlong handle, jlong microseconds) {
  Call(env, [&](char* message, size_t bytes) {
    return microseconds == 0
               ? micrort_interpreter_run(InterpreterAt(handle), message, bytes)
               : micrort_interpreter_run_for(InterpreterAt(handle), static_cast<uint64_t>(microseconds),
                                             message, bytes);
  });
}

MICRORT_NATIVE(void, cancel)(JNIEnv*, jclass, jlong handle) {
  micrort_interpreter_cancel(InterpreterAt(handle));
}

MICRORT_NATIVE(void, resize)(JNIEnv* env, jclass, jlong handle, jobjectArray shapes) {
  Guarded(env, [&]() -> int {
    std::vector<micrort_shape> read;
    if (!ReadShapes(env, shapes, &read)) return 0;
    Call(env, [&](char* message, size_t bytes) {
      return micrort_interpreter_resize(InterpreterAt(handle), read.data(), read.size(), message, bytes);
    });
    return 0;
  });
}

MICRORT_NATIVE(void, resetState)(JNIEnv*, jclass, jlong handle) {
  micrort_interpreter_reset_state(InterpreterAt(handle));
}

MICRORT_NATIVE(jlong, arenaBytes)(JNIEnv*, jclass, jlong handle) {
  return static_cast<jlong>(micrort_interpreter_arena_bytes(InterpreterAt(handle)));
}

MICRORT_NATIVE(jbyteArray, isa)(JNIEnv* env, jclass, jlong handle) {
  return BytesOf(env, micrort_interpreter_isa(InterpreterAt(handle)));
}
