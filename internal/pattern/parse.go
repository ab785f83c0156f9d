package pattern

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// Resolve returns the literal that a reference {"$param":"name"} stands for in a condition, whose operator can have it; nil if it has none:
// then the condition is not met.
type Resolve func(c *graph.Condition, name string) (graph.Value, *fault.Error)

// Parse reads a question from the tree of its JSON form. Faults name places below the given one, which is empty for a whole body. resolve
// is nil where a question has no references to parameters.
func Parse(place string, tree any, resolve Resolve) (*Question, *fault.Error) {
	p := parser{resolve: resolve, q: &Question{}, matched: names{}}
	members, isObject := tree.(map[string]any)
	if !isObject {
		return nil, fault.Invalid(cmp.Or(place, "body"), "must be an object")
	}
	p.question(place, members)
	if f := p.Err(); f != nil {
		return nil, f
	}
	return p.q, nil
}

// parser collects the faults of a question.
type parser struct {
	resolve Resolve
	q       *Question
	matched names // of match
	hops    map[string]string
	listed  int // ids in arrays so far
	typedjson.Faults
}

// names are the names of a part of a question and the kinds of what they name.
type names map[string]graph.Kind

// members reports the members of an object that are not known.
func (p *parser) members(place string, object map[string]any, known ...string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(known, name) {
			p.Invalid(graph.FieldPath(place, name), "is not a member here; there are %s", strings.Join(known, ", "))
		}
	}
}

// list reads an array; nil if it is absent.
func (p *parser) list(place string, tree any, most int) []any {
	list, isList := tree.([]any)
	switch {
	case tree == nil:
		return nil
	case !isList:
		p.Invalid(place, "must be an array")
	case len(list) > most:
		p.Invalid(place, "must have at most %d elements", most)
	default:
		return list
	}
	return nil
}

func (p *parser) question(place string, members map[string]any) {
	at := func(name string) string { return graph.FieldPath(place, name) }
	p.members(place, members, "match", "without", "columns", "group_by", "measures", "sort", "limit", "offset")
	p.q.Match = p.chains(at("match"), members["match"])
	p.q.Without = p.chains(at("without"), members["without"])
	if len(p.q.Match) == 0 && !p.Any() {
		p.Invalid(at("match"), "must be an array of 1 to %d chains", MaxChains)
	}
	p.nameMatched(at("match"))
	if !p.Any() {
		p.checkChains()
	}
	p.result(at, members)
	p.q.Limit = p.integer(at("limit"), members["limit"], graph.DefaultLimit, 1, graph.MaxLimit)
	p.q.Offset = p.integer(at("offset"), members["offset"], 0, 0, MaxOffset)
}

func (p *parser) integer(place string, tree any, absent, least, most int) int {
	if tree == nil {
		return absent
	}
	n, isInteger := tree.(int64)
	if !isInteger || n < int64(least) || n > int64(most) {
		p.Invalid(place, "must be a whole number from %d to %d", least, most)
		return absent
	}
	return int(n)
}

func (p *parser) chains(place string, tree any) []Chain {
	list := p.list(place, tree, MaxChains)
	chains := make([]Chain, len(list))
	for i, e := range list {
		chains[i] = p.chain(graph.ElementPath(place, i), e)
	}
	return chains
}

func (p *parser) chain(place string, tree any) Chain {
	list, isList := tree.([]any)
	if !isList || len(list)%2 == 0 || len(list) > 2*MaxNodes-1 {
		p.Invalid(place, "must be an array that alternates nodes and hops, begins and ends with a node, and has at most %d nodes", MaxNodes)
		return Chain{Place: place}
	}
	c := Chain{Place: place}
	for i, e := range list {
		at := graph.ElementPath(place, i)
		members, isObject := e.(map[string]any)
		switch {
		case !isObject:
			p.Invalid(at, "must be an object")
		case i%2 == 0:
			c.Nodes = append(c.Nodes, p.node(at, members))
		default:
			c.Hops = append(c.Hops, p.hop(at, members))
		}
	}
	return c
}

func (p *parser) node(place string, members map[string]any) Node {
	p.members(place, members, "as", "type", "id", "filter", "any")
	n := Node{Place: place, As: p.as(place+".as", members["as"]), Filter: p.conditions(place, members)}
	if members["type"] != nil {
		n.Type = p.typeName(place+".type", members["type"])
	}
	switch tree := members["id"].(type) {
	case nil:
	case []any:
		n.IDs = p.ids(place+".id", tree)
	default:
		n.ID = p.id(place+".id", tree)
	}
	return n
}

func (p *parser) ids(place string, list []any) []string {
	if len(list) == 0 || len(list) > MaxIDs {
		p.Invalid(place, "must be an id, or an array of 1 to %d ids", MaxIDs)
		return nil
	}
	if p.listed += len(list); p.listed > MaxIDs {
		p.Invalid(place, "must have at most %d ids together with those of the other nodes", MaxIDs)
	}
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = p.id(graph.ElementPath(place, i), e)
	}
	return ids
}

var nameFormat = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

func (p *parser) as(place string, tree any) string {
	if tree == nil {
		return ""
	}
	name, _ := tree.(string)
	if !nameFormat.MatchString(name) {
		p.Invalid(place, "must be a lower-case letter and up to 30 more letters, digits and underscores")
		return ""
	}
	return name
}

