package queryguard

import "strings"

// query reads the clauses of a query or subquery.
func (p *parser) query() {
	p.nest(func() {
		for p.first == nil {
			t := p.peek()
			if t.kind == endToken || t.isSymbol("};") {
				return
			}
			p.clause(t)
		}
	})
}

func (p *parser) clause(t token) {
	switch {
	case t.is("OPTIONAL"):
		p.next()
		if p.peek().is("CALL") {
			p.call()
			return
		}
		p.match()
	case t.is("MATCH"):
		p.match()
	case t.is("WITH", "RETURN"):
		p.projection()
	case t.is("UNWIND"):
		p.next()
		p.expression()
		p.expect("AS")
		p.expectName()
	case t.is("FOR"):
		p.next()
		p.expectName()
		p.expect("IN")
		p.expression()
	case t.is("CALL"):
		p.call()
	case t.is("UNION"):
		p.next()
		p.accept("ALL", "DISTINCT")
	case t.is("NEXT", "FINISH"):
		p.next()
	case t.is("FILTER"):
		p.next()
		p.accept("WHERE")
		p.expression()
	case t.is("LET"):
		p.next()
		p.bindings()
	case t.is("ORDER", "SKIP", "OFFSET", "LIMIT"):
		p.paging()
	case t.is("WHEN"):
		p.conditional()
	case t.isSymbol("{"):
		p.block()
	default:
		p.unexpected(t)
	}
}

// bindings reads name = expression, ...
func (p *parser) bindings() {
	for {
		p.expectName()
		p.expectSymbol("=")
		p.expression()
		if !p.acceptSymbol(",") {
			return
		}
	}
}

// block reads a query in braces.
func (p *parser) block() {
	p.expectSymbol("{")
	p.query()
	p.expectSymbol("}")
}

// conditional reads WHEN condition THEN query ... ELSE query; each branch is sealed.
func (p *parser) conditional() {
	for p.accept("WHEN") {
		p.expression()
		p.expect("THEN")
		p.branch()
	}
	if p.accept("ELSE") {
		p.branch()
	}
}

func (p *parser) branch() {
	if p.peek().isSymbol("{") {
		p.block()
		return
	}
	for p.first == nil && !p.peek().is("WHEN", "ELSE", "NEXT", "UNION") && p.peek().kind != endToken && !p.peek().isSymbol("};") {
		p.clause(p.peek())
	}
}

// projection reads WITH or RETURN with what belongs to it.
func (p *parser) projection() {
	p.next()
	p.distinct()
	if p.peek().isSymbol("*") {
		p.next()
		p.starred = true
		if p.acceptSymbol(",") {
			p.items()
		}
	} else {
		p.items()
	}
	if p.accept("GROUP") {
		p.expect("BY")
		p.expressions()
	}
	p.paging()
	if p.accept("WHERE") {
		p.expression()
	}
}

// distinct reads DISTINCT or ALL, unless it is the name of a function.
func (p *parser) distinct() {
	if p.peek().is("DISTINCT", "ALL") && !p.ahead(1).isSymbol("(") || p.peek().is("DISTINCT") {
		p.next()
	}
}

// items reads expression [AS name], ...
func (p *parser) items() {
	for {
		p.expression()
		if p.accept("AS") {
			p.expectName()
		}
		if !p.acceptSymbol(",") {
			return
		}
	}
}

// expressions reads expression [ASC|DESC], ...
func (p *parser) expressions() {
	for {
		p.expression()
		p.accept("ASC", "ASCENDING", "DESC", "DESCENDING")
		if !p.acceptSymbol(",") {
			return
		}
	}
}

// paging reads ORDER BY, SKIP and LIMIT, each if it is there.
func (p *parser) paging() {
	for {
		switch {
		case p.accept("ORDER"):
			p.expect("BY")
			p.expressions()
		case p.accept("SKIP", "OFFSET", "LIMIT"):
			p.expression()
		default:
			return
		}
	}
}

// match reads MATCH with its patterns, hints and condition.
func (p *parser) match() {
	p.expect("MATCH")
	if p.accept("REPEATABLE") {
		p.accept("ELEMENT", "ELEMENTS", "BINDINGS")
	} else if p.accept("DIFFERENT") {
		p.accept("RELATIONSHIP", "RELATIONSHIPS")
		p.accept("BINDINGS")
	}
	conditions := p.patterns()
	for p.peek().is("USING", "SEARCH") {
		if p.peek().is("SEARCH") {
			p.search()
		} else {
			p.hint()
		}
	}
	p.where(conditions)
}

