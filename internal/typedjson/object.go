package typedjson

import (
	"cmp"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// bodyField is the field of a fault that concerns the whole body.
const bodyField = "body"

// Object is a request body, or an object inside one (see Objects): a JSON object whose members are read by exact name. A getter records
// the problem of an invalid member and returns a zero value; Finish reports all problems together, including members that no getter has
// read. The order of use is always: ParseObject, getters, Finish.
type Object struct {
	document
	root         int    // the token of the object
	path         string // of an object inside another one
	anyMember    bool   // unknown members are no problem
	knownMembers []string
	knownBuffer  [8]string
	details      []fault.Detail
}

// ParseObject parses a body. It returns a fault if the body is not a JSON object or cannot be parsed; minor problems
// (duplicate members, lone surrogates) are reported by Finish.
func ParseObject(body []byte) (*Object, *fault.Error) {
	o := &Object{}
	o.knownMembers = o.knownBuffer[:0]
	if f := o.parse("", string(body)); f != nil {
		return nil, f
	}
	o.details = o.problems
	if o.tokens[0].kind != tokenObject {
		return nil, fault.Invalid(bodyField, "must be a JSON object")
	}
	return o, nil
}

// Invalid records a problem that the caller found.
func (o *Object) Invalid(field, format string, args ...any) {
	o.Add(fault.Invalid(field, format, args...))
}

// Add records problems that the caller found. Nil faults are ignored.
func (o *Object) Add(faults ...*fault.Error) {
	for _, f := range faults {
		if f != nil {
			o.details = append(o.details, f.Details...)
		}
	}
}

// Finish returns all problems as one VALIDATION_ERROR with at most 20 details, or nil. Members that no getter has read are
// unknown and therefore problems.
func (o *Object) Finish() *fault.Error {
	for key := range o.members(o.root) {
		if !o.anyMember && !slices.Contains(o.knownMembers, key) && len(o.details) < fault.MaxDetails {
			o.Invalid(cmp.Or(graph.FieldPath("", key), bodyField), "%q is not a member of this request", graph.FieldPath("", key))
		}
	}
	if len(o.details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "Invalid input", o.details[:min(len(o.details), fault.MaxDetails)]...)
}

// IgnoreUnknown makes unknown members no problem, because another problem leaves open which members are known.
func (o *Object) IgnoreUnknown() { o.anyMember = true }

// Has reports whether the member is present, possibly as null. It does not mark the member as known.
func (o *Object) Has(name string) bool { return o.find(name) >= 0 }

// Null reports whether the member is null, and marks it as known.
func (o *Object) Null(name string) bool {
	i := o.member(name)
	return i >= 0 && o.tokens[i].kind == tokenNull
}

// String reads a required string.
func (o *Object) String(name string) string {
	s, given := o.OptionalString(name)
	o.require(name, given)
	return s
}

// OptionalString reads a string; given is false if it is absent or null.
func (o *Object) OptionalString(name string) (value string, given bool) {
	i, given := o.given(name)
	if !given {
		return "", false
	}
	if o.tokens[i].kind != tokenString {
		o.Invalid(name, "must be a string")
		return "", true
	}
	return strings.Clone(o.text(i)), true
}

// OptionalBool reads a boolean; given is false if it is absent or null.
func (o *Object) OptionalBool(name string) (value, given bool) {
	i, given := o.given(name)
	if !given {
		return false, false
	}
	switch o.tokens[i].kind {
	case tokenTrue:
		return true, true
	case tokenFalse:
	default:
		o.Invalid(name, "must be true or false")
	}
	return false, true
}

// OptionalInteger reads a 64-bit integer without fraction and exponent; given is false if it is absent or null.
func (o *Object) OptionalInteger(name string) (value int64, given bool) {
	i, given := o.given(name)
	if !given {
		return 0, false
	}
	v, reason := o.number(i)
	n, ok := v.(int64)
	switch {
	case o.tokens[i].kind != tokenNumber || reason == "" && !ok:
		o.Invalid(name, "must be an integer")
	case reason != "":
		o.Invalid(name, "%s", reason)
	}
	return n, true
}

// Strings reads a required array of strings.
func (o *Object) Strings(name string) []string {
	list, given := o.OptionalStrings(name)
	o.require(name, given)
	return list
}

// OptionalStrings reads an array of strings; given is false if it is absent or null. A given array is never nil.
func (o *Object) OptionalStrings(name string) (value []string, given bool) {
	i, given := o.given(name)
	if !given {
		return nil, false
	}
	list := []string{}
	if o.tokens[i].kind != tokenArray {
		o.Invalid(name, "must be an array of strings")
		return list, true
	}
	for n, e := range o.elements(i) {
		if o.tokens[e].kind != tokenString {
			addDetail(&o.details, elementPath(name, n), "must be a string")
			continue
		}
		list = append(list, strings.Clone(o.text(e)))
	}
	return list, true
}

// NewProperties reads and validates the properties of a create: null means absent and is dropped, and a value over a limit is
// a problem. If required is false the member may be absent (but not null); the map is never nil.
func (o *Object) NewProperties(name string, required bool, limits graph.Limits) graph.Properties {
	p := o.Parameters(name, required, limits)
	for key, v := range p {
		if v == nil {
			delete(p, key)
		}
	}
	return p
}

// Parameters is NewProperties that keeps null: as a parameter it is a value.
func (o *Object) Parameters(name string, required bool, limits graph.Limits) graph.Properties {
	p, over := o.properties(name, required, limits)
	o.Add(over.Faults()...)
	return p
}

// ChangedProperties reads and validates the properties of an update: nil removes a property. The keys of values over a limit
// are returned for Change.Unchanged.
func (o *Object) ChangedProperties(name string, limits graph.Limits) (p graph.Properties, unchanged []string) {
	p, over := o.properties(name, true, limits)
	return p, over.Keys()
}

func (o *Object) properties(name string, required bool, limits graph.Limits) (graph.Properties, graph.Oversize) {
	i := o.member(name)
	if i < 0 {
		o.require(name, !required)
		return graph.Properties{}, nil
	}
	if o.tokens[i].kind != tokenObject {
		o.Invalid(name, "must be an object")
		return graph.Properties{}, nil
	}
	p := o.decodeProperties(name, i, &o.details)
	over, faults := graph.CheckProperties(name, p, limits, true)
	o.Add(faults...)
	return p, over
}

func (o *Object) require(name string, given bool) {
	if !given {
		o.Invalid(name, "is required")
	}
}

// member returns the token of a member's value, or -1, and marks the member as known.
func (o *Object) member(name string) int {
	o.knownMembers = append(o.knownMembers, name)
	return o.find(name)
}

func (o *Object) given(name string) (int, bool) {
	i := o.member(name)
	return i, i >= 0 && o.tokens[i].kind != tokenNull
}

// find returns the token of a member's value, or -1. Of duplicates, which are reported anyway, it returns the first.
func (o *Object) find(name string) int {
	for key, value := range o.members(o.root) {
		if key == name {
			return value
		}
	}
	return -1
}
