package queryguard

import (
	"slices"
	"strings"
)

// expression reads operands and the operators between them. Precedence does not matter: all that counts is where an expression ends, and
// which patterns and calls it has.
func (p *parser) expression() {
	p.nest(func() {
		for p.first == nil {
			p.operand()
			if !p.binaryOperator() {
				return
			}
		}
	})
}

// binaryOperator reads an operator between two operands.
func (p *parser) binaryOperator() bool {
	switch {
	case p.acceptSymbol("<>"), p.acceptSymbol("<="), p.acceptSymbol(">="), p.acceptSymbol("=~"), p.acceptSymbol("!="),
		p.acceptSymbol("||"):
		return true
	case p.isNext("--"), p.isNext("<--"): // never a part of a pattern that is not recognized
		return false
	case p.peek().isSymbol("+-*/%^=<>"):
		p.next()
		return true
	case p.accept("AND", "OR", "XOR", "IN", "CONTAINS"):
		return true
	case p.peek().is("STARTS", "ENDS") && p.ahead(1).is("WITH"):
		p.next()
		p.next()
		return true
	default:
		return false
	}
}

func (p *parser) operand() {
	for p.peek().is("NOT") || p.peek().isSymbol("+-") {
		if p.isNext("--") { // never a part of a pattern that is not recognized
			p.unexpected(p.peek())
		}
		p.next()
	}
	t := p.peek()
	switch {
	case t.kind == number, t.kind == textToken, t.kind == parameter:
		p.next()
	case t.isSymbol("."):
		p.next()
		if p.next().kind != number {
			p.unexpected(t)
		}
	case t.isSymbol("("):
		if p.isPattern() {
			p.patternExpression()
			return
		}
		p.next()
		p.expression()
		p.expectSymbol(")")
	case t.isSymbol("["):
		p.list()
	case t.isSymbol("{"):
		p.next()
		p.entries(false)
	case t.isName():
		p.nameOperand(t)
	default:
		p.unexpected(t)
	}
	p.postfixes()
}

// nameOperand reads an operand that begins with a name: a subquery, a CASE, a call or a variable.
func (p *parser) nameOperand(t token) {
	follows := p.ahead(1)
	switch {
	case t.is("EXISTS", "COUNT", "COLLECT") && follows.isSymbol("{"):
		p.next()
		p.subqueryExpression()
	case t.is("CASE") && !follows.isSymbol(".,)") && follows.kind != endToken:
		p.caseExpression()
	case t.is("shortestPath", "allShortestPaths") && follows.isSymbol("("):
		p.shortestPathExpression()
	case follows.isSymbol("("), follows.isSymbol(".") && p.isCall():
		p.function(t)
	default:
		p.next()
	}
}

// isCall reports whether a name with points and a parenthesis is next.
func (p *parser) isCall() bool {
	i := 0
	for p.ahead(i).isName() && p.ahead(i+1).isSymbol(".") {
		i += 2
	}
	return p.ahead(i).isName() && p.ahead(i+1).isSymbol("(")
}

// function reads a call.
func (p *parser) function(t token) {
	name := strings.ToLower(p.qualifiedName())
	if !functions[name] && !p.callable[name] {
		p.fail(t, "is no function that is known to only compute; an administrator can add it to GRAPHREST_QUERY_PROCEDURES")
		return
	}
	p.expectSymbol("(")
	if p.acceptSymbol(")") {
		return
	}
	if name == "count" && p.acceptSymbol("*") {
		p.expectSymbol(")")
		return
	}
	if slices.Contains([]string{"trim", "ltrim", "rtrim", "btrim"}, name) {
		p.accept("BOTH", "LEADING", "TRAILING")
		if p.accept("FROM") {
			p.expression()
			p.expectSymbol(")")
			return
		}
	}
	p.arguments()
	if p.accept("FROM") {
		p.expression()
	}
	p.expectSymbol(")")
}

// arguments reads expressions, of which each may be a comprehension without brackets, as in all(x IN list WHERE p) and
// reduce(sum = 0, x IN list | sum + x).
func (p *parser) arguments() {
	for {
		p.distinct()
		p.expression()
		p.comprehension()
		if !p.acceptSymbol(",") {
			return
		}
	}
}

// comprehension reads the optional condition and result of a comprehension.
func (p *parser) comprehension() {
	if p.accept("WHERE") {
		p.expression()
	}
	if p.peek().isSymbol("|") {
		p.next()
		p.expression()
	}
}

