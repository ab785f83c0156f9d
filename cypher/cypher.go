// Package cypher contains every Cypher statement that the gateway sends, one per .cypher file, embedded and exported as typed values.
// Values reach a statement only as parameters. Where Cypher accepts no parameter (a label, a relationship type or a property key by which
// an index is found), the text has a declared slot. A statement is parsed once, at start-up, into literal parts and slots. A slot accepts
// only a Fragment, and only Quote turns a name into a Fragment. The content of a slot is never parsed for slots. See
// docs/adr/0009-cypher-text.md.
package cypher

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed graph schema auth audit changeset journal webhook savedview query migrate
var files embed.FS

// Access is what a statement does to the database.
type Access string

// Access modes.
const (
	Read   Access = "read"
	Write  Access = "write"
	Schema Access = "schema" // constraints and indexes
)

// Statement is one .cypher file. Its header consists of comments and is read at start-up; an error in it panics:
//
//	// name: nodes_by_element          the file's name
//	// access: read                    read, write or schema
//	// params: rows limit              every parameter in the text, or "-"
//	// lists: rows                     the lists that the text takes out of another list, $rows[0], or omitted; see Text.WrapLists
//	// slots: type id                  every {{slot}} in the text, or omitted
//	// returns: row labels properties  the columns, or "-"
//	// plan: NodeByElementIdSeek !AllNodesScan   operators the plan must and (!) must not have, or "-"; A/B is either
//	// internal: hidden                how internal data stays out of sight (graph and schema statements); see Internal
//	// hits: 12 per row                 the most db hits (PROFILE) that one run may cost, or omitted; see Bound
//
// {{>name}} is replaced by the text of a .part file: see includeParts. {{>visible_node n}} is the test that the node n is not internal,
// {{>visible_edge}} that the relationship r from a to b is not. {{>audit}} writes what a batch has done into the audit. It needs the
// parameter rows, and done, a list of [index in rows, type]; it does nothing if the parameter audit is null. {{>node_change}} and
// {{>edge_change}} write a change into the journal: see journal/README.md. {{>internal_labels}} reads the internal labels in use, if the
// parameter verify is true, into labels.
//
// A test EXPLAINs each statement on a real server with a seeded database and checks its parameters and plan. It runs statements with a
// bound on db hits under PROFILE, with the parameters of a page or of one entity: add the header line, and add a new parameter to the table
// in internal/neo4jstore/hits_test.go.
type Statement struct {
	Folder  string // of the file, such as graph or schema
	Name    string
	Access  Access
	Params  []string
	Lists   []string // the parameters that WrapLists wraps; end_keys is that of WithEndValues
	Slots   []string
	Returns []string
	Plan    []string // operators the plan must have
	NotPlan []string // operators the plan must not have
	// Internal says how the statement treats internal data. "hidden": it excludes nodes by a test of their labels, and relationships by a
	// test of their type and of both ends' labels; the parts visible_* are these tests. "hidden, types named": the same, but a slot names
	// the relationship types, so that no test of the type is needed; Text rejects Any in that slot. The other kinds are followed by " - "
	// and the reason: "hidden by the caller" (the rows show what is internal, and the caller then uses another statement), "hidden by"
	// another statement, which reads the entities that this one selected, "hidden by subtraction", "only" (it works on internal data only),
	// "own" (it works on the gateway's own users, audit or schema) and "none" (it cannot read internal data). A test checks every statement
	// on nodes and edges against it.
	Internal string
	Hits     Bound
	Parts    []string // what the text includes, such as "visible_node n"
	template template
}

// Bound is the maximum number of db hits (as counted by PROFILE) of a statement: "400" in total, whatever the size of the page; "12 per
// row", for each requested row: $limit of them, or one for each member of $ids, $elements or $from; or "3 per entity", for each entity of
// the types that the statement reads as a whole, because the question demands it. Its zero value is no bound. Statements that serve a page
// or one entity have one of the first two, so that a test fails if their cost starts to depend on the size of the graph.
type Bound struct {
	Hits              int64
	PerRow, PerEntity bool
}

// Of is the bound for a number of rows and a number of entities.
func (b Bound) Of(rows, entities int) int64 {
	switch {
	case b.PerRow:
		return b.Hits * int64(rows)
	case b.PerEntity:
		return b.Hits * int64(entities)
	default:
		return b.Hits
	}
}

func parseBound(text string) (Bound, error) {
	hits, perRow := strings.CutSuffix(text, " per row")
	hits, perEntity := strings.CutSuffix(hits, " per entity")
	n, err := strconv.ParseInt(hits, 10, 64)
	if err != nil || n <= 0 || (perRow && perEntity) {
		return Bound{}, fmt.Errorf("hits %q: want a number of db hits, like 400, 12 per row or 3 per entity", text)
	}
	return Bound{Hits: n, PerRow: perRow, PerEntity: perEntity}, nil
}

