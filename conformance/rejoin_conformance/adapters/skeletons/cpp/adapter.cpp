// A Rejoin adapter: it answers requests, one JSON object on each line.

#include <iostream>
#include <map>
#include <string>

#include "bt.hpp"
#include "json.hpp"

// ---- Fill in here -------------------------------------------------------------------------------
// Write one function for each operation. It takes the input and the requested reading, and returns
// the output. It throws Rejected for input that the protocol refuses. The functions below are
// examples: replace them with your own code.

json::Value encode(const json::Value& input, const std::string& /*reading*/) {
  return json::Object{{"encoded", bt::to_hex(bt::encode(bt::from_json(input["value"])))}};
}

json::Value classify_version_map(const json::Value& input, const std::string& /*reading*/) {
  const json::Value &local = input["local"], &remote = input["remote"];
  bool ours = false, theirs = false;
  for (const json::Value* map : {&local, &remote}) {
    for (const auto& [nickname, number] : map->fields()) {
      if (nickname.empty() || nickname.find_first_of(std::string(",/\0", 3)) != nickname.npos)
        throw Rejected(json::to_text(nickname) + " is not a nickname");
      if (number.integer() < 0 || number.integer() >= std::int64_t{1} << 53)
        throw Rejected(json::to_text(number) + " is not a version number");
      ours |= local[nickname].integer() > remote[nickname].integer();
      theirs |= local[nickname].integer() < remote[nickname].integer();
    }
  }
  const char* classification = "same";
  if (local.is_null()) {
    classification = "overwrite";
  } else if (ours && theirs) {
    classification = "conflict";
  } else if (ours) {
    classification = "stale";
  } else if (theirs) {
    classification = "overwrite";
  }
  return json::Object{{"classification", classification}};
}

using Operation = json::Value (*)(const json::Value& input, const std::string& reading);

const std::map<std::string, Operation> operations = {
    {"config-merge/encode", encode},
    {"conflict-detection/classify-version-map", classify_version_map},
};
// -------------------------------------------------------------------------------------------------

json::Value hello() {
  json::List names;
  for (const auto& [name, operation] : operations) names.push_back(name);
  return json::Object{
      {"type", "hello"},
      {"protocol", 1},
      {"name", "my-port"},
      {"version", "0.1.0"},
      {"language", "C++"},
      {"operations", names},
      {"readings",
       json::Object{{"config-merge", "document"}, {"conflict-detection", "repaired"}}},
      {"max_in_flight", 64}, // Requests that wait count as late: declare 1 if some take seconds.
      // Operation -> features that your code does not have: docs/adapter-protocol.md
      {"without", json::Object{}},
  };
}

json::Value answer(const json::Value& request) {
  const auto reply = [&request](const char* kind, const json::Value& result) -> json::Value {
    return json::Object{{"id", request["id"]}, {kind, result}};
  };
  const auto found = operations.find(request["operation"].string());
  if (found == operations.end())
    return reply("error", json::Object{{"message", "unsupported operation"}});
  try {
    return reply("output", found->second(request["input"], request["reading"].string()));
  } catch (const Rejected& fault) {
    return reply("rejected", json::Object{{"reason", fault.what()}});
  } catch (const std::exception& fault) {  // A bug is not a rejection.
    return reply("error", json::Object{{"message", fault.what()}});
  }
}

// Answers each line as soon as it arrives. Ends at bye or at the end of the input.
int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const json::Value request = json::parse(line);
    const std::string& type = request["type"].string();
    if (type == "bye") break;
    std::cout << json::to_text(type == "hello" ? hello() : answer(request)) << std::endl;
  }
}