// list reads a list, a list comprehension or a pattern comprehension.
func (p *parser) list() {
	p.expectSymbol("[")
	if p.isPatternComprehension() {
		p.patternComprehension()
		return
	}
	if p.acceptSymbol("]") {
		return
	}
	p.arguments()
	p.expectSymbol("]")
}

// entries reads the entries of a map or of a projection of one, up to the brace.
func (p *parser) entries(projection bool) {
	for !p.acceptSymbol("}") && p.first == nil {
		switch {
		case projection && p.acceptSymbol("."):
			if !p.acceptSymbol("*") {
				p.expectName()
			}
		case projection && !p.ahead(1).isSymbol(":"):
			p.expectName()
		default:
			p.expectName()
			p.expectSymbol(":")
			p.expression()
		}
		if !p.acceptSymbol(",") && !p.peek().isSymbol("}") {
			p.unexpected(p.peek())
		}
	}
}

// postfixes reads what may follow an operand: properties, indexes, label and type tests, projections.
func (p *parser) postfixes() {
	for p.first == nil {
		switch t := p.peek(); {
		case t.isSymbol(".") && p.ahead(1).isName():
			p.next()
			p.next()
		case t.isSymbol("["):
			p.next()
			p.slice()
		case p.acceptSymbol("::"):
			p.typeTest()
		case t.isSymbol(":"):
			p.next()
			p.labelExpression(false)
		case t.isSymbol("{"):
			p.next()
			p.entries(true)
		case t.is("IS"):
			p.next()
			p.isTest()
		default:
			return
		}
	}
}

// slice reads the rest of an index or a slice.
func (p *parser) slice() {
	if !p.isNext("..") {
		p.expression()
	}
	if p.acceptSymbol("..") && !p.peek().isSymbol("]") {
		p.expression()
	}
	p.expectSymbol("]")
}

// isTest reads what follows IS.
func (p *parser) isTest() {
	p.accept("NOT")
	switch t := p.peek(); {
	case p.accept("NULL", "NORMALIZED"):
	case p.acceptSymbol("::"):
		p.typeTest()
	case p.accept("TYPED"):
		p.typeTest()
	case t.is("NFC", "NFD", "NFKC", "NFKD") && p.ahead(1).is("NORMALIZED"):
		p.next()
		p.next()
	case t.is("LABELED", "LABELLED", "DISTINCT", "SOURCE", "DESTINATION", "DIRECTED"):
		p.unexpected(t)
	default:
		p.labelExpression(false)
	}
}

// typeTest reads a type, such as LIST<INTEGER NOT NULL> | STRING.
func (p *parser) typeTest() {
	if !p.peek().is(typeWords...) {
		p.unexpected(p.peek())
	}
	for {
		switch t := p.peek(); {
		case t.is("WITH", "WITHOUT") && !p.ahead(1).is("TIME", "TIMEZONE"):
			return
		case t.is("NOT") && p.ahead(1).is("NULL"), t.is(typeWords...), t.isSymbol("<") && p.ahead(1).is(typeWords...),
			t.isSymbol(">"), t.isSymbol("|") && p.ahead(1).is(typeWords...), t.isSymbol("!"):
			p.next()
		case t.isSymbol("(") && p.ahead(1).kind == number && p.ahead(2).isSymbol(")"):
			p.next()
			p.next()
			p.next()
		default:
			return
		}
	}
}

// caseExpression reads CASE ... END.
func (p *parser) caseExpression() {
	p.expect("CASE")
	if !p.peek().is("WHEN") {
		p.expression()
	}
	for p.accept("WHEN") {
		for {
			p.caseCondition()
			if !p.acceptSymbol(",") {
				break
			}
		}
		p.expect("THEN")
		p.expression()
	}
	if p.accept("ELSE") {
		p.expression()
	}
	p.expect("END")
}

// caseCondition reads a condition, which may lack its left side: WHEN > 5.
func (p *parser) caseCondition() {
	if p.peek().is("IS") || p.peek().isSymbol(":") {
		p.postfixes()
		if p.binaryOperator() {
			p.expression()
		}
		return
	}
	if !p.peek().isSymbol("+-") && !p.peek().is("IN") {
		p.binaryOperator()
	}
	p.expression()
}

// subqueryExpression reads the braces of EXISTS, COUNT or COLLECT: a pattern with an optional condition, or a query.
func (p *parser) subqueryExpression() {
	p.expectSymbol("{")
	t := p.peek()
	if t.isSymbol("(") || t.is(selectors...) || t.is("shortestPath", "allShortestPaths") || t.isName() && p.ahead(1).isSymbol("=") {
		p.where(p.patterns())
	} else {
		p.query()
	}
	p.expectSymbol("}")
}
