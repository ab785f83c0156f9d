package query

import (
	"slices"
	"strings"

	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Given are the parameters of a call: values in a body, or texts in a URL.
type Given struct {
	Values map[string]graph.Value
	Texts  map[string]string
}

// field names a parameter in faults: parameters.name of a body, name of a URL.
func (g Given) field(name string) string {
	if g.Texts != nil {
		return name
	}
	return graph.FieldPath(parametersField, name)
}

// bind returns the values that a query runs with. VALIDATION_ERROR names what a call gives wrongly, by Given.field.
func (q *Query) bind(c Caller, given Given) (map[string]graph.Value, error) {
	values, field := graph.Properties{}, given.field
	var faults []*fault.Error
	take := func(name string, read func(*input) (graph.Value, *fault.Error)) {
		in := q.inputs.byName[name]
		switch {
		case in == nil:
			faults = append(faults, fault.Invalid(field(name), "is not a parameter of this query%s", q.names()))
		case in.From != "":
			faults = append(faults, fault.Invalid(field(name), "is filled from the caller and cannot be given"))
		default:
			v, f := read(in)
			if f != nil {
				faults = append(faults, f)
			} else if v != nil || in.null { // any other null counts as not given
				values[name] = v
			}
		}
	}
	for name, v := range given.Values {
		take(name, func(*input) (graph.Value, *fault.Error) {
			if v == nil {
				return nil, nil
			}
			return v, graph.CheckValue(field(name), v)
		})
	}
	for name, text := range given.Texts {
		take(name, func(in *input) (graph.Value, *fault.Error) { return in.parse(name, text) })
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b *fault.Error) int { return strings.Compare(a.Details[0].Field, b.Details[0].Field) })
		return nil, fault.Merge(faults...)
	}
	details := slices.DeleteFunc(q.inputs.rules.Problems(values, declared.Ends{}), func(d fault.Detail) bool {
		v, given := values[strings.TrimPrefix(d.Field, "properties.")]
		return given && v == nil // null is absent for the rules of entities
	})
	if len(details) > 0 {
		to := parametersField
		if given.Texts != nil {
			to = ""
		}
		return nil, renameFields(fault.New(fault.Validation, "Invalid parameters", details...), "properties", to)
	}
	return q.complete(c, values), nil
}

// complete adds what a call does not give.
func (q *Query) complete(c Caller, values graph.Properties) map[string]graph.Value {
	all := make(map[string]graph.Value, len(q.Parameters))
	for i := range q.Parameters {
		p := &q.Parameters[i]
		switch v, given := values[p.Name]; {
		case p.From != "":
			all[p.Name] = c.value(p.From)
		case given:
			all[p.Name] = v
		default:
			all[p.Name] = p.Default
		}
	}
	return all
}

// value is what of the caller fills a parameter; null if the caller lacks it.
func (c Caller) value(from string) graph.Value {
	switch from {
	case fromUsername:
		return c.Username
	case fromID:
		return c.UserID
	}
	return c.Attributes[strings.TrimPrefix(from, fromAttributes)]
}

// names lists the parameters that a call may give, for a message.
func (q *Query) names() string {
	var names []string
	for i := range q.Parameters {
		if q.Parameters[i].From == "" {
			names = append(names, q.Parameters[i].Name)
		}
	}
	if len(names) == 0 {
		return ", which has none"
	}
	return "; it has " + strings.Join(names, ", ")
}

// parse reads a value of a URL by the declared type.
func (in *input) parse(field, text string) (graph.Value, *fault.Error) {
	literals := typedjson.Literals{}
	if !in.list {
		return literals.One(field, in.literal, text)
	}
	switch isJSON := strings.HasPrefix(text, "["); {
	case text == "", text == "[]":
		return []graph.Value{}, nil
	case isJSON && !strings.Contains(text, `"`): // numbers and booleans as they stand
		return literals.Many(field, "", text)
	}
	return literals.Many(field, in.literal, text)
}

// checkDefault checks the default of a parameter against its schema.
func (q *Query) checkDefault(p *Parameter) *fault.Error {
	for _, detail := range q.inputs.rules.Problems(graph.Properties{p.Name: p.Default}, declared.Ends{}) {
		if detail.Field == graph.FieldPath("properties", p.Name) {
			return fault.Invalid(graph.FieldPath(parametersField, p.Name)+".default", "%s", detail.Message)
		}
	}
	return nil
}
