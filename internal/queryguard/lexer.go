package queryguard

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/graph"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken tokenKind = iota // the end of the text
	word                      // a keyword or an unquoted name
	quotedName
	textToken // a string literal
	number
	parameter
	symbol // one character
)

// token is one token of a query. Symbols are single characters, so that arrows and operators are sequences of tokens.
type token struct {
	kind       tokenKind
	value      string // a name, string or parameter without its quotes and escapes; a number or symbol as written
	start, end int    // bytes of the text
	place      place
}

// place is a position in a text, from 1. Columns count characters.
type place struct{ line, column int }

// refusal is why a text is refused before the database is asked. If it is only not understood, the database decides whether it is Cypher.
type refusal struct {
	at        place
	message   string
	invalid   bool   // the text is no valid Cypher in any version
	unknown   bool   // the text may be no valid Cypher: the database decides
	allowedAs string // the name of Request.Allow with which the text would pass; "" if none
}

// lexer reads tokens. It refuses what the versions of Cypher read differently, so that it agrees with each of them on what is left.
type lexer struct {
	source string
	offset int
	place  place
	tokens []token
	blank  []byte // the source with comments as blanks
	fault  *refusal
}

// tokenize returns the tokens of a text, the last of which is the end, and the text with blanks in place of its comments.
func tokenize(source string) (tokens []token, blanked string, _ *refusal) {
	l := &lexer{source: source, place: place{1, 1}, blank: []byte(source)}
	if !utf8.ValidString(source) {
		return nil, "", &refusal{at: l.place, message: "is not valid UTF-8"}
	}
	for l.fault == nil && l.offset < len(source) {
		l.next()
	}
	if l.fault != nil {
		return nil, "", l.fault
	}
	l.tokens = append(l.tokens, token{kind: endToken, start: len(source), end: len(source), place: l.place})
	for _, t := range l.tokens {
		if (t.kind == word || t.kind == quotedName) && ownVariable.MatchString(t.value) {
			return nil, "", &refusal{at: t.place, message: "is a name of the planner's; use another name"}
		}
		if t.kind != number && t.kind != symbol && hasReservedName(t.value) {
			return nil, "", &refusal{at: t.place, message: graph.ReservedPrefix + " begins reserved names; use another name"}
		}
	}
	return l.tokens, string(l.blank), nil
}

// hasReservedName reports whether a text contains the reserved prefix, in any letter case.
func hasReservedName(s string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(graph.ReservedPrefix))
}

func (l *lexer) refuse(message string) { l.refuseAt(l.place, message) }

func (l *lexer) refuseAt(at place, message string) {
	if l.fault == nil {
		l.fault = &refusal{at: at, message: message}
	}
}

// peek returns the character at the position, or 0 at the end.
func (l *lexer) peek() rune {
	if l.offset >= len(l.source) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(l.source[l.offset:])
	return r
}

// advance moves past one character and returns it.
func (l *lexer) advance() rune {
	r, size := utf8.DecodeRuneInString(l.source[l.offset:])
	l.offset += size
	if r == '\n' {
		l.place = place{l.place.line + 1, 1}
	} else {
		l.place.column++
	}
	if r == '\r' && l.peek() != '\n' {
		l.refuse("has a carriage return without a line feed; use line feeds")
	}
	return r
}

// next reads a token, blanks or a comment.
func (l *lexer) next() {
	start, at, r := l.offset, l.place, l.peek()
	switch {
	case r == ' ' || r == '\t' || r == '\n' || r == '\r':
		l.advance()
	case strings.HasPrefix(l.source[l.offset:], "//"):
		l.comment("\n", false)
	case strings.HasPrefix(l.source[l.offset:], "/*"):
		l.comment("*/", true)
	case r == '\'' || r == '"':
		l.add(textToken, l.quoted(r), start, at)
	case r == '`':
		l.add(quotedName, l.quoted(r), start, at)
	case r == '$':
		l.parameter()
	case r >= '0' && r <= '9':
		l.number()
	case beginsName(r):
		l.add(word, l.name(), start, at)
	case r == '\\':
		l.refuse("has an escape outside of a string; write the character itself")
	case r > ' ' && r < unicode.MaxASCII:
		l.advance()
		l.add(symbol, string(r), start, at)
	default:
		l.refuse("has a character that is not allowed outside of strings and quoted names")
	}
}

func (l *lexer) add(kind tokenKind, value string, start int, at place) {
	l.tokens = append(l.tokens, token{kind: kind, value: value, start: start, end: l.offset, place: at})
}

