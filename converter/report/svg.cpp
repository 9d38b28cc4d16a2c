#include "converter/report/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "converter/report/html_text.h"
#include "converter/report/numbers.h"

namespace micrort::report {
namespace {

// The part of the number line that a picture shows.
struct Axis {
  double low, high;
  int width;
  double At(double x) const { return high > low ? (x - low) / (high - low) * width : 0.0; }
};

std::string Fixed(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}

std::string Open(PictureSize size, const std::string& title, const std::string& shown = "") {
  const std::string w = std::to_string(size.width), h = std::to_string(size.height);
  const std::string kind = shown.empty() ? "" : " class='" + shown + "'";
  return "<svg" + kind + " width='" + w + "' height='" + h + "' viewBox='0 0 " + w + " " + h +
         "' role='img'><title>" + Escaped(title) + "</title>";
}

std::string Rectangle(const char* kind, double x, double y, double width, double height) {
  return std::string("<rect class='") + kind + "' x='" + Fixed(x) + "' y='" + Fixed(y) + "' width='" +
         Fixed(width) + "' height='" + Fixed(height) + "'/>";
}

std::string Line(const char* kind, double x1, double y1, double x2, double y2) {
  return std::string("<line class='") + kind + "' x1='" + Fixed(x1) + "' y1='" + Fixed(y1) + "' x2='" +
         Fixed(x2) + "' y2='" + Fixed(y2) + "'/>";
}

std::string Label(double x, double y, const char* anchor, const std::string& text) {
  return "<text x='" + Fixed(x) + "' y='" + Fixed(y) + "' text-anchor='" + anchor + "'>" + Escaped(text) +
         "</text>";
}

std::string DrawBars(const Bars& bars, const Axis& axis, int height) {
  uint64_t most = 1;
  for (const uint64_t n : bars.counts) most = std::max(most, n);
  const double step = (bars.high - bars.low) / static_cast<double>(Bars::kCount);
  const double width = std::max(0.6, axis.At(axis.low + step) - 0.4);
  std::string text;
  for (size_t i = 0; i < bars.counts.size(); ++i) {
    if (bars.counts[i] == 0) continue;
    const double share = std::sqrt(static_cast<double>(bars.counts[i]) / static_cast<double>(most));
    const double h = std::max(1.0, share * height);
    text += Rectangle("bar", axis.At(bars.low + step * static_cast<double>(i)), height - h, width, h);
  }
  return text;
}

// Numbers below a picture are worth their space only in a large one.
bool HasLabels(PictureSize size) { return size.height >= kLargePicture.height; }
int PlotHeight(PictureSize size) { return HasLabels(size) ? size.height - 16 : size.height; }

std::string Ends(const Axis& axis, PictureSize size) {
  if (!HasLabels(size)) return "";
  const double y = size.height - 3;
  std::string text = Label(0, y, "start", Short(axis.low)) + Label(size.width, y, "end", Short(axis.high));
  const double zero = axis.At(0.0);
  if (zero > size.width * 0.15 && zero < size.width * 0.85) text += Label(zero, y, "middle", "0");
  return text;
}

struct Point {
  size_t layer;
  double x, y;
};

// The scale of the picture of SNRs.
constexpr double kMostSnr = 60.0, kLeft = 34.0, kTop = 8.0, kBelow = 20.0;

double SnrHeight(double snr, PictureSize size) {
  const double shown = std::isnan(snr) ? 0.0 : std::clamp(snr, 0.0, kMostSnr);
  const double bottom = size.height - kBelow;
  return bottom - shown / kMostSnr * (bottom - kTop);
}

std::string SnrGrid(PictureSize size) {
  std::string text;
  for (int snr = 0; snr <= static_cast<int>(kMostSnr); snr += 10) {
    const double y = SnrHeight(snr, size);
    text += Line(snr == static_cast<int>(kDoubtfulSnr) ? "limit" : "grid", kLeft, y, size.width, y);
    text += Label(kLeft - 6, y + 4, "end", std::to_string(snr));
  }
  return text;
}

std::vector<Point> SnrPoints(const Quality& quality, PictureSize size) {
  std::vector<Point> points;
  for (const LayerQuality& layer : quality.layers) {
    if (layer.is_compared) points.push_back({layer.position, 0.0, SnrHeight(layer.snr(), size)});
  }
  const double step = (size.width - kLeft - 8) / std::max<double>(1.0, static_cast<double>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) points[i].x = kLeft + (static_cast<double>(i) + 0.5) * step;
  return points;
}

}  // namespace

std::string BarsPicture(const Bars& bars, PictureSize size) {
  if (bars.empty()) return "";
  const Axis axis = {bars.low, bars.high, size.width};
  return Open(size, Short(bars.low) + " to " + Short(bars.high)) + DrawBars(bars, axis, PlotHeight(size)) +
         Ends(axis, size) + "</svg>";
}

std::string ValuesPicture(const LayerQuality& layer, PictureSize size) {
  if (layer.values.empty() || !layer.is_int8) return BarsPicture(layer.values, size);
  const Bars& bars = layer.values;
  const Axis axis = {std::min(bars.low, layer.range_low), std::max(bars.high, layer.range_high), size.width};
  const double low = axis.At(layer.range_low), high = axis.At(layer.range_high);
  const int height = PlotHeight(size);
  return Open(size, "values " + Short(bars.low) + " to " + Short(bars.high) + ", int8 range " +
                        Short(layer.range_low) + " to " + Short(layer.range_high)) +
         Rectangle("range", low, 0, high - low, height) + DrawBars(bars, axis, height) + Ends(axis, size) +
         "</svg>";
}

std::string SnrPicture(const Quality& quality, PictureSize size, const std::string& shown) {
  const std::vector<Point> points = SnrPoints(quality, size);
  if (points.empty()) return "";
  std::string text = Open(size, "Signal to noise ratio of every layer, in run order", shown) + SnrGrid(size);
  std::string path;
  for (const Point& p : points) path += (path.empty() ? "" : " ") + Fixed(p.x) + "," + Fixed(p.y);
  text += "<polyline class='snr' points='" + path + "'/>";
  for (const Point& p : points) {
    const LayerQuality& layer = quality.layers[p.layer];
    const bool jump = p.layer == quality.first_jump;
    text += std::string("<circle class='") + (jump ? "jump" : "dot") + "' cx='" + Fixed(p.x) + "' cy='" +
            Fixed(p.y) + "' r='" + (jump ? "6" : "3.5") + "'><title>" +
            Escaped(layer.node + ": " + Decibels(layer.snr()) + " dB") + "</title></circle>";
  }
  return text + Label(kLeft, size.height - 4, "start", "input") +
         Label(size.width, size.height - 4, "end", "output") + "</svg>";
}

}  // namespace micrort::report
