#include "host_tools/scene/set_value.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

/// One part of a path: a key, and of a list the item's number or its name.
struct Step {
  std::string key;
  std::optional<std::string> item;
};

/// Puts one value into a table; each member takes one step on the way to it.
class Setter {
 public:
  explicit Setter(std::string assignment) : assignment_(std::move(assignment)) {
    const std::size_t equals = assignment_.find('=');
    if (equals == std::string::npos) Fail("has no '=': write --set table.key=value");
    ReadPath(assignment_.substr(0, equals));
    value_ = assignment_.substr(equals + 1);
    if (value_.empty()) Fail("has no value behind the '='");
  }

  void Run(toml::table* scene) {
    toml::table* table = scene;
    for (std::size_t i = 0; i + 1 < steps_.size(); ++i) table = Enter(table, steps_[i]);
    const Step& last = steps_.back();
    toml::table made = Parse();
    if (!last.item) return Put(made, [&](auto&& value) { table->insert_or_assign(last.key, std::move(value)); });
    toml::array& list = ListOf(table, last);
    const std::size_t number = NumberOf(list, last);
    if (list.get(number)->is_table()) Fail(fmt::format("{}[{}] is a table: name a key of it", last.key, *last.item));
    Put(made, [&](auto&& value) { list.replace(list.cbegin() + static_cast<std::ptrdiff_t>(number), std::move(value)); });
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw HostError(fmt::format("{}{}: {}", kSetPrefix, assignment_, what));
  }

  void ReadPath(const std::string& path) {
    for (std::size_t start = 0; start <= path.size();) {
      const std::size_t end = std::min(path.find('.', start), path.size());
      std::string key = path.substr(start, end - start);
      Step step;
      if (const std::size_t bracket = key.find('['); bracket != std::string::npos) {
        if (!key.ends_with(']') || key.size() < bracket + 3) Fail(fmt::format("'{}' is no item: write bodies[0]", key));
        step.item = key.substr(bracket + 1, key.size() - bracket - 2);
        key.resize(bracket);
      }
      if (key.empty()) Fail("has no key: write --set table.key=value");
      step.key = key;
      steps_.push_back(step);
      start = end + 1;
    }
  }

  toml::table* Enter(toml::table* table, const Step& step) const {
    if (step.item) {
      toml::array& list = ListOf(table, step);
      toml::node* const item = list.get(NumberOf(list, step));
      if (!item->is_table()) Fail(fmt::format("{}[{}] is no table", step.key, *step.item));
      return item->as_table();
    }
    if (table->get(step.key) == nullptr) {
      toml::table none = toml::parse("value = {}", Source());
      table->insert(step.key, std::move(*none["value"].as_table()));
    }
    toml::node* const node = table->get(step.key);
    if (node->is_array()) Fail(fmt::format("{} is a list: write {}[0], or an item's name", step.key, step.key));
    if (!node->is_table()) Fail(fmt::format("{} is no table", step.key));
    return node->as_table();
  }

  toml::array& ListOf(toml::table* table, const Step& step) const {
    toml::node* const node = table->get(step.key);
    if (node == nullptr) Fail(fmt::format("the scene has no {}", step.key));
    if (!node->is_array()) Fail(fmt::format("{} is no list", step.key));
    return *node->as_array();
  }

  /// Of an item by its number or its name.
  std::size_t NumberOf(const toml::array& list, const Step& step) const {
    const std::string& item = *step.item;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    const bool is_number = error == std::errc{} && end == item.data() + item.size();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const toml::table* const table = list.get(i)->as_table();
      const std::string name = table == nullptr ? "" : (*table)["name"].value_or(std::string());
      if (!is_number && name == item) return i;
      if (!name.empty()) names.push_back(name);
    }
    if (is_number && number < list.size()) return number;
    if (is_number) Fail(fmt::format("{} has {} items, and the first is [0]", step.key, list.size()));
    Fail(fmt::format("{} has no item \"{}\"; named are: {}", step.key, item,
                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }

  std::string Source() const { return std::string(kSetPrefix) + assignment_; }

  /// The value as TOML reads it; what it does not read is a text.
  toml::table Parse() const {
    try {
      toml::table made = toml::parse("value = " + value_, Source());
      if (made.size() == 1) return made;
    } catch (const toml::parse_error&) {  // a text without quotes
    }
    const bool plain =
        std::all_of(value_.begin(), value_.end(), [](char c) { return c >= ' ' && c != '\'' && c != '\x7f'; });
    if (!plain) Fail("the value is none of TOML's");
    try {
      return toml::parse("value = '" + value_ + "'", Source());
    } catch (const toml::parse_error&) {
      Fail("the value is none of TOML's");
    }
  }

  template <class Place>
  static void Put(toml::table& made, Place place) {
    made.get("value")->visit([&](auto& value) { place(std::move(value)); });
  }

  std::string assignment_, value_;
  std::vector<Step> steps_;
};

}  // namespace

void SetValue(const std::string& assignment, toml::table* scene) { Setter(assignment).Run(scene); }

}  // namespace tactus::host
