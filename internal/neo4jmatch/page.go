package neo4jmatch

import (
	"slices"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jview"
	"graphrest/internal/pattern"
)

// matchPage is what of the rows is returned, and in which order.
type matchPage struct {
	groups   cypher.Fragment // of groups: the clauses that make them
	order    cypher.Fragment
	cells    []cypher.Matched
	entities cypher.MatchedEntities // that the cells need
	shown    [2]int                 // how many of the nodes and of the edges stand in cells
	values   []cypher.Entity        // of groups
}

func (p matchPage) entitySlots() cypher.Slots {
	return p.entities.Slots(p.shown[0], p.shown[1], p.values)
}

// need adds an entity of a cell. Those that stand in cells must be added first.
func (p *matchPage) need(m cypher.Matched, of cypher.MatchedKind, stands bool) {
	list, shown := &p.entities.Nodes, &p.shown[0]
	if of == cypher.MatchedEdge {
		list, shown = &p.entities.Edges, &p.shown[1]
	}
	if slices.Contains(*list, m.Of) {
		return
	}
	*list = append(*list, m.Of)
	if stands {
		*shown++
	}
}

func matchedKindOf(k graph.Kind) cypher.MatchedKind {
	if k == graph.EdgeKind {
		return cypher.MatchedEdge
	}
	return cypher.MatchedNode
}

// value is a reference in the statement.
func (c *matchComposer) value(ref pattern.Ref) cypher.Matched {
	of := c.matched[ref.Text]
	if ref.Property == "" {
		return c.entity(of, matchedKindOf(ref.Kind))
	}
	m := cypher.Matched{Of: of, Shown: c.shown(ref.Kind, of, c.typeOfNames[ref.Text], ref.Property)}
	if m.Shown == cypher.False {
		return m
	}
	if ref.Property == c.idKey && c.anyManaged(matchedKindOf(ref.Kind)) {
		m.Identified = matchedKindOf(ref.Kind).Identified(of, c.id)
	}
	if c.known[ref.Property] && !neo4jview.MayBeLiteral(c.view, c.asked, ref.Property) {
		m.Key = cypher.Quote(ref.Property)
	} else {
		m.Position = len(c.keys)
		c.keys = append(c.keys, ref.Property)
	}
	return m
}

func (c *matchComposer) entity(of cypher.Entity, as cypher.MatchedKind) cypher.Matched {
	entity := cypher.Matched{Of: of, Kind: as}
	if c.anyManaged(as) {
		entity.ID = as.OwnID(of, c.id)
	}
	return entity
}

// anyManaged reports whether a type is managed, so that nodes or edges may have their own ids.
func (c *matchComposer) anyManaged(of cypher.MatchedKind) bool {
	if of == cypher.MatchedEdge {
		return len(c.managed.Edges.Names) > 0
	}
	return len(c.managed.Nodes.Names) > 0
}

// rowPage is the page of a question for rows.
func (c *matchComposer) rowPage() matchPage {
	var p matchPage
	for _, ref := range c.q.Columns {
		p.cells = append(p.cells, c.value(ref))
	}
	for _, stands := range []bool{true, false} {
		for i, ref := range c.q.Columns {
			if p.cells[i].IsEntity() == stands {
				p.need(p.cells[i], matchedKindOf(ref.Kind), stands)
			}
		}
	}
	var keys []cypher.Ordered
	for _, key := range c.q.Sort {
		keys = append(keys, cypher.Ordered{Matched: c.value(key.Ref), Descending: key.Descending})
	}
	var ties []cypher.Matched
	for _, name := range c.q.Names {
		ties = append(ties, c.entity(c.matched[name.Text], matchedKindOf(name.Kind)))
	}
	p.order = cypher.MatchPage(keys, ties)
	return p
}

var matchOps = map[pattern.Op]cypher.MatchOp{
	pattern.Count: cypher.CountValues, pattern.Sum: cypher.SumValues, pattern.Mean: cypher.MeanValues,
	pattern.Min: cypher.MinValue, pattern.Max: cypher.MaxValue,
}

// groupedPage is the page of a question for groups.
func (c *matchComposer) groupedPage() matchPage {
	var p matchPage
	var groups []cypher.Matched
	for i, ref := range c.q.GroupBy {
		groups = append(groups, c.value(ref))
		variable := cypher.GroupVariable(i)
		if ref.Property == "" {
			cell := c.entity(variable, matchedKindOf(ref.Kind))
			p.cells = append(p.cells, cell)
			p.need(cell, cell.Kind, true)
			continue
		}
		p.cells, p.values = append(p.cells, cypher.Matched{Of: variable, Kind: cypher.MatchedValue}), append(p.values, variable)
	}
	var measures []cypher.MatchMeasure
	for i, m := range c.q.Measures {
		measure := cypher.MatchMeasure{Op: cypher.CountRows}
		if m.Of != nil {
			measure = cypher.MatchMeasure{Op: matchOps[m.Op], Of: c.value(*m.Of)}
		}
		measures = append(measures, measure)
		variable := cypher.MeasureVariable(i)
		p.cells, p.values = append(p.cells, cypher.Matched{Of: variable, Kind: cypher.MatchedValue}), append(p.values, variable)
	}
	p.groups = cypher.MatchGroups(groups, measures)
	var keys []cypher.Ordered
	for _, key := range c.q.Sort {
		keys = append(keys, cypher.Ordered{Matched: p.cells[key.Column], Descending: key.Descending})
	}
	p.order = cypher.MatchPage(keys, p.cells[:len(groups)])
	return p
}
