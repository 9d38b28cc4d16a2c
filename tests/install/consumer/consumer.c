/* The same as consumer.cpp by the C interface. */

#include <micrort/micrort_c.h>
#include <stdio.h>
#include <string.h>

static int Run(micrort_interpreter* interpreter, char* message, size_t message_bytes) {
  micrort_tensor input, output;
  if (micrort_interpreter_input(interpreter, 0, &input) != MICRORT_OK) return 1;
  memset(input.data, 0, input.bytes);
  if (micrort_interpreter_run(interpreter, message, message_bytes) != MICRORT_OK) return 1;
  if (micrort_interpreter_output(interpreter, 0, &output) != MICRORT_OK) return 1;
  printf("%s %s %dx%d\n", output.name, output.dtype == MICRORT_FLOAT32 ? "float32" : "?",
         (int)output.shape.dims[0], (int)output.shape.dims[1]);
  return 0;
}

int main(int argc, char** argv) {
  micrort_model* model = NULL;
  micrort_interpreter* interpreter = NULL;
  char message[MICRORT_MESSAGE_BYTES] = "";
  int exit_code = 1;
  if (micrort_model_from_file(argc > 1 ? argv[1] : "", &model, message, sizeof message) == MICRORT_OK &&
      micrort_interpreter_create(model, NULL, &interpreter, message, sizeof message) == MICRORT_OK) {
    exit_code = Run(interpreter, message, sizeof message);
  }
  if (exit_code != 0) fprintf(stderr, "%s\n", message);
  micrort_interpreter_destroy(interpreter);
  micrort_model_destroy(model);
  return exit_code;
}
