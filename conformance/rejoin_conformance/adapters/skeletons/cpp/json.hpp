// The part of JSON that the adapter protocol uses: no fractions. It has no dependency. If your port
// already has a JSON library, use that library instead.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace json {

class Value;
using List = std::vector<Value>;
using Object = std::map<std::string, Value>;

// A value of JSON. Asking for another kind than it has gives an empty one.
class Value {
 public:
  Value() = default;
  Value(bool value) : held_(value) {}
  Value(int value) : held_(std::int64_t{value}) {}
  Value(std::int64_t value) : held_(value) {}
  Value(const char* text) : held_(std::string(text)) {}
  Value(std::string text) : held_(std::move(text)) {}
  Value(List items) : held_(std::move(items)) {}
  Value(Object fields) : held_(std::move(fields)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(held_); }
  std::int64_t integer() const { return as<std::int64_t>(); }
  const std::string& string() const { return as<std::string>(); }
  const List& items() const { return as<List>(); }
  const Object& fields() const { return as<Object>(); }

  // Returns a field of an object, or null if there is none.
  const Value& operator[](const std::string& name) const {
    static const Value null;
    const auto found = fields().find(name);
    return found == fields().end() ? null : found->second;
  }

  void write(std::string& out) const;

 private:
  template <class Kind>
  const Kind& as() const {
    static const Kind none{};
    const Kind* found = std::get_if<Kind>(&held_);
    return found ? *found : none;
  }

  std::variant<std::monostate, bool, std::int64_t, std::string, List, Object> held_;
};

inline void write_text(std::string& out, const std::string& text) {
  static const char digits[] = "0123456789abcdef";
  out += '"';
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      if (each == '"' || each == '\\') out += '\\';
      out += each;
    }
  }
  out += '"';
}

inline void Value::write(std::string& out) const {
  const char* before = "";
  if (is_null()) {
    out += "null";
  } else if (const bool* value = std::get_if<bool>(&held_)) {
    out += *value ? "true" : "false";
  } else if (std::holds_alternative<std::int64_t>(held_)) {
    out += std::to_string(integer());
  } else if (std::holds_alternative<std::string>(held_)) {
    write_text(out, string());
  } else if (std::holds_alternative<List>(held_)) {
    out += '[';
    for (const Value& item : items()) {
      out += std::exchange(before, ",");
      item.write(out);
    }
    out += ']';
  } else {
    out += '{';
    for (const auto& [name, value] : fields()) {
      out += std::exchange(before, ",");
      write_text(out, name);
      out += ':';
      value.write(out);
    }
    out += '}';
  }
}

inline std::string to_text(const Value& value) {
  std::string out;
  value.write(out);
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  // Returns the only value of the text.
  Value whole() {
    Value value = read(0);
    if (next() != end) fail("something follows the value");
    return value;
  }

 private:
  static constexpr int end = -1;
  static constexpr int deepest = 1000;  // lists and objects in one another

  [[noreturn]] void fail(const char* what) const {
    throw std::runtime_error(std::string(what) + " at byte " + std::to_string(place_));
  }

  // Returns the next byte that is not white space, without consuming it.
  int next() {
    place_ = std::min(text_.find_first_not_of(" \t\r\n", place_), text_.size());
    return place_ == text_.size() ? end : static_cast<unsigned char>(text_[place_]);
  }

  // Consumes a byte if it is the next one.
  bool skip(char byte) {
    const bool found = next() == static_cast<unsigned char>(byte);
    place_ += found;
    return found;
  }

  void require(char byte, const char* fault) {
    if (!skip(byte)) fail(fault);
  }

  Value read(int depth) {
    if (depth > deepest) fail("nested too deeply");
    if (skip('[')) return list(depth);
    if (skip('{')) return object(depth);
    if (next() == '"') return string();
    const std::size_t stop = std::min(text_.find_first_of(",]} \t\r\n", place_), text_.size());
    const std::string word(text_.substr(place_, stop - place_));
    place_ = stop;
    if (word == "null") return {};
    if (word == "true") return true;
    if (word == "false") return false;
    char* rest = nullptr;
    const std::int64_t number = std::strtoll(word.c_str(), &rest, 10);  // or the nearest of 64 bits
    if (word.empty() || *rest != '\0') fail("no value");
    return number;
  }

  Value list(int depth) {
    List items;
    if (skip(']')) return items;
    do items.push_back(read(depth + 1));
    while (skip(','));
    require(']', "no comma");
    return items;
  }

  Value object(int depth) {
    Object fields;
    if (skip('}')) return fields;
    do {
      if (next() != '"') fail("no name of a field");
      std::string name = string();
      require(':', "no colon");
      fields.insert_or_assign(std::move(name), read(depth + 1));
    } while (skip(','));
    require('}', "no comma");
    return fields;
  }

  std::string string() {
    std::string out;
    ++place_;
    while (place_ < text_.size()) {
      const char each = text_[place_++];
      if (each == '"') return out;
      if (each != '\\') {
        out += each;
        continue;
      }
      if (place_ == text_.size()) break;
      const char escape = text_[place_++];
      const std::string_view from = "bfnrt\"\\/", to = "\b\f\n\r\t\"\\/";
      if (escape == 'u') {
        append_utf8(out, code_point());
      } else if (const std::size_t at = from.find(escape); at != from.npos) {
        out += to[at];
      } else {
        fail("an unknown escape in the text");
      }
    }
    fail("a text without end");
  }

  // Returns the code point of an escape; U+FFFD for half of a surrogate pair.
  unsigned code_point() {
    const unsigned first = unit();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first < 0xdc00 && text_.substr(place_, 2) == "\\u") {
      const std::size_t back = place_;
      place_ += 2;
      const unsigned second = unit();
      if (second >= 0xdc00 && second <= 0xdfff)
        return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
      place_ = back;
    }
    return 0xfffd;
  }

  unsigned unit() {
    unsigned value = 0;
    for (int count = 0; count < 4; ++count) {
      const char digit = place_ < text_.size() ? text_[place_++] : '?';
      const std::size_t at = std::string_view("0123456789abcdefABCDEF").find(digit);
      if (at == std::string_view::npos) fail("no four hex digits in the text");
      value = value * 16 + static_cast<unsigned>(at < 16 ? at : at - 6);
    }
    return value;
  }

  static void append_utf8(std::string& out, unsigned point) {
    const auto byte = [&out](unsigned value) { out += static_cast<char>(value); };
    if (point < 0x80) {
      byte(point);
      return;
    }
    if (point < 0x800) {
      byte(0xc0 | point >> 6);
    } else {
      if (point < 0x10000) {
        byte(0xe0 | point >> 12);
      } else {
        byte(0xf0 | point >> 18);
        byte(0x80 | (point >> 12 & 63));
      }
      byte(0x80 | (point >> 6 & 63));
    }
    byte(0x80 | (point & 63));
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

// Returns the value of a text that holds exactly one value. Throws std::runtime_error.
inline Value parse(std::string_view text) { return Parser(text).whole(); }

}  // namespace json
