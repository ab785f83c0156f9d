package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/queryguard"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// NewDefinition is a definition without what must be given.
func NewDefinition() Definition {
	return Definition{MaxRows: DefaultRows, MaxBytes: DefaultBytes, Allow: []string{}}
}

// ParseDefinition reads the members of a definition that are given, and reports what is wrong with them to the object. Others stay as they
// are in d. maxTimeout is that of the gateway.
func ParseDefinition(o *typedjson.Object, d Definition, maxTimeout time.Duration) Definition {
	if name, given := o.OptionalString("name"); given {
		if !rules.IsQueryName(name) {
			o.Invalid("name", "must be lower-case words of letters and digits with underscores between, such as top_customers, "+
				"at most %d characters", rules.MaxQueryName)
		}
		d.Name = name
	}
	if text, given := o.OptionalString("description"); given {
		if utf8.RuneCountInString(text) > MaxDescription {
			o.Invalid("description", "must be at most %d characters long", MaxDescription)
		}
		d.Description = text
	}
	if text, given := o.OptionalString("cypher"); given {
		d.Cypher = ParseText(o, "cypher", text)
	}
	d = parsePattern(o, d)
	if tree, given := o.Tree(parametersField); given {
		d.Parameters = parseParameters(o, parametersField, tree)
	}
	if tree, given := o.Tree("timeout"); given {
		d.Timeout = parseTimeout(o, tree, maxTimeout)
	} else if o.Null("timeout") {
		d.Timeout = 0 // that of the gateway again
	}
	d.MaxRows = int(readLimit(o, "max_rows", int64(d.MaxRows), 1, MaxRows))
	d.MaxBytes = readLimit(o, "max_bytes", d.MaxBytes, 1, MaxBytes)
	d.CacheSeconds = readLimit(o, "cache_seconds", d.CacheSeconds, 0, MaxCacheSeconds)
	if names, given := o.OptionalStrings("allow"); given {
		for i, name := range names {
			if !slices.Contains(queryguard.Allowable(), name) {
				o.Invalid("allow["+strconv.Itoa(i)+"]", "must be one of %s", strings.Join(queryguard.Allowable(), ", "))
			}
		}
		d.Allow = append([]string{}, slices.Compact(slices.Sorted(slices.Values(names)))...)
	}
	return d
}

// ParseText checks the text of a query.
func ParseText(o *typedjson.Object, field, text string) string {
	switch {
	case len(text) > MaxText:
		o.Invalid(field, "must be at most %d bytes long", MaxText)
	case strings.TrimSpace(text) == "":
		o.Invalid(field, "must not be empty")
	}
	return text
}

func readLimit(o *typedjson.Object, name string, usual, least, most int64) int64 {
	n, given := o.OptionalInteger(name)
	if !given {
		return usual
	}
	if n < least || n > most {
		o.Invalid(name, "must be a whole number from %d to %d", least, most)
	}
	return n
}

// parseTimeout reads whole seconds or a duration such as "2s".
func parseTimeout(o *typedjson.Object, tree any, most time.Duration) time.Duration {
	var d time.Duration
	switch tree := tree.(type) {
	case int64:
		if d = time.Duration(tree) * time.Second; tree > int64(most/time.Second) {
			d = most + 1
		}
	case string:
		var err error
		if d, err = time.ParseDuration(tree); err != nil {
			d = -1
		}
	default:
		d = -1
	}
	if d < time.Millisecond || d > most {
		o.Invalid("timeout", `must be whole seconds or a time such as "2s", at most %s (GRAPHREST_QUERY_TIMEOUT)`, most)
	}
	return d
}

// AppendDefinition appends the members of a definition as they are saved, each after a comma but the first.
func AppendDefinition(dst []byte, d *Definition) []byte {
	dst = typedjson.AppendString(append(dst, `"name":`...), d.Name)
	dst = typedjson.AppendString(append(dst, `,"description":`...), d.Description)
	if d.Pattern == "" {
		dst = typedjson.AppendString(append(dst, `,"cypher":`...), d.Cypher)
	} else {
		dst = append(append(dst, `,"pattern":`...), d.Pattern...)
	}
	dst = appendParameters(append(dst, `,"parameters":`...), d.Parameters)
	switch {
	case d.Timeout == 0:
	case d.Timeout%time.Second == 0:
		dst = strconv.AppendInt(append(dst, `,"timeout":`...), int64(d.Timeout/time.Second), 10)
	default:
		dst = typedjson.AppendString(append(dst, `,"timeout":`...), d.Timeout.String())
	}
	dst = strconv.AppendInt(append(dst, `,"max_rows":`...), int64(d.MaxRows), 10)
	dst = strconv.AppendInt(append(dst, `,"max_bytes":`...), d.MaxBytes, 10)
	dst = strconv.AppendInt(append(dst, `,"cache_seconds":`...), d.CacheSeconds, 10)
	return appendTexts(append(dst, `,"allow":`...), d.Allow)
}

func appendTexts(dst []byte, list []string) []byte {
	return typedjson.AppendList(dst, list, func(dst []byte, text *string) []byte { return typedjson.AppendString(dst, *text) })
}

// AppendParameters appends the parameters that callers give, by name: what forms and tools need of a query.
func AppendParameters(dst []byte, q *Query) []byte {
	return appendParameters(dst, q.GivenParameters())
}

// GivenParameters are the parameters that callers give.
func (q *Query) GivenParameters() []Parameter {
	return slices.DeleteFunc(slices.Clone(q.Parameters), func(p Parameter) bool { return p.From != "" })
}

// Tree is the parsed schema with its description and default.
func (p *Parameter) Tree() any {
	tree, f := typedjson.ParseTree("schema", string(p.appendJSON(nil)))
	if f != nil {
		return map[string]any{}
	}
	if members, isObject := tree.(map[string]any); isObject {
		delete(members, "choices") // no keyword of JSON Schema
	}
	return tree
}

// Compile checks the parameters of a definition together, and returns the query that is not saved yet. VALIDATION_ERROR.
func Compile(d Definition) (*Query, error) {
	compiled, err := compileInputs(d.Parameters)
	if err != nil {
		return nil, err
	}
	q := &Query{Definition: d, inputs: compiled}
	var faults []*fault.Error
	for i := range d.Parameters {
		p := &d.Parameters[i]
		if p.Optional && p.Default != nil {
			faults = append(faults, q.checkDefault(p))
		}
	}
	if err := fault.Merge(faults...); err != nil {
		return nil, err
	}
	if d.Pattern != "" {
		if err := q.compilePattern(); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Load returns the query of a stored definition: a JSON object as AppendDefinition writes it.
func Load(definition string) (*Query, error) {
	o, f := typedjson.ParseObject([]byte(definition))
	if f != nil {
		return nil, f
	}
	d := ParseDefinition(o, NewDefinition(), math.MaxInt64)
	if f := o.Finish(); f != nil {
		return nil, f
	}
	return Compile(d)
}
