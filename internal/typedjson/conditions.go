package typedjson

import (
	"maps"
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Reference recognizes a literal that stands for a value, such as {"$user":"username"}; is is false for any other literal. i is the
// position of the condition.
type Reference func(i int, c graph.Condition, tree any) (is bool, f *fault.Error)

// ConditionsOf says how ParseConditions reads the conditions of something.
type ConditionsOf struct {
	Refer Reference // nil if every literal is a value
	// ByProperty makes faults name the property; else they name the operator of the property.
	ByProperty bool
}

// ParseConditions reads conditions from the tree of {property: {operator: literal}}, in the order of properties and operators. Faults name
// paths below the given one. A literal that is a reference is left out of its condition.
func ParseConditions(path string, tree any, of ConditionsOf) (graph.Filter, []*fault.Error) {
	members, isObject := tree.(map[string]any)
	if !isObject {
		return nil, []*fault.Error{fault.Invalid(path, "must be an object of properties")}
	}
	var conditions graph.Filter
	var faults []*fault.Error
	for _, property := range slices.Sorted(maps.Keys(members)) {
		at := graph.FieldPath(path, property)
		operators, isObject := members[property].(map[string]any)
		if !isObject || len(operators) == 0 || property == "" {
			faults = append(faults, fault.Invalid(at, "must be an object of operators, such as {\"eq\":1}"))
			continue
		}
		for _, operator := range slices.Sorted(maps.Keys(operators)) {
			c := graph.Condition{Property: property, Operator: graph.Operator(operator), Field: graph.FieldPath(at, operator)}
			value, f := parseConditionLiteral(len(conditions), c, operators[operator], of.Refer)
			c.Value = value
			if of.ByProperty {
				c.Field = at
			}
			switch {
			case f != nil && of.ByProperty:
				faults = append(faults, fault.Invalid(at, "%s: %s", graph.FieldPath("", operator), f.Details[0].Message))
			case f != nil:
				faults = append(faults, f)
			}
			conditions = append(conditions, c)
		}
	}
	if len(conditions) > graph.MaxConditions {
		faults = append(faults, fault.Invalid(path, "must have at most %d conditions", graph.MaxConditions))
	}
	return conditions, faults
}

// parseConditionLiteral reads the literal of a condition; nil if it is a reference.
func parseConditionLiteral(i int, c graph.Condition, tree any, refer Reference) (graph.Value, *fault.Error) {
	if !slices.Contains(graph.Operators, c.Operator) {
		return nil, fault.Invalid(c.Field, "is not an operator; there are %s", graph.OperatorNames())
	}
	if refer != nil {
		if is, f := refer(i, c, tree); is {
			return nil, f
		}
	}
	value, f := ParseValue(c.Field, string(AppendTree(nil, tree)))
	if f != nil {
		if list, isList := tree.([]any); isList && (c.Operator == graph.OneOf || c.Operator == graph.NoneOf) {
			value, f = parseEach(c.Field, list)
		}
	}
	if f == nil {
		f = c.Operator.CheckLiteral(c.Field, value)
	}
	return value, f
}

// parseEach parses the literals of in and nin, which may be of different kinds.
func parseEach(path string, list []any) (graph.Value, *fault.Error) {
	parsed := make([]graph.Value, len(list))
	for i, e := range list {
		v, f := ParseValue(graph.ElementPath(path, i), string(AppendTree(nil, e)))
		if f != nil {
			return nil, f
		}
		parsed[i] = v
	}
	return parsed, nil
}
