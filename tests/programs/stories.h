#pragma once
// stories260K as ONNX decoders, which Python writes from the model data.

#include <gtest/gtest.h>

#include <string>

#include "tests/programs/process.h"

namespace micrort::test {

// Writes models/stories_gqa.onnx and other forms into the folder. False: this machine has no python3-onnx.
inline bool WriteStories(const std::string& folder) {
  const std::string python = "/usr/bin/python3";
  if (RunCommand({python, "-c", "import numpy, onnx.helper"}).exit_code != 0) return false;
  const std::string script =
      "import os, sys; os.chdir(sys.argv[1]); os.mkdir('models'); os.symlink(sys.argv[2], "
      "'stories260K.bin'); sys.path.insert(0, sys.argv[3]); "
      "import runpy; runpy.run_path(sys.argv[3] + '/stories.py', run_name='__main__')";
  const ProcessResult written =
      RunCommand({python, "-c", script, folder, ModelData("models/language/stories260K.bin"),
                  ModelData("tools/language")});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  return true;
}

}  // namespace micrort::test
