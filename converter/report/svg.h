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

// Sizes of the chart of signal-to-noise ratios: for a screen, and for a phone.
constexpr PictureSize kWidePicture = {960, 220}, kNarrowPicture = {340, 200};

// Signal to noise ratio of every compared layer in run order. `shown`: a class of the page's style.
std::string SnrPicture(const Quality& quality, PictureSize size, const std::string& shown);

}  // namespace micrort::report
