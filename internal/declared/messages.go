package declared

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// details converts a validation error to one detail per property, ordered by name.
func (r *Rules) details(err error) []fault.Detail {
	var violated *jsonschema.ValidationError
	if !errors.As(err, &violated) {
		return []fault.Detail{{Field: "properties", Message: "cannot be checked"}}
	}
	reasons := map[string][]string{}
	for _, leaf := range leaves(violated) {
		r.addReason(reasons, leaf)
	}
	found := make([]fault.Detail, 0, len(reasons))
	for field, all := range reasons {
		found = append(found, fault.Detail{Field: field, Message: strings.Join(all[:min(len(all), 3)], "; ")})
	}
	slices.SortFunc(found, func(a, b fault.Detail) int { return strings.Compare(a.Field, b.Field) })
	return found
}

// addReason adds a reason to each field that it concerns.
func (r *Rules) addReason(reasons map[string][]string, leaf *jsonschema.ValidationError) {
	add := func(field, reason string) {
		if !slices.Contains(reasons[field], reason) {
			reasons[field] = append(reasons[field], reason)
		}
	}
	of := func(name string) string { return graph.FieldPath("properties", name) }
	if at := leaf.InstanceLocation; len(at) > 0 {
		text := describe(leaf)
		if len(at) > 1 {
			text = "element " + at[1] + " " + text
		}
		add(of(at[0]), text)
		return
	}
	switch k := leaf.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			add(of(name), "is required")
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			add(of(name), "is required where "+k.Prop+" is given")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			add(of(name), "is not a declared property of "+string(r.Type))
		}
	case *kind.PropertyNames:
		add(of(k.Property), "is a name that the declaration does not allow")
	default:
		add("properties", describe(leaf))
	}
}

// leaves returns the errors without causes; alternatives stay together.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.PropertyNames:
		return []*jsonschema.ValidationError{e}
	case *kind.OneOf, *kind.Not, *kind.Contains:
		return []*jsonschema.ValidationError{e}
	}
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var all []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

var english = message.NewPrinter(language.English)

// describe returns what a valid value must be.
func describe(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return "must be " + joinOr(k.Want, describeJSONType)
	case *kind.Enum:
		return "must be " + joinOr(formatValues(k.Want), nil)
	case *kind.Const:
		return "must be " + formatValues([]any{k.Want})[0]
	case *kind.Format:
		return "must be in the form " + k.Want
	case *kind.Pattern:
		return "must match the pattern " + k.Want
	case *kind.FalseSchema:
		return "is not allowed"
	case *kind.UniqueItems:
		return "must not contain a value twice"
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		return "does not contain the required number of matching elements"
	case *kind.Not:
		return "is one of the values that are not allowed"
	case *kind.AnyOf, *kind.OneOf:
		return describeAlternatives(e)
	}
	return describeBound(e)
}

// describeBound returns what a valid value must be if a number is over or under a limit.
func describeBound(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Minimum:
		return "must be " + formatNumber(k.Want) + " or more"
	case *kind.Maximum:
		return "must be " + formatNumber(k.Want) + " or less"
	case *kind.ExclusiveMinimum:
		return "must be more than " + formatNumber(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + formatNumber(k.Want)
	case *kind.MultipleOf:
		return "must be a multiple of " + formatNumber(k.Want)
	case *kind.MinLength:
		return "must have " + formatCount(k.Want, "character") + " or more"
	case *kind.MaxLength:
		return "must have " + formatCount(k.Want, "character") + " or fewer"
	case *kind.MinItems:
		return "must have " + formatCount(k.Want, "element") + " or more"
	case *kind.MaxItems:
		return "must have " + formatCount(k.Want, "element") + " or fewer"
	case *kind.MinProperties:
		return "must have " + formatCount(k.Want, "property") + " or more"
	case *kind.MaxProperties:
		return "must have " + formatCount(k.Want, "property") + " or fewer"
	}
	return e.ErrorKind.LocalizedString(english)
}

func formatCount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if what == "property" {
		return strconv.Itoa(n) + " properties"
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// describeAlternatives joins the requirements of several alternatives.
func describeAlternatives(e *jsonschema.ValidationError) string {
	var all []string
	for _, cause := range e.Causes {
		for _, leaf := range leaves(cause) {
			if len(leaf.InstanceLocation) != len(e.InstanceLocation) {
				continue
			}
			if text := describe(leaf); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	switch {
	case len(e.Causes) == 0:
		return "matches more than one of the alternatives, and must match exactly one"
	case len(all) == 0:
		return "matches none of the declared alternatives"
	}
	return strings.Join(all[:min(len(all), 4)], ", or ")
}

var jsonTypeNames = map[string]string{
	"string": "a text", "integer": "an integer such as 1, without a fraction", "number": "a number", "boolean": "true or false",
	"array":  "a list",
	"object": "a value in typed JSON", "null": "absent",
}

func describeJSONType(name string) string {
	if words, known := jsonTypeNames[name]; known {
		return words
	}
	return name
}

// describeTypeMismatch returns which Neo4j types a value must have.
func describeTypeMismatch(got string, want []string) string {
	if len(want) == 1 && want[0] == "Integer" && got == "Float" {
		return "must be an integer such as 1, which 1.0 is not"
	}
	return "must be of type " + joinOr(want, func(name string) string {
		if example, known := typeExamples[name]; known {
			return name + ", such as " + example
		}
		return name
	})
}

// typeExamples are examples of types whose JSON form is easy to get wrong.
var typeExamples = map[string]string{
	"Float":         "1.0",
	"Date":          `{"$type":"Date","_value":"2024-05-01"}`,
	"Time":          `{"$type":"Time","_value":"12:30:00+02:00"}`,
	"LocalTime":     `{"$type":"LocalTime","_value":"12:30:00"}`,
	"LocalDateTime": `{"$type":"LocalDateTime","_value":"2024-05-01T12:30:00"}`,
	"ZonedDateTime": `{"$type":"ZonedDateTime","_value":"2024-05-01T12:30:00+02:00[Europe/Berlin]"}`,
	"Duration":      `{"$type":"Duration","_value":"P1DT2H"}`,
	"Point":         `{"$type":"Point","_value":"SRID=4326;POINT (13.4 52.5)"}`,
}

// maxAlternatives is the maximum number of alternatives that a message lists.
const maxAlternatives = 20

func joinOr(all []string, words func(string) string) string {
	texts := slices.Clone(all[:min(len(all), maxAlternatives)])
	if words != nil {
		for i := range texts {
			texts[i] = words(texts[i])
		}
	}
	if len(all) > maxAlternatives {
		return "one of " + strings.Join(texts, ", ") + " and " + strconv.Itoa(len(all)-maxAlternatives) + " more"
	}
	return strings.Join(texts, " or ")
}

// maxValueText is the maximum number of bytes of a value that a message shows.
const maxValueText = 100

func formatValues(all []any) []string {
	texts := make([]string, len(all))
	for i, v := range all {
		text := string(typedjson.AppendTree(nil, v))
		if len(text) > maxValueText {
			text = strings.ToValidUTF8(text[:maxValueText], "") + "…"
		}
		texts[i] = text
	}
	return texts
}

func formatNumber(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	f, _ := n.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
