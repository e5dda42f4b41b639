#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tactus::bench {

/// A table of measurements: columns with units, rows of numbers and words. One table, five forms: aligned text, CSV, JSON,
/// HTML, Markdown.
///
///     Table table("growth", "Growth of time with n", {{"method"}, {"exponent"}, {"time", "us"}});
///     table.AddRow({"reduced", 0.53, 7.1});
class Table {
 public:
  struct Column {
    std::string name;
    std::string unit = "";  ///< empty: a pure number, or words
    int digits = 3;         ///< significant digits of a real number, in text and HTML; CSV and JSON keep all
  };
  /// Empty (not measured), a count, a real number, or words.
  class Cell {
   public:
    Cell() = default;
    Cell(int count) : kind_(Kind::kCount), count_(count) {}
    Cell(std::int64_t count) : kind_(Kind::kCount), count_(count) {}
    Cell(std::size_t count) : kind_(Kind::kCount), count_(static_cast<std::int64_t>(count)) {}
    Cell(double number) : kind_(Kind::kNumber), number_(number) {}
    Cell(const char* words) : kind_(Kind::kWords), words_(words) {}
    Cell(std::string words) : kind_(Kind::kWords), words_(std::move(words)) {}

    bool is_words() const { return kind_ == Kind::kWords; }
    /// For people; nothing measured is "-".
    std::string Text(int digits) const;
    /// For programs; nothing measured, and what is not finite, is empty.
    std::string Csv() const;
    nlohmann::ordered_json Json() const;

   private:
    enum class Kind : std::uint8_t { kNothing, kCount, kNumber, kWords };
    Kind kind_ = Kind::kNothing;
    std::int64_t count_ = 0;
    double number_ = 0;
    std::string words_;
  };

  /// @param name  [a-z0-9_-], part of the CSV file's name
  Table(std::string name, std::string title, std::vector<Column> columns);

  /// @param row  as many cells as there are columns
  void AddRow(std::vector<Cell> row);
  void SetTitle(std::string title) { title_ = std::move(title); }
  /// Long: it is left out of what is printed, not of the files.
  void LeaveOutOfPrint() { printed_ = false; }

  const std::string& name() const { return name_; }
  const std::string& title() const { return title_; }
  std::size_t rows() const { return rows_.size(); }
  bool is_printed() const { return printed_; }

  std::string Text() const;
  std::string Csv() const;
  /// {"title", "columns": [{"name", "unit"}], "rows": [{column name: value}]}
  nlohmann::ordered_json Json() const;
  std::string Html() const;
  /// Its title, and a table as docs/ has them.
  std::string Markdown() const;

 private:
  static std::string Heading(const Column& column);
  bool IsWords(std::size_t column) const;

  std::string name_, title_;
  bool printed_ = true;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// `text` with &, <, > and quotes written so that HTML and SVG show them.
std::string EscapeMarkup(const std::string& text);

}  // namespace tactus::bench
