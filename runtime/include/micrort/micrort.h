#pragma once
// The C++ interface of MicroRT. Needs C++17; uses no exceptions and no RTTI.
//
//   auto model = micrort::Model::FromFile("model.fb");
//   if (!model.ok()) { puts(model.status().message()); return 1; }
//   auto interpreter = micrort::Interpreter::Create(*model);
//   ...
//   fill(interpreter->input(0).as<float>());
//   micrort::Status status = interpreter->Run();
//   use(interpreter->output(0).as<float>());

#include "kernels/base/dtype.h"
#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "micrort/interpreter.h"
#include "micrort/model.h"
#include "micrort/model_limits.h"
#include "micrort/op_resolver.h"
#include "micrort/tensor_view.h"
#include "micrort/tuned_choices.h"
