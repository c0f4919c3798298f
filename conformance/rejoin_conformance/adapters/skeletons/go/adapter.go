// A Rejoin adapter: it answers requests, one JSON object on each line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// rejected is the error for input that the protocol refuses.
type rejected string

func (reason rejected) Error() string { return string(reason) }

// ---- Fill in here ------------------------------------------------------------------------------
// Write one function for each operation. It takes the input and the requested reading, and returns
// the output. It returns the error rejected for input that the protocol refuses. The functions
// below are examples: replace them with your own code.

var operations = map[string]func(input json.RawMessage, reading string) (any, error){
	"config-merge/encode":                     encodeValue,
	"conflict-detection/classify-version-map": classifyVersionMap,
}

func encodeValue(input json.RawMessage, _ string) (any, error) {
	var asked struct{ Value json.RawMessage }
	if err := json.Unmarshal(input, &asked); err != nil {
		return nil, err
	}
	value, err := fromJSON(asked.Value, 1)
	if err != nil {
		return nil, err
	}
	return map[string]string{"encoded": toHex(encode(value))}, nil
}

// integer is an integer in JSON. One of more than 64 bits becomes the nearest of 64 bits.
type integer int64

func (value *integer) UnmarshalJSON(text []byte) error {
	number, err := strconv.ParseInt(string(text), 10, 64)
	*value = integer(number)
	if errors.Is(err, strconv.ErrRange) {
		return nil
	}
	return err
}

func classifyVersionMap(input json.RawMessage, _ string) (any, error) {
	var value struct{ Local, Remote map[string]integer }
	if err := json.Unmarshal(input, &value); err != nil {
		return nil, err
	}
	ours, theirs := false, false
	for _, maps := range [][2]map[string]integer{{value.Local, value.Remote}, {value.Remote, value.Local}} {
		for nickname, number := range maps[0] {
			if nickname == "" || strings.ContainsAny(nickname, ",/\x00") {
				return nil, rejected(fmt.Sprintf("%q is not a nickname", nickname))
			}
			if number < 0 || number >= 1<<53 {
				return nil, rejected(fmt.Sprintf("%d is not a version number", number))
			}
			ours = ours || value.Local[nickname] > value.Remote[nickname]
			theirs = theirs || value.Local[nickname] < value.Remote[nickname]
		}
	}
	classification := "same"
	switch {
	case value.Local == nil:
		classification = "overwrite"
	case ours && theirs:
		classification = "conflict"
	case ours:
		classification = "stale"
	case theirs:
		classification = "overwrite"
	}
	return map[string]string{"classification": classification}, nil
}

// ------------------------------------------------------------------------------------------------

type object map[string]any

func hello() object {
	names := []string{}
	for name := range operations {
		names = append(names, name)
	}
	sort.Strings(names) // Every process must send the same hello.
	return object{
		"type": "hello", "protocol": 1, "name": "my-port", "version": "0.1.0", "language": "Go",
		"operations":    names,
		"max_in_flight": 64, // Requests that wait count as late: declare 1 if some take seconds.
		"readings":      object{"config-merge": "document", "conflict-detection": "repaired"},
		"without":       object{}, // Operation -> features that your code does not have: docs/adapter-protocol.md
	}
}

type request struct {
	Type      string
	ID        int64
	Operation string
	Reading   string
	Input     json.RawMessage
}

func answer(asked request) (reply object) {
	defer func() {
		if fault := recover(); fault != nil {
			reply = object{"id": asked.ID, "error": object{"message": fmt.Sprint(fault)}}
		}
	}()
	perform, found := operations[asked.Operation]
	if !found {
		return object{"id": asked.ID, "error": object{"message": "unsupported operation"}}
	}
	output, err := perform(asked.Input, asked.Reading)
	if reason, refused := err.(rejected); refused {
		return object{"id": asked.ID, "rejected": object{"reason": string(reason)}}
	} else if err != nil { // A bug is not a rejection.
		return object{"id": asked.ID, "error": object{"message": err.Error()}}
	}
	return object{"id": asked.ID, "output": output}
}

// Answer each line as soon as it arrives. End at bye or at the end of the input. Standard output has
// no buffer here, so there is nothing to flush.
func main() {
	lines := bufio.NewReader(os.Stdin)
	replies := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			fmt.Fprintln(os.Stderr, "not a request:", err)
			os.Exit(1)
		}
		switch asked.Type {
		case "bye":
			return
		case "hello":
			err = replies.Encode(hello())
		default:
			err = replies.Encode(answer(asked))
		}
		if err != nil {
			return
		}
	}
}
