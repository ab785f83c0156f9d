package queryguard

import (
	"slices"
	"strconv"
	"strings"
)

// parser reads a query and seals it. It understands a query completely or refuses it: whatever stands in a query is read by one of its
// functions, each of which is named after what it reads.
type parser struct {
	tokens   []token
	at       int // the next token
	depth    int
	seal     Seal
	edits    []edit
	callable map[string]bool // procedures and functions that the operator permits, in lower case
	first    *refusal
	refusals []refusal
	language int  // of a prefix; 0 without one
	starred  bool // a projection of everything
	named    bool // the seal named a path
	nodes    []patternNode
}

// patternNode is where a pattern has a node without a label.
type patternNode struct {
	variable string
	at       place
}

// maxDepth bounds how deep expressions, subqueries and patterns nest.
const maxDepth = 200

// parsed is a query that the parser understands.
type parsed struct {
	sealed     string
	original   string // without comments and prefix
	language   int
	refusals   []refusal
	unlabelled []patternNode
	parameters []string // the names that it uses, each once
}

// parseQuery reads a text. The refusals are in the order of the text; the parser stops at the first that it cannot read past.
func parseQuery(source string, seal Seal, callable map[string]bool) parsed {
	tokens, blanked, refused := tokenize(source)
	if refused != nil {
		return parsed{refusals: []refusal{*refused}}
	}
	p := &parser{tokens: tokens, seal: seal, callable: callable}
	p.prefix()
	p.query()
	if p.peek().isSymbol(";") {
		p.next()
	}
	if t := p.peek(); t.kind != endToken {
		if p.at > 0 && p.tokens[p.at-1].isSymbol(";") {
			p.fail(t, "is a second statement; send one statement at a time")
		}
		p.unexpected(t)
	}
	if p.starred && p.named {
		p.fail(p.tokens[0], "projects everything with * and has a path of variable length without a name; name the path, or the columns")
	}
	if p.first != nil {
		p.refusals = append(p.refusals, *p.first)
	}
	prefix := edit{}
	if p.language != 0 {
		prefix.end = p.tokens[1].end
		prefix.text = blank(source[:prefix.end])
	}
	return parsed{
		sealed: apply(blanked, append([]edit{prefix}, p.edits...)), original: apply(blanked, []edit{prefix}),
		language: p.language, refusals: p.refusals, unlabelled: p.nodes,
		parameters: parameterNames(tokens),
	}
}

func parameterNames(tokens []token) (names []string) {
	for _, t := range tokens {
		if t.kind == parameter && !slices.Contains(names, t.value) {
			names = append(names, t.value)
		}
	}
	return names
}

// blank is a text with blanks in place of everything but line breaks.
func blank(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, s)
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead is the token some places after the next.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

// last is the end of the token before the next.
func (p *parser) last() int { return p.tokens[max(p.at-1, 0)].end }

// fail refuses the query and stops reading it.
func (p *parser) fail(t token, message string) { p.stop(refusal{at: t.place, message: message}) }

func (p *parser) stop(r refusal) {
	if p.first == nil {
		p.first = &r
	}
	p.at = len(p.tokens) - 1
}

// unexpected refuses a token that the parser does not understand. If it is no valid Cypher either, the database's error is returned.
func (p *parser) unexpected(t token) {
	if message, known := refusedClauses[strings.ToUpper(t.value)]; known && t.kind == word {
		p.fail(t, strings.ToUpper(t.value)+" "+message)
		return
	}
	what := "the end of the text"
	switch t.kind {
	case endToken:
	case textToken:
		what = "a string"
	default:
		what = strconv.Quote(t.value)
	}
	p.stop(refusal{at: t.place, unknown: true, message: what + " is not understood here; write this part in another way"})
}

// noteAllowable refuses the query unless its definition allows something.
func (p *parser) noteAllowable(t token, name, message string) {
	p.refusals = append(p.refusals, refusal{at: t.place, message: message, allowedAs: name})
}

// accept reads a keyword if it is next.
func (p *parser) accept(keywords ...string) bool {
	if !p.peek().is(keywords...) {
		return false
	}
	p.next()
	return true
}

// acceptSymbol reads a sequence of characters if it is next.
func (p *parser) acceptSymbol(characters string) bool {
	if !p.isNext(characters) {
		return false
	}
	for range len(characters) {
		p.next()
	}
	return true
}

// isNext reports whether a sequence of characters is next.
func (p *parser) isNext(characters string) bool {
	for i := range len(characters) {
		if t := p.ahead(i); t.kind != symbol || t.value != characters[i:i+1] {
			return false
		}
	}
	return true
}

func (p *parser) expect(keyword string) {
	if !p.accept(keyword) {
		p.unexpected(p.peek())
	}
}

func (p *parser) expectSymbol(characters string) {
	if !p.acceptSymbol(characters) {
		p.unexpected(p.peek())
	}
}

// expectName reads a name and returns it.
func (p *parser) expectName() token {
	t := p.peek()
	if !t.isName() {
		p.unexpected(t)
		return t
	}
	return p.next()
}

// nest runs a function one level deeper.
func (p *parser) nest(read func()) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail(p.peek(), "is nested too deeply; split the query")
		return
	}
	read()
}

// insert puts text before a byte of the query.
func (p *parser) insert(at int, text string) { p.edits = append(p.edits, edit{at, at, text}) }

// prefix reads CYPHER 5 or CYPHER 25.
func (p *parser) prefix() {
	t := p.peek()
	if t.is("EXPLAIN", "PROFILE") {
		p.unexpected(t)
		return
	}
	if !t.is("CYPHER") {
		return
	}
	version := p.ahead(1)
	if !slices.Contains([]string{"5", "25"}, version.value) || p.ahead(2).is("EXPLAIN", "PROFILE", "CYPHER") || p.ahead(3).isSymbol("=") {
		p.unexpected(t)
		return
	}
	p.language, _ = strconv.Atoi(version.value)
	p.next()
	p.next()
}
