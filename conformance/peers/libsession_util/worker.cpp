// Asks libsession-util's config messages one question per line, for libsession_adapter.py.
//
// A question is the name of an operation and its arguments, separated by spaces: bytes as hex after
// an "x", integers in decimal, "-" for an argument that is not given. The answer is one line:
// "output JSON", "rejected REASON" or "error REASON".

#define SESSION_TESTING_EXPOSE_INTERNALS

#include <oxenc/bt_serialize.h>
#include <oxenc/hex.h>
#include <sodium/core.h>
#include <sodium/crypto_sign_ed25519.h>

#include <iostream>
#include <limits>
#include <session/config.hpp>
#include <session/config/encrypt.hpp>
#include <sstream>

#include "guard.hpp"

using namespace session::config;
using session::ustring;
using session::ustring_view;
using Arguments = std::vector<std::string>;

namespace {

// The protocol refuses the input.
struct rejection : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const std::string SMALLEST_ROWS = "1:<le1:=";

size_t guarded = 0;

// arguments

ustring_view as_unsigned(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}
std::string_view as_chars(ustring_view bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
std::string bytes_of(const std::string& argument) {
    return oxenc::from_hex(std::string_view{argument}.substr(1));
}
std::optional<std::string> optional_bytes(const std::string& argument) {
    if (argument == "-")
        return std::nullopt;
    return bytes_of(argument);
}
std::string hex(std::string_view bytes) {
    return '"' + oxenc::to_hex(bytes.begin(), bytes.end()) + '"';
}

ConfigMessage::verify_callable verifier_of(const std::string& argument) {
    auto key = optional_bytes(argument);
    if (!key)
        return nullptr;
    return [key = *key](ustring_view data, ustring_view signature) {
        return 0 == crypto_sign_ed25519_verify_detached(
                            signature.data(), data.data(), data.size(), as_unsigned(key).data());
    };
}
ConfigMessage::sign_callable signer_of(const std::string& argument) {
    auto seed = optional_bytes(argument);
    if (!seed)
        return nullptr;
    std::array<unsigned char, 32> pubkey;
    std::array<unsigned char, 64> secret;
    crypto_sign_ed25519_seed_keypair(pubkey.data(), secret.data(), as_unsigned(*seed).data());
    return [secret](ustring_view data) {
        ustring signature(64, 0);
        crypto_sign_ed25519_detached(
                signature.data(), nullptr, data.data(), data.size(), secret.data());
        return signature;
    };
}

void guard(std::string_view message, int window) {
    if (is_hazard(message, window)) {
        ++guarded;
        throw rejection{"guarded: the library must not see this message"};
    }
}

// data and messages

std::string message_with(const std::string& seqno, const std::string& data, const std::string& diff) {
    auto message = "d1:#i" + seqno + "e1:&" + data + SMALLEST_ROWS + diff + "e";
    guard(message, ConfigMessage::DEFAULT_DIFF_LAGS);
    return message;
}
ConfigMessage parsed(const std::string& message) {
    return ConfigMessage{as_unsigned(message)};
}
std::string encoded(const dict& data) {
    return oxenc::bt_serialize(data);
}

// New data as a user gives it: the library has an interface for them, but no parser.
void read_data(set& into, oxenc::bt_list_consumer in) {
    while (!in.is_finished()) {
        scalar value;
        if (in.is_integer())
            value = in.consume_integer<int64_t>();
        else if (in.is_string())
            value = in.consume_string();
        else
            throw rejection{"a set with a list or dict"};
        if (!into.empty() && value <= *into.rbegin())
            throw rejection{"an unsorted set"};
        into.insert(into.end(), std::move(value));
    }
}
void read_data(dict& into, oxenc::bt_dict_consumer in) {
    while (!in.is_finished()) {
        std::string key{in.key()};
        if (!into.empty() && key <= into.rbegin()->first)
            throw rejection{"unsorted keys"};
        auto& value = into[key];
        if (in.is_integer())
            value = in.consume_integer<int64_t>();
        else if (in.is_string())
            value = in.consume_string();
        else if (in.is_dict())
            read_data(std::get<dict>(value = dict{}), in.consume_dict_consumer());
        else
            read_data(std::get<set>(value = set{}), in.consume_list_consumer());
    }
}

// operations

std::string parse(const Arguments& given) {
    auto bytes = bytes_of(given.at(0));
    int window = std::stoi(given.at(1));
    guard(bytes, window);
    ConfigMessage message{as_unsigned(bytes), verifier_of(given.at(2)), nullptr, window};
    std::string rows;
    for (auto& [rank, diff] : message.lagged_diffs_) {
        auto& [seqno, hash] = rank;
        rows += (rows.empty() ? "" : ",") + ("{\"seqno\":\"" + std::to_string(seqno)) +
                "\",\"hash\":" + hex(as_chars({hash.data(), hash.size()})) +
                ",\"diff\":" + hex(oxenc::bt_serialize(diff)) + "}";
    }
    auto& hash = message.hash();
    return "{\"seqno\":\"" + std::to_string(message.seqno()) +
           "\",\"hash\":" + hex(as_chars({hash.data(), hash.size()})) +
           ",\"data\":" + hex(encoded(message.data())) +
           ",\"diff\":" + hex(oxenc::bt_serialize(message.diff())) + ",\"lagged\":[" + rows + "]}";
}

std::string diff(const Arguments& given) {
    auto old = parsed(message_with("1", bytes_of(given.at(0)), "de"));
    auto changed = parsed(message_with("1", bytes_of(given.at(1)), "de"));
    auto message = old.increment();
    message.data() = changed.data();
    return "{\"diff\":" + hex(oxenc::bt_serialize(message.diff())) + "}";
}

// The merge of two messages: the higher one has the data and changes nothing, and the lower one has
// the source and the diff.
std::string apply_diff(const Arguments& given) {
    auto data = message_with("2", bytes_of(given.at(0)), "de");
    auto change = message_with("1", bytes_of(given.at(2)), bytes_of(given.at(1)));
    parsed(data), parsed(change);  // raises an error if one of them is not valid
    ConfigMessage merged{std::vector{as_unsigned(data), as_unsigned(change)}};
    return "{\"data\":" + hex(encoded(merged.data())) + "}";
}

// The messages that the library may see, with their places among all.
struct Messages {
    std::vector<std::string> bytes;
    std::vector<ustring_view> views;
    std::vector<size_t> places;
    std::set<size_t> ignored;

    Messages(const Arguments& given, size_t from, int window) {
        for (size_t i = from; i < given.size(); i++)
            bytes.push_back(bytes_of(given[i]));
        for (size_t i = 0; i < bytes.size(); i++) {
            if (is_hazard(bytes[i], window)) {
                ++guarded;
                ignored.insert(i);
            } else {
                views.push_back(as_unsigned(bytes[i]));
                places.push_back(i);
            }
        }
    }
};

// Adds the messages that the library ignored, which it does not say, and returns the places of the
// valid messages. Both are worked out from what the library parsed.
std::map<seqno_hash_t, size_t> add_redundant(
        Messages& messages, const std::string& verify_key, int window) {
    std::vector<std::pair<size_t, ConfigMessage>> valid;
    for (size_t i = 0; i < messages.views.size(); i++)
        if (!messages.ignored.count(messages.places[i]))
            valid.emplace_back(
                    messages.places[i],
                    ConfigMessage{messages.views[i], verifier_of(verify_key), nullptr, window});
    auto largest = std::numeric_limits<int64_t>::min();
    std::set<seqno_hash_t> rows;
    for (auto& [place, message] : valid) {
        largest = std::max(largest, message.seqno());
        for (auto& [rank, diff] : message.lagged_diffs_)
            rows.insert(rank);
    }
    std::map<seqno_hash_t, size_t> places;
    for (auto& [place, message] : valid) {
        bool repeated = !places.emplace(message.seqno_hash_, place).second;
        if (repeated || rows.count(message.seqno_hash_) || message.seqno() + window <= largest)
            messages.ignored.insert(place);
    }
    return places;
}

std::string resolve(const Arguments& given) {
    int window = std::stoi(given.at(0));
    Messages messages{given, 3, window};
    ConfigMessage found{
            messages.views,
            verifier_of(given.at(2)),
            signer_of(given.at(1)),
            window,
            [&](size_t i, const config_error&) { messages.ignored.insert(messages.places[i]); }};
    auto places = add_redundant(messages, given.at(2), window);
    auto survivors = messages.bytes.size() - messages.ignored.size();
    bool may_merge = given.at(2) == "-" || given.at(1) != "-";
    if (found.merged() != (survivors > 1 && may_merge))
        throw std::logic_error{"the messages that are ignored do not fit the result"};
    std::string ignored;
    for (auto place : messages.ignored)
        ignored += (ignored.empty() ? "" : ",") + ("{\"index\":" + std::to_string(place)) + "}";
    // By its hash: `unmerged_index` counts the valid messages only (CM-E69).
    auto result = found.merged() ? std::string{as_chars(found.serialize())}
                                 : messages.bytes[places.at(found.seqno_hash_)];
    return "{\"message\":" + hex(result) + ",\"merged\":" + (found.merged() ? "true" : "false") +
           ",\"ignored\":[" + ignored + "]}";
}

std::string update(const Arguments& given) {
    int window = std::stoi(given.at(0));
    auto verifier = verifier_of(given.at(2));
    auto signer = signer_of(given.at(1));
    if (verifier && !signer)  // as ConfigBase::is_readonly
        throw rejection{"a read-only config"};
    auto new_data = bytes_of(given.at(3));
    if (levels_of(new_data) > MOST_LEVELS) {
        ++guarded;
        throw rejection{"guarded: data of too many levels"};
    }
    dict data;
    read_data(data, oxenc::bt_dict_consumer{new_data});
    auto serialized = [&](MutableConfigMessage&& message) {
        message.data() = std::move(data);
        return "{\"message\":" + hex(as_chars(message.serialize())) + "}";
    };
    Messages messages{given, 4, window};
    if (messages.bytes.empty()) {  // as a new ConfigBase
        ConfigMessage none;
        none.lag = window;
        none.signer = signer;
        return serialized(none.increment());
    }
    return serialized(MutableConfigMessage{messages.views, verifier, signer, window});
}

std::string sign(const Arguments& given) {
    auto bytes = bytes_of(given.at(0));
    int window = std::stoi(given.at(1));
    guard(bytes, window);
    ConfigMessage message{as_unsigned(bytes), nullptr, signer_of(given.at(2)), window};
    return "{\"message\":" + hex(as_chars(message.serialize())) + "}";
}

std::string verify(const Arguments& given) {
    auto bytes = bytes_of(given.at(0));
    int window = std::stoi(given.at(1));
    guard(bytes, window);
    ConfigMessage{as_unsigned(bytes), nullptr, nullptr, window};
    try {
        ConfigMessage{as_unsigned(bytes), verifier_of(given.at(2)), nullptr, window};
    } catch (const signature_error&) {
        return "{\"valid\":false}";
    }
    return "{\"valid\":true}";
}

std::string encrypt_or_decrypt(const Arguments& given, bool decrypting) {
    auto bytes = bytes_of(given.at(0)), key = bytes_of(given.at(1));
    auto domain = optional_bytes(given.at(2)).value_or("");
    auto done = decrypting ? decrypt(as_unsigned(bytes), as_unsigned(key), domain)
                           : encrypt(as_unsigned(bytes), as_unsigned(key), domain);
    return (decrypting ? "{\"plaintext\":" : "{\"ciphertext\":") + hex(as_chars(done)) + "}";
}

std::string answer(const std::string& operation, const Arguments& given) {
    if (operation == "version") return LIBSESSION_VERSION;
    if (operation == "parse") return parse(given);
    if (operation == "diff") return diff(given);
    if (operation == "apply-diff") return apply_diff(given);
    if (operation == "resolve") return resolve(given);
    if (operation == "update") return update(given);
    if (operation == "sign") return sign(given);
    if (operation == "verify") return verify(given);
    if (operation == "encrypt") return encrypt_or_decrypt(given, false);
    if (operation == "decrypt") return encrypt_or_decrypt(given, true);
    throw std::logic_error{"unknown operation"};
}

}  // namespace

int main() {
    if (sodium_init() < 0)
        return 1;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words{line};
        std::string operation;
        words >> operation;
        Arguments given{std::istream_iterator<std::string>{words}, {}};
        try {
            auto found = answer(operation, given);
            std::cout << "output " << found << std::endl;
        } catch (const std::logic_error& e) {
            bool refused = dynamic_cast<const std::invalid_argument*>(&e);
            std::cout << (refused ? "rejected " : "error ") << e.what() << std::endl;
        } catch (const std::exception& e) {
            std::cout << "rejected " << e.what() << std::endl;
        }
    }
    if (guarded)
        std::cerr << "guarded: " << guarded << " messages were kept from the library" << std::endl;
}
