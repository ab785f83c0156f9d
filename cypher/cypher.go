// Package cypher holds every Cypher statement the gateway sends, one per .cypher file, embedded and exported as typed
// values. Values reach a statement only as parameters. Where Cypher takes no parameter (a label, a relationship type or a
// property key that an index is looked up by), the text has a declared slot that accepts nothing but a Name, and Quote is
// the only way to make one.
package cypher

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed graph schema auth audit migrate
var files embed.FS

// Access is what a statement does to the database.
type Access string

// Access modes.
const (
	Read   Access = "read"
	Write  Access = "write"
	Schema Access = "schema" // constraints and indexes
)

// Statement is one .cypher file. Its header, in comments, is read at start-up and a mistake in it is a panic:
//
//	// name: nodes_by_element          the file's name
//	// access: read                    read, write or schema
//	// params: rows limit              every parameter in the text, or "-"
//	// slots: type id                  every {{slot}} in the text, or left out
//	// returns: row labels properties  the columns, or "-"
//	// plan: NodeByElementIdSeek !AllNodesScan   operators the plan must and (!) must not have, or "-"; A/B is either
//	// internal: hidden                how internal data stays out of sight (graph and schema statements); see Internal
//
// A line {{>audit}} stands for the text of audit/audit.part, which writes what a batch has done into the audit: it needs rows, the
// parameter, and done, a list of [place in rows, type], and does nothing where the parameter audit is null.
//
// A test on the real server EXPLAINs each one on a seeded database and checks params and plan.
type Statement struct {
	Folder  string // graph, schema, auth, audit or migrate
	Name    string
	Access  Access
	Params  []string
	Slots   []string
	Returns []string
	Plan    []string // operators the plan must have
	NotPlan []string // operators it must not have
	// Internal says how the statement treats internal data: "hidden" (it carries the exclusion predicate), or "only" (it works
	// on internal data only) or "none" (it cannot meet any) or "hidden by ...", each followed by " - " and the reason. A test holds
	// every statement on nodes and edges to it.
	Internal string
	text     string
}

// Name is a label, relationship type or property key quoted for Cypher text. Its zero value is refused.
type Name struct{ quoted string }

// String is the quoted text.
func (n Name) String() string { return n.quoted }

// Quote makes a Name out of any text. The name is put in backticks with backticks doubled; a backslash is written as its
// own unicode escape, because Neo4j replaces \uXXXX anywhere in a statement before it reads the backticks (Neo4j manual,
// "Expressions", escape sequences), so that a name holding a backslash and u0060 would otherwise end the quotes.
func Quote(name string) Name {
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
	return Name{b.String()}
}

// Any stands for any label or any relationship type (Neo4j manual, "Label expressions", wildcard): a node that has a label
// at all, a relationship whatever its type.
var Any = Name{"%"}

// AnyOrNone stands for any label or none.
var AnyOrNone = Name{"%|!%"}

// QuoteAny makes one Name of several labels or types joined by |, which matches any of them.
func QuoteAny(names []string) Name {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n).quoted
	}
	return Name{strings.Join(quoted, "|")}
}

// Slots fills a statement's slots by name.
type Slots map[string]Name

// Text is the statement with its slots filled. A slot that is missing, empty or unknown is a programming error and panics.
func (s Statement) Text(slots Slots) string {
	if len(slots) != len(s.Slots) {
		panic(fmt.Sprintf("cypher %s: has slots %v, got %d", s.Name, s.Slots, len(slots)))
	}
	text := s.text
	for _, slot := range s.Slots {
		name, ok := slots[slot]
		if !ok || name.quoted == "" {
			panic(fmt.Sprintf("cypher %s: slot %q is not filled", s.Name, slot))
		}
		text = strings.ReplaceAll(text, "{{"+slot+"}}", name.quoted)
	}
	return text
}

