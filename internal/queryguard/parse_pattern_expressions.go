package queryguard

import "strconv"

// patternExpression reads a path that is a condition. One of variable length becomes EXISTS, in which its path can have a name.
func (p *parser) patternExpression() {
	part := &pathPart{start: p.peek().start}
	p.path(part)
	if part.legacy && p.first == nil {
		part.name = p.seal.path()
		p.insert(part.start, "EXISTS { "+part.name+" = ")
		p.insert(p.last(), " WHERE "+p.onPath(part)+" }")
	}
}

// shortestPathExpression reads a shortest path that is a value. It becomes a COLLECT, in which its path can have a name and a condition.
func (p *parser) shortestPathExpression() {
	t := p.next()
	if t.is("allShortestPaths") { // of an end that is null it is null, and a COLLECT would be empty
		p.fail(t, "is a value here, which cannot be kept exact; give it a name in a MATCH, and collect that")
		return
	}
	part := &pathPart{start: t.start, name: p.seal.path() + strconv.Itoa(t.start)}
	p.expectSymbol("(")
	p.path(part)
	p.expectSymbol(")")
	if p.first != nil {
		return
	}
	begin, end := "COLLECT { MATCH "+part.name+" = ", " RETURN "+part.name+" }"
	if part.legacy {
		end = " WHERE " + p.onPath(part) + end
	}
	p.insert(part.start, "head("+begin)
	p.insert(p.last(), end+")")
}

// patternComprehension reads [path WHERE condition | result], or a list that begins with a path as a condition.
func (p *parser) patternComprehension() {
	part := &pathPart{start: p.peek().start}
	if p.peek().isName() {
		part.name = quote(p.next().value)
		p.next()
	}
	p.path(part)
	if part.name != "" || p.peek().is("WHERE") || p.peek().isSymbol("|") {
		var conditions []string
		if part.legacy {
			named := p.named
			conditions = append(conditions, p.onPath(part))
			p.named = named // the name of the path is not visible outside
		}
		p.where(conditions)
		p.expectSymbol("|")
		p.expression()
		p.expectSymbol("]")
		return
	}
	if part.legacy {
		p.fail(p.peek(), "has a path of variable length as an element of a list; write EXISTS { ... }")
	}
	if p.binaryOperator() {
		p.expression()
	}
	if p.acceptSymbol(",") {
		p.arguments()
	}
	p.expectSymbol("]")
}

// isPatternComprehension reports whether a path, which may have a name, is next.
func (p *parser) isPatternComprehension() bool {
	if p.peek().isName() && p.ahead(1).isSymbol("=") && p.ahead(2).isSymbol("(") {
		return p.isPatternAt(p.at + 2)
	}
	return p.peek().isSymbol("(") && p.isPattern()
}

// isPattern reports whether the parenthesis that is next begins a path, by what follows it: another reading would need an expression such
// as (1)--(2), which is refused.
func (p *parser) isPattern() bool { return p.isPatternAt(p.at) }

func (p *parser) isPatternAt(open int) bool {
	after := p.closing(open) + 1
	symbolAt := func(i int, characters string) bool { return i < len(p.tokens) && p.tokens[i].isSymbol(characters) }
	if symbolAt(after, "<") && symbolAt(after+1, "-") {
		return symbolAt(after+2, "-[")
	}
	if !symbolAt(after, "-") {
		return false
	}
	switch {
	case symbolAt(after+1, "-"):
		after += 2
	case symbolAt(after+1, "["):
		after = p.closing(after+1) + 1
		if !symbolAt(after, "-") {
			return false
		}
		after++
	default:
		return false
	}
	return symbolAt(after, "(") || symbolAt(after, ">") && symbolAt(after+1, "(")
}

// closing is the index of the bracket that closes one.
func (p *parser) closing(open int) int {
	depth := 0
	for i := open; i < len(p.tokens); i++ {
		switch t := p.tokens[i]; {
		case t.isSymbol("([{"):
			depth++
		case t.isSymbol(")]}"):
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return len(p.tokens)
}
