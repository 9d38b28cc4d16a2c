#include "tests/text/corpus.h"

#include <iterator>
#include <random>

namespace micrort::test {
namespace {

using Random = std::minstd_rand;

template <size_t N>
const char* PickOne(const char* const (&from)[N], Random& random) {
  return from[random() % N];
}

// Words are made of these: the last ones are rare.
const char* const kLatin[] = {"the", "ing", "er", "qu", "ck",        "tion",      "re", "un", "st",
                              "a",   "o",   "é",  "ü",  "ñ",         "ça",        "ø",  "ß",  "ž",
                              "ő",   "İ",   "ﬁ",  "Ǆ",  "e\xCC\x81", "n\xCC\x83", "ẍ",  "ſ"};
const char* const kCyrillic[] = {"пр", "и", "вет", "ст", "ов", "ая", "Ж", "ё", "й", "Щ", "ї", "и\xCC\x86"};
const char* const kGreek[] = {"κα", "λη", "μέ", "ρα", "Σ", "ς", "ώ", "ΐ"};
const char* const kSemitic[] = {"ال", "سلا", "م", "عل", "ي", "שׁ", "לו", "ם", "ّ", "٣", "ﷺ"};
const char* const kIndic[] = {"नम", "स्ते", "कि", "ता", "ब", "ক্ষ", "தமி", "ழ்", "ไท", "ย", "ภาษา", "กำ", "१२"};
const char* const kHan[] = {"你好", "世界", "中", "国", "機械", "学習",    "㐀",
                            "𠀀",   "，",   "。", "「", "」",   "你们好吗"};
const char* const kKana[] = {"こん", "にち",           "は", "カタ", "カナ", "ー",
                             "が",   "か\xE3\x82\x99", "ｶﾞ", "ｱ",    "①",    "㍿"};
const char* const kHangul[] = {"안녕", "하세", "요", "한", "국", "어", "각", "\xE1\x84\x80\xE1\x85\xA1"};
const char* const kEmoji[] = {
    "😀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪",     "❤️", "🏳️‍🌈",
    "✨", "☃",        "🤷🏾‍♀️",         "1️⃣"};
const char* const kCode[] = {"def f(x):",
                             "return x**2",
                             "for (int i = 0; i < n; ++i) {",
                             "}",
                             "std::vector<int>",
                             "#include <>",
                             "{\"a\": 1}",
                             "0x7fFF",
                             "!=",
                             "=>",
                             "it's",
                             "we'LL",
                             "I'm don't",
                             "a_b",
                             "camelCase",
                             "1234567",
                             "3.14e-10",
                             "\\n",
                             "%d",
                             "https://x.y/z?q=1&r=2#f"};
const char* const kOdd[] = {
    "\t", "  ", "\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B", "\xE2\x80\x89", "\r", "...",        "—",
    "½",  "Ⅷ",  "ﬀ",        "\xEF\xBF\xBD", "\xEF\xBB\xBF", "\x01",         "™",  "２０２４年", "\xC2\xAD",
    "µ",  "Å"};

template <size_t N>
std::string Word(const char* const (&syllables)[N], Random& random) {
  std::string word;
  const size_t length = 1 + random() % 4;
  for (size_t i = 0; i < length; ++i) word += syllables[random() % (random() % 3 == 0 ? N : (N + 1) / 2)];
  return word;
}

std::string LatinWord(Random& random) {
  std::string word = Word(kLatin, random);
  if (random() % 6 == 0 && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
  if (random() % 8 == 0) word += ",.!?;:"[random() % 6];
  return word;
}

std::string MixedWord(Random& random) {
  switch (random() % 16) {
    case 0:
      return Word(kCyrillic, random);
    case 1:
      return Word(kGreek, random);
    case 2:
      return Word(kSemitic, random);
    case 3:
      return Word(kIndic, random);
    case 4:
      return Word(kHan, random);
    case 5:
      return Word(kKana, random);
    case 6:
      return Word(kHangul, random);
    case 7:
      return PickOne(kEmoji, random);
    case 8:
    case 9:
      return PickOne(kCode, random);
    case 10:
      return PickOne(kOdd, random);
    case 11:
      return std::to_string(random() % 100000);
    default:
      return LatinWord(random);
  }
}

}  // namespace

std::vector<std::string> MixedLines(size_t count, unsigned seed) {
  Random random(seed);
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    std::string line;
    const size_t words = random() % 14;
    for (size_t w = 0; w < words; ++w) {
      line += MixedWord(random);
      if (random() % 8 != 0) line += ' ';
      if (random() % 20 == 0) line += ' ';
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace micrort::test
