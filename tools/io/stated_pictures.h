#pragma once
// How pictures become inputs, as a model file states it in its metadata, so that every program treats them as
// the converter did.

#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "tools/io/image.h"

namespace micrort::io {

// The entry of the metadata: a JSON object {"mean": [...], "scale": [...], "color": "rgb", "resize":
// "stretch"}, with the values of the flags of these names.
constexpr char kPicturesKey[] = "micrort.pictures";

std::string PicturesJson(const Preprocess& preprocess);

// Default values if the file states none. They give the real numbers that inputs stand for (`quantizes`).
// kInvalidModel, naming the key, if they are broken.
Status StatedPreprocess(const Model& model, Preprocess* out);

// Replaces `preprocess`, of flags that were not given, by what the file states if one of `files` is a
// picture. `note`: a line that says so, or "".
Status TakeStatedPreprocess(const Model& model, const std::vector<std::string>& files, Preprocess* preprocess,
                            std::string* note);

}  // namespace micrort::io
