package queryguard

import (
	"slices"
	"strconv"

	"graphrest/cypher"
)

// quote is a name as it stands in a query.
func quote(name string) string { return cypher.Quote(name).String() }

// pathPart is one path of a pattern.
type pathPart struct {
	start   int
	name    string // in the text of the query; "" if it has none
	legacy  bool   // it has a relationship of variable length, written with *
	untyped bool   // of which one names no types
}

// patterns reads paths that are separated by commas, and returns the conditions that the seal adds for them.
func (p *parser) patterns() []string {
	var conditions []string
	for p.first == nil {
		part := p.patternPart()
		if part.legacy {
			conditions = append(conditions, p.onPath(part))
		}
		if !p.acceptSymbol(",") {
			break
		}
	}
	return conditions
}

// onPath names a path unless the query does, and returns the condition for it.
func (p *parser) onPath(part *pathPart) string {
	name := part.name
	if name == "" {
		name = p.seal.path() + strconv.Itoa(part.start)
		p.insert(part.start, name+" = ")
		p.named = true
	}
	return p.seal.onPath(name, !part.untyped)
}

// patternPart reads a path with its name and selector.
func (p *parser) patternPart() *pathPart {
	part := &pathPart{start: p.peek().start}
	if p.peek().isName() && p.ahead(1).isSymbol("=") {
		part.name = quote(p.next().value)
		p.next()
	}
	for p.peek().is(selectors...) || p.peek().kind == number || p.peek().kind == parameter {
		p.next()
	}
	if p.peek().is("shortestPath", "allShortestPaths") {
		p.next()
		p.expectSymbol("(")
		p.path(part)
		p.expectSymbol(")")
		return part
	}
	p.path(part)
	return part
}

// path reads nodes, relationships and groups.
func (p *parser) path(part *pathPart) {
	p.nest(func() {
		p.factor()
		for p.first == nil {
			switch t := p.peek(); {
			case t.isSymbol("-<"):
				p.relationship(part)
				p.factor()
			case t.isSymbol("("):
				p.factor()
			default:
				return
			}
		}
	})
}

// factor reads a node or a group.
func (p *parser) factor() {
	if first := p.ahead(1); !first.isSymbol("(") && (!first.isName() || !p.ahead(2).isSymbol("=")) {
		p.node()
		return
	}
	at := p.peek()
	p.expectSymbol("(")
	if p.peek().isName() {
		p.next()
		p.next()
	}
	inner := &pathPart{}
	p.path(inner)
	if inner.legacy {
		p.fail(at, "has a relationship of variable length in a group; write the group's quantifier instead of *")
	}
	if p.accept("WHERE") {
		p.expression()
	}
	p.expectSymbol(")")
	p.quantifier()
}

// variable reads the variable of a node or relationship, and what introduces its labels.
func (p *parser) variable() (name string, at token, labelled bool) {
	t := p.peek()
	isIntroduction := t.is("IS", "WHERE") && !p.ahead(1).isSymbol("):{]*")
	if t.isName() && !isIntroduction {
		name = p.next().value
	}
	labelled = p.acceptSymbol(":") || p.accept("IS")
	return name, t, labelled
}

// node reads a node and seals it.
func (p *parser) node() {
	p.expectSymbol("(")
	name, at, labelled := p.variable()
	if labelled {
		p.sealLabels(p.seal.node())
	} else {
		p.insert(p.last(), ":"+p.seal.node()+" ")
		p.nodes = append(p.nodes, patternNode{name, at.place})
	}
	p.propertiesAndCondition()
	p.expectSymbol(")")
}

func (p *parser) propertiesAndCondition() {
	if p.peek().kind == parameter {
		p.next()
	} else if p.acceptSymbol("{") {
		p.entries(false)
	}
	if p.accept("WHERE") {
		p.expression()
	}
}

// relationship reads a relationship and seals its types, unless it names them: reserved names stand in no text. Its nodes are sealed where
// they stand; those between them by the condition on the path, or in the group that a quantified relationship becomes.
func (p *parser) relationship(part *pathPart) {
	start := p.peek().start
	p.acceptSymbol("<")
	p.expectSymbol("-")
	typed, legacy := false, false
	if p.acceptSymbol("[") {
		typed, legacy = p.relationshipDetails()
		p.expectSymbol("]")
	} else {
		p.insert(p.last(), "[:"+p.seal.relationship()+"]")
	}
	p.expectSymbol("-")
	p.acceptSymbol(">")
	if legacy {
		part.legacy = true
		part.untyped = part.untyped || !typed
		return
	}
	end := p.last()
	if p.peek().isSymbol("+*{") {
		p.insert(start, "((:"+p.seal.node()+")")
		p.quantifier()
		p.insert(end, "(:"+p.seal.node()+"))")
	}
}

// relationshipDetails reads what stands in the brackets of a relationship.
func (p *parser) relationshipDetails() (typed, legacy bool) {
	_, _, labelled := p.variable()
	after, edits := p.last(), len(p.edits)
	begin := p.peek().start
	plain := false
	if labelled {
		plain = p.labelExpression(true)
	}
	end := p.last()
	if star := p.peek(); p.acceptSymbol("*") {
		legacy = true
		if labelled && !plain { // what is computed in it would lose its seal with the edits
			p.fail(star, "follows a type that is computed or combined; name the types, as in [:A|B*1..3], or write a quantified path")
		}
		p.edits = p.edits[:edits]
		p.length(star)
	}
	switch {
	case legacy || plain:
	case labelled:
		p.insert(begin, "(")
		p.insert(end, ")&"+p.seal.relationship()+" ")
	default:
		p.insert(after, ":"+p.seal.relationship()+" ")
	}
	p.propertiesAndCondition()
	return plain, legacy
}

const unboundedMessage = "has no upper bound of its length; add one, such as *..5 or {1,5}"

// length reads the rest of a length such as *1..3.
func (p *parser) length(star token) {
	bounded := false
	if p.peek().kind == number {
		p.next()
		bounded = true
	}
	if p.acceptSymbol("..") {
		bounded = p.peek().kind == number
		if bounded {
			p.next()
		}
	}
	if !bounded {
		p.noteAllowable(star, AllowUnboundedPath, unboundedMessage)
	}
}

// quantifier reads an optional quantifier: +, * or {n,m}.
func (p *parser) quantifier() {
	t := p.peek()
	switch {
	case p.acceptSymbol("+"), p.acceptSymbol("*"):
		p.noteAllowable(t, AllowUnboundedPath, unboundedMessage)
	case p.acceptSymbol("{"):
		bounded := p.bound()
		if p.acceptSymbol(",") {
			bounded = p.bound()
		}
		p.expectSymbol("}")
		if !bounded {
			p.noteAllowable(t, AllowUnboundedPath, unboundedMessage)
		}
	}
}

func (p *parser) bound() bool {
	if k := p.peek().kind; k != number && k != parameter {
		return false
	}
	p.next()
	return true
}

// hasPlace finds the first pattern node without a label that has a variable; any without a variable if there is none.
func hasPlace(nodes []patternNode, variable string) (place, bool) {
	i := slices.IndexFunc(nodes, func(n patternNode) bool { return n.variable == variable })
	if i < 0 {
		i = slices.IndexFunc(nodes, func(n patternNode) bool { return n.variable == "" })
	}
	if i < 0 {
		return place{}, false
	}
	return nodes[i].at, true
}
