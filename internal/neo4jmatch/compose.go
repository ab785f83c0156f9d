package neo4jmatch

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jlist"
	"graphrest/internal/neo4jschema"
	"graphrest/internal/neo4jview"
	"graphrest/internal/pattern"
)

// matchStatement is the statement of a question.
type matchStatement struct {
	q          *pattern.Question
	text       cypher.Text
	params     map[string]any
	entities   bool   // it is match_entities
	isEntity   []bool // by column
	conditions graph.Filter
}

// attributeError names the condition that caused a failed statement, if the database's message identifies it.
func (s *matchStatement) attributeError(err error) error {
	return neo4jlist.Filter{Conditions: s.conditions}.AttributeError(err)
}

// matchComposer composes the statement of a question.
type matchComposer struct {
	q       *pattern.Question
	view    neo4jview.Predicate
	id      cypher.Fragment // the id property, quoted
	idKey   string
	managed *neo4jentity.ManagedTypes
	used    map[neo4jentity.TypeKey]bool // the types of the question that entities have
	asked   graph.Filter                 // all conditions of the question, and the properties that it names
	known   map[string]bool              // the properties of the question that the database has
	starts  map[string]int               // the numbers of the nodes that ids name, by id; -1 for an id of no node
	lists   map[string]int               // the numbers of lists of nodes, by the place of the node that is one of them
	visible bool                         // no edge of the question has an internal end

	params      map[string]any
	conditions  graph.Filter
	keys        []string
	nextNode    int
	nextEdge    int
	matched     map[string]cypher.Entity // by name
	typeOfNames map[string]string        // a type that the named node or edge has; empty if it is not known
}

// compose reads what the statement of a question depends on, and composes it.
func (ms *Matches) compose(ctx context.Context, q *pattern.Question) (*matchStatement, error) {
	c := &matchComposer{
		q: q, view: neo4jview.PredicateOf(ctx, graph.EdgeKind), id: ms.texts.IDName, idKey: ms.config.IDProperty,
		used: map[neo4jentity.TypeKey]bool{}, starts: map[string]int{}, lists: map[string]int{},
		matched: map[string]cypher.Entity{}, typeOfNames: map[string]string{},
		params: map[string]any{"skip": int64(q.Offset), "limit": int64(q.Limit) + 1},
	}
	var err error
	if c.managed, err = ms.reads.Catalog.Fresh(ctx, neo4jschema.ReadAge); err != nil {
		return nil, err
	}
	if err := ms.findTypes(ctx, c); err != nil {
		return nil, err
	}
	var reading errgroup.Group
	reading.Go(func() (err error) {
		c.visible, err = ms.endsAreVisible(ctx, c)
		return err
	})
	reading.Go(func() error { return ms.findStarts(ctx, c) })
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	c.asked = c.properties()
	c.known = ms.names.KnownKeys(c.asked)
	return c.compose(), nil
}

// chains are all chains of the question.
func (c *matchComposer) chains() []pattern.Chain { return slices.Concat(c.q.Match, c.q.Without) }

