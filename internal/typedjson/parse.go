package typedjson

import (
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// maxDepth is the maximum nesting depth of arrays and objects; the outermost counts as 1.
const maxDepth = 32

// maxText is the maximum length of a text in bytes, as token positions have 32 bits.
const maxText = 1<<32 - 1

// parser fills a document. It keeps the segments of the current path, so that a path is built only to report a problem.
type parser struct {
	*document
	field     string // what paths start with; empty for a body
	pos       int
	depth     int
	segments  [maxDepth]pathSegment
	keys      []string // keys of the objects being read, for finding duplicates
	keyBuffer [maxPairwiseKeys]string
}

// pathSegment is a position inside a container: a key of an object, or the index of an array element.
type pathSegment struct {
	key   string
	keyed bool // key is known
	array bool
	index int
}

// parse parses a text that must be exactly one JSON value (RFC 8259). A fault stops the parser; it also lists the minor
// problems found before.
func (d *document) parse(field, src string) *fault.Error {
	d.src = src
	d.tokens = make([]token, 0, min(len(src)/8+8, 1024))
	d.badUTF8 = !utf8.ValidString(src)
	p := parser{document: d, field: field}
	p.keys = p.keyBuffer[:0]
	f := p.text()
	if f != nil && len(d.problems) > 0 {
		f.Details = append(f.Details, d.problems...)
		f.Details = f.Details[:min(len(f.Details), fault.MaxDetails)]
	}
	return f
}

func (p *parser) text() *fault.Error {
	if len(p.src) > maxText {
		return p.fail("is too long")
	}
	if len(p.src) >= 3 && p.src[:3] == "\xEF\xBB\xBF" {
		return p.fail("must not start with a byte order mark")
	}
	p.skipSpace()
	if p.pos == len(p.src) {
		return p.fail("must not be empty")
	}
	if f := p.value(); f != nil {
		return f
	}
	p.skipSpace()
	if p.pos < len(p.src) {
		return p.fail("must be a single JSON value: there is more text after it, at byte %d", p.pos)
	}
	return nil
}

func (p *parser) value() *fault.Error {
	p.skipSpace()
	switch c := p.peek(); {
	case c == '"':
		return p.stringValue()
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.literal("true", tokenTrue)
	case c == 'f':
		return p.literal("false", tokenFalse)
	case c == 'n':
		return p.literal("null", tokenNull)
	}
	return p.unexpected("a JSON value")
}

func (p *parser) object() *fault.Error {
	at, f := p.open(tokenObject)
	if f != nil {
		return f
	}
	base := len(p.keys)
	here := &p.segments[p.depth-1]
	p.skipSpace()
	for p.peek() != '}' {
		p.skipSpace()
		if p.peek() != '"' {
			return p.unexpected("a member name in double quotes")
		}
		key := len(p.tokens)
		flaw, f := p.scanString()
		if f != nil {
			return f
		}
		here.key, here.keyed = p.document.text(key), true
		p.keys = append(p.keys, here.key)
		if flaw != "" {
			p.addProblem("the member name %s", flaw)
		}
		p.skipSpace()
		if p.peek() != ':' {
			return p.unexpected("a colon")
		}
		p.pos++
		if f := p.value(); f != nil {
			return f
		}
		p.skipSpace()
		if p.peek() != ',' {
			break
		}
		p.pos++
		here.keyed = false
		p.skipSpace()
		if p.peek() == '}' {
			return p.unexpected("a member name in double quotes")
		}
	}
	if p.peek() != '}' {
		return p.unexpected("a comma or a closing brace")
	}
	p.reportDuplicates(p.keys[base:])
	p.tokens[at].end = uint32(len(p.keys) - base)
	p.keys = p.keys[:base]
	p.close(at)
	return nil
}

func (p *parser) array() *fault.Error {
	at, f := p.open(tokenArray)
	if f != nil {
		return f
	}
	here := &p.segments[p.depth-1]
	here.array = true
	p.skipSpace()
	if p.peek() != ']' {
		for {
			if f := p.value(); f != nil {
				return f
			}
			here.index++
			p.skipSpace()
			if p.peek() != ',' {
				break
			}
			p.pos++
		}
		if p.peek() != ']' {
			return p.unexpected("a comma or a closing bracket")
		}
	}
	p.tokens[at].end = uint32(here.index)
	p.close(at)
	return nil
}

func (p *parser) open(kind tokenKind) (int, *fault.Error) {
	if p.depth == maxDepth {
		return 0, p.fail("is nested more than %d levels deep", maxDepth)
	}
	p.segments[p.depth] = pathSegment{}
	p.depth++
	p.tokens = append(p.tokens, token{kind: kind})
	p.pos++
	return len(p.tokens) - 1, nil
}

func (p *parser) close(at int) {
	p.pos++
	p.depth--
	p.tokens[at].next = uint32(len(p.tokens))
}

// maxPairwiseKeys is the number of keys up to which they are compared pairwise; more are compared with a map.
const maxPairwiseKeys = 16

// reportDuplicates reports keys that occur more than once in the object being closed.
func (p *parser) reportDuplicates(keys []string) {
	here := &p.segments[p.depth-1]
	note := func(key string) {
		here.key, here.keyed = key, true
		p.addProblem("occurs more than once")
	}
	if len(keys) <= maxPairwiseKeys {
		for i := 1; i < len(keys); i++ {
			for j := range i {
				if keys[i] == keys[j] {
					note(keys[i])
					break
				}
			}
		}
		return
	}
	seen := make(map[string]struct{}, len(keys))
	for _, key := range keys {
		if _, again := seen[key]; again {
			note(key)
		}
		seen[key] = struct{}{}
	}
}

func (p *parser) stringValue() *fault.Error {
	flaw, f := p.scanString()
	if f == nil && flaw != "" {
		p.addProblem("%s", flaw)
	}
	return f
}

// scanString parses a string. A flaw is a problem of text that is well-formed JSON.
func (p *parser) scanString() (flaw string, f *fault.Error) {
	p.pos++
	start, escaped := p.pos, false
	for {
		if p.pos >= len(p.src) {
			return "", p.fail("is truncated: a string does not end")
		}
		c := p.src[p.pos]
		switch {
		case c == '"':
			if p.badUTF8 && !utf8.ValidString(p.src[start:p.pos]) {
				flaw = "must be valid UTF-8"
			}
			p.add(tokenString, start, p.pos, escaped)
			p.pos++
			return flaw, nil
		case c == '\\':
			escaped = true
			lone, ok := p.escape()
			if !ok {
				return "", p.fail("contains an invalid escape, at byte %d", p.pos)
			}
			if lone {
				flaw = "must not contain a lone surrogate"
			}
		case c < 0x20:
			return "", p.fail("contains a control character that is not escaped, at byte %d", p.pos)
		default:
			p.pos++
		}
	}
}

// escape skips one escape, or two that form a surrogate pair.
func (p *parser) escape() (lone, ok bool) {
	if p.pos+1 >= len(p.src) {
		return false, false
	}
	switch p.src[p.pos+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos += 2
		return false, true
	case 'u':
	default:
		return false, false
	}
	r := hex4(p.src[p.pos+2:])
	if r < 0 {
		return false, false
	}
	p.pos += 6
	if !utf16.IsSurrogate(r) {
		return false, true
	}
	rest := p.src[p.pos:]
	if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' && utf16.DecodeRune(r, hex4(rest[2:])) != utf8.RuneError {
		p.pos += 6
		return false, true
	}
	return true, true
}

