package cypher

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Condition is one condition on one property of an entity. Its property key is the parameter $where.k<n> and its literal $where.v<n>, where
// n is its position. If the property has an index, Key names the property in the text, so that the planner can use the index.
type Condition struct {
	// Of is the entity whose property it is; its zero value is the variable's.
	Of       Entity
	Operator string // as in the API's filters: eq, ne, lt, ...; also absent, zero, which is eq with a zero, and the like:
	// see operators.
	Key Fragment // empty for $where.k<n>
	// Any is the number of the alternative that the condition belongs to; 0 if it must hold in any case. One alternative must hold.
	Any int
	// Shown, unless empty, is the condition that the user sees the property. Where it does not hold, the entity has no such property. If it
	// is False, the statement does not name the property: whether an entity has it would show in the time. See HiddenKey.
	Shown Fragment
}

// True is a condition that is always true.
var True = literal("true")

// HiddenKey is the parameter $where.none, the key that conditions read instead of one that is hidden on all entities. No entity has it, so
// that they cost what those on a property that does not exist cost.
const HiddenKey = ""

// Omitted is the operator of a condition that a statement does not test.
const Omitted = "omitted"

// Where is the text of all conditions on the entity that a variable is bound to. A condition on a value of another kind, or on a missing
// property, is false, never an error. An unknown operator is a programming error and panics.
//
// An end may be internal data, or have a property that the user does not see, and the planner tests conditions that are joined by AND in
// any order: the time that another one takes would tell what such a value is. So conditions on ends are tested behind a CASE, whose
// branches are evaluated only if they are needed.
func Where(variable Variable, conditions []Condition) Fragment {
	var texts, ofEnds []Fragment
	for _, c := range clausesOf(variable.fragment(), 0, conditions) {
		if c.ofEnds {
			ofEnds = append(ofEnds, c.condition)
		} else {
			texts = append(texts, c.condition)
		}
	}
	if len(ofEnds) > 0 {
		texts = append(texts, ifVisible.fill(Slots{"visible": VisibleEdge, "conditions": And(ofEnds)}))
	}
	return allOf(texts)
}

// clause is what must hold: a condition, or one of several alternatives.
type clause struct {
	condition Fragment
	ofEnds    bool // whether it is about an end, in part at least
}

// clausesOf are the clauses of conditions on an entity that are not omitted, the one of alternatives last. first is the position of the
// first condition in the parameters.
func clausesOf(entity Fragment, first int, conditions []Condition) []clause {
	var clauses []clause
	var oneOf clause
	alternatives := map[int][]Fragment{}
	for i, c := range conditions {
		if c.Operator == Omitted {
			continue
		}
		text, ofEnd := c.text(c.Of.or(entity), first+i), c.Of != (Entity{})
		if c.Any == 0 {
			clauses = append(clauses, clause{text, ofEnd})
		} else {
			alternatives[c.Any], oneOf.ofEnds = append(alternatives[c.Any], text), oneOf.ofEnds || ofEnd
		}
	}
	if len(alternatives) == 0 {
		return clauses
	}
	texts, hasAnd := make([]Fragment, 0, len(alternatives)+minKeptAlternatives), false
	for _, alternative := range slices.Sorted(maps.Keys(alternatives)) {
		condition := And(alternatives[alternative])
		hasAnd = hasAnd || strings.Contains(condition.text, " AND ")
		texts = append(texts, parenthesized.fill(Slots{"condition": condition}))
	}
	if hasAnd && len(texts) > 1 {
		texts = append(texts, slices.Repeat([]Fragment{neverHolds}, minKeptAlternatives)...)
	}
	oneOf.condition = parenthesized.fill(Slots{"condition": join(" OR ", texts)})
	return append(clauses, oneOf)
}

// minKeptAlternatives is the number of ANDs within an OR that the planner does not multiply out. It multiplies out fewer, into as many
// conditions as the product of their lengths, and an index then serves one of them: it finds what is at least x instead of what is between
// x and y. Of more it finds each alternative by the best index and unites them. So alternatives that never hold are added, which the
// planner drops; what a list contains does not depend on that. Alternatives of one condition need none: the planner estimates better
// without them how many entities it will find.
const minKeptAlternatives = 9

// neverHolds is an alternative that never holds.
var neverHolds = literal("(false AND false)")

// test is the test of a condition on an entity, without that it is shown. position is that of its key and literal in the parameters.
func (c Condition) test(entity Fragment, position int) Fragment {
	property := dynamicKey.fill(Slots{"variable": entity, "key": numberedName("$where.k", position)})
	switch {
	case c.Shown == False:
		property = dynamicKey.fill(Slots{"variable": entity, "key": literal("$where.none")})
	case c.Key != (Fragment{}):
		property = keyTemplate.fill(Slots{"variable": entity, "key": c.Key})
	}
	value := numberedName("$where.v", position)
	if c.Any != 0 {
		return testJoinedByOr(c.Operator, property, value)
	}
	return operatorTest(c.Operator).fill(Slots{"property": property, "value": value})
}

