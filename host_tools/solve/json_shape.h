#pragma once
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace tactus::host {

/// Where a value stands in a problem: "contacts[3].normal[1]". The text is only made when something is wrong.
struct Place {
  const char* list = nullptr;
  int index = -1;
  const char* field = nullptr;
  int row = -1;
  int column = -1;

  std::string Text() const;
};

/// A value has the wrong shape; what() is "place: reason".
class ShapeError : public std::runtime_error {
 public:
  ShapeError(const Place& place, const std::string& reason) : std::runtime_error(place.Text() + ": " + reason) {}
};

/// A value in an error message: short, printable, NaN and the infinities without quotes.
std::string Show(const nlohmann::json& value);

/// The field `place.field` of `object`. Absent and null are the same. @throws ShapeError: it is absent.
const nlohmann::json& Required(const nlohmann::json& object, const Place& place);
/// The same. @returns nullptr: it is absent.
const nlohmann::json* Optional(const nlohmann::json& object, const Place& place);

/// The functions below throw ShapeError when `value` is something else.
double ReadNumber(const nlohmann::json& value, const Place& place);
int ReadInteger(const nlohmann::json& value, const Place& place);
const nlohmann::json& ReadArray(const nlohmann::json& value, const Place& place);
const nlohmann::json& ReadObject(const nlohmann::json& value, const Place& place);

/// Exactly `count` ≤ kSize numbers; the other entries are zero.
template <std::size_t kSize>
std::array<double, kSize> ReadNumbers(const nlohmann::json& value, std::size_t count, Place place) {
  if (!value.is_array() || value.size() != count) {
    throw ShapeError(place, "must be an array of " + std::to_string(count) + " numbers, is " + Show(value));
  }
  std::array<double, kSize> numbers{};
  int& position = place.row < 0 ? place.row : place.column;
  position = 0;
  for (std::size_t i = 0; i < count; ++i, ++position) numbers[i] = ReadNumber(value[i], place);
  return numbers;
}

/// Reads one line of JSON. NaN, Infinity and numbers beyond double (as Python and others write them) are taken as strings,
/// so that whoever reads the value can name the place. @throws std::invalid_argument: not JSON, nested too deep, or a key
/// twice in one object; and why.
nlohmann::json ParseJson(std::string_view line);

}  // namespace tactus::host
