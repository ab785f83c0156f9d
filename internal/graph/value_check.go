package graph

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// Limits bound the size of new data. They are checked on input only: what the database holds is served whatever its size.
type Limits struct {
	List   int // elements of a list
	String int // bytes of a string or a byte array, also inside a list
	Keys   int // properties of one request
	Key    int // bytes of a property key
}

// DefaultLimits are the limits that hold unless configuration says otherwise.
var DefaultLimits = Limits{List: 1000, String: 64 << 10, Keys: 256, Key: 255}

// Excess is a property that is well-formed but over a size limit. Fault says which limit.
type Excess struct {
	Key   string
	Fault *fault.Error
}

// Oversize lists properties over a size limit, sorted by key. A create refuses them (Faults). An update accepts them
// where the entity already holds exactly that value (Keys goes into Change.Unchanged).
type Oversize []Excess

// Keys are the keys concerned; nil for none.
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

// Faults are the reasons, each once: too many keys is one fault, however many keys there are.
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
// within the range Neo4j stores, and a list holds values of one kind. Faults name "<field>.<key>" and are sorted by it.
// allowNil admits nil, which removes a property in an update; a removal is never over a limit, so that whatever the
// database holds can be removed.
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

// CheckValue says what is wrong with a single value; nil is a fault. Size limits are not checked.
func CheckValue(field string, v Value) *fault.Error {
	if reason := valueProblem(v); reason != "" {
		return fault.Invalid(field, "%s", reason)
	}
	return nil
}

// maxPathKey is how much of a property key an error message repeats.
const maxPathKey = 255

// FieldPath is the form in which a fault names a property: "properties.name". A key is cut after 255 bytes, and what is
// no UTF-8 in it is replaced.
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

// allOver marks every property that is set, for one and the same reason.
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
