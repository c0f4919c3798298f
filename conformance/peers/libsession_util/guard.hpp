// The guard: finds messages that hang or end libsession-util, or make it lose a whole merge.
//
// Both readings refuse such a message as one invalid message (CM-E60).
#pragma once

#include <oxenc/bt_serialize.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

// The library has no limit of levels and none of seqnos: it runs out of stack, or a seqno overflows.
inline constexpr int MOST_LEVELS = 64, MOST_LEVELS_OF_UNKNOWN = 99, MOST_LEVELS_AT_ALL = 6000;
inline constexpr int64_t LARGEST_SEQNO = int64_t{1} << 62;

// The largest number of open lists and dicts in a value. It stops where the value is malformed.
inline int levels_of(std::string_view value) {
    int open = 0, most = 0;
    for (size_t at = 0; at < value.size();) {
        char c = value[at];
        if (c == 'i') {
            at = value.find('e', at);
            if (at == value.npos)
                break;
            ++at;
        } else if (c == 'd' || c == 'l') {
            most = std::max(most, ++open);
            ++at;
        } else if (c == 'e') {
            --open;
            ++at;
        } else {
            size_t length = 0;
            for (; at < value.size() && value[at] >= '0' && value[at] <= '9'; ++at)
                if ((length = length * 10 + (value[at] - '0')) > value.size())
                    return most;
            at += 1 + length;  // the colon and the string
        }
    }
    return most;
}

// An integer in a diff makes the library loop for ever.
inline bool is_hazardous_diff(oxenc::bt_dict_consumer diff, int level = 1) {
    if (level > MOST_LEVELS)
        return true;
    while (!diff.is_finished()) {
        diff.key();
        if (diff.is_integer())
            return true;
        if (diff.is_dict()) {
            if (is_hazardous_diff(diff.consume_dict_consumer(), level + 1))
                return true;
        } else if (diff.is_string())
            diff.consume_string_view();
        else if (level + std::max(1, levels_of(diff.consume_list_data()) - 1) > MOST_LEVELS)
            return true;
    }
    return false;
}

inline bool is_hazardous_row(oxenc::bt_list_consumer row, int64_t oldest) {
    if (row.consume_integer<int64_t>() < oldest)
        return false;  // the library skips it
    row.consume_string_view();
    return is_hazardous_diff(row.consume_dict_consumer());
}

inline bool is_hazard(std::string_view message, int window) {
    if (message.size() < 2 || message.front() != 'd' || levels_of(message) > MOST_LEVELS_AT_ALL)
        return true;
    try {
        int64_t seqno = 0;
        for (oxenc::bt_dict_consumer dict{message}; !dict.is_finished();) {
            auto key = dict.key();
            if (dict.is_string()) {
                dict.consume_string_view();
            } else if (dict.is_integer()) {
                auto value = dict.consume_integer<int64_t>();
                if (key == "#")
                    seqno = value;
                if (key == "#" && (value >= LARGEST_SEQNO || value <= -LARGEST_SEQNO))
                    return true;
            } else if (key == "<" && dict.is_list()) {
                for (auto rows = dict.consume_list_consumer(); !rows.is_finished();)
                    if (is_hazardous_row(rows.consume_list_consumer(), seqno - window + 1))
                        return true;
            } else if (key == "=" && dict.is_dict()) {
                if (is_hazardous_diff(dict.consume_dict_consumer()))
                    return true;
            } else {
                auto most = key == "&" ? MOST_LEVELS : MOST_LEVELS_OF_UNKNOWN;
                auto value = dict.is_dict() ? dict.consume_dict_data() : dict.consume_list_data();
                if (levels_of(value) > most)
                    return true;
            }
        }
    } catch (const std::exception&) {
        // not well formed, and no hazard before that place: the library says so itself
    }
    return false;
}
