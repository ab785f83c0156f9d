package cypher

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// constant is text from this package's own source or its .cypher files. Go converts a string constant to it implicitly, but no variable:
// text from outside can become Cypher only through Quote, which returns a Fragment. A test counts the explicit conversions.
type constant string

// Fragment is a finished piece of Cypher: a quoted name, a number, or a template of this package with its slots filled. It is never parsed
// again, so a name in it stays a name. Its zero value is rejected.
type Fragment struct{ text string }

// String is the fragment's text, for logs and tests. No API accepts it.
func (f Fragment) String() string { return f.text }

// Slots fills a template's slots by name.
type Slots map[string]Fragment

// template is Cypher text with slots, parsed once into alternating literal parts and slots.
type template []part

// part is a literal, or a slot if slot is set.
type part struct {
	literal string
	slot    string
}

const slotOpen, slotClose = "{{", "}}"

// parseTemplate splits text at its slots, {{name}}. A "{{" that does not begin a slot is an error.
func parseTemplate(text constant) (template, error) {
	var t template
	rest := string(text)
	for {
		before, after, found := strings.Cut(rest, slotOpen)
		if before != "" {
			t = append(t, part{literal: before})
		}
		if !found {
			return t, nil
		}
		slot, remainder, closed := strings.Cut(after, slotClose)
		if !closed || !isSlotName(slot) {
			return nil, fmt.Errorf("%q opens no slot", slotOpen+after[:min(len(after), 20)])
		}
		t = append(t, part{slot: slot})
		rest = remainder
	}
}

func isSlotName(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return name != ""
}

// newTemplate parses a constant of this package. It panics on an error, at start-up.
func newTemplate(text constant) template {
	t, err := parseTemplate(text)
	if err != nil {
		panic(fmt.Sprintf("cypher: %v in %q", err, text))
	}
	return t
}

// slots are the names of the template's slots, each once, in order of appearance.
func (t template) slots() []string {
	var names []string
	for _, p := range t {
		if p.slot != "" && !slices.Contains(names, p.slot) {
			names = append(names, p.slot)
		}
	}
	return names
}

// fill puts fragments into the slots. A missing or empty slot is a programming error and panics.
func (t template) fill(slots Slots) Fragment {
	size := 0
	for _, p := range t {
		size += len(p.literal) + len(slots[p.slot].text)
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range t {
		if p.slot == "" {
			b.WriteString(p.literal)
			continue
		}
		fragment := slots[p.slot]
		if fragment.text == "" {
			panic(fmt.Sprintf("cypher: slot %q is not filled", p.slot))
		}
		b.WriteString(fragment.text)
	}
	return Fragment{b.String()}
}

// join concatenates fragments with a separator.
func join(separator constant, fragments []Fragment) Fragment {
	texts := make([]string, len(fragments))
	for i, f := range fragments {
		texts[i] = f.text
	}
	return Fragment{strings.Join(texts, string(separator))}
}

// literal is constant text as a fragment.
func literal(text constant) Fragment { return Fragment{string(text)} }

// withParts is constant text with its parts included, as a fragment.
func withParts(text constant) Fragment {
	expanded, _ := includeParts(string(text))
	return Fragment{expanded}
}

// number is an integer as a fragment.
func number(n int) Fragment { return Fragment{strconv.Itoa(n)} }

// numberedName is a numbered name of this package, such as r0.
func numberedName(prefix constant, n int) Fragment { return Fragment{string(prefix) + strconv.Itoa(n)} }

// Quote turns any name into a fragment: a label, a relationship type, a property key, or the name of an index or a constraint. It puts the
// name in backticks and doubles the backticks in it. A backslash is written as its Unicode escape, because Neo4j replaces \uXXXX anywhere
// in a statement before it reads the backticks (Neo4j manual, "Expressions", escape sequences); otherwise a name with a backslash and u0060
// would end the quotes.
func Quote(name string) Fragment {
	var b strings.Builder
	b.Grow(len(name) + 2)
	b.WriteByte('`')
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '`':
			b.WriteString("``")
		case '\\':
			b.WriteString(`\u005C`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('`')
	return Fragment{b.String()}
}

// Any matches any label or any relationship type (Neo4j manual, "Label expressions", wildcard): a node with at least one label, a
// relationship of any type.
var Any = literal("%")

// AnyOrNone matches nodes with any label or none.
var AnyOrNone = literal("%|!%")

// OfLabels is a label expression with its colon, for the pattern of a node. That of AnyOrNone is blank: the database would test it on every
// node.
func OfLabels(labels Fragment) Fragment {
	if labels == AnyOrNone {
		return literal(" ")
	}
	return join("", []Fragment{literal(":"), labels})
}

// QuoteAny joins several labels or types by |, which matches any of them.
func QuoteAny(names []string) Fragment {
	quoted := make([]Fragment, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return join("|", quoted)
}

// Variable is the Cypher variable that an entity is bound to.
type Variable struct{ name constant }

// The variables of nodes and of edges in all statements of this package.
var (
	NodeVariable = Variable{"n"}
	EdgeVariable = Variable{"r"}
)

func (v Variable) fragment() Fragment { return literal(v.name) }
