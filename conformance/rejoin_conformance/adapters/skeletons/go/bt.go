package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
)

// Hex, typed values and bt-encoding: what a port of config merge needs besides its own code.

// Value is an int64, a []byte, a []Value or a Dict. In JSON it is one of {"int": "7"},
// {"str": "6869"} with bytes in hex, {"list": [value, ...]} and {"dict": [["6869", value], ...]}.
type Value any

// Dict maps keys, whose bytes are in a string, to values.
type Dict map[string]Value

const deepest = 100 // lists and dicts in one another (CM-BT-DEPTH)

func toHex(data []byte) string { return hex.EncodeToString(data) }

func fromHex(text string) ([]byte, error) { return hex.DecodeString(text) }

// fromJSON returns the value of a typed value in JSON. It refuses an integer of more than 64 bits,
// depth, and a dict with a key twice. The depth of the outermost value is 1.
func fromJSON(typed json.RawMessage, depth int) (Value, error) {
	var value struct {
		Int  *string
		Str  *string
		List []json.RawMessage
		Dict [][2]json.RawMessage
	}
	if err := json.Unmarshal(typed, &value); err != nil {
		return nil, err
	}
	switch {
	case value.Int != nil:
		number, err := strconv.ParseInt(*value.Int, 10, 64)
		if err != nil {
			return nil, rejected("the integer " + *value.Int + " does not fit into 64 bits")
		}
		return number, nil
	case value.Str != nil:
		return fromHex(*value.Str)
	case depth > deepest:
		return nil, rejected(fmt.Sprintf("more than %d lists and dicts in one another", deepest))
	case value.List != nil:
		items := []Value{}
		for _, each := range value.List {
			item, err := fromJSON(each, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		return items, nil
	}
	fields := Dict{}
	for _, pair := range value.Dict {
		var name string
		if err := json.Unmarshal(pair[0], &name); err != nil {
			return nil, err
		}
		key, err := fromHex(name)
		if err != nil {
			return nil, err
		}
		if _, twice := fields[string(key)]; twice {
			return nil, rejected("the key " + name + " occurs twice")
		}
		if fields[string(key)], err = fromJSON(pair[1], depth+1); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// toJSON returns a value as a typed value in JSON, with the keys of dicts in order.
func toJSON(value Value) any {
	switch value := value.(type) {
	case int64:
		return object{"int": strconv.FormatInt(value, 10)}
	case []byte:
		return object{"str": toHex(value)}
	case []Value:
		items := []any{}
		for _, item := range value {
			items = append(items, toJSON(item))
		}
		return object{"list": items}
	default:
		pairs, fields := []any{}, value.(Dict)
		for _, key := range sortedKeys(fields) {
			pairs = append(pairs, []any{toHex([]byte(key)), toJSON(fields[key])})
		}
		return object{"dict": pairs}
	}
}

// encode returns the bt-encoding of a value.
func encode(value Value) []byte {
	var out bytes.Buffer
	write(&out, value)
	return out.Bytes()
}

func write(out *bytes.Buffer, value Value) {
	switch value := value.(type) {
	case int64:
		fmt.Fprintf(out, "i%de", value)
	case []byte:
		fmt.Fprintf(out, "%d:%s", len(value), value)
	case []Value:
		out.WriteByte('l')
		for _, item := range value {
			write(out, item)
		}
		out.WriteByte('e')
	case Dict:
		out.WriteByte('d')
		for _, key := range sortedKeys(value) {
			write(out, []byte(key))
			write(out, value[key])
		}
		out.WriteByte('e')
	}
}

func sortedKeys(fields Dict) []string {
	keys := []string{}
	for key := range fields {
		keys = append(keys, key)
	}
	sort.Strings(keys) // Go compares strings as bytes.
	return keys
}