// NameOf is the name of the statement that a text was made of. Each text begins with it, in a comment, which the database's
// own log of queries shows as well.
func NameOf(text string) string {
	name, _, named := strings.Cut(strings.TrimPrefix(text, nameBegin), nameEnd)
	if !named || !strings.HasPrefix(text, nameBegin) {
		return "unnamed"
	}
	return name
}

const nameBegin, nameEnd = "/* ", " */ "

// All lists every statement loaded, for the tests that hold them to rules.
func All() []Statement { return slices.Clone(all) }

var (
	all         []Statement
	slotPattern = regexp.MustCompile(`\{\{(\w+)\}\}`)
)

// load reads one embedded file, checks its header and registers it. It panics on any mistake: the files are part of the binary.
func load(path string) Statement {
	raw, err := files.ReadFile(path + ".cypher")
	if err != nil {
		panic(err)
	}
	s, err := parse(path, string(raw))
	if err != nil {
		panic(err)
	}
	s.Folder, _, _ = strings.Cut(path, "/")
	all = append(all, s)
	return s
}

// auditLine stands for the audit's part of a statement.
const auditLine = "{{>audit}}"

func auditPart() string {
	part, err := files.ReadFile("audit/audit.part")
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(part))
}

func parse(path, raw string) (Statement, error) {
	s := Statement{}
	seen := map[string]bool{}
	var body []string
	for _, line := range strings.Split(strings.Replace(raw, auditLine, auditPart(), 1), "\n") {
		comment, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !isComment {
			body = append(body, line)
			continue
		}
		key, value, isHeader := strings.Cut(strings.TrimSpace(comment), ": ")
		if !isHeader || len(body) > 0 {
			continue
		}
		if err := s.header(key, strings.TrimSpace(value)); err != nil {
			return s, fmt.Errorf("cypher %s: %w", path, err)
		}
		seen[key] = true
	}
	for _, key := range []string{"name", "access", "params", "returns", "plan"} {
		if !seen[key] {
			return s, fmt.Errorf("cypher %s: header %q is missing", path, key)
		}
	}
	if s.Name != path[strings.LastIndex(path, "/")+1:] {
		return s, fmt.Errorf("cypher %s: name is %q", path, s.Name)
	}
	s.text = nameBegin + s.Name + nameEnd + strings.TrimSpace(strings.Join(body, "\n"))
	for _, found := range slotPattern.FindAllStringSubmatch(s.text, -1) {
		if !slices.Contains(s.Slots, found[1]) {
			return s, fmt.Errorf("cypher %s: slot %q is not declared", path, found[1])
		}
	}
	for _, slot := range s.Slots {
		if !strings.Contains(s.text, "{{"+slot+"}}") {
			return s, fmt.Errorf("cypher %s: slot %q is not used", path, slot)
		}
	}
	return s, nil
}

func (s *Statement) header(key, value string) error {
	list := strings.Fields(value)
	if value == "-" {
		list = nil
	}
	switch key {
	case "name":
		s.Name = value
	case "access":
		s.Access = Access(value)
		if s.Access != Read && s.Access != Write && s.Access != Schema {
			return fmt.Errorf("access %q", value)
		}
	case "params":
		s.Params = list
	case "slots":
		s.Slots = list
	case "returns":
		s.Returns = list
	case "internal":
		s.Internal = value
	case "plan":
		for _, op := range list {
			if not, isNot := strings.CutPrefix(op, "!"); isNot {
				s.NotPlan = append(s.NotPlan, not)
			} else {
				s.Plan = append(s.Plan, op)
			}
		}
	default:
		return nil // an ordinary comment with a colon in it
	}
	return nil
}

var ownPattern = regexp.MustCompile(`[:|]\s*(_Graphrest\w+)`)

// OwnNames are the labels and relationship types that the gateway's own statements use, in byte order: what else carries the
// reserved prefix is somebody else's.
func OwnNames() []string {
	var names []string
	for _, s := range all {
		for _, found := range ownPattern.FindAllStringSubmatch(s.text, -1) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
