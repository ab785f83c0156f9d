package typedjson

import (
	"cmp"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// bodyField is the field that a fault about the body as a whole names.
const bodyField = "body"

// maxDetails is how many mistakes an answer lists.
const maxDetails = 20

// Object is a request body: a JSON object whose members are fetched by exact name. Every getter notes what is wrong
// with its member and returns a zero value then; Finish reports all mistakes at once, members that no getter asked for
// among them. So the use is always: ParseObject, getters, Finish.
type Object struct {
	document
	knownMembers []string
	knownBuffer  [8]string
	details      []fault.Detail
}

// ParseObject parses a body. A fault means that it is no JSON object at all or goes against a rule that leaves nothing
// to read; lesser mistakes (duplicate members, lone surrogates) wait for Finish.
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

// Invalid notes a mistake that the caller found.
func (o *Object) Invalid(field, format string, args ...any) {
	o.Add(fault.Invalid(field, format, args...))
}

// Add notes mistakes that the caller found. Nil faults are skipped.
func (o *Object) Add(faults ...*fault.Error) {
	for _, f := range faults {
		if f != nil {
			o.details = append(o.details, f.Details...)
		}
	}
}

// Finish reports every mistake as one VALIDATION_ERROR with at most 20 details, or nil. Members that no getter asked
// for are unknown, and thus mistakes.
func (o *Object) Finish() *fault.Error {
	for key := range o.members(0) {
		if !slices.Contains(o.knownMembers, key) && len(o.details) < maxDetails {
			o.Invalid(cmp.Or(graph.FieldPath("", key), bodyField), "%q is not a member of this request", graph.FieldPath("", key))
		}
	}
	if len(o.details) == 0 {
		return nil
	}
	return fault.New(fault.Validation, "Invalid input", o.details[:min(len(o.details), maxDetails)]...)
}

// Has says whether the member was given, be it null. It does not make the member a known one.
func (o *Object) Has(name string) bool { return o.find(name) >= 0 }

// Null says whether the member was given as null, and makes it a known one.
func (o *Object) Null(name string) bool {
	i := o.member(name)
	return i >= 0 && o.tokens[i].kind == tokenNull
}

// String fetches a member that must be there and be a string.
func (o *Object) String(name string) string {
	s, given := o.OptionalString(name)
	o.require(name, given)
	return s
}

// OptionalString fetches a string; absent and null are not given.
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

// Bool fetches a member that must be there and be true or false.
func (o *Object) Bool(name string) bool {
	b, given := o.OptionalBool(name)
	o.require(name, given)
	return b
}

// OptionalBool fetches true or false; absent and null are not given.
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

// OptionalInteger fetches an integer of 64 bits, written without fraction and exponent; absent and null are not given.
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

// Strings fetches a member that must be there and be an array of strings.
func (o *Object) Strings(name string) []string {
	list, given := o.OptionalStrings(name)
	o.require(name, given)
	return list
}

// OptionalStrings fetches an array of strings; absent and null are not given. A given array is never nil.
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

// NewProperties fetches the properties of a create, fully checked: null means absent and is dropped, and whatever is
// over a limit is a mistake. When required is false the member may be missing (but not null); the map is never nil.
func (o *Object) NewProperties(name string, required bool, limits graph.Limits) graph.Properties {
	p, over := o.properties(name, required, limits)
	o.Add(over.Faults()...)
	for key, v := range p {
		if v == nil {
			delete(p, key)
		}
	}
	return p
}

// ChangedProperties fetches the properties of an update, fully checked: nil removes a property. The keys of values over
// a limit are returned for Change.Unchanged.
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

// member finds a member's value and makes it a known one.
func (o *Object) member(name string) int {
	o.knownMembers = append(o.knownMembers, name)
	return o.find(name)
}

func (o *Object) given(name string) (int, bool) {
	i := o.member(name)
	return i, i >= 0 && o.tokens[i].kind != tokenNull
}

// find is the token of a member's value, or -1. Of duplicates, which are a mistake anyway, the first counts.
func (o *Object) find(name string) int {
	for key, value := range o.members(0) {
		if key == name {
			return value
		}
	}
	return -1
}
