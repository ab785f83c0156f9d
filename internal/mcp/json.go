package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Integers up to safeInteger are exact in every client; encoding/json's numbers are those of float64 in most languages.
const safeInteger = 1<<53 - 1

// maxNumbers is the length from which a list of numbers, such as an embedding, is left out.
const maxNumbers = 64

// decode reads JSON with the literals of its numbers.
func decode(raw []byte, value any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(value); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON")
	}
	return nil
}

// encode writes JSON with sorted members, without escapes for HTML.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// jsonSize is the length of a value as JSON, in bytes.
func jsonSize(value any) int {
	text, err := encode(value)
	if err != nil {
		return 0
	}
	return len(text)
}

// readable returns a value of an answer as a model reads it: integers that are not exact in every client as tagged ones, and long lists of
// numbers left out and counted.
func readable(value any, omitted *int) any {
	switch v := value.(type) {
	case json.Number:
		return readableNumber(v)
	case []any:
		if len(v) > maxNumbers && areNumbers(v) {
			*omitted++
			return map[string]any{"$omitted": strconv.Itoa(len(v)) + " numbers"}
		}
		for i := range v {
			v[i] = readable(v[i], omitted)
		}
	case map[string]any:
		for name := range v {
			v[name] = readable(v[name], omitted)
		}
	}
	return value
}

func readableNumber(v json.Number) any {
	if strings.ContainsAny(v.String(), ".eE") {
		return v
	}
	if n, err := v.Int64(); err == nil && -safeInteger <= n && n <= safeInteger {
		return v
	}
	return map[string]any{"$type": "Integer", "_value": v.String()}
}

// areNumbers reports whether all elements are numbers, tagged ones included.
func areNumbers(list []any) bool {
	for _, element := range list {
		switch e := element.(type) {
		case json.Number:
		case map[string]any:
			if kind := e["$type"]; kind != "Integer" && kind != "Float" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
