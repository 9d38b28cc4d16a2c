#include "text/unicode/classes.h"

#include <utf8proc.h>

#include <cstring>

namespace micrort::text {
namespace {

constexpr CategorySet Bit(int category) { return CategorySet{1} << category; }
constexpr CategorySet kLetter = Bit(UTF8PROC_CATEGORY_LU) | Bit(UTF8PROC_CATEGORY_LL) |
                                Bit(UTF8PROC_CATEGORY_LT) | Bit(UTF8PROC_CATEGORY_LM) |
                                Bit(UTF8PROC_CATEGORY_LO);
constexpr CategorySet kMark =
    Bit(UTF8PROC_CATEGORY_MN) | Bit(UTF8PROC_CATEGORY_MC) | Bit(UTF8PROC_CATEGORY_ME);
constexpr CategorySet kNumber =
    Bit(UTF8PROC_CATEGORY_ND) | Bit(UTF8PROC_CATEGORY_NL) | Bit(UTF8PROC_CATEGORY_NO);
constexpr CategorySet kPunctuation = Bit(UTF8PROC_CATEGORY_PC) | Bit(UTF8PROC_CATEGORY_PD) |
                                     Bit(UTF8PROC_CATEGORY_PS) | Bit(UTF8PROC_CATEGORY_PE) |
                                     Bit(UTF8PROC_CATEGORY_PI) | Bit(UTF8PROC_CATEGORY_PF) |
                                     Bit(UTF8PROC_CATEGORY_PO);
constexpr CategorySet kSymbol = Bit(UTF8PROC_CATEGORY_SM) | Bit(UTF8PROC_CATEGORY_SC) |
                                Bit(UTF8PROC_CATEGORY_SK) | Bit(UTF8PROC_CATEGORY_SO);
constexpr CategorySet kSeparator =
    Bit(UTF8PROC_CATEGORY_ZS) | Bit(UTF8PROC_CATEGORY_ZL) | Bit(UTF8PROC_CATEGORY_ZP);
constexpr CategorySet kOther = Bit(UTF8PROC_CATEGORY_CC) | Bit(UTF8PROC_CATEGORY_CF) |
                               Bit(UTF8PROC_CATEGORY_CS) | Bit(UTF8PROC_CATEGORY_CO) |
                               Bit(UTF8PROC_CATEGORY_CN);

struct NamedCategories {
  const char* name;
  CategorySet categories;
};
constexpr NamedCategories kNames[] = {
    {"L", kLetter},
    {"Letter", kLetter},
    {"Lu", Bit(UTF8PROC_CATEGORY_LU)},
    {"Ll", Bit(UTF8PROC_CATEGORY_LL)},
    {"Lt", Bit(UTF8PROC_CATEGORY_LT)},
    {"Lm", Bit(UTF8PROC_CATEGORY_LM)},
    {"Lo", Bit(UTF8PROC_CATEGORY_LO)},
    {"M", kMark},
    {"Mark", kMark},
    {"Mn", Bit(UTF8PROC_CATEGORY_MN)},
    {"Mc", Bit(UTF8PROC_CATEGORY_MC)},
    {"Me", Bit(UTF8PROC_CATEGORY_ME)},
    {"N", kNumber},
    {"Number", kNumber},
    {"Nd", Bit(UTF8PROC_CATEGORY_ND)},
    {"Nl", Bit(UTF8PROC_CATEGORY_NL)},
    {"No", Bit(UTF8PROC_CATEGORY_NO)},
    {"P", kPunctuation},
    {"Punctuation", kPunctuation},
    {"Pc", Bit(UTF8PROC_CATEGORY_PC)},
    {"Pd", Bit(UTF8PROC_CATEGORY_PD)},
    {"Ps", Bit(UTF8PROC_CATEGORY_PS)},
    {"Pe", Bit(UTF8PROC_CATEGORY_PE)},
    {"Pi", Bit(UTF8PROC_CATEGORY_PI)},
    {"Pf", Bit(UTF8PROC_CATEGORY_PF)},
    {"Po", Bit(UTF8PROC_CATEGORY_PO)},
    {"S", kSymbol},
    {"Symbol", kSymbol},
    {"Sm", Bit(UTF8PROC_CATEGORY_SM)},
    {"Sc", Bit(UTF8PROC_CATEGORY_SC)},
    {"Sk", Bit(UTF8PROC_CATEGORY_SK)},
    {"So", Bit(UTF8PROC_CATEGORY_SO)},
    {"Z", kSeparator},
    {"Separator", kSeparator},
    {"Zs", Bit(UTF8PROC_CATEGORY_ZS)},
    {"Zl", Bit(UTF8PROC_CATEGORY_ZL)},
    {"Zp", Bit(UTF8PROC_CATEGORY_ZP)},
    {"C", kOther},
    {"Other", kOther},
    {"Cc", Bit(UTF8PROC_CATEGORY_CC)},
    {"Cf", Bit(UTF8PROC_CATEGORY_CF)},
    {"Co", Bit(UTF8PROC_CATEGORY_CO)},
    {"Cn", Bit(UTF8PROC_CATEGORY_CN)},
};

bool IsIn(char32_t c, CategorySet categories) { return (CategoryOf(c) & categories) != 0; }

bool IsBetween(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

}  // namespace

CategorySet CategoryOf(char32_t c) { return Bit(utf8proc_category(static_cast<utf8proc_int32_t>(c))); }

CategorySet CategoriesOfName(const char* name) {
  for (const NamedCategories& named : kNames) {
    if (std::strcmp(named.name, name) == 0) return named.categories;
  }
  return 0;
}

bool IsWhiteSpace(char32_t c) { return IsBetween(c, 9, 13) || c == 0x85 || IsIn(c, kSeparator); }

bool IsWord(char32_t c) {
  constexpr CategorySet kWord =
      kLetter | kMark | Bit(UTF8PROC_CATEGORY_ND) | Bit(UTF8PROC_CATEGORY_NL) | Bit(UTF8PROC_CATEGORY_PC);
  // Circled and squared letters are Other_Alphabetic, though symbols.
  const bool is_enclosed_letter = IsBetween(c, 0x24B6, 0x24E9) || IsBetween(c, 0x1F130, 0x1F149) ||
                                  IsBetween(c, 0x1F150, 0x1F169) || IsBetween(c, 0x1F170, 0x1F189);
  return IsIn(c, kWord) || is_enclosed_letter;
}

bool IsWordOrJoiner(char32_t c) { return IsWord(c) || IsBetween(c, 0x200C, 0x200D); }

bool IsNumeric(char32_t c) { return IsIn(c, kNumber); }

bool IsPunctuation(char32_t c) {
  const bool is_ascii_symbol =
      IsBetween(c, '!', '/') || IsBetween(c, ':', '@') || IsBetween(c, '[', '`') || IsBetween(c, '{', '~');
  return is_ascii_symbol || IsIn(c, kPunctuation);
}

bool IsControl(char32_t c) {
  constexpr CategorySet kControl = kOther & ~Bit(UTF8PROC_CATEGORY_CN);
  return c != '\t' && c != '\n' && c != '\r' && IsIn(c, kControl);
}

bool IsCjkIdeograph(char32_t c) {
  return IsBetween(c, 0x4E00, 0x9FFF) || IsBetween(c, 0x3400, 0x4DBF) || IsBetween(c, 0x20000, 0x2A6DF) ||
         IsBetween(c, 0x2A700, 0x2B73F) || IsBetween(c, 0x2B740, 0x2B81F) || IsBetween(c, 0x2B920, 0x2CEAF) ||
         IsBetween(c, 0xF900, 0xFAFF) || IsBetween(c, 0x2F800, 0x2FA1F);
}

char32_t ToLowerSimple(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

char32_t FoldCase(char32_t c) {
  constexpr int kMost = 4;
  utf8proc_int32_t folded[kMost];
  int last_boundclass = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), folded, kMost,
                                                         UTF8PROC_CASEFOLD, &last_boundclass);
  return count == 1 ? static_cast<char32_t>(folded[0]) : c;
}

}  // namespace micrort::text
