package cypher

// Scope is a part of the graph that a user may see: the entities of some types that meet conditions. The literal of a condition is the
// parameter $view.v<n>, where n is its position in all scopes of a statement.
type Scope struct {
	Types      []string // labels or relationship types; none for any, and if the statement names one of them
	Conditions []Condition
	First      int // position of the first condition
}

// Entity is an expression for an entity in a statement.
type Entity struct{ expression Fragment }

// The entities that scopes are tested on: those that the statements of lists bind, and the ends of a bound relationship.
var (
	NodeEntity   = Entity{literal("n")}
	EdgeEntity   = Entity{literal("r")}
	SourceEntity = Entity{literal("startNode(r)")}
	TargetEntity = Entity{literal("endNode(r)")}
)

// or is the expression of an entity, or a variable if the entity is its zero value.
func (e Entity) or(variable Variable) Fragment {
	if e == (Entity{}) {
		return variable.fragment()
	}
	return e.expression
}

// InScopes is the condition that an entity is in at least one of the scopes; false if there are none. Tests of several labels are the
// argument of a function, so that the planner tests them on each entity: of an OR of label tests it makes a union of a scan for each label,
// of which even the first page reads all that have no entity of the list. `make bench-large` asks such lists.
func InScopes(e Entity, scopes []Scope) Fragment {
	if len(scopes) == 0 {
		return False
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

func (s Scope) text(e Entity) Fragment {
	var texts []Fragment
	if len(s.Types) > 0 {
		texts = append(texts, hasType.fill(Slots{"entity": e.expression, "types": QuoteAny(s.Types)}))
	}
	for i, c := range s.Conditions {
		property := keyTemplate.fill(Slots{"variable": e.expression, "key": c.Key})
		if testsExistence[c.Operator] {
			property = valueOf.fill(Slots{"property": property})
		}
		texts = append(texts, operatorTest(c.Operator).fill(Slots{"property": property, "value": numberedName("$view.v", s.First+i)}))
	}
	if len(texts) == 0 {
		return True
	}
	return parenthesized.fill(Slots{"condition": join(" AND ", texts)})
}

// testsExistence are the operators that ask whether a property exists. Where conditions are joined by OR, Neo4j 5.26.30 may remember only
// that it does, as true, and return true as its value (2026.08.1 does not): the value itself must be read.
var testsExistence = map[string]bool{"exists": true, "absent": true, "ne": true, "nin": true}

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
	anyHolds      = newTemplate("coalesce({{condition}}, false)")
	hasType       = newTemplate("{{entity}}:{{types}}")
	together      = newTemplate("EXISTS { (:{{label}}&{{other}}) }")
	valueOf       = newTemplate("coalesce({{property}}, null)")
	// shown and notShown are a condition on a property that only some scopes show: where they do not hold, the entity has no such property.
	shown    = newTemplate("({{condition}} AND {{shown}})")
	notShown = newTemplate("({{condition}} OR NOT coalesce({{shown}}, false))")
)
