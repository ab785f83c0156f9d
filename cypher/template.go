package cypher

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// constant is text from this package's own source or its .cypher files. Go converts a string constant to it implicitly, but no
// variable: text from outside can reach Cypher only through Quote, which makes a Fragment. A test counts the explicit conversions.
type constant string

// Fragment is a finished piece of Cypher: a quoted name, a number, or a template of this package with its slots filled. It is never
// parsed again, so whatever a name holds stays a name. Its zero value is refused.
type Fragment struct{ text string }

// String is the fragment's text, for logs and tests. No API takes it back.
func (f Fragment) String() string { return f.text }

// Slots fills a template's slots by name.
type Slots map[string]Fragment

// template is Cypher text with slots, parsed once: literal parts and slots take turns.
type template []part

// part is a literal, or a slot if slot is set.
type part struct {
	literal string
	slot    string
}

const slotOpen, slotClose = "{{", "}}"

// parseTemplate splits text at its slots, {{name}}. A "{{" that opens no slot is an error.
func parseTemplate(text constant) (template, error) {
	var t template
	rest := string(text)
	for {
		literal, after, found := strings.Cut(rest, slotOpen)
		if literal != "" {
			t = append(t, part{literal: literal})
		}
		if !found {
			return t, nil
		}
		slot, behind, closed := strings.Cut(after, slotClose)
		if !closed || !isSlotName(slot) {
			return nil, fmt.Errorf("%q opens no slot", slotOpen+after[:min(len(after), 20)])
		}
		t = append(t, part{slot: slot})
		rest = behind
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

// newTemplate parses a constant of this package; it panics on a mistake, at start-up.
func newTemplate(text constant) template {
	t, err := parseTemplate(text)
	if err != nil {
		panic(fmt.Sprintf("cypher: %v in %q", err, text))
	}
	return t
}

// slots names the template's slots, each once, in order of appearance.
func (t template) slots() []string {
	var names []string
	for _, p := range t {
		if p.slot != "" && !slices.Contains(names, p.slot) {
			names = append(names, p.slot)
		}
	}
	return names
}

// fill puts fragments into the slots. A slot that is missing or empty is a programming error and panics.
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

// join puts fragments in a row with a separator between them.
func join(separator constant, fragments []Fragment) Fragment {
	texts := make([]string, len(fragments))
	for i, f := range fragments {
		texts[i] = f.text
	}
	return Fragment{strings.Join(texts, string(separator))}
}

// literal is constant text as a fragment.
func literal(text constant) Fragment { return Fragment{string(text)} }

// number is a whole number as a fragment.
func number(n int) Fragment { return Fragment{strconv.Itoa(n)} }

// column is a numbered name of this package, such as r0.
func column(prefix constant, n int) Fragment { return Fragment{string(prefix) + strconv.Itoa(n)} }

// Quote makes a fragment out of any name: a label, a relationship type, a property key, or the name of an index or a constraint. The
// name is put in backticks with backticks doubled; a backslash is written as its own unicode escape, because Neo4j replaces \uXXXX
// anywhere in a statement before it reads the backticks (Neo4j manual, "Expressions", escape sequences), so that a name holding a
// backslash and u0060 would otherwise end the quotes.
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

// Any stands for any label or any relationship type (Neo4j manual, "Label expressions", wildcard): a node that has a label
// at all, a relationship whatever its type.
var Any = literal("%")

// AnyOrNone stands for any label or none.
var AnyOrNone = literal("%|!%")

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