// findTypes finds out which types of the question are in use: others would only fill the database's cache of plans.
func (ms *Matches) findTypes(ctx context.Context, c *matchComposer) error {
	find := func(k graph.Kind, name graph.TypeName) error {
		if _, found := c.used[neo4jentity.TypeKey{Kind: k, Name: string(name)}]; found || name == "" {
			return nil
		}
		used, err := ms.exclusions.TypeInUse(ctx, k, string(name))
		c.used[neo4jentity.TypeKey{Kind: k, Name: string(name)}] = used
		return err
	}
	for _, chain := range c.chains() {
		for _, n := range chain.Nodes {
			if err := find(graph.NodeKind, n.Type); err != nil {
				return err
			}
		}
		for _, h := range chain.Hops {
			for _, typ := range h.Types {
				if err := find(graph.EdgeKind, typ); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// endsAreVisible reports whether no visible edge has an internal end. It asks only if there are many edges of the types that the question
// names, or of those that the user sees if a hop names none, and reports false otherwise.
func (ms *Matches) endsAreVisible(ctx context.Context, c *matchComposer) (bool, error) {
	var types []string
	for _, chain := range c.chains() {
		for _, h := range chain.Hops {
			used := c.usedTypes(h)
			if len(h.Types) == 0 {
				seen, _ := c.view.Names()
				return ms.exclusions.EndsAreVisible(ctx, seen, ms.counts.Known().Edges)
			}
			types = append(types, used...)
		}
	}
	if types == nil {
		return false, nil
	}
	slices.Sort(types)
	return ms.exclusions.EndsAreVisible(ctx, slices.Compact(types), ms.counts.Known().Edges)
}

// usedTypes are the types of a hop that edges have.
func (c *matchComposer) usedTypes(h pattern.Hop) []string {
	var types []string
	for _, typ := range h.Types {
		if c.used[neo4jentity.TypeKey{Kind: graph.EdgeKind, Name: string(typ)}] {
			types = append(types, string(typ))
		}
	}
	return types
}

// findStarts looks the ids of the question up. An id of no node that the user sees binds nothing.
func (ms *Matches) findStarts(ctx context.Context, c *matchComposer) error {
	var ids []string
	for _, chain := range c.chains() {
		for _, n := range chain.Nodes {
			if n.ID != "" && !slices.Contains(ids, n.ID) {
				ids = append(ids, n.ID)
			}
		}
	}
	found := make([]*neo4jentity.StartNode, len(ids))
	var finding errgroup.Group
	for i, id := range ids {
		finding.Go(func() (err error) {
			found[i], err = ms.reads.FindStartNode(ctx, id)
			if fault.CodeOf(err) == fault.NotFound {
				found[i], err = nil, nil
			}
			return err
		})
	}
	if err := finding.Wait(); err != nil {
		return err
	}
	starts := map[string]any{}
	for i, id := range ids {
		c.starts[id] = -1
		if found[i] != nil {
			c.starts[id] = i
			starts["s"+strconv.Itoa(i)] = found[i].Params()
		}
	}
	if err := ms.findStartLists(ctx, c, starts, len(ids)); err != nil {
		return err
	}
	if len(starts) > 0 {
		c.params["starts"] = starts
	}
	return nil
}

// findStartLists looks up the ids of nodes that have one of several. All are parameters, so the plan is the same for others.
func (ms *Matches) findStartLists(ctx context.Context, c *matchComposer, starts map[string]any, next int) error {
	for _, chain := range c.chains() {
		for _, n := range chain.Nodes {
			if n.IDs == nil {
				continue
			}
			found, err := ms.reads.FindStartNodes(ctx, n.IDs)
			if err != nil {
				return err
			}
			elements, own := make([]string, 0, len(found)), map[string]any{}
			for _, at := range found {
				elements = append(elements, at.ElementID)
				if at.ID != nil {
					own[at.ElementID] = at.ID
				}
			}
			c.lists[n.Place] = next
			starts["s"+strconv.Itoa(next)] = map[string]any{"nodes": elements, "node_ids": own}
			next++
		}
	}
	return nil
}

// properties are conditions with the properties that the question names.
func (c *matchComposer) properties() graph.Filter {
	var all graph.Filter
	add := func(property string) { all = append(all, graph.Condition{Property: property}) }
	for _, chain := range c.chains() {
		for _, n := range chain.Nodes {
			all = append(all, n.Filter...)
		}
		for _, h := range chain.Hops {
			all = append(all, h.Filter...)
		}
	}
	for _, ref := range slices.Concat(c.q.Columns, c.q.GroupBy) {
		add(ref.Property)
	}
	for _, m := range c.q.Measures {
		if m.Of != nil {
			add(m.Of.Property)
		}
	}
	for _, key := range c.q.Sort {
		add(key.Ref.Property)
	}
	return all
}

func (c *matchComposer) compose() *matchStatement {
	s := &matchStatement{q: c.q}
	rows := c.rows()
	var page matchPage
	if c.q.Grouped {
		page = c.groupedPage()
	} else {
		page = c.rowPage()
	}
	slots := cypher.Slots{"rows": rows, "page": page.order, "cells": cypher.MatchCells(page.cells)}
	if page.groups != (cypher.Fragment{}) {
		slots["rows"] = cypher.MatchLines(rows, page.groups)
	}
	statement := cypher.MatchValues
	for _, cell := range page.cells {
		s.isEntity = append(s.isEntity, cell.IsEntity())
		s.entities = s.entities || cell.IsEntity()
	}
	if s.entities {
		statement = cypher.MatchEntities
		maps.Copy(slots, page.entitySlots())
		slots["id"] = c.id
	}
	s.text = statement.Text(slots)
	s.params, s.conditions = c.finishParams(s.text), c.conditions
	return s
}

// finishParams adds the keys and literals of all conditions, and those of the view.
func (c *matchComposer) finishParams(text cypher.Text) map[string]any {
	if len(c.keys) > 0 {
		keys := map[string]any{}
		for i, key := range c.keys {
			keys["k"+strconv.Itoa(i)] = key
		}
		c.params["keys"] = keys
	}
	for name, value := range map[string]any{
		"managed_labels": c.managed.Nodes.Names, "managed_types": c.managed.Edges.Names, "ends_visible": c.visible,
	} {
		if strings.Contains(text.String(), "$"+name) {
			c.params[name] = value
		}
	}
	f := neo4jlist.Filter{Conditions: c.conditions, View: c.view}
	return f.AddParams(c.params)
}
