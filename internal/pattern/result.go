package pattern

import (
	"slices"
	"strings"

	"graphrest/internal/graph"
)

// result reads what is answered: columns, or groups and measures, and the order.
func (p *parser) result(at func(string) string, members map[string]any) {
	p.q.GroupBy = p.refs(at("group_by"), members["group_by"], MaxGroups)
	p.q.Measures = p.measures(at("measures"), members["measures"])
	p.q.Columns = p.refs(at("columns"), members["columns"], MaxColumns)
	p.q.Grouped = isGiven(members["group_by"]) || isGiven(members["measures"])
	switch {
	case p.q.Grouped && isGiven(members["columns"]):
		p.Invalid(at("columns"), "must be absent with group_by or measures")
	case !p.q.Grouped && !isGiven(members["columns"]):
		for _, name := range p.q.Names {
			p.q.Columns = append(p.q.Columns, Ref{Name: name})
		}
	}
	if p.q.Grouped {
		p.checkMeasureColumns(at("measures"))
	}
	p.q.Sort = p.sort(at("sort"), members["sort"])
}

// isGiven reports whether a list is there and not empty.
func isGiven(tree any) bool {
	list, isList := tree.([]any)
	return tree != nil && (!isList || len(list) > 0)
}

func (p *parser) refs(place string, tree any, most int) []Ref {
	list := p.list(place, tree, most)
	var refs []Ref
	for i, e := range list {
		at := graph.ElementPath(place, i)
		ref, ok := p.ref(at, e)
		if !ok {
			continue
		}
		if slices.Contains(refs, ref) {
			p.Invalid(at, "is a column already")
		}
		refs = append(refs, ref)
	}
	return refs
}

// ref reads a name, or a name, a dot and a property.
func (p *parser) ref(place string, tree any) (Ref, bool) {
	text, isText := tree.(string)
	if !isText {
		p.Invalid(place, "must be a name of match, or a name, a dot and a property")
		return Ref{}, false
	}
	name, property, ofProperty := strings.Cut(text, ".")
	kind, known := p.matched[name]
	if !known {
		p.Invalid(place, "%s is not a name of match", quoted(name))
		return Ref{}, false
	}
	if ofProperty {
		if f := graph.CheckPropertyName(place, property); f != nil {
			p.Add(f)
			return Ref{}, false
		}
	}
	return Ref{Name: Name{Text: name, Kind: kind}, Property: property}, true
}

// quoted is a text of a request in a message.
func quoted(text string) string { return `"` + graph.FieldPath("", text) + `"` }

func (p *parser) measures(place string, tree any) []Measure {
	list := p.list(place, tree, MaxMeasures)
	measures := make([]Measure, len(list))
	for i, e := range list {
		measures[i] = p.measure(graph.ElementPath(place, i), e)
	}
	return measures
}

func (p *parser) measure(place string, tree any) Measure {
	members, isObject := tree.(map[string]any)
	if !isObject {
		p.Invalid(place, "must be an object")
		return Measure{}
	}
	p.members(place, members, "op", "of", "as")
	text, _ := members["op"].(string)
	m := Measure{Op: Op(text), Column: text}
	if !slices.Contains([]Op{Count, Sum, Mean, Min, Max}, m.Op) {
		p.Invalid(place+".op", "must be count, sum, mean, min or max")
		return m
	}
	switch tree := members["of"]; {
	case tree != nil:
		if ref, ok := p.ref(place+".of", tree); ok {
			m.Of, m.Column = &ref, text+"("+ref.Column()+")"
			if ref.Property == "" && m.Op != Count {
				p.Invalid(place+".of", "must be a property, such as %s.name: only count counts nodes and edges", ref.Text)
			}
		}
	case m.Op != Count:
		p.Invalid(place+".of", "must be a property, such as f.rating")
	}
	if as := p.as(place+".as", members["as"]); as != "" {
		m.Column = as
	}
	return m
}

// checkMeasureColumns rejects a measure whose column has the name of another column.
func (p *parser) checkMeasureColumns(place string) {
	var columns []string
	for _, ref := range p.q.GroupBy {
		columns = append(columns, ref.Column())
	}
	for i, m := range p.q.Measures {
		if slices.Contains(columns, m.Column) {
			p.Invalid(graph.ElementPath(place, i), "has the column %s, which there is already; give it another name by as", quoted(m.Column))
		}
		columns = append(columns, m.Column)
	}
}

func (p *parser) sort(place string, tree any) []SortKey {
	list := p.list(place, tree, MaxSortKeys)
	var keys []SortKey
	for i, e := range list {
		at := graph.ElementPath(place, i)
		key, ok := p.sortKey(at, e)
		if !ok {
			continue
		}
		if slices.ContainsFunc(keys, func(k SortKey) bool { return k.Ref == key.Ref && k.Column == key.Column }) {
			p.Invalid(at, "is sorted by already")
		}
		keys = append(keys, key)
	}
	return keys
}

// sortKey reads a column, behind a minus sign for the descending order and behind an optional plus sign for the ascending one.
func (p *parser) sortKey(place string, tree any) (SortKey, bool) {
	text, isText := tree.(string)
	if !isText || text == "" {
		p.Invalid(place, "must be a column, or a minus sign and a column")
		return SortKey{}, false
	}
	name, descending := strings.CutPrefix(text, "-")
	if !descending {
		name = strings.TrimPrefix(text, "+")
	}
	key := SortKey{Descending: descending}
	if !p.q.Grouped {
		ref, ok := p.ref(place, name)
		key.Ref = ref
		return key, ok
	}
	key.Column = slices.Index(p.q.ColumnNames(), name)
	if key.Column < 0 {
		p.Invalid(place, "%s is not a column: groups are sorted by their own columns", quoted(name))
	}
	return key, key.Column >= 0
}
