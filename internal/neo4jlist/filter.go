package neo4jlist

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
)

// Filter is a graph.Filter prepared for Cypher. Its zero value has no conditions.
type Filter struct {
	Conditions graph.Filter
	variable   cypher.Variable // the variable that the statements bind the entity to
	indexed    neo4jschema.IndexedKeys
	sizes      map[string]int64 // number of entities by type, some seconds old
	known      map[string]bool  // the conditions' properties that exist in the database: only for those a plan is worthwhile
	View       neo4jview.Predicate

	endsVisible bool // no edge that the statement reads has an internal end: see neo4jentity.ExclusionCache.EndsAreVisible
}

// selects reports whether a list does not contain all entities of a type, or all of any type if typ is empty.
func (f Filter) selects(typ string) bool { return len(f.Conditions) > 0 || f.View.Limits(typ) }

// largeType is the number of entities from which it pays to plan a statement for each filtered property: a property that is named in the
// text is read in half the time of one that is named by a parameter.
const largeType = 20000

// namesKeys reports whether a statement on a type, or on all if typ is empty, names the properties that the database has: it does if a type
// that it reads is large. A statement on all types does so only for users who see everything: for others the time would tell that a type
// that they do not see has the property.
func namesKeys(sizes map[string]int64, typ string, view neo4jview.Predicate) bool {
	if typ != "" {
		return sizes[typ] >= largeType
	}
	isLarge := func(size int64) bool { return size >= largeType }
	return view.SeesEverything() && slices.ContainsFunc(slices.Collect(maps.Values(sizes)), isLarge)
}

// typesRead are the types that a statement on a type, or on all that the user sees if typ is empty, reads; none for all.
func (f Filter) typesRead(typ string) []string {
	if typ != "" {
		return []string{typ}
	}
	types, _ := f.View.Names()
	return types
}

// where is the text of the conditions and of the user's view. typ is the type that the statement reads, whose indexes may serve; empty for
// all types.
func (f Filter) where(typ string) cypher.Fragment {
	named := namesKeys(f.sizes, typ, f.View)
	return f.andView(typ, f.render(typ, func(c graph.Condition) (inText, left bool) {
		return named && f.known[c.Property] || f.serves(typ, c), false
	}))
}

// whereByParameters is where("") for a statement that reads few entities, such as the edges of a node, or in an order that no index of a
// condition may change: one plan is enough for all properties.
func (f Filter) whereByParameters() cypher.Fragment {
	return f.andView("", f.render("", func(graph.Condition) (named, left bool) { return false, false }))
}

func (f Filter) andView(typ string, conditions cypher.Fragment) cypher.Fragment {
	if !f.View.Limits(typ) {
		return conditions
	}
	return cypher.And([]cypher.Fragment{conditions, f.View.Text(typ)})
}

// servedWhere is the text of the conditions that an index serves.
func (f Filter) servedWhere(typ string) cypher.Fragment {
	return f.render(typ, func(c graph.Condition) (named, left bool) { return true, !f.serves(typ, c) })
}

// render writes the conditions on a type, some with their property in the text and some omitted.
func (f Filter) render(typ string, form func(graph.Condition) (named, left bool)) cypher.Fragment {
	conditions := make([]cypher.Condition, len(f.Conditions))
	for i, c := range f.Conditions {
		named, left := form(c)
		conditions[i] = cypher.Condition{
			Of: neo4jview.EntityAt(c.Side), Operator: neo4jview.Operator(c), Any: c.Any, Shown: f.View.Shown(c.Side, typ, c.Property),
		}
		if left {
			conditions[i].Operator = cypher.Omitted
		}
		if named {
			conditions[i].Key = cypher.Quote(c.Property)
		}
	}
	return cypher.Where(f.variable, conditions)
}

// served reports whether an index of a type serves one of the conditions.
func (f Filter) served(typ string) bool {
	return slices.ContainsFunc(f.Conditions, func(c graph.Condition) bool { return f.serves(typ, c) })
}

// serves reports whether an index of a type serves one of the conditions. None serves alternatives if the user sees a property of one only
// on some entities.
func (f Filter) serves(typ string, c graph.Condition) bool {
	isHidden := func(c graph.Condition) bool { return f.View.Shown(c.Side, typ, c.Property) == cypher.False }
	shown := slices.DeleteFunc(slices.Clone(f.Conditions), isHidden)
	isLimited := func(c graph.Condition) bool {
		return c.Any != 0 && f.View.Shown(c.Side, typ, c.Property) != (cypher.Fragment{})
	}
	return !isHidden(c) && f.indexed.ServesAmong(typ, c, shown) && (c.Any == 0 || !slices.ContainsFunc(f.Conditions, isLimited))
}

// hasGroups reports whether one of the alternatives has several conditions.
func (f Filter) hasGroups() bool {
	seen := map[int]bool{}
	for _, c := range f.Conditions {
		if c.Any != 0 && (seen[c.Any] || neo4jview.Operator(c) == "zero") {
			return true
		}
		seen[c.Any] = true
	}
	return false
}

// AddParams adds the conditions' keys and literals, and those of the view, to a statement's parameters.
func (f Filter) AddParams(params map[string]any) map[string]any {
	params = f.View.With(params)
	if _, given := params["ends_visible"]; !given && f.variable == cypher.EdgeVariable {
		params["ends_visible"] = f.endsVisible
	}
	if len(f.Conditions) == 0 {
		return params
	}
	where := make(map[string]any, 2*len(f.Conditions))
	for i, c := range f.Conditions {
		where["k"+strconv.Itoa(i)], where["v"+strconv.Itoa(i)] = c.Property, neo4jview.Literal(c)
	}
	if !f.View.SeesEverything() {
		where["none"] = cypher.HiddenKey
	}
	params["where"] = where
	return params
}

// AttributeError names the condition that caused a failed statement, if the database's message identifies it.
func (f Filter) AttributeError(err error) error {
	for _, c := range f.Conditions {
		if zone := bolt.ZoneFault(err, c.Field, c.Value); zone != nil {
			return zone
		}
	}
	return err
}

// filterBuilder prepares filters by the indexes and the names in use.
type filterBuilder struct {
	exclusions *neo4jentity.ExclusionCache
	counts     *neo4jschema.Counts
	names      *neo4jschema.Names
	indexes    *neo4jschema.IndexStore
}

// withEnds finds out, for a statement that reads many edges of a type or of all, whether it must read the labels of their ends.
func (b *filterBuilder) withEnds(ctx context.Context, f Filter, typ graph.TypeName) (Filter, error) {
	if f.endsVisible {
		return f, nil
	}
	var err error
	f.endsVisible, err = b.exclusions.EndsAreVisible(ctx, f.typesRead(string(typ)), b.counts.Known().Edges)
	return f, err
}

// buildFilter prepares the filter of a query on nodes or edges.
func (b *filterBuilder) buildFilter(ctx context.Context, k graph.Kind, conditions graph.Filter) (Filter, error) {
	f := Filter{Conditions: conditions, variable: neo4jentity.StatementsOf[k].Variable, View: neo4jview.PredicateOf(ctx, k)}
	if len(conditions) == 0 {
		return f, nil
	}
	f.sizes, f.known = b.counts.Known().Of(k), b.names.KnownKeys(conditions)
	indexed, err := b.indexes.IndexedKeys(ctx, k)
	f.indexed = indexed
	return f, err
}