// comment blanks a comment, so that none is ever sent.
func (l *lexer) comment(end string, needed bool) {
	at, start := l.place, l.offset
	l.advance()
	l.advance()
	for l.offset < len(l.source) && !strings.HasPrefix(l.source[l.offset:], end) {
		if strings.HasPrefix(l.source[l.offset:], `\u`) || strings.HasPrefix(l.source[l.offset:], `\U`) {
			l.refuse("has an escape in a comment; write the character itself")
		}
		l.advance()
	}
	if l.offset >= len(l.source) && needed {
		l.fault = &refusal{at: at, message: "has a comment that does not end; write */", invalid: true}
		return
	}
	if needed {
		l.advance()
		l.advance()
	}
	for i := start; i < l.offset; i++ {
		if c := l.blank[i]; c != '\n' && c != '\r' {
			l.blank[i] = ' '
		}
	}
}

func beginsName(r rune) bool { return r == '_' || unicode.IsLetter(r) }

func continuesName(r rune) bool {
	return beginsName(r) || unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc)
}

func (l *lexer) name() string {
	start := l.offset
	for continuesName(l.peek()) {
		l.advance()
	}
	if c := l.peek(); (c == '"' || c == '\'') && l.offset-start == 1 && (l.source[start] == 's' || l.source[start] == 'S') {
		l.refuse("has an interpolated string; use + or a parameter")
	}
	return l.source[start:l.offset]
}

func (l *lexer) parameter() {
	start, at := l.offset, l.place
	l.advance()
	switch r := l.peek(); {
	case r == '`':
		l.add(parameter, l.quoted(r), start, at)
	case continuesName(r):
		for continuesName(l.peek()) {
			l.advance()
		}
		l.add(parameter, l.source[start+1:l.offset], start, at)
	default:
		l.add(symbol, "$", start, at)
	}
}

// number reads a number. A point belongs to it only if a digit follows, as 1..3 is a range.
func (l *lexer) number() {
	start, at := l.offset, l.place
	digits := func() {
		for r := l.peek(); r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'; r = l.peek() {
			l.advance()
			if (r == 'e' || r == 'E') && !strings.HasPrefix(l.source[start:], "0x") && (l.peek() == '+' || l.peek() == '-') {
				l.advance()
			}
		}
	}
	digits()
	if rest := l.source[l.offset:]; len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9' {
		l.advance()
		digits()
	}
	l.add(number, l.source[start:l.offset], start, at)
}

// quoted reads a string or a quoted name and returns its value.
func (l *lexer) quoted(end rune) string {
	at := l.place
	var value strings.Builder
	l.advance()
	for l.offset < len(l.source) && l.fault == nil {
		rest := l.source[l.offset:]
		switch r := l.peek(); {
		case strings.HasPrefix(rest, `\u`) || strings.HasPrefix(rest, `\U`):
			value.WriteRune(l.unicodeEscape())
		case r == '\\' && end != '`':
			if strings.HasPrefix(rest, `\\u`) || strings.HasPrefix(rest, `\\U`) {
				l.refuse("has a backslash before \\u, which not every version of Cypher reads alike; use a parameter")
				return ""
			}
			l.advance()
			value.WriteRune(l.advance())
		case r == '\\':
			l.refuse("has a backslash in a quoted name; use another name")
		case r == end && end == '`' && strings.HasPrefix(rest[1:], "`"):
			l.advance()
			value.WriteRune(l.advance())
		case r == end:
			l.advance()
			return value.String()
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == utf8.RuneError:
			l.refuse("has a control character; use an escape such as \\n or a parameter")
		default:
			value.WriteRune(l.advance())
		}
	}
	if l.fault == nil {
		l.fault = &refusal{at: at, message: "has a string or quoted name that does not end", invalid: true}
	}
	return ""
}

// unicodeEscape reads \uXXXX. Some versions decode it before they look for quotes, others after, so that only letters and digits pass.
func (l *lexer) unicodeEscape() rune {
	at := l.place
	hex := l.source[l.offset+2:]
	if len(hex) < 4 {
		l.refuseAt(at, "has an incomplete escape; write four hexadecimal digits after \\u")
		return 0
	}
	code, err := strconv.ParseUint(hex[:4], 16, 16)
	if err != nil || l.source[l.offset+1] == 'U' {
		l.refuseAt(at, "has an escape that not every version of Cypher reads; write the character itself")
		return 0
	}
	if r := rune(code); !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
		l.refuseAt(at, "has an escape of a character that is no letter or digit; write the character itself")
		return 0
	}
	for range 6 {
		l.advance()
	}
	return rune(code)
}