// where reads an optional condition and adds those of the seal to it.
func (p *parser) where(conditions []string) {
	added := strings.Join(conditions, " AND ")
	switch {
	case p.accept("WHERE"):
		if added != "" {
			p.insert(p.last(), " "+added+" AND (")
		}
		p.expression()
		if added != "" {
			p.insert(p.last(), ")")
		}
	case added != "":
		p.insert(p.last(), " WHERE "+added+" ")
	}
}

// hint reads USING INDEX, SCAN or JOIN.
func (p *parser) hint() {
	p.expect("USING")
	if p.accept("JOIN") {
		p.expect("ON")
		p.names()
		return
	}
	for p.accept("TEXT", "RANGE", "POINT", "INDEX", "SEEK", "SCAN") {
	}
	p.expectName()
	p.expectSymbol(":")
	p.expectName()
	if p.acceptSymbol("(") {
		p.names()
		p.expectSymbol(")")
	}
}

func (p *parser) names() {
	p.expectName()
	for p.acceptSymbol(",") {
		p.expectName()
	}
}

// search reads SEARCH x IN (VECTOR INDEX name FOR ... LIMIT k) SCORE AS s. What it finds is an entity of the pattern, which is sealed.
func (p *parser) search() {
	p.expect("SEARCH")
	p.expectName()
	p.expect("IN")
	p.expectSymbol("(")
	if !p.accept("VECTOR", "FULLTEXT") {
		p.unexpected(p.peek())
	}
	p.expect("INDEX")
	if t := p.peek(); t.kind == parameter {
		p.fail(t, "names an index by a parameter; write its name")
	}
	p.expectName()
	p.expect("FOR")
	p.expression()
	if p.accept("WHERE") {
		p.expression()
	}
	if p.accept("LIMIT") {
		p.expression()
	}
	p.expectSymbol(")")
	if p.accept("SCORE") {
		p.expect("AS")
		p.expectName()
	}
}

// call reads a subquery or a procedure.
func (p *parser) call() {
	p.expect("CALL")
	switch t := p.peek(); {
	case t.isSymbol("("):
		p.next()
		if !p.acceptSymbol("*") && !p.peek().isSymbol(")") {
			p.names()
		}
		p.expectSymbol(")")
		p.subquery()
	case t.isSymbol("{"):
		p.subquery()
	default:
		p.procedure()
	}
}

func (p *parser) subquery() {
	p.block()
	if t := p.peek(); t.is("IN") {
		p.fail(t, "IN TRANSACTIONS is for writes; leave it out")
	}
}

// procedure reads a call of a procedure. Entities that an index returns are sealed.
func (p *parser) procedure() {
	at := p.peek()
	name := strings.ToLower(p.qualifiedName())
	kind, isHit := hits[name]
	if !isHit && !procedures[name] && !p.callable[name] {
		p.fail(at, "is no procedure that is known to only read; an administrator can add it to GRAPHREST_QUERY_PROCEDURES")
		return
	}
	if p.acceptSymbol("(") {
		if first := p.peek(); isHit && (first.kind != textToken || !p.ahead(1).isSymbol(",")) {
			p.fail(first, "names an index by a parameter or an expression; write its name as a string")
			return
		}
		if !p.acceptSymbol(")") {
			p.arguments()
			p.expectSymbol(")")
		}
	} else if isHit {
		p.fail(at, "takes its arguments from parameters; write them in parentheses")
		return
	}
	if !p.accept("YIELD") {
		if isHit {
			p.fail(at, "returns all columns; add YIELD "+kind)
		}
		return
	}
	p.yields(at, kind)
}

// yields reads the columns of a procedure.
func (p *parser) yields(at token, kind string) {
	entity := ""
	if t := p.peek(); p.acceptSymbol("*") {
		if kind != "" {
			p.fail(t, "yields everything; name the columns, among them "+kind)
		}
		return
	}
	for !p.acceptSymbol("-") {
		column := p.expectName()
		bound := column
		if p.accept("AS") {
			bound = p.expectName()
		}
		if column.value == kind {
			entity = quote(bound.value)
		}
		if !p.acceptSymbol(",") {
			break
		}
	}
	var conditions []string
	switch {
	case kind == "":
	case entity == "":
		p.fail(at, "does not yield the "+kind+"; add YIELD "+kind)
	default:
		conditions = append(conditions, p.seal.onHit(entity, kind))
	}
	p.where(conditions)
}

// qualifiedName reads a name with points.
func (p *parser) qualifiedName() string {
	name := p.expectName().value
	for p.acceptSymbol(".") {
		name += "." + p.expectName().value
	}
	return name
}
