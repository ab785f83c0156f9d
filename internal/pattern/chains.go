package pattern

import (
	"slices"

	"graphrest/internal/graph"
)

// nameMatched collects the names of match in order of appearance.
func (p *parser) nameMatched(place string) {
	p.hops = map[string]string{}
	for _, c := range p.q.Match {
		p.nameChain(c, p.matched, func(n Name) { p.q.Names = append(p.q.Names, n) })
	}
	if len(p.q.Names) == 0 && !p.Any() {
		p.Invalid(place, "must name at least one node or edge by as")
	}
	own := make([]names, len(p.q.Without))
	for i, c := range p.q.Without {
		own[i] = names{}
		p.nameChain(c, own[i], func(Name) {})
	}
	p.checkKinds(own)
}

// nameChain adds the names of a chain to those of a part of the question, and passes new ones to appeared.
func (p *parser) nameChain(c Chain, in names, appeared func(Name)) {
	name := func(as, place string, kind graph.Kind) {
		if as == "" {
			return
		}
		if known, isKnown := in[as]; isKnown && known != kind {
			p.Invalid(place+".as", "%s names a node and an edge", as)
		} else if !isKnown {
			in[as] = kind
			appeared(Name{Text: as, Kind: kind})
		}
	}
	for i, n := range c.Nodes {
		name(n.As, n.Place, graph.NodeKind)
		if i >= len(c.Hops) {
			continue
		}
		hop := c.Hops[i]
		if first, isKnown := p.hops[hop.As]; hop.As != "" && isKnown {
			p.Invalid(hop.Place+".as", "%s is the name of an edge at %s already", hop.As, first)
			continue
		}
		if hop.As != "" {
			p.hops[hop.As] = hop.Place
		}
		name(hop.As, hop.Place, graph.EdgeKind)
	}
}

// checkKinds rejects a name of a node in one part that is the name of an edge in another: own are the names of each chain of without.
func (p *parser) checkKinds(own []names) {
	for i, c := range p.q.Without {
		for j, n := range c.Nodes {
			if p.matched[n.As] == graph.EdgeKind {
				p.Invalid(n.Place+".as", "%s is the name of an edge at %s", n.As, p.hops[n.As])
			}
			if j >= len(c.Hops) {
				continue
			}
			if hop := c.Hops[j]; hop.As != "" && p.isNodeElsewhere(hop.As, i, own) {
				p.Invalid(hop.Place+".as", "%s is the name of a node", hop.As)
			}
		}
	}
}

func (p *parser) isNodeElsewhere(name string, chain int, own []names) bool {
	if p.matched[name] == graph.NodeKind {
		return true
	}
	for i := range own {
		if i != chain && own[i][name] == graph.NodeKind {
			return true
		}
	}
	return false
}

// checkChains checks what chains need of one another.
func (p *parser) checkChains() {
	p.checkConnected()
	anchored := map[string]bool{}
	for _, c := range p.q.Match {
		addAnchored(anchored, c)
	}
	for _, c := range p.q.Match {
		p.checkAnchored(c, anchored)
	}
	for _, c := range p.q.Without {
		if !slices.ContainsFunc(c.Nodes, func(n Node) bool { return n.As != "" && p.matched[n.As] == graph.NodeKind }) {
			p.Invalid(c.Place, "must have a node with a name of match")
		}
		p.checkAnchored(c, anchored)
	}
}

// addAnchored adds the names of the nodes of a chain that have a type or an id.
func addAnchored(anchored map[string]bool, c Chain) {
	for _, n := range c.Nodes {
		if n.As != "" && (n.Type != "" || n.IsIdentified()) {
			anchored[n.As] = true
		}
	}
}

func (p *parser) checkAnchored(c Chain, anchored map[string]bool) {
	if !slices.ContainsFunc(c.Nodes, func(n Node) bool { return n.Type != "" || n.IsIdentified() || anchored[n.As] }) {
		p.Invalid(c.Place, "must have a node with a type or an id, or with a name that has one in another chain")
	}
}

// checkConnected rejects chains of match that share no named node with the first one, directly or by way of others.
func (p *parser) checkConnected() {
	connected := make([]bool, len(p.q.Match))
	reached := map[string]bool{}
	reach := func(i int) {
		connected[i] = true
		for _, n := range p.q.Match[i].Nodes {
			reached[n.As] = reached[n.As] || n.As != ""
		}
	}
	reach(0)
	for range p.q.Match {
		for i, c := range p.q.Match {
			if !connected[i] && slices.ContainsFunc(c.Nodes, func(n Node) bool { return reached[n.As] }) {
				reach(i)
			}
		}
	}
	for i, c := range p.q.Match {
		if !connected[i] {
			p.Invalid(c.Place, "must share the name of a node with the other chains: without one the answer is a cartesian product")
		}
	}
}
