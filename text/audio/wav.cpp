// WAV files: a list of chunks, of which "fmt " describes the samples and "data" holds them.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "micrort/text/audio.h"
#include "text/files/read_file.h"

namespace micrort::text {
namespace {

constexpr size_t kRiffHeader = 12, kChunkHeader = 8, kFormatBytes = 16, kExtensibleBytes = 40;
constexpr size_t kExtensibleTag = 24;  // where an extensible format has the tag of its samples
constexpr size_t kMostBytes = size_t{1} << 31;
constexpr uint32_t kMostChannels = 64;

enum WavTag : uint32_t { kPcm = 1, kFloat = 3, kExtensible = 0xFFFE };

struct WavFormat {
  uint32_t tag = 0, channels = 0, rate = 0, bits = 0;
  size_t sample_bytes() const { return bits / 8; }
  size_t frame_bytes() const { return channels * sample_bytes(); }
};

uint64_t Number(const uint8_t* at, size_t size) {
  uint64_t v = 0;
  for (size_t i = 0; i < size; ++i) v |= static_cast<uint64_t>(at[i]) << (8 * i);
  return v;
}

uint32_t Number32(const uint8_t* at, size_t size) { return static_cast<uint32_t>(Number(at, size)); }

bool HasAt(Span<const uint8_t> bytes, size_t at, const char* name) {
  const size_t size = std::strlen(name);
  return bytes.size() >= at + size && std::memcmp(bytes.data() + at, name, size) == 0;
}

// The name of another format, or null.
const char* OtherFormat(Span<const uint8_t> bytes) {
  const struct {
    size_t at;
    const char* bytes;
    const char* name;
  } kFormats[] = {{0, "ID3", "an MP3 file"},
                  {0, "\xFF\xFB", "an MP3 file"},
                  {0, "\xFF\xF3", "an MP3 file"},
                  {0, "\xFF\xF2", "an MP3 file"},
                  {0, "fLaC", "a FLAC file"},
                  {0, "OggS", "an Ogg file"},
                  {4, "ftyp", "an MP4 file"},
                  {0, "\x1A\x45\xDF\xA3", "a Matroska or WebM file"},
                  {0, "RF64", "a WAV file of 64 bits"},
                  {0, "FORM", "an AIFF file"}};
  for (const auto& format : kFormats)
    if (HasAt(bytes, format.at, format.bytes)) return format.name;
  return nullptr;
}

Status Malformed(const char* why) { return MICRORT_ERROR(kInvalidModel, "expected a WAV file: %s", why); }

Status CheckBegin(Span<const uint8_t> bytes) {
  if (HasAt(bytes, 0, "RIFF") && HasAt(bytes, 8, "WAVE")) return Status();
  const char* other = OtherFormat(bytes);
  if (other == nullptr) return Malformed("it does not begin as one");
  return MICRORT_ERROR(kInvalidModel,
                       "expected a WAV file, found %s; `ffmpeg -i FILE -ar 16000 -ac 1 OUT.wav` converts it",
                       other);
}

Status ReadFormat(const uint8_t* chunk, size_t size, WavFormat* format) {
  if (size < kFormatBytes) return Malformed("its format is cut short");
  format->tag = Number32(chunk, 2);
  format->channels = Number32(chunk + 2, 2);
  format->rate = Number32(chunk + 4, 4);
  format->bits = Number32(chunk + 14, 2);
  if (format->tag == kExtensible && size >= kExtensibleBytes)
    format->tag = Number32(chunk + kExtensibleTag, 2);
  const bool is_pcm = format->tag == kPcm &&
                      (format->bits == 8 || format->bits == 16 || format->bits == 24 || format->bits == 32);
  const bool is_float = format->tag == kFloat && (format->bits == 32 || format->bits == 64);
  if (!is_pcm && !is_float)
    return MICRORT_ERROR(
        kUnsupported,
        "expected samples of 8, 16, 24 or 32 bits, or floats of 32 or 64, found format %u of "
        "%u bits",
        format->tag, format->bits);
  if (format->channels == 0 || format->channels > kMostChannels)
    return MICRORT_ERROR(kUnsupported, "expected 1 to %u channels, found %u", kMostChannels,
                         format->channels);
  if (format->rate < kLeastSampleRate || format->rate > kMostSampleRate)
    return MICRORT_ERROR(kUnsupported, "expected %d to %d samples a second, found %u", kLeastSampleRate,
                         kMostSampleRate, format->rate);
  if (Number(chunk + 12, 2) != format->frame_bytes())
    return Malformed("the bytes of a sample are not those of its channels");
  return Status();
}

// One sample of one channel.
double SampleAt(const WavFormat& format, const uint8_t* at) {
  if (format.tag == kFloat && format.bits == 32) {
    float v = 0;
    std::memcpy(&v, at, sizeof v);
    return static_cast<double>(v);
  }
  if (format.tag == kFloat) {
    double v = 0;
    std::memcpy(&v, at, sizeof v);
    return v;
  }
  if (format.bits == 8) return (static_cast<int>(*at) - 128) / 128.0;
  // The sign is in the highest bit of 32.
  const uint32_t high = Number32(at, format.sample_bytes()) << (32 - format.bits);
  return static_cast<double>(static_cast<int32_t>(high)) / 2147483648.0;
}

Status ReadSamples(const WavFormat& format, const uint8_t* data, size_t size, std::vector<float>* samples) {
  const size_t frames = size / format.frame_bytes();
  if (frames == 0) return Malformed("it has no samples");
  samples->reserve(frames);
  for (size_t i = 0; i < frames; ++i) {
    double sum = 0;
    for (size_t c = 0; c < format.channels; ++c)
      sum += SampleAt(format, data + i * format.frame_bytes() + c * format.sample_bytes());
    const auto mean = static_cast<float>(sum / format.channels);
    if (!std::isfinite(mean)) return Malformed("a sample is no finite number");
    samples->push_back(mean);
  }
  return Status();
}

}  // namespace

Result<Audio> ParseWav(Span<const uint8_t> bytes) {
  MICRORT_RETURN_IF_ERROR(CheckBegin(bytes));
  WavFormat format;
  for (size_t at = kRiffHeader; at + kChunkHeader <= bytes.size();) {
    const size_t begin = at + kChunkHeader;
    // Programs that write to a pipe do not know the size.
    const size_t size = std::min<size_t>(Number32(bytes.data() + at + 4, 4), bytes.size() - begin);
    if (HasAt(bytes, at, "fmt ")) {
      MICRORT_RETURN_IF_ERROR(ReadFormat(bytes.data() + begin, size, &format));
    } else if (HasAt(bytes, at, "data")) {
      if (format.channels == 0) return Malformed("its samples come before their format");
      Audio audio;
      audio.rate = static_cast<int>(format.rate);
      MICRORT_RETURN_IF_ERROR(ReadSamples(format, bytes.data() + begin, size, &audio.samples));
      return audio;
    }
    at = begin + size + size % 2;
  }
  return Malformed("it has no samples");
}

Result<Audio> ReadWav(const std::string& path) {
  std::string bytes;
  MICRORT_RETURN_IF_ERROR(ReadWholeFile(path, kMostBytes, &bytes));
  auto audio = ParseWav({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!audio.ok()) return audio.status().WithPrefix("%s", path.c_str());
  return audio;
}

}  // namespace micrort::text
