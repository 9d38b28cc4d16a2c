#include "examples/meter_reader/table.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace examples {
namespace {

using Row = std::vector<std::string>;

// "06093.7" of "060937" with one decimal.
std::string WithDecimals(std::string digits, size_t decimals) {
  if (decimals > 0) digits.insert(digits.size() - decimals, ".");
  return digits;
}

std::string Share(size_t part, size_t whole) {
  char text[64];
  std::snprintf(text, sizeof text, "%zu of %zu (%.1f %%)", part, whole,
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

size_t RightReadings(const std::vector<MeterPicture>& meters, const Score& score) {
  size_t right = 0;
  for (size_t i = 0; i < meters.size(); ++i) right += score.readings[i] == meters[i].reading ? 1 : 0;
  return right;
}

Row ReadingRow(const MeterPicture& meter, size_t index, const std::vector<Score>& scores) {
  Row row = {meter.file + "  " + WithDecimals(meter.reading, meter.decimals) + " " + meter.unit};
  for (const Score& score : scores) {
    const std::string& read = score.readings[index];
    row.push_back(WithDecimals(read, meter.decimals) + (read == meter.reading ? " right" : " WRONG"));
  }
  return row;
}

template <typename Cell>
Row SummaryRow(const char* title, const std::vector<Score>& scores, const Cell& cell) {
  Row row = {title};
  for (const Score& score : scores) row.push_back(cell(score));
  return row;
}

// Characters of UTF-8 text: bytes that do not continue one.
size_t TextWidth(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(),
                                           [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

// The first column to the left, the others to the right.
void Print(const std::vector<Row>& rows) {
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], TextWidth(row[i]));
  }
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - TextWidth(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    std::printf("%s\n", line.c_str());
  }
}

}  // namespace

void PrintTable(const std::vector<MeterPicture>& meters, const std::vector<Score>& scores) {
  std::vector<Row> rows = {
      SummaryRow("picture, true reading", scores, [](const Score& s) { return s.model; })};
  for (size_t i = 0; i < meters.size(); ++i) rows.push_back(ReadingRow(meters[i], i, scores));
  rows.push_back(SummaryRow("pictures right", scores, [&](const Score& s) {
    return std::to_string(RightReadings(meters, s)) + " of " + std::to_string(meters.size());
  }));
  rows.push_back(
      SummaryRow("test crops right", scores, [](const Score& s) { return Share(s.right_crops, s.crops); }));
  rows.push_back(
      SummaryRow("file bytes", scores, [](const Score& s) { return std::to_string(s.file_bytes); }));
  rows.push_back(
      SummaryRow("arena bytes", scores, [](const Score& s) { return std::to_string(s.arena_bytes); }));
  rows.push_back(SummaryRow("median latency of a digit", scores, [](const Score& s) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f us", s.median_us);
    return std::string(text);
  }));
  Print(rows);
}

}  // namespace examples
