package cypher

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Scope is a part of the graph that a user may see: the entities of some types that meet conditions. The literal of a condition is the
// parameter $view.v<n>, where n is its position in all scopes of a statement.
type Scope struct {
	Types      []string // labels or relationship types; none for any, and if the statement names one of them
	Conditions []Condition
	First      int // position of the first condition
	// Data, if it is not nil, says where $view has the scope as data.
	Data *ScopeData
}

// ScopeData is where the parameters have a scope: $view.s<List> is a list of maps of types, which is null for any, and tests, of which each
// is a list of the key, the OperatorNumber and the literal.
type ScopeData struct{ List, Index, Length int } // Length is that of the list

// MaxScopeConditions is how many conditions of scopes are the text of a statement; an index may serve them. More are data: planning a text
// takes some 10 ms for each condition, of each new statement.
const MaxScopeConditions = 16

// Entity is an expression for an entity in a statement.
type Entity struct {
	expression Fragment
	isEdge     bool
}

// The entities that scopes are tested on: those that the statements of lists bind, and the ends of a bound relationship.
var (
	NodeEntity   = Entity{expression: literal("n")}
	EdgeEntity   = Entity{literal("r"), true}
	SourceEntity = Entity{expression: literal("startNode(r)")}
	TargetEntity = Entity{expression: literal("endNode(r)")}
)

// or is the expression of an entity, or another one if the entity is its zero value.
func (e Entity) or(other Fragment) Fragment {
	if e == (Entity{}) {
		return other
	}
	return e.expression
}

// InScopes is the condition that an entity is in at least one of the scopes; false if there are none. Tests of several labels are the
// argument of a function, so that the planner tests them on each entity: of an OR of label tests it makes a union of a scan for each label,
// of which even the first page reads all that have no entity of the list. `make bench-large` asks such lists.
func InScopes(e Entity, scopes []Scope) Fragment {
	switch {
	case len(scopes) == 0:
		return False
	case scopes[0].Data != nil:
		return inScopeData(e, scopes)
	}
	texts := make([]Fragment, len(scopes))
	for i, s := range scopes {
		texts[i] = s.text(e)
		if texts[i] == True {
			return True
		}
	}
	if len(texts) == 1 && len(scopes[0].Types) <= 1 {
		return texts[0]
	}
	return anyHolds.fill(Slots{"condition": join(" OR ", texts)})
}

// Found is a condition on entities that an id has found. No index serves it: on an empty database an index would cost less than the id, and
// the plan stays when the database is not empty any more.
func Found(condition Fragment) Fragment {
	if condition == True {
		return True
	}
	return unindexed.fill(Slots{"condition": condition})
}

// inScopeData is InScopes for scopes that the parameters have. Of their conditions its text has the keys, unless they are many: they are
// read once for all scopes. And it has the operators, since the planner takes tens of milliseconds for each, wherever the statement tests
// an entity.
func inScopeData(e Entity, scopes []Scope) Fragment {
	indexes := make([]Fragment, len(scopes))
	keys, used := map[Fragment]bool{}, map[string]bool{}
	for i, s := range scopes {
		if len(s.Types)+len(s.Conditions) == 0 {
			return True
		}
		indexes[i] = number(s.Data.Index)
		for _, c := range s.Conditions {
			keys[c.Key], used[c.Operator] = true, true
		}
	}
	data := scopes[0].Data
	list := numberedName("$view.s", data.List)
	if len(scopes) < data.Length {
		list = someScopes.fill(Slots{"indexes": join(", ", indexes), "list": list})
	}
	names := namesOfNode
	if e.isEdge {
		names = namesOfEdge
	}
	return meetsData.fill(Slots{
		"list": list, "names": names.fill(Slots{"entity": e.expression}), "held": e.valuesOf(keys), "test": operatorCases(used),
	})
}

// valuesOf is an expression for a map of an entity's values of some keys. It is the entity itself if they are many, or none.
func (e Entity) valuesOf(keys map[Fragment]bool) Fragment {
	if len(keys) == 0 || len(keys) > MaxScopeConditions {
		return e.expression
	}
	values := make([]Fragment, 0, len(keys))
	for key := range keys {
		value := keyTemplate.fill(Slots{"variable": e.expression, "key": key})
		values = append(values, heldKey.fill(Slots{"key": key, "value": value}))
	}
	slices.SortFunc(values, func(a, b Fragment) int { return strings.Compare(a.String(), b.String()) })
	return heldValues.fill(Slots{"values": join(", ", values)})
}