func (p *parser) number() *fault.Error {
	length, _ := numberPrefix(p.src[p.pos:])
	if length == 0 {
		return p.fail("is not a valid number, at byte %d", p.pos)
	}
	p.add(tokenNumber, p.pos, p.pos+length, false)
	p.pos += length
	return nil
}

func (p *parser) literal(w string, kind tokenKind) *fault.Error {
	if len(p.src)-p.pos < len(w) || p.src[p.pos:p.pos+len(w)] != w {
		return p.unexpected("a JSON value")
	}
	p.add(kind, p.pos, p.pos+len(w), false)
	p.pos += len(w)
	return nil
}

func (p *parser) add(kind tokenKind, start, end int, escaped bool) {
	p.tokens = append(p.tokens, token{
		start: uint32(start), end: uint32(end), next: uint32(len(p.tokens) + 1), kind: kind, escaped: escaped,
	})
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end, since NUL is not allowed outside a string.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) unexpected(wanted string) *fault.Error {
	if p.pos >= len(p.src) {
		return p.fail("is truncated: expected %s", wanted)
	}
	return p.fail("is not valid JSON: expected %s, at byte %d", wanted, p.pos)
}

func (p *parser) fail(format string, args ...any) *fault.Error {
	return fault.Invalid(p.path(), format, args...)
}

func (p *parser) addProblem(format string, args ...any) {
	if len(p.problems) >= fault.MaxDetails {
		return
	}
	detail := fault.Invalid(p.path(), format, args...).Details[0]
	if !slices.Contains(p.problems, detail) {
		p.problems = append(p.problems, detail)
	}
}

// path returns the path of the value being parsed.
func (p *parser) path() string {
	path := p.field
	for _, at := range p.segments[:p.depth] {
		switch {
		case at.array:
			path = elementPath(path, at.index)
		case at.keyed:
			path = graph.FieldPath(path, at.key)
		}
	}
	if path == "" {
		return bodyField
	}
	return path
}

func elementPath(path string, index int) string {
	return path + "[" + strconv.Itoa(index) + "]"
}
