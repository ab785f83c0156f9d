package changeset

import (
	"math"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// UniqueKey is a set of properties whose combined values at most one entity of a type has.
type UniqueKey struct {
	Kind       graph.Kind
	Type       string
	Properties []string
}

// Claim is values of a unique key that an operation gives to an entity.
type Claim struct {
	UniqueKey
	Values []graph.Value // of the properties
}

// ClaimKey identifies equal claims.
type ClaimKey string

// Key identifies the claim.
func (c Claim) Key() ClaimKey {
	return ClaimKey(string(c.Kind) + " " + c.Type + " " + graph.Fingerprint(c.Filter(), nil))
}

// Filter selects the entities of the type that have the values.
func (c Claim) Filter() graph.Filter {
	filter := make(graph.Filter, len(c.Properties))
	for i, name := range c.Properties {
		filter[i] = graph.Condition{Property: name, Operator: graph.Equal, Value: c.Values[i], Field: "filter"}
	}
	return filter
}

// HeldBy reports whether properties have the values. As in Neo4j's constraints, an integer equals a float of the same value.
func (c Claim) HeldBy(p graph.Properties) bool {
	for i, name := range c.Properties {
		if v, exists := p[name]; !exists || !equalInIndex(c.Values[i], v) {
			return false
		}
	}
	return true
}

func equalInIndex(a, b graph.Value) bool {
	if _, isFloat := a.(float64); isFloat {
		a, b = b, a
	}
	if n, isInteger := a.(int64); isInteger {
		if f, isFloat := b.(float64); isFloat {
			return f >= math.MinInt64 && f < math.MaxInt64 && f == math.Trunc(f) && int64(f) == n
		}
	}
	return graph.EqualValues(a, b)
}

// Claims are what operations give to entities of the properties of Before.Unique, each once.
func Claims(operations []graph.Operation, before Before) []Claim {
	d := newDiffer(before, nil)
	d.run(operations)
	seen := map[ClaimKey]bool{}
	return slices.DeleteFunc(d.claims, func(c Claim) bool {
		key := c.Key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// GroupClaims divides claims into groups of one unique key, of at most size claims. Values for which no index may serve have separate
// groups, so that one serves for the others.
func GroupClaims(claims []Claim, size int) (groups [][]Claim) {
	open := map[string]int{} // the group of a unique key that has room
	for _, c := range claims {
		key := string(c.Kind) + "\x00" + c.Type + "\x00" + strings.Join(c.Properties, "\x00")
		if slices.ContainsFunc(c.Values, func(v graph.Value) bool {
			return graph.Condition{Operator: graph.OneOf, Value: []graph.Value{v}}.IndexDiffers()
		}) {
			key += "\x00"
		}
		at, isOpen := open[key]
		if !isOpen || len(groups[at]) == size {
			at = len(groups)
			open[key], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], c)
	}
	return groups
}

// FilterOf selects the entities that may have the values of one of some claims of one unique key: each property has the value of a claim.
func FilterOf(claims []Claim) graph.Filter {
	if len(claims) == 1 {
		return claims[0].Filter()
	}
	filter := make(graph.Filter, len(claims[0].Properties))
	for i, name := range claims[0].Properties {
		values := make([]graph.Value, len(claims))
		for n, c := range claims {
			values[n] = c.Values[i]
		}
		filter[i] = graph.Condition{Property: name, Operator: graph.OneOf, Value: values, Field: "filter"}
	}
	return filter
}

// claim records what operation n gives to an entity, whose properties before it are these, and violations if another entity has the same.
func (d *differ) claim(n int, o graph.Operation, e *Entity, before graph.Properties) {
	for _, key := range d.before.Unique {
		if key.Kind != e.Kind || !e.After.hasType(key.Type) {
			continue
		}
		claim, field := Claim{UniqueKey: key}, ""
		for _, name := range key.Properties {
			value, exists := e.After.Properties[name]
			if !exists {
				break
			}
			claim.Values = append(claim.Values, value)
			if _, written := o.Properties[name]; written && field == "" {
				field = graph.FieldPath("properties", name)
			}
		}
		if len(claim.Values) < len(key.Properties) || field == "" || claim.HeldBy(before) {
			continue
		}
		d.claims = append(d.claims, claim)
		if holder, taken := d.holderOf(claim, e); taken && len(d.diff.Violations) < maxViolations {
			d.diff.Violations = append(d.diff.Violations, Violation{
				Detail: fault.Detail{Field: graph.OperationField(n, field), Message: claim.Message()}, Claim: &claim, Holder: holder,
			})
		}
	}
}

// Message says what is wrong with a claim of values that another entity has.
func (c Claim) Message() string {
	what := "this value"
	if len(c.Properties) > 1 {
		what = "these values of " + strings.Join(c.Properties, ", ")
	}
	return "another " + string(c.Kind) + " of type " + c.Type + " has " + what + " already"
}

func (s *State) hasType(name string) bool { return s.Type == name || slices.Contains(s.Labels, name) }

// holderOf is another entity that has the values of a claim at this point of the simulation.
func (d *differ) holderOf(c Claim, claimant *Entity) (holder EntityKey, taken bool) {
	if e := d.held.firstBeside(c, claimant); e != nil {
		return e.Key(), true
	}
	for _, id := range d.before.Holders[c.Key()] {
		if d.byKey[entityKey{c.Kind, id}] == nil { // else an operation before has changed it
			return EntityKey{Kind: c.Kind, ID: id}, true
		}
	}
	return EntityKey{}, false
}

// heldValues has the entities of a simulation by the values of unique keys that they have or have had: an entity is looked up instead of
// compared with all others.
type heldValues struct {
	keys    []UniqueKey
	holders map[ClaimKey]map[*Entity]bool // by comparableKey
}

// add adds what an entity has now.
func (h heldValues) add(e *Entity) {
	if e.After == nil {
		return
	}
	for _, key := range h.keys {
		if key.Kind != e.Kind || !e.After.hasType(key.Type) {
			continue
		}
		c := Claim{UniqueKey: key}
		for _, name := range key.Properties {
			if value, exists := e.After.Properties[name]; exists {
				c.Values = append(c.Values, value)
			}
		}
		if len(c.Values) < len(key.Properties) {
			continue
		}
		at := c.comparableKey()
		if h.holders[at] == nil {
			h.holders[at] = map[*Entity]bool{}
		}
		h.holders[at][e] = true
	}
}

// firstBeside is the first entity of the diff, other than the claimant, that has the values now; nil if there is none.
func (h heldValues) firstBeside(c Claim, claimant *Entity) (first *Entity) {
	for e := range h.holders[c.comparableKey()] {
		if e != claimant && e.After != nil && c.HeldBy(e.After.Properties) && (first == nil || e.place < first.place) {
			first = e
		}
	}
	return first
}

// comparableKey is the same for claims of values that are equal in an index.
func (c Claim) comparableKey() ClaimKey {
	values := slices.Clone(c.Values)
	for i, v := range values {
		if f, isFloat := v.(float64); isFloat && equalInIndex(int64(f), f) {
			values[i] = int64(f)
		}
	}
	return Claim{c.UniqueKey, values}.Key()
}
