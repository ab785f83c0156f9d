package graph

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// Limits bound the size of new data. They are checked on input only: data in the database is served whatever its size.
type Limits struct {
	List   int // elements of a list
	String int // bytes of a string or a byte array, also inside a list
	Keys   int // properties of one request
	Key    int // bytes of a property key
}

// DefaultLimits are the limits that apply unless the configuration sets others.
var DefaultLimits = Limits{List: 1000, String: 64 << 10, Keys: 256, Key: 255}

// MaxLabels is the maximum number of labels of a new node, its type among them.
const MaxLabels = 64

// Excess is a property that is well-formed but exceeds a size limit. Fault names the limit.
type Excess struct {
	Key   string
	Fault *fault.Error
}

// Oversize lists the properties that exceed a size limit, sorted by key. A create rejects them (Faults). An update accepts those
// whose value the entity already has (Keys goes into Change.Unchanged).
type Oversize []Excess

// Keys returns the keys of the properties; nil for none.
func (o Oversize) Keys() []string {
	if len(o) == 0 {
		return nil
	}
	keys := make([]string, len(o))
	for i, e := range o {
		keys[i] = e.Key
	}
	return keys
}

// Faults returns each reason once: too many keys is one fault, however many keys there are.
func (o Oversize) Faults() []*fault.Error {
	var faults []*fault.Error
	for i, e := range o {
		if i == 0 || e.Fault != o[i-1].Fault {
			faults = append(faults, e.Fault)
		}
	}
	return faults
}

// CheckProperties checks keys and values. A key is non-empty valid UTF-8 without NUL; a value is one of the closed set,
// within the range Neo4j stores, and a list contains values of one kind. Faults name "<field>.<key>" and are sorted by it.
// allowNil accepts nil, which removes a property in an update; a removal never exceeds a limit, so that every property in the
// database can be removed.
func CheckProperties(field string, p Properties, limits Limits, allowNil bool) (Oversize, []*fault.Error) {
	var over Oversize
	var faults []*fault.Error
	present := 0
	for key, v := range p {
		reason := keyProblem(key)
		if v != nil {
			present++
		}
		if reason == "" && (v != nil || !allowNil) {
			reason = valueProblem(v)
		}
		if reason != "" {
			faults = append(faults, fault.Invalid(FieldPath(field, key), "%s", reason))
			continue
		}
		if v == nil {
			continue
		}
		if f := overLimit(field, key, v, limits); f != nil {
			over = append(over, Excess{Key: key, Fault: f})
		}
	}
	if present > limits.Keys {
		over = propertiesOverKeyLimit(field, p, limits)
	}
	if len(over) > 1 {
		slices.SortFunc(over, func(a, b Excess) int { return cmp.Compare(a.Key, b.Key) })
	}
	if len(faults) > 1 {
		slices.SortFunc(faults, func(a, b *fault.Error) int { return cmp.Compare(a.Details[0].Field, b.Details[0].Field) })
	}
	return over, faults
}

// CheckValue returns the problem with a single value; a nil value is a problem. Size limits are not checked.
func CheckValue(field string, v Value) *fault.Error {
	if reason := valueProblem(v); reason != "" {
		return fault.Invalid(field, "%s", reason)
	}
	return nil
}

// maxPathKey is how many bytes of a property key an error message contains.
const maxPathKey = 255

// FieldPath returns the name of a property in a fault: "properties.name". A key is truncated to at most 255 bytes, and invalid UTF-8
// in it is replaced with U+FFFD.
func FieldPath(field, key string) string {
	if len(key) > maxPathKey {
		cut := maxPathKey
		for cut > maxPathKey-utf8.UTFMax && !utf8.RuneStart(key[cut]) {
			cut--
		}
		key = key[:cut] + "…"
	}
	key = strings.ToValidUTF8(key, "\uFFFD")
	if field == "" {
		return key
	}
	return field + "." + key
}

// ElementPath returns the name of an element of an array in a fault: "grants[0]".
func ElementPath(field string, index int) string { return field + "[" + strconv.Itoa(index) + "]" }

// propertiesOverKeyLimit lists every valid property that is set, all with the same fault.
func propertiesOverKeyLimit(field string, p Properties, limits Limits) Oversize {
	f := fault.Invalid(field, "must have at most %d properties", limits.Keys)
	var over Oversize
	for key, v := range p {
		if v != nil && keyProblem(key) == "" && valueProblem(v) == "" {
			over = append(over, Excess{Key: key, Fault: f})
		}
	}
	return over
}

func overLimit(field, key string, v Value, limits Limits) *fault.Error {
	if len(key) > limits.Key {
		return fault.Invalid(FieldPath(field, key), "the property key must be at most %d bytes long", limits.Key)
	}
	switch v := v.(type) {
	case string:
		if len(v) > limits.String {
			return fault.Invalid(FieldPath(field, key), "must be at most %d bytes long", limits.String)
		}
	case Bytes:
		if len(v) > limits.String {
			return fault.Invalid(FieldPath(field, key), "must be at most %d bytes long", limits.String)
		}
	case []Value:
		if len(v) > limits.List {
			return fault.Invalid(FieldPath(field, key), "must have at most %d elements", limits.List)
		}
		for _, e := range v {
			if s, ok := e.(string); ok && len(s) > limits.String {
				return fault.Invalid(FieldPath(field, key), "its strings must be at most %d bytes long", limits.String)
			}
		}
	}
	return nil
}

func keyProblem(key string) string {
	switch {
	case key == "":
		return "the property key must not be empty"
	case strings.IndexByte(key, 0) >= 0:
		return "the property key must not contain NUL"
	case !utf8.ValidString(key):
		return "the property key must be valid UTF-8"
	}
	return ""
}