// allOf is And of conditions of which there may be none.
func allOf(texts []Fragment) Fragment {
	if len(texts) == 0 {
		return True
	}
	return And(texts)
}

// text is the test of a condition with the condition that the property is shown. At an end and in an alternative it is not evaluated where
// the property is not shown.
func (c Condition) text(entity Fragment, position int) Fragment {
	test := c.test(entity, position)
	if c.Shown == (Fragment{}) || c.Shown == False {
		return test
	}
	present, absent := shown, notShown
	if c.Of != (Entity{}) || c.Any != 0 {
		present, absent = ifShown, absentIfShown
	}
	form := present
	if c.Operator == "absent" {
		form = absent
	}
	return form.fill(Slots{"condition": test, "shown": c.Shown})
}

// ifShown and absentIfShown are shown and notShown with a test that is not evaluated where the property is not shown.
var (
	ifVisible     = newTemplate("CASE WHEN {{visible}} THEN {{conditions}} ELSE false END")
	ifShown       = newTemplate("CASE WHEN {{shown}} THEN {{condition}} ELSE false END")
	absentIfShown = newTemplate("CASE WHEN {{shown}} THEN {{condition}} ELSE true END")
)

// operatorTest is the test of an operator. An unknown operator is a programming error and panics.
func operatorTest(operator string) template {
	test, known := operators[operator]
	if !known {
		panic(fmt.Sprintf("cypher: unknown operator %q", operator))
	}
	return test
}

var dynamicKey = newTemplate("{{variable}}[{{key}}]")

// operators are the tests of each operator. Operators that Cypher has itself evaluate to null for values of different kinds.
var operators = map[string]template{
	"eq":  newTemplate("{{property}} = {{value}}"),
	"lt":  newTemplate("{{property}} < {{value}}"),
	"lte": newTemplate("{{property}} <= {{value}}"),
	"gt":  newTemplate("{{property}} > {{value}}"),
	"gte": newTemplate("{{property}} >= {{value}}"),
	// A range index may find other entities than meet the condition. Then none may serve: the argument of a function is not found by one.
	"eq_unindexed":  newTemplate("coalesce({{property}}, null) = {{value}}"),
	"in_unindexed":  newTemplate("coalesce({{property}}, null) IN {{value}}"),
	"lt_unindexed":  newTemplate("coalesce({{property}}, null) < {{value}}"),
	"lte_unindexed": newTemplate("coalesce({{property}}, null) <= {{value}}"),
	"gt_unindexed":  newTemplate("coalesce({{property}}, null) > {{value}}"),
	"gte_unindexed": newTemplate("coalesce({{property}}, null) >= {{value}}"),
	// the literals of the order of large numbers: integers are compared with one, floats with another
	"lte_large": newTemplate("CASE WHEN {{property}} IS :: INTEGER NOT NULL THEN {{property}} <= {{value}}.integer " +
		"WHEN {{property}} IS :: FLOAT NOT NULL THEN {{property}} <= {{value}}.float ELSE false END"),
	"gte_large": newTemplate("CASE WHEN {{property}} IS :: INTEGER NOT NULL THEN {{property}} >= {{value}}.integer " +
		"WHEN {{property}} IS :: FLOAT NOT NULL THEN {{property}} >= {{value}}.float ELSE false END"),
	"in":          newTemplate("{{property}} IN {{value}}"),
	"contains":    newTemplate("{{property}} CONTAINS {{value}}"),
	"starts_with": newTemplate("{{property}} STARTS WITH {{value}}"),
	"ends_with":   newTemplate("{{property}} ENDS WITH {{value}}"),
	// not equal, or not comparable
	"ne":     newTemplate("{{property}} IS NOT NULL AND NOT coalesce({{property}} = {{value}}, false)"),
	"nin":    newTemplate("{{property}} IS NOT NULL AND NOT coalesce({{property}} IN {{value}}, false)"),
	"exists": newTemplate("{{property}} IS NOT NULL"),
	"absent": newTemplate("{{property}} IS NULL"),
	// a range index stores two zeros, with no value between them
	"zero": newTemplate("{{property}} >= -0.0 AND {{property}} <= 0.0"),
	// toLower fails on values that are not strings
	"icontains": newTemplate(
		"CASE WHEN {{property}} IS :: STRING NOT NULL THEN toLower({{property}}) CONTAINS toLower({{value}}) ELSE false END"),
	// letters that toLower does not write alike everywhere
	"icontains_uneven": newTemplate("CASE WHEN {{property}} IS :: STRING NOT NULL " +
		"THEN reduce(text = toLower({{property}}), pair IN {{value}}.letters | replace(text, pair[0], pair[1])) CONTAINS {{value}}.text " +
		"ELSE false END"),
	// IN fails on values that are not lists
	"has": newTemplate("CASE WHEN {{property}} IS :: LIST<ANY> NOT NULL THEN {{value}} IN {{property}} ELSE false END"),
}
