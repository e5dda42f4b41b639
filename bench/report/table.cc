#include "bench/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tactus/core/check.h"

namespace tactus::bench {

std::string Table::Cell::Text(int digits) const {
  switch (kind_) {
    case Kind::kNothing: return "-";
    case Kind::kCount: return std::to_string(count_);
    case Kind::kNumber: break;
    case Kind::kWords: return words_;
  }
  const double size = std::abs(number_), whole = std::pow(10.0, digits);
  return size >= whole && size < 1e7 ? fmt::format("{:.0f}", number_) : fmt::format("{:.{}g}", number_, digits);
}

std::string Table::Cell::Csv() const {
  switch (kind_) {
    case Kind::kNothing: return "";
    case Kind::kCount: return std::to_string(count_);
    case Kind::kNumber: return std::isfinite(number_) ? fmt::format("{}", number_) : "";
    case Kind::kWords: break;
  }
  if (words_.find_first_of(",\"\n") == std::string::npos) return words_;
  std::string quoted = "\"";
  for (const char c : words_) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

nlohmann::ordered_json Table::Cell::Json() const {
  switch (kind_) {
    case Kind::kNothing: return nullptr;
    case Kind::kCount: return count_;
    case Kind::kNumber: return std::isfinite(number_) ? nlohmann::ordered_json(number_) : nlohmann::ordered_json(nullptr);
    case Kind::kWords: break;
  }
  return words_;
}

Table::Table(std::string name, std::string title, std::vector<Column> columns)
    : name_(std::move(name)), title_(std::move(title)), columns_(std::move(columns)) {}

void Table::AddRow(std::vector<Cell> row) {
  TACTUS_CHECK(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::Heading(const Column& column) {
  return column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit);
}

bool Table::IsWords(std::size_t column) const {
  return std::any_of(rows_.begin(), rows_.end(), [=](const std::vector<Cell>& row) { return row[column].is_words(); });
}

std::string Table::Text() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : columns_) lines[0].push_back(Heading(column));
  for (const std::vector<Cell>& row : rows_) {
    std::vector<std::string>& line = lines.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) line.push_back(row[c].Text(columns_[c].digits));
  }
  std::string text = title_ + "\n";
  for (const std::vector<std::string>& line : lines) {
    std::string out;
    for (std::size_t c = 0; c < line.size(); ++c) {
      std::size_t width = 0;
      for (const std::vector<std::string>& other : lines) width = std::max(width, other[c].size());
      out += IsWords(c) ? fmt::format("  {:<{}}", line[c], width) : fmt::format("  {:>{}}", line[c], width);
    }
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string Table::Csv() const {
  std::string csv;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::string heading = columns_[c].unit.empty() ? columns_[c].name : columns_[c].name + "_" + columns_[c].unit;
    csv += (c == 0 ? "" : ",") + Cell(heading).Csv();
  }
  csv += "\n";
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) csv += (c == 0 ? "" : ",") + row[c].Csv();
    csv += "\n";
  }
  return csv;
}

nlohmann::ordered_json Table::Json() const {
  nlohmann::ordered_json json{
      {"title", title_}, {"columns", nlohmann::ordered_json::array()}, {"rows", nlohmann::ordered_json::array()}};
  for (const Column& column : columns_) json["columns"].push_back({{"name", column.name}, {"unit", column.unit}});
  for (const std::vector<Cell>& row : rows_) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c) object[columns_[c].name] = row[c].Json();
    json["rows"].push_back(object);
  }
  return json;
}

std::string Table::Html() const {
  std::string html = fmt::format("<h3>{}</h3>\n<div class=\"wide\"><table>\n<tr>", EscapeMarkup(title_));
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    html += fmt::format("<th{}>{}</th>", IsWords(c) ? " class=\"words\"" : "", EscapeMarkup(Heading(columns_[c])));
  }
  html += "</tr>\n";
  for (const std::vector<Cell>& row : rows_) {
    html += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      html +=
          fmt::format("<td{}>{}</td>", IsWords(c) ? " class=\"words\"" : "", EscapeMarkup(row[c].Text(columns_[c].digits)));
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string Table::Markdown() const {
  std::string text = title_ + "\n\n|", rule = "|";
  for (const Column& column : columns_) {
    text += fmt::format(" {} |", Heading(column));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const std::vector<Cell>& row : rows_) {
    text += "|";
    for (std::size_t c = 0; c < row.size(); ++c) text += fmt::format(" {} |", row[c].Text(columns_[c].digits));
    text += "\n";
  }
  return text;
}

std::string EscapeMarkup(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

}  // namespace tactus::bench
