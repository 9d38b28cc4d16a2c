// WAV files, sampling rates and features, beside their definitions.

#include "micrort/text/audio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "tests/support/near.h"
#include "tests/support/random.h"
#include "tests/text/wav_bytes.h"
#include "text/audio/log_mel.h"
#include "text/audio/resample.h"

namespace micrort::text {
namespace {

using test::LittleEndian;
using test::WavChunk;
using test::WavFile;
using test::WavFormatChunk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kPi = 3.14159265358979323846;

Result<Audio> Parse(const std::string& bytes) {
  return ParseWav({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
}

std::vector<float> Samples(const test::WavLayout& layout, const std::string& data) {
  auto audio = Parse(WavFile(layout, data));
  EXPECT_TRUE(audio.ok()) << audio.status().message();
  return audio.ok() ? audio->samples : std::vector<float>();
}

template <typename T>
std::string BytesOf(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST(Wav, ReadsIntegersAndFloatsOfAllWidths) {
  EXPECT_THAT(Samples({1, 1, 8000, 8}, std::string("\x00\x80\xC0\xFF", 4)),
              ElementsAre(-1, 0, 0.5f, 127 / 128.0f));
  EXPECT_THAT(Samples({1, 1, 16000, 16}, BytesOf<int16_t>({-32768, 0, 16384})), ElementsAre(-1, 0, 0.5f));
  EXPECT_THAT(Samples({1, 1, 48000, 24}, std::string("\x00\x00\x80\x00\x00\x40\x01\x00\x00", 9)),
              ElementsAre(-1, 0.5f, std::ldexp(1.0f, -23)));
  EXPECT_THAT(Samples({1, 1, 44100, 32}, BytesOf<int32_t>({INT32_MIN, 1 << 30})), ElementsAre(-1, 0.5f));
  EXPECT_THAT(Samples({3, 1, 44100, 32}, BytesOf<float>({-1.5f, 0.25f})), ElementsAre(-1.5f, 0.25f));
  EXPECT_THAT(Samples({3, 1, 44100, 64}, BytesOf<double>({-1.5, 0.25})), ElementsAre(-1.5f, 0.25f));
}

TEST(Wav, TakesTheMeanOfChannelsAndWhatIsThereOfACutFile) {
  EXPECT_THAT(Samples({1, 2, 16000, 16}, BytesOf<int16_t>({16384, 0, -16384, -16384})),
              ElementsAre(0.25f, -0.5f));
  auto audio = Parse(WavFile({1, 2, 22050, 16}, BytesOf<int16_t>({16384, 0, 7})));
  ASSERT_TRUE(audio.ok());
  EXPECT_EQ(audio->rate, 22050);
  EXPECT_THAT(audio->samples, ElementsAre(0.25f));
  // A size that nobody knew when the header was written.
  std::string endless = WavFile({}, BytesOf<int16_t>({8192}));
  endless.replace(endless.size() - 6, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_THAT(Parse(endless)->samples, ElementsAre(0.25f));
}

TEST(Wav, ReadsTheExtensibleFormat) {
  const std::string plain = WavFormatChunk({0xFFFE, 1, 16000, 32}).substr(8);
  const auto file = [&](uint64_t tag) {
    const std::string rest = LittleEndian(22, 2) + LittleEndian(32, 2) + LittleEndian(4, 4) +
                             LittleEndian(tag, 2) + std::string(14, 'x');
    return WavChunk("RIFF",
                    "WAVE" + WavChunk("fmt ", plain + rest) + WavChunk("data", BytesOf<float>({0.5f})));
  };
  auto audio = Parse(file(3));
  ASSERT_TRUE(audio.ok()) << audio.status().message();
  EXPECT_THAT(audio->samples, ElementsAre(0.5f));
  EXPECT_THAT(Parse(file(6)).status().message(), HasSubstr("found format 6 of 32 bits"));
}

TEST(Wav, SaysWhatIsWrong) {
  const auto expect = [](const std::string& bytes, StatusCode code, const char* message) {
    auto audio = Parse(bytes);
    EXPECT_EQ(audio.status().code(), code) << message;
    EXPECT_THAT(audio.status().message(), HasSubstr(message));
  };
  expect("", StatusCode::kInvalidModel, "it does not begin as one");
  expect("RIFF", StatusCode::kInvalidModel, "it does not begin as one");
  expect("ID3\x04 and so on", StatusCode::kInvalidModel, "found an MP3 file; `ffmpeg -i FILE");
  expect("fLaC", StatusCode::kInvalidModel, "found a FLAC file");
  expect(WavChunk("RIFF", "WAVE"), StatusCode::kInvalidModel, "it has no samples");
  expect(WavFile({}, ""), StatusCode::kInvalidModel, "it has no samples");
  expect(WavFile({1, 2, 16000, 16}, "abc"), StatusCode::kInvalidModel, "it has no samples");
  expect(WavChunk("RIFF", "WAVE" + WavChunk("data", "abcd")), StatusCode::kInvalidModel,
         "before their format");
  expect(WavChunk("RIFF", "WAVE" + WavChunk("fmt ", "abcd")), StatusCode::kInvalidModel, "cut short");
  expect(WavFile({1, 0, 16000, 16}, "abcd"), StatusCode::kUnsupported, "1 to 64 channels, found 0");
  expect(WavFile({1, 65535, 16000, 16}, "abcd"), StatusCode::kUnsupported, "found 65535");
  expect(WavFile({1, 1, 999, 16}, "abcd"), StatusCode::kUnsupported, "found 999");
  expect(WavFile({1, 1, 16000, 12}, "abcd"), StatusCode::kUnsupported, "found format 1 of 12 bits");
  expect(WavFile({3, 1, 16000, 16}, "abcd"), StatusCode::kUnsupported, "found format 3 of 16 bits");
  expect(WavFile({3, 1, 16000, 32}, BytesOf<float>({std::numeric_limits<float>::infinity()})),
         StatusCode::kInvalidModel, "no finite number");
  std::string odd = WavFile({}, "abcd");
  odd[odd.find("fmt ") + 8 + 12] = 5;
  expect(odd, StatusCode::kInvalidModel, "are not those of its channels");
  EXPECT_EQ(ReadWav("/").status().code(), StatusCode::kIo);
  EXPECT_THAT(ReadWav("no.wav").status().message(), HasSubstr("no.wav: cannot be opened"));
}

// The part of a sine that a change of rate leaves, far from the ends.
double Response(double hertz, int from, int to) {
  std::vector<float> sine;
  for (int i = 0; i < from; ++i) sine.push_back(static_cast<float>(std::sin(2 * kPi * hertz * i / from)));
  auto out = Resample({sine.data(), sine.size()}, from, to);
  EXPECT_TRUE(out.ok());
  EXPECT_EQ(out->size(), static_cast<size_t>(to));
  double greatest = 0;
  for (size_t i = out->size() / 4; i < out->size() * 3 / 4; ++i)
    greatest = std::max(greatest, std::abs(static_cast<double>((*out)[i])));
  return greatest;
}

TEST(Resampler, KeepsWhatBothRatesHoldAndDropsTheRest) {
  for (const int from : {8000, 11025, 22050, 32000, 44100, 48000}) {
    const double half = std::min(from, 16000) / 2.0;
    for (const double part : {0.01, 0.3, 0.7, 0.88})
      EXPECT_NEAR(Response(part * half, from, 16000), 1, 2e-3) << from << " " << part;
    for (const double hertz : {1.005 * half, 1.2 * half, 2.3 * half}) {
      if (hertz < from / 2.0) {
        EXPECT_LT(Response(hertz, from, 16000), 2e-4) << from << " " << hertz;
      }
    }
  }
}

TEST(Resampler, KeepsThePlacesInTime) {
  std::vector<float> given;
  const auto wave = [](double seconds) {
    return 0.6 * std::sin(2 * kPi * 440 * seconds) + 0.3 * std::cos(2 * kPi * 3100 * seconds);
  };
  for (int i = 0; i < 44100; ++i) given.push_back(static_cast<float>(wave(i / 44100.0)));
  auto out = Resample({given.data(), given.size()}, 44100, 16000);
  ASSERT_TRUE(out.ok());
  for (size_t i = 1000; i < 15000; ++i)
    ASSERT_NEAR((*out)[i], wave(static_cast<double>(i) / 16000), 1e-3) << i;
  EXPECT_EQ(Resample({given.data(), 5}, 16000, 16000)->size(), 5u);
  EXPECT_TRUE(Resample({}, 44100, 16000)->empty());
  EXPECT_EQ(Resample({}, 44100, 999).status().code(), StatusCode::kInvalidArgument);
}

// Whisper's features by their definition, transforms term by term, in double precision.
std::vector<float> FeaturesByDefinition(const std::vector<float>& audio, int bands, int frames) {
  constexpr int kLength = 400, kBins = 201;
  const int count = frames * 160;
  const auto sample = [&](int i) {
    const int mirrored = i < 0 ? -i : i >= count ? 2 * count - 2 - i : i;
    return mirrored < static_cast<int>(audio.size())
               ? static_cast<double>(audio[static_cast<size_t>(mirrored)])
               : 0.0;
  };
  const auto hertz_of = [&](int corner) {
    const double highest = 15 + 27 * std::log(8.0) / std::log(6.4), mel = highest * corner / (bands + 1);
    return mel < 15 ? mel * 200 / 3 : 1000 * std::pow(6.4, (mel - 15) / 27);
  };
  std::vector<double> logs(static_cast<size_t>(bands) * static_cast<size_t>(frames));
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<double> power;
    for (int bin = 0; bin < kBins; ++bin) {
      std::complex<double> sum = 0;
      for (int i = 0; i < kLength; ++i)
        sum += sample(frame * 160 - 200 + i) * (0.5 - 0.5 * std::cos(2 * kPi * i / kLength)) *
               std::polar(1.0, -2 * kPi * (bin * i % kLength) / kLength);
      power.push_back(std::norm(sum));
    }
    for (int band = 0; band < bands; ++band) {
      const double low = hertz_of(band), middle = hertz_of(band + 1), high = hertz_of(band + 2);
      double sum = 0;
      for (int bin = 0; bin < kBins; ++bin) {
        const double hertz = bin * 40.0;
        const double height =
            hertz < middle ? (hertz - low) / (middle - low) : (high - hertz) / (high - middle);
        sum += std::max(0.0, height) * 2 / (high - low) * power[static_cast<size_t>(bin)];
      }
      logs[static_cast<size_t>(band * frames + frame)] = std::log10(std::max(sum, 1e-10));
    }
  }
  const double greatest = *std::max_element(logs.begin(), logs.end());
  std::vector<float> out;
  for (const double value : logs) out.push_back(static_cast<float>((std::max(value, greatest - 8) + 4) / 4));
  return out;
}

TEST(Resampler, GivesPartsOfTheWhole) {
  std::vector<float> given(3000);
  testing::Random(7).Fill(given, -1, 1);
  for (const auto& [from, to] : {std::pair(44100, 16000), std::pair(8000, 16000), std::pair(16000, 16000)}) {
    const Span<const float> samples(given.data(), given.size());
    auto whole = Resample(samples, from, to);
    ASSERT_TRUE(whole.ok()) << whole.status().message();
    ASSERT_EQ(whole->size(), static_cast<size_t>(ResampledCount(given.size(), from, to)));
    const std::vector<float> part = ResampleRange(samples, from, to, 500, 100);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole->begin() + 500)) << from;
    EXPECT_EQ(part.size(), 100u);
  }
}

TEST(LogMel, IsAsItIsDefined) {
  testing::Random random(3);
  std::vector<float> audio;
  for (int i = 0; i < 9000; ++i)
    audio.push_back(static_cast<float>(0.4 * std::sin(i * 0.05 + 2 * std::sin(i * 0.0009))) +
                    random.Float(-0.01f, 0.01f));
  for (const int bands : {80, 128}) {
    for (const int frames : {64, 51}) {
      LogMel mel(bands, frames);
      const size_t used = std::min(audio.size(), mel.samples());
      std::vector<float> found(mel.elements());
      mel.Compute({audio.data(), used}, found.data());
      const std::vector<float> given(audio.begin(), audio.begin() + static_cast<ptrdiff_t>(used));
      EXPECT_THAT(found, testing::EachNear(FeaturesByDefinition(given, bands, frames), 1e-5f))
          << bands << " " << frames;
    }
  }
  LogMel mel(80, 10);
  std::vector<float> silence(mel.elements());
  mel.Compute({}, silence.data());
  EXPECT_THAT(silence, ::testing::Each(-1.5f));
}

}  // namespace
}  // namespace micrort::text
