package typedjson

import (
	"iter"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"graphrest/internal/fault"
)

// document is a parsed text: its tokens in the order of the text, containers before their content. Strings and numbers are
// decoded only when they are read. Its strings share the memory of the text.
type document struct {
	src      string
	tokens   []token
	problems []fault.Detail // problems that did not stop the parser
	badUTF8  bool           // the text is not valid UTF-8; strings are repaired, since the problem is already reported
}

type token struct {
	start, end uint32 // the text of a number, or of a string without its quotes; the end of a container is its number of members
	next       uint32 // the token after this one and its content
	kind       tokenKind
	escaped    bool // a string that contains escapes
}

type tokenKind uint8

const (
	tokenNull tokenKind = iota
	tokenTrue
	tokenFalse
	tokenNumber
	tokenString
	tokenArray
	tokenObject
)

// members iterates over the decoded keys and the value tokens of an object.
func (d *document) members(object int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		end := int(d.tokens[object].next)
		for i := object + 1; i < end; i = int(d.tokens[i+1].next) {
			if !yield(d.text(i), i+1) {
				return
			}
		}
	}
}

// elements iterates over the indexes and the tokens of an array.
func (d *document) elements(array int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		end := int(d.tokens[array].next)
		for i, n := array+1, 0; i < end; i, n = int(d.tokens[i].next), n+1 {
			if !yield(n, i) {
				return
			}
		}
	}
}

// text returns the decoded text of a string token, or the literal text of a number.
func (d *document) text(i int) string {
	t := d.tokens[i]
	raw := d.src[t.start:t.end]
	if d.badUTF8 {
		raw = strings.ToValidUTF8(raw, "\uFFFD")
	}
	if !t.escaped {
		return raw
	}
	return unescape(raw)
}

// unescape decodes a string that the parser has accepted.
func unescape(raw string) string {
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b = append(b, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r := hex4(raw[i+1:])
			i += 4
			if utf16.IsSurrogate(r) && len(raw) > i+6 {
				if pair := utf16.DecodeRune(r, hex4(raw[i+3:])); pair != utf8.RuneError {
					r = pair
					i += 6
				}
			}
			b = utf8.AppendRune(b, r) // a lone surrogate, reported by the parser, becomes U+FFFD
		default: // quote, backslash, slash
			b = append(b, raw[i])
		}
	}
	return string(b)
}

// hex4 reads four hexadecimal digits; -1 if there are none.
func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
