package queryguard

// sealLabels reads a label expression of a node, which becomes one that internal entities do not meet.
func (p *parser) sealLabels(seal string) {
	start := p.peek().start
	p.labelExpression(true)
	p.insert(start, "(")
	p.insert(p.last(), ")&"+seal+" ")
}

// labelExpression reads names with !, &, | and parentheses, and reports whether it has only names and |. In a pattern, the old forms :A:B
// and :A|:B become :A&B and :A|B, because they cannot stand beside others.
func (p *parser) labelExpression(inPattern bool) (plain bool) {
	plain = true
	p.nest(func() {
		for p.first == nil {
			plain = p.labelOperand(inPattern) && plain
			switch t := p.peek(); {
			case t.isSymbol("&"):
				p.next()
				plain = false
			case t.isSymbol(":") && !p.isNext("::"):
				p.next()
				plain = false
				if inPattern {
					p.edits = append(p.edits, edit{t.start, t.end, "&"})
				}
			case t.isSymbol("|") && p.labelFollows(inPattern):
				p.next()
				if colon := p.peek(); inPattern && p.acceptSymbol(":") {
					p.edits = append(p.edits, edit{colon.start, colon.end, " "})
				}
			default:
				return
			}
		}
	})
	return plain
}

// labelFollows reports whether the bar that is next belongs to the label expression. In an expression, it may begin the result of a
// comprehension.
func (p *parser) labelFollows(inPattern bool) bool {
	next := p.ahead(1)
	return inPattern && !next.isSymbol("|") || next.isName() || next.isSymbol("!%")
}

// labelOperand reads a name, %, a dynamic label or a group, and reports whether it is a name.
func (p *parser) labelOperand(inPattern bool) bool {
	t := p.peek()
	switch {
	case p.acceptSymbol("!"):
		p.labelOperand(inPattern)
	case p.acceptSymbol("%"):
	case p.acceptSymbol("("):
		p.labelExpression(inPattern)
		p.expectSymbol(")")
	case t.isSymbol("$"), t.kind == parameter && p.ahead(1).isSymbol("("):
		p.next()
		p.expectSymbol("(")
		p.expression()
		p.expectSymbol(")")
	case t.isName():
		p.next()
		return true
	default:
		p.unexpected(t)
	}
	return false
}
