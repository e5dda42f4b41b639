#include "host_tools/solve/json_shape.h"

#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <set>
#include <vector>

namespace tactus::host {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxShownBytes = 160;  // keeps an error on one screen line or two
constexpr std::size_t kMaxShownDigits = 40;  // twice what a double needs
constexpr int kMaxDepth = 64;                // a problem has 4

bool IsNonFiniteToken(const std::string& token) {
  char* end = nullptr;
  const double value = std::strtod(token.c_str(), &end);
  return !token.empty() && *end == '\0' && !std::isfinite(value);
}

// Whether printing `value` is short: a number, a word, or a small array of those.
bool IsSmall(const json& value, int depth = 0) {
  if (!value.is_structured()) return true;
  if (!value.is_array() || value.size() > 6 || depth > 1) return false;
  for (const json& item : value) {
    if (!IsSmall(item, depth + 1)) return false;
  }
  return true;
}

// Does not cut a UTF-8 character in two.
std::string Shorten(const std::string& text, std::size_t most = kMaxShownBytes) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most) + "...";
}

// Calls `token(begin, end)` for every run of number or word characters outside strings, `bracket(+1 | -1)` for brackets.
template <class OnToken, class OnBracket>
void Scan(std::string_view text, const OnToken& token, const OnBracket& bracket) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
    } else if (c == '[' || c == '{') {
      bracket(+1);
    } else if (c == ']' || c == '}') {
      bracket(-1);
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+') {
      const std::size_t begin = i;
      while (i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '-' || text[i] == '+' || text[i] == '.'))
        ++i;
      token(begin, i--);
    }
  }
}

int Depth(std::string_view text) {
  int depth = 0, deepest = 0;
  Scan(
      text, [](std::size_t, std::size_t) {},
      [&](int change) {
        depth += change;
        deepest = depth > deepest ? depth : deepest;
      });
  return deepest;
}

std::string QuoteNonFinite(std::string_view text) {
  std::string quoted;
  std::size_t copied = 0;
  Scan(
      text,
      [&](std::size_t begin, std::size_t end) {
        const std::string token(text.substr(begin, end - begin));
        if (!IsNonFiniteToken(token)) return;
        quoted.append(text.substr(copied, begin - copied)).append("\"" + token + "\"");
        copied = end;
      },
      [](int) {});
  return quoted.append(text.substr(copied));
}

// Sees every key while the text is parsed, and keeps the first that its object had before.
class DuplicateFinder {
 public:
  bool operator()(int, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) {
      open_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open_.pop_back();
    } else if (event == json::parse_event_t::key && found_.empty()) {
      const bool is_new = open_.back().insert(parsed.get_ref<const std::string&>()).second;
      if (!is_new) found_ = Shorten(parsed.get<std::string>());
    }
    return true;
  }
  DuplicateFinder& Restart() { return *this = {}; }
  const std::string& found() const { return found_; }

 private:
  std::vector<std::set<std::string>> open_;  // the keys of the objects that have begun, the outermost first
  std::string found_;
};

// "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error ..." -> "column 9: syntax error ..."
std::string Reason(const json::exception& error) {
  const std::string text = error.what();
  const std::size_t column = text.find("column ");
  const std::size_t bracket = text.find("] ");
  if (column != std::string::npos) return Shorten(text.substr(column));
  return Shorten(bracket == std::string::npos ? text : text.substr(bracket + 2));
}

}  // namespace

std::string Place::Text() const {
  std::string text;
  const auto append_index = [&text](int i) {
    if (i >= 0) text.append("[").append(std::to_string(i)).append("]");
  };
  if (list != nullptr) text.append(list);
  append_index(index);
  if (field != nullptr) text.append(text.empty() ? "" : ".").append(field);
  append_index(row);
  append_index(column);
  return text.empty() ? "problem" : text;
}

std::string Show(const json& value) {
  if (value.is_object()) return "an object";
  if (!IsSmall(value)) return "an array of " + std::to_string(value.size());
  if (value.is_string() && IsNonFiniteToken(value.get_ref<const std::string&>())) {
    return Shorten(value.get_ref<const std::string&>(), kMaxShownDigits);
  }
  return Shorten(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

const json* Optional(const json& object, const Place& place) {
  const json::const_iterator found = object.find(place.field);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const json& Required(const json& object, const Place& place) {
  const json* value = Optional(object, place);
  if (value == nullptr) throw ShapeError(place, "is missing");
  return *value;
}

double ReadNumber(const json& value, const Place& place) {
  if (!value.is_number()) throw ShapeError(place, "must be a finite number, is " + Show(value));
  return value.get<double>();
}

int ReadInteger(const json& value, const Place& place) {
  const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (std::nearbyint(number) != number) throw ShapeError(place, "must be an integer, is " + Show(value));
  if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max()) {
    throw ShapeError(place, "must be an integer of 32 bits, is " + Show(value));
  }
  return static_cast<int>(number);
}

const json& ReadArray(const json& value, const Place& place) {
  if (!value.is_array()) throw ShapeError(place, "must be an array, is " + Show(value));
  return value;
}

const json& ReadObject(const json& value, const Place& place) {
  if (!value.is_object()) throw ShapeError(place, "must be an object, is " + Show(value));
  return value;
}

json ParseJson(std::string_view line) {
  if (Depth(line) > kMaxDepth) throw std::invalid_argument("nested deeper than " + std::to_string(kMaxDepth) + " levels");
  DuplicateFinder duplicates;
  json value = json::parse(line, std::ref(duplicates), false);
  try {
    if (value.is_discarded()) value = json::parse(QuoteNonFinite(line), std::ref(duplicates.Restart()));
    if (!duplicates.found().empty()) throw std::invalid_argument(duplicates.found() + ": appears twice in one object");
    return value;
  } catch (const json::exception& error) {
    throw std::invalid_argument("not JSON: " + Reason(error));
  }
}

}  // namespace tactus::host