func (p *parser) typeName(place string, tree any) graph.TypeName {
	name, isText := tree.(string)
	if !isText {
		p.Invalid(place, "must be the name of a type")
		return ""
	}
	typ, f := graph.ParseTypeName(place, name)
	p.Add(f)
	return typ
}

// maxID is the maximum length of an id in bytes.
const maxID = 1024

func (p *parser) id(place string, tree any) string {
	id, isText := tree.(string)
	if !isText || id == "" || len(id) > maxID || !utf8.ValidString(id) || strings.ContainsRune(id, 0) {
		p.Invalid(place, "must be an id: a text of 1 to %d bytes without NUL", maxID)
		return ""
	}
	return id
}

func (p *parser) hop(place string, members map[string]any) Hop {
	p.members(place, members, "edge", "direction", "as", "filter", "any", "hops")
	h := Hop{
		Place: place, As: p.as(place+".as", members["as"]), Types: p.types(place+".edge", members["edge"]),
		Direction: graph.Out, Filter: p.conditions(place, members), Min: 1, Max: 1,
	}
	if tree := members["direction"]; tree != nil {
		text, _ := tree.(string)
		if h.Direction = graph.Direction(text); h.Direction != graph.Out && h.Direction != graph.In && h.Direction != graph.Both {
			p.Invalid(place+".direction", "must be out, in or both")
		}
	}
	if tree := members["hops"]; tree != nil {
		h.Min, h.Max = p.steps(place+".hops", tree)
		if members["as"] != nil {
			p.Invalid(place+".as", "cannot name several edges: leave it out, or hops")
		}
	}
	return h
}

func (p *parser) steps(place string, tree any) (least, most int) {
	list, _ := tree.([]any)
	if len(list) == 2 {
		least, isLeast := list[0].(int64)
		most, isMost := list[1].(int64)
		if isLeast && isMost && 1 <= least && least <= most && most <= MaxSteps {
			return int(least), int(most)
		}
	}
	p.Invalid(place, "must be two whole numbers, the fewest and the most edges: 1 to %d", MaxSteps)
	return 1, 1
}

func (p *parser) types(place string, tree any) []graph.TypeName {
	list, isList := tree.([]any)
	switch {
	case tree == nil:
		return nil
	case !isList:
		return []graph.TypeName{p.typeName(place, tree)}
	case len(list) == 0 || len(list) > MaxTypes:
		p.Invalid(place, "must be the name of a type, or an array of 1 to %d names", MaxTypes)
	}
	var types []graph.TypeName
	for i, e := range list[:min(len(list), MaxTypes)] {
		if typ := p.typeName(graph.ElementPath(place, i), e); !slices.Contains(types, typ) {
			types = append(types, typ)
		}
	}
	return types
}

// conditions reads the members filter and any of a node or hop: conditions, and alternatives with conditions each.
func (p *parser) conditions(place string, members map[string]any) graph.Filter {
	all := p.filter(place+".filter", members["filter"])
	alternatives, isList := members["any"].([]any)
	if members["any"] != nil && (!isList || len(alternatives) == 0) {
		p.Invalid(place+".any", "must be an array of filters, of which one must hold")
	}
	for i, tree := range alternatives[:min(len(alternatives), graph.MaxConditions)] {
		at := graph.ElementPath(place+".any", i)
		if filter, isObject := tree.(map[string]any); tree == nil || isObject && len(filter) == 0 {
			p.Invalid(at, "must be a filter with a condition at least")
		}
		for _, c := range p.filter(at, tree) {
			c.Any = i + 1
			all = append(all, c)
		}
	}
	if len(alternatives) > graph.MaxConditions || len(alternatives) > 0 && len(all) > graph.MaxConditions {
		p.Invalid(place+".any", "must have at most %d conditions, together with those of the filter", graph.MaxConditions)
	}
	return all
}

func (p *parser) filter(place string, tree any) graph.Filter {
	if tree == nil {
		return nil
	}
	parameters := map[int]string{}
	filter, faults := typedjson.ParseConditions(place, tree, typedjson.ConditionsOf{Refer: p.refer(parameters), ByProperty: true})
	p.Add(faults...)
	for i := range filter {
		c := &filter[i]
		p.Add(graph.CheckPropertyName(c.Field, c.Property))
		if name, is := parameters[i]; is {
			p.Add(p.resolveLiteral(c, name))
		}
	}
	return filter
}

// resolveLiteral gives a condition the value of a parameter.
func (p *parser) resolveLiteral(c *graph.Condition, name string) *fault.Error {
	value, f := p.resolve(c, name)
	if c.Value = value; f == nil && value == nil { // which no value equals
		c.Operator, c.Value = graph.OneOf, []graph.Value{}
	}
	return f
}

// refer recognizes references to parameters, and keeps their names by the position of the condition.
func (p *parser) refer(parameters map[int]string) typedjson.Reference {
	if p.resolve == nil {
		return nil
	}
	return func(i int, c graph.Condition, tree any) (bool, *fault.Error) {
		members, isObject := tree.(map[string]any)
		reference, given := members["$param"]
		if !isObject || !given || len(members) != 1 {
			return false, nil
		}
		name, isText := reference.(string)
		if !isText || name == "" {
			return true, fault.Invalid(c.Field, "must name a parameter")
		}
		parameters[i] = name
		return true, nil
	}
}