// operatorNames are the names of the operators, in the order of their numbers.
var operatorNames = slices.Sorted(maps.Keys(operators))

// OperatorNumber is the number of an operator in the tests of ScopeData. An unknown operator is a programming error and panics.
func OperatorNumber(operator string) int {
	at, known := slices.BinarySearch(operatorNames, operator)
	if !known {
		panic(fmt.Sprintf("cypher: unknown operator %q", operator))
	}
	return at
}

// operatorCases is the test of a property that is held by one of the used operators and the literal of the variable test.
func operatorCases(used map[string]bool) Fragment {
	var cases []Fragment
	property := dynamicKey.fill(Slots{"variable": literal("held"), "key": literal("test[0]")})
	for i, name := range operatorNames {
		if used[name] {
			test := operators[name].fill(Slots{"property": property, "value": literal("test[2]")})
			cases = append(cases, operatorCase.fill(Slots{"number": number(i), "test": test}))
		}
	}
	if len(cases) == 0 {
		return True
	}
	return anyOperator.fill(Slots{"cases": join(" ", cases)})
}

var (
	someScopes = newTemplate("[index IN [{{indexes}}] | {{list}}[index]]")
	meetsData  = newTemplate("coalesce(any(names IN [{{names}}] WHERE any(held IN [{{held}}] WHERE any(scope IN {{list}} WHERE " +
		"(scope.types IS NULL OR any(name IN names WHERE name IN scope.types)) AND all(test IN scope.tests WHERE {{test}})))), false)")
	heldKey      = newTemplate("{{key}}: {{value}}")
	heldValues   = newTemplate("{ {{values}} }")
	namesOfNode  = newTemplate("labels({{entity}})")
	namesOfEdge  = newTemplate("[type({{entity}})]")
	operatorCase = newTemplate("WHEN {{number}} THEN {{test}}")
	anyOperator  = newTemplate("CASE test[1] {{cases}} END")
)

func (s Scope) text(e Entity) Fragment {
	var texts []Fragment
	if len(s.Types) > 0 {
		texts = append(texts, hasType.fill(Slots{"entity": e.expression, "types": QuoteAny(s.Types)}))
	}
	for i, c := range s.Conditions {
		property := keyTemplate.fill(Slots{"variable": e.expression, "key": c.Key})
		texts = append(texts, testJoinedByOr(c.Operator, property, numberedName("$view.v", s.First+i)))
	}
	if len(texts) == 0 {
		return True
	}
	return parenthesized.fill(Slots{"condition": join(" AND ", texts)})
}

// testsExistence are the operators that ask whether a property exists. Where conditions are joined by OR, Neo4j 5.26.30 may remember only
// that it does, as true, and return true as its value (2026.08.1 does not): the value itself must be read.
var testsExistence = map[string]bool{"exists": true, "absent": true, "ne": true, "nin": true}

// testJoinedByOr is the test of an operator to which others may be joined by OR.
func testJoinedByOr(operator string, property, value Fragment) Fragment {
	if testsExistence[operator] {
		property = valueOf.fill(Slots{"property": property})
	}
	return operatorTest(operator).fill(Slots{"property": property, "value": value})
}

// Together is the condition that some node has a label together with one of some others. The database finds such nodes in the index of
// labels, without reading nodes: of each pair it reads little if the nodes of the two labels were not created in turns.
func Together(label string, others []string) Fragment {
	texts := make([]Fragment, len(others))
	for i, other := range others {
		texts[i] = together.fill(Slots{"label": Quote(label), "other": Quote(other)})
	}
	return join(" OR ", texts)
}

// False is a condition that is never true.
var False = literal("false")

var (
	parenthesized = newTemplate("({{condition}})")
	unindexed     = newTemplate("CASE WHEN {{condition}} THEN true ELSE false END")
	anyHolds      = newTemplate("coalesce({{condition}}, false)")
	hasType       = newTemplate("{{entity}}:{{types}}")
	together      = newTemplate("EXISTS { (:{{label}}&{{other}}) }")
	valueOf       = newTemplate("coalesce({{property}}, null)")
	// shown and notShown are a condition on a property that only some scopes show: where they do not hold, the entity has no such property.
	shown    = newTemplate("({{condition}} AND {{shown}})")
	notShown = newTemplate("({{condition}} OR NOT coalesce({{shown}}, false))")
)
