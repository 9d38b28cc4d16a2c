#pragma once
// Properties of characters, by utf8proc's tables.

#include <cstdint>

namespace micrort::text {

// One bit a general category: 1 << UTF8PROC_CATEGORY_LU and so on.
using CategorySet = uint32_t;

CategorySet CategoryOf(char32_t c);
// The categories of a name in \p{...}: "L", "Lu", "Letter"; 0 for a name that is none.
CategorySet CategoriesOfName(const char* name);

bool IsWhiteSpace(char32_t c);    // Unicode's White_Space
bool IsWord(char32_t c);          // \w: letters, marks, numbers of letters, decimal digits, connectors
bool IsWordOrJoiner(char32_t c);  // \w of Unicode's recommendations: U+200C and U+200D, too
bool IsNumeric(char32_t c);       // N
bool IsPunctuation(char32_t c);   // P, and all of ASCII that is neither letter, digit, space nor control
bool IsControl(char32_t c);       // C, but for tab, line feed and carriage return
bool IsCjkIdeograph(char32_t c);
char32_t ToLowerSimple(char32_t c);
// One character for all that differ in case alone.
char32_t FoldCase(char32_t c);

}  // namespace micrort::text
