// Package cypher holds every Cypher statement the gateway sends, one per .cypher file, embedded and exported as typed
// values. Values reach a statement only as parameters. Where Cypher takes no parameter (a label, a relationship type or a
// property key that an index is looked up by), the text has a declared slot. A statement is parsed once, at start-up, into literal
// parts and slots; a slot takes a Fragment only, and a name becomes a Fragment only by Quote. What fills a slot is never parsed for
// slots itself. See docs/adr/0009-cypher-text.md.
package cypher

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
//	// hits: 12 per row                 the most db hits (PROFILE) that one run may cost, or left out; see Bound
//
// A line {{>audit}} stands for the text of audit/audit.part, which writes what a batch has done into the audit: it needs rows, the
// parameter, and done, a list of [place in rows, type], and does nothing where the parameter audit is null.
//
// A test on the real server EXPLAINs each one on a seeded database and checks params and plan. It runs those with a bound on db hits under
// PROFILE, with the parameters of a page or of one entity: add the header line, and a parameter that internal/neo4jstore/hits_test.go
// does not know yet to its table.
type Statement struct {
	Folder  string // graph, schema, auth, audit or migrate
	Name    string
	Access  Access
	Params  []string
	Slots   []string
	Returns []string
	Plan    []string // operators the plan must have
	NotPlan []string // operators it must not have
	// Internal says how the statement treats internal data. "hidden": it excludes nodes by a test of their labels and relationships
	// by a test of their type and of both ends' labels. "hidden, types named": the same, but a slot names the relationship types, so
	// that their test is not needed; Text refuses Any in it. "hidden by the caller" (the rows tell the caller, who takes another statement
	// where one is internal), "hidden by" another statement, which reads what this one chose, "hidden by subtraction", "only" (it works on
	// internal data only) and "none" (it cannot meet any) are followed by " - " and the reason. A test holds every statement on nodes and
	// edges to it.
	Internal string
	Hits     Bound
	template template
}

// Bound is how many db hits a statement may cost, in the sense of PROFILE, on a graph where what is asked for is a small part of
// what there is: "400" in all, whatever the size of the page, or "12 per row", for each row asked for: $limit of them, else one for each
// member of $ids, $elements or $from. Its zero value is no bound. A statement that serves a page or one entity has one, so that its cost
// cannot come to depend on the size of the graph unseen.
type Bound struct {
	Hits   int64
	PerRow bool
}

// Of is the bound for so many rows.
func (b Bound) Of(rows int) int64 {
	if b.PerRow {
		return b.Hits * int64(rows)
	}
	return b.Hits
}

func parseBound(text string) (Bound, error) {
	hits, perRow := strings.CutSuffix(text, " per row")
	n, err := strconv.ParseInt(hits, 10, 64)
	if err != nil || n <= 0 {
		return Bound{}, fmt.Errorf("hits %q: want a number of db hits, like 400 or 12 per row", text)
	}
	return Bound{Hits: n, PerRow: perRow}, nil
}

// Text is a statement with its slots filled, ready to be sent. Only Statement.Text makes one, so that no other text can be sent where
// one is asked for. Its zero value is empty.
type Text struct {
	statement string
	text      string
}

// String is the Cypher. It begins with the statement's name in a comment, which the database's own log of queries shows as well.
func (t Text) String() string { return t.text }

// Explain is the text that asks for the statement's plan instead of running it.
func (t Text) Explain() Text { return Text{statement: t.statement, text: explainPrefix + t.text} }

const explainPrefix = "EXPLAIN "

// Statement is the name of the statement that the text was made of.
func (t Text) Statement() string { return t.statement }

// Text is the statement with its slots filled. A slot that is missing, empty or unknown is a programming error and panics.
func (s Statement) Text(slots Slots) Text {
	if len(slots) != len(s.Slots) {
		panic(fmt.Sprintf("cypher %s: has slots %v, got %d", s.Name, s.Slots, len(slots)))
	}
	if s.Internal == TypesNamed {
		for _, slot := range []string{"type", "types"} {
			if text := slots[slot].text; text == Any.text || text == AnyOrNone.text {
				panic(fmt.Sprintf("cypher %s: slot %q must name types", s.Name, slot))
			}
		}
	}
	return Text{statement: s.Name, text: s.template.fill(slots).text}
}

// TypesNamed is the Internal of a statement whose slot type or types names the relationship types it reads.
const TypesNamed = "hidden, types named"

const nameBegin, nameEnd = "/* ", " */ "

// All lists every statement loaded, for the tests that hold them to rules.
func All() []Statement { return slices.Clone(all) }

var all []Statement

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
	var err error
	// The embedded files are constants of this package as much as its source is.
	if s.template, err = parseTemplate(constant(nameBegin + s.Name + nameEnd + strings.TrimSpace(strings.Join(body, "\n")))); err != nil {
		return s, fmt.Errorf("cypher %s: %w", path, err)
	}
	used := s.template.slots()
	for _, slot := range used {
		if !slices.Contains(s.Slots, slot) {
			return s, fmt.Errorf("cypher %s: slot %q is not declared", path, slot)
		}
	}
	for _, slot := range s.Slots {
		if !slices.Contains(used, slot) {
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
	case "hits":
		var err error
		s.Hits, err = parseBound(value)
		return err
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

var (
	ownPattern     = regexp.MustCompile(`[:|]\s*(_Graphrest\w+)`)
	ownTypePattern = regexp.MustCompile(`\[\w*:\s*(_Graphrest\w+)`)
)

// OwnNames are the labels and relationship types that the gateway's own statements use, in byte order: what else carries the
// reserved prefix is somebody else's.
func OwnNames() []string { return namesLike(ownPattern) }

// OwnTypes are the relationship types among OwnNames.
func OwnTypes() []string { return namesLike(ownTypePattern) }

// OwnLabels are the labels among OwnNames.
func OwnLabels() []string {
	types := OwnTypes()
	return slices.DeleteFunc(OwnNames(), func(name string) bool { return slices.Contains(types, name) })
}

func namesLike(pattern *regexp.Regexp) []string {
	var names []string
	for _, s := range all {
		for _, p := range s.template {
			for _, found := range pattern.FindAllStringSubmatch(p.literal, -1) {
				names = append(names, found[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
