// Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.
//
// In JSON, a value is one of {"int": "7"}, {"str": "6869"} with bytes in hex, {"list": [value, ...]}
// and {"dict": [["6869", value], ...]}. Bytes are a std::string.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "json.hpp"

// The protocol refuses the input.
struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace bt {

// Compares keys as sequences of unsigned bytes.
struct ByBytes {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto less = [](char x, char y) {
      return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
    };
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), less);
  }
};

struct Value;
using List = std::vector<Value>;
using Dict = std::map<std::string, Value, ByBytes>;

struct Value {
  std::variant<std::int64_t, std::string, List, Dict> held;
};

constexpr int deepest = 100;  // lists and dicts in one another (CM-BT-DEPTH)

// Returns bytes as lower-case hex.
inline std::string to_hex(const std::string& bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string hex;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

// Returns the bytes that hex stands for.
inline std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    unsigned char byte = 0;
    const char* pair_end = hex.data() + std::min(at + 2, hex.size());
    const auto read = std::from_chars(hex.data() + at, pair_end, byte, 16);
    if (read.ptr != hex.data() + at + 2) throw std::runtime_error("not hex: " + hex);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// Returns the value of a typed value in JSON. It rejects an integer of more than 64 bits, depth, and a
// dict with a key twice.
inline Value from_json(const json::Value& typed, int depth = 1) {
  if (typed.fields().empty()) throw std::runtime_error("not a typed value");
  const auto& [kind, content] = *typed.fields().begin();
  if (kind == "int") {
    const std::string& digits = content.string();
    std::int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc{})
      throw Rejected("the integer " + digits + " does not fit into 64 bits");
    return {number};
  }
  if (kind == "str") return {from_hex(content.string())};
  if (depth > deepest) throw Rejected("too many lists and dicts in one another");
  if (kind == "list") {
    List items;
    for (const json::Value& item : content.items()) items.push_back(from_json(item, depth + 1));
    return {std::move(items)};
  }
  Dict fields;
  for (const json::Value& pair : content.items()) {
    const std::string& name = pair.items().at(0).string();
    Value item = from_json(pair.items().at(1), depth + 1);
    if (!fields.emplace(from_hex(name), std::move(item)).second)
      throw Rejected("the key " + name + " occurs twice");
  }
  return {std::move(fields)};
}

// Returns a value as a typed value in JSON.
inline json::Value to_json(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value.held))
    return json::Object{{"int", std::to_string(*number)}};
  if (const auto* bytes = std::get_if<std::string>(&value.held))
    return json::Object{{"str", to_hex(*bytes)}};
  json::List parts;
  if (const auto* items = std::get_if<List>(&value.held)) {
    for (const Value& item : *items) parts.push_back(to_json(item));
    return json::Object{{"list", std::move(parts)}};
  }
  for (const auto& [key, item] : std::get<Dict>(value.held))
    parts.push_back(json::List{to_hex(key), to_json(item)});
  return json::Object{{"dict", std::move(parts)}};
}

// Returns the bt-encoding of a value.
inline std::string encode(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value.held))
    return "i" + std::to_string(*number) + "e";
  if (const auto* bytes = std::get_if<std::string>(&value.held))
    return std::to_string(bytes->size()) + ":" + *bytes;
  std::string out;
  if (const auto* items = std::get_if<List>(&value.held)) {
    for (const Value& item : *items) out += encode(item);
    return "l" + out + "e";
  }
  for (const auto& [key, item] : std::get<Dict>(value.held))
    out += encode(Value{key}) + encode(item);
  return "d" + out + "e";
}

}  // namespace bt