// Text is a statement with its slots filled, ready to be sent. Only Statement.Text and Guarded create one, so that no other text can be
// sent. Its zero value is empty.
type Text struct {
	statement string
	text      string
	lists     string // Statement.Lists, separated by blanks: a Text is comparable
}

// GuardedStatement is the name of every statement that Guarded creates.
const GuardedStatement = "query"

// Guarded is the text of a client's query. Only package queryguard calls it, with a text in which it has hidden internal data, or to have a
// text explained; a test of archtest rejects any other call.
func Guarded(text string) Text { return Text{statement: GuardedStatement, text: text} }

// String is the Cypher text. It begins with the statement's name in a comment, which the database's query log shows as well.
func (t Text) String() string { return t.text }

// Explain returns the text that asks for the statement's plan instead of running it.
func (t Text) Explain() Text {
	return Text{statement: t.statement, text: explainPrefix + t.text, lists: t.lists}
}

const explainPrefix = "EXPLAIN "

// Statement is the name of the statement that the text was created from.
func (t Text) Statement() string { return t.statement }

// WrapLists returns the parameters as the text takes them: each list that the statement declares in its header is the only element of
// another list, $rows[0]. The database plans a statement again if a list parameter has another order of magnitude, and this one always has
// one element. The parameters given are not changed.
func (t Text) WrapLists(params map[string]any) map[string]any {
	if t.lists == "" {
		return params
	}
	wrapped := maps.Clone(params)
	for name := range strings.FieldsSeq(t.lists) {
		if list, given := params[name]; given {
			wrapped[name] = []any{list}
		}
	}
	return wrapped
}

// Text fills the statement's slots. A missing, empty or unknown slot is a programming error and panics.
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
	return Text{statement: s.Name, text: s.template.fill(slots).text, lists: strings.Join(s.Lists, " ")}
}

// TypesNamed is the Internal of a statement whose slot type or types names the relationship types it reads.
const TypesNamed = "hidden, types named"

const nameBegin, nameEnd = "/* ", " */ "

// All lists every loaded statement, for the tests that check the rules.
func All() []Statement { return slices.Clone(loaded) }

var loaded []Statement

// load reads one embedded file, checks its header and registers it. It panics on any error: the files are part of the binary.
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
	loaded = append(loaded, s)
	return s
}

func parse(path, raw string) (Statement, error) {
	s := Statement{}
	seen := map[string]bool{}
	var body []string
	for _, line := range strings.Split(raw, "\n") {
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
	var text string
	text, s.Parts = includeParts(strings.TrimSpace(strings.Join(body, "\n")))
	var err error
	// The embedded files are constants of this package as much as its source is.
	if s.template, err = parseTemplate(constant(nameBegin + s.Name + nameEnd + text)); err != nil {
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
	case "lists":
		s.Lists = list
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
		return nil // an ordinary comment that contains a colon
	}
	return nil
}

var (
	ownPattern     = regexp.MustCompile(`[:|]\s*(_Graphrest\w+)`)
	ownTypePattern = regexp.MustCompile(`\[\w*:\s*(_Graphrest\w+)`)
)

// OwnNames are the labels and relationship types that the gateway's own statements use, in byte order. Other names with the reserved prefix
// belong to other programs.
func OwnNames() []string { return namesMatching(ownPattern) }

// OwnTypes are the relationship types among OwnNames.
func OwnTypes() []string { return namesMatching(ownTypePattern) }

// OwnLabels are the labels among OwnNames.
func OwnLabels() []string {
	types := OwnTypes()
	return slices.DeleteFunc(OwnNames(), func(name string) bool { return slices.Contains(types, name) })
}

// rowKeys are the properties of internal data that no statement names: parameters set them as a whole.
var rowKeys = []string{
	"actions", "author_maker_id", "bases", "code", "columns", "definition", "events", "kinds", "language", "operations", "operators",
	"problem", "schema", "secret", "source_types", "target_types", "title", "types", "unique",
}

var wordPattern = regexp.MustCompile(`(\w+)`)

// OwnWords are all words of the gateway's own statements, among them the properties of internal data, in byte order.
func OwnWords() []string {
	return slices.Sorted(slices.Values(slices.Concat(namesMatching(wordPattern), rowKeys)))
}

func namesMatching(pattern *regexp.Regexp) []string {
	var names []string
	for _, s := range loaded {
		for _, p := range s.template {
			for _, found := range pattern.FindAllStringSubmatch(p.literal, -1) {
				names = append(names, found[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// newTemplateWithParts is newTemplate of text that includes parts. A part without a variable keeps its slot of that name.
func newTemplateWithParts(text constant) template {
	expanded, _ := includeParts(string(text))
	return newTemplate(constant(expanded))
}
