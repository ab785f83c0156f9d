package neo4jlist

import (
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
)

// listTexts writes the statements of a list and their parameters. It needs no database.
type listTexts struct {
	query  *listQuery
	shared *neo4jentity.Texts
	common map[string]any // the parameters that statements of the page may declare
}

func newListTexts(q *listQuery, shared *neo4jentity.Texts, common map[string]any) *listTexts {
	return &listTexts{query: q, shared: shared, common: common}
}

// text fills the slots that a statement has, from those given. Given is "type" for the types that it reads, whatever its slot is named.
func (t *listTexts) text(statement cypher.Statement, given cypher.Slots) cypher.Text {
	slots := make(cypher.Slots, len(statement.Slots))
	for _, slot := range statement.Slots {
		switch slot {
		case "types", "label", "labels":
			slots[slot] = given["type"]
		case "of":
			slots[slot] = cypher.OfLabels(given["type"])
		case "id":
			slots[slot] = t.shared.IDName
		case "ends":
			slots[slot] = t.ends()
		default:
			slots[slot] = given[slot]
		}
	}
	return statement.Text(slots)
}

// ends fills the slot ends.
func (t *listTexts) ends() cypher.Fragment {
	switch {
	case !t.query.Ends:
		return cypher.NoEnds
	case t.query.filter.View.HidesAtEnds():
		return cypher.EndNamesAndValues(t.shared.IDName, cypher.EndKeysOfView)
	default:
		return cypher.EndNames(t.shared.IDName)
	}
}

// paramsOf are the parameters that a statement declares, and those of the filter.
func (t *listTexts) paramsOf(statement cypher.Statement, given map[string]any) map[string]any {
	return t.query.filter.AddParams(t.declaredParams(statement, given))
}

// declaredParams are the parameters that a statement declares, from those given and those of the page.
func (t *listTexts) declaredParams(statement cypher.Statement, given map[string]any) map[string]any {
	params := make(map[string]any, len(statement.Params)+1)
	for _, name := range statement.Params {
		if value, isGiven := given[name]; isGiven {
			params[name] = value
		} else if value, isCommon := t.common[name]; isCommon {
			params[name] = value
		}
	}
	return params
}

// listed is the slot of the entities of a type that a part of a list contains.
func (t *listTexts) listed(part typePart) cypher.Fragment {
	return t.query.statements.listed(cypher.Listed{Under: part.under, WithoutID: part.withoutID}, t.shared.IDName)
}

// total is the statement that counts a type, or all.
func (t *listTexts) total(typ string, parts internalParts) cypher.Text {
	statement := t.query.statements.total
	if typ == "" {
		statement = t.query.statements.totalAll
	}
	return t.text(statement, cypher.Slots{
		"type": cypher.Quote(typ), "internal": cypher.QuoteAny(parts.scanned), "internal_types": cypher.QuoteAny(parts.types),
		"records": t.query.statements.countRecords(parts.records, typ),
		"counted": cypher.QuoteAny(append([]string{graph.ReservedPrefix}, parts.records...)),
	})
}

// whereSorted returns the condition of a sorted list of edges. A sort key of an end could put edges at internal nodes first. If they were
// excluded only after the native sort, the page would need another statement, whose time would disclose that they exist. Conditions on ends
// exclude them already.
func (t *listTexts) whereSorted(ends endpointFilter) cypher.Fragment {
	f := t.query.filter
	where := f.where(string(t.query.Type))
	if ends.hasNodes() {
		where = f.whereByParameters()
	}
	if !t.query.readsEnds() || slices.ContainsFunc(f.Conditions, func(c graph.Condition) bool { return c.Side != "" }) {
		return where
	}
	return cypher.And([]cypher.Fragment{where, cypher.VisibleEdge})
}
