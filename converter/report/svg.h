#pragma once
// Small pictures for the page, as elements of HTML.

#include <string>

#include "converter/report/bars.h"
#include "converter/report/quality.h"

namespace micrort::report {

struct PictureSize {
  int width, height;  // CSS pixels
};
constexpr PictureSize kSmallPicture = {120, 28}, kLargePicture = {420, 110};

// Heights by the square root, so that rare values are seen too. "" if there are no bars.
std::string BarsPicture(const Bars& bars, PictureSize size);

// The same with the int8 range marked: what lies outside is clipped.
std::string ValuesPicture(const LayerQuality& layer, PictureSize size);

// Signal to noise ratio of every compared layer in run order.
std::string SnrPicture(const Quality& quality);

}  // namespace micrort::report
