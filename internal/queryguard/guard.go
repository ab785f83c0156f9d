package queryguard

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/snapshot"
)

const (
	// MaxText is the maximum number of bytes of a query.
	MaxText = 64 << 10
	// schemaAge is the maximum age of the names and indexes that a verdict depends on; they are read again, without waiting, once they are
	// older than schemaRefresh.
	schemaAge     = 3 * time.Second
	schemaRefresh = time.Second
	// maxVerdicts is how many verdicts are kept.
	maxVerdicts = 1000
)

// Guard judges queries on one database. It is safe for concurrent use.
type Guard struct {
	client   *bolt.Client
	callable map[string]bool
	schema   *snapshot.Snapshot[schema]

	mu       sync.Mutex
	verdicts map[string]Verdict
	epoch    string // of the verdicts
}

// Config is what a guard needs.
type Config struct {
	Client *bolt.Client
	// Procedures are the names of procedures and functions that queries may call beside the built-in read-only ones, in any letter case.
	Procedures []string
	// Spawn starts work that the owner waits for when it closes; nil is a goroutine.
	Spawn func(work func())
}

// New creates a guard. It does not use the database before the first query.
func New(c Config) *Guard {
	g := &Guard{client: c.Client, callable: wordSet(strings.Join(c.Procedures, " ")), verdicts: make(map[string]Verdict)}
	g.schema = snapshot.New(g.readSchema, bolt.SnapshotOptions(c.Spawn))
	return g
}

// schema is what of the database's schema a verdict depends on.
type schema struct {
	seal  Seal
	epoch string // differs if anything does
}

func (g *Guard) readSchema(ctx context.Context) (*schema, error) {
	names, err := g.client.ReadRows(ctx, cypher.NamesInUse.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	indexes, err := g.client.ReadRows(ctx, cypher.SchemaIndexes.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	var labels, types []string
	for _, record := range names {
		labels, types = bolt.TextColumn(record, "labels"), bolt.TextColumn(record, "types")
	}
	slices.Sort(labels)
	slices.Sort(types)
	lines := make([]string, 0, len(indexes))
	for _, record := range indexes {
		lines = append(lines, fmt.Sprintf("%q %q %q", bolt.Column[string](record, "name"), bolt.Column[string](record, "state"),
			bolt.TextColumn(record, "types")))
	}
	slices.Sort(lines)
	return &schema{
		seal:  NewSeal(slices.DeleteFunc(slices.Clone(labels), notReserved), slices.DeleteFunc(slices.Clone(types), notReserved)),
		epoch: fmt.Sprintf("%q %q %q", labels, types, lines),
	}, nil
}

func notReserved(name string) bool { return !graph.Reserved(name) }

// Explain judges a query without refusing it: a refused query is a verdict, not an error. Its errors are those of Check but
// QUERY_REJECTED.
func (g *Guard) Explain(ctx context.Context, r Request) (Verdict, error) {
	if err := validate(r); err != nil {
		return Verdict{}, err
	}
	g.schema.Refresh(ctx, schemaRefresh)
	current, err := g.schema.Fresh(ctx, schemaAge)
	if err != nil {
		return Verdict{}, err
	}
	key := verdictKey(r)
	g.mu.Lock()
	known, found := g.verdicts[key]
	found = found && g.epoch == current.epoch
	g.mu.Unlock()
	if found {
		return known, nil
	}
	verdict, err := g.judge(ctx, r, current.seal)
	if err != nil {
		return Verdict{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.epoch != current.epoch || len(g.verdicts) >= maxVerdicts {
		clear(g.verdicts)
		g.epoch = current.epoch
	}
	g.verdicts[key] = verdict
	return verdict, nil
}

func validate(r Request) error {
	switch {
	case strings.TrimSpace(r.Text) == "":
		return fault.Invalid(Field, "must not be empty")
	case len(r.Text) > MaxText:
		return fault.Invalid(Field, "has %d bytes; at most %d are allowed", len(r.Text), MaxText)
	case r.Language != 0 && r.Language != 5 && r.Language != 25:
		return fault.Invalid("language", "is %d; must be 5 or 25", r.Language)
	}
	for _, name := range r.Allow {
		if !slices.Contains(Allowable(), name) {
			return fault.Invalid("allow", "has %q; must be of %s", name, strings.Join(Allowable(), ", "))
		}
	}
	return nil
}

// verdictKey identifies what a verdict depends on beside the schema. The values of parameters do not matter, their types do.
func verdictKey(r Request) string {
	var key strings.Builder
	fmt.Fprintf(&key, "%d %q", r.Language, slices.Sorted(slices.Values(r.Allow)))
	parameters := make([]string, 0, len(r.Parameters))
	for name, value := range r.Parameters {
		parameters = append(parameters, fmt.Sprintf("%q %T", name, value))
	}
	slices.Sort(parameters)
	key.WriteString(strings.Join(parameters, " "))
	key.WriteByte(0)
	key.WriteString(r.Text)
	return key.String()
}

// judge asks the database for the plan of the text and then of the sealed text, unless the text alone is refused.
func (g *Guard) judge(ctx context.Context, r Request, seal Seal) (Verdict, error) {
	q := parseQuery(r.Text, seal, g.callable)
	reasons, unknown := textReasons(q.refusals, r.Allow)
	if len(q.refusals) == 1 && q.refusals[0].invalid {
		return Verdict{}, fault.New(fault.Validation, "Invalid input", fault.Detail{Field: Field, Message: reasons[0].String()})
	}
	if len(reasons) > 0 && !unknown && !onlyAllowable(q.refusals) {
		return Verdict{Reasons: reasons}, nil
	}
	language := r.Language
	if q.language != 0 {
		language = q.language
	}
	plain, err := g.client.ExplainQuery(ctx, explainable(q.original, language), r.Parameters)
	if err != nil {
		return Verdict{}, queryFault(err, true)
	}
	if unknown {
		return Verdict{Reasons: reasons}, nil
	}
	language, _ = strconv.Atoi(plain.Language)
	if language != 5 && language != 25 {
		return Verdict{Reasons: []Reason{{Message: "is of a version of Cypher that is not known; begin with CYPHER 5 or CYPHER 25"}}}, nil
	}
	verdict := Verdict{Checked: Checked{
		Language: language, Columns: plain.Columns, Warnings: warnings(plain.Notices), Plan: displayed(plain.Plan),
		Operators: operatorsOf(plain.Plan), Parameters: q.parameters,
	}}
	verdict.Checked.EstimatedRows = verdict.Checked.Plan.EstimatedRows
	sealed, err := g.client.ExplainQuery(ctx, explainable(q.sealed, language), r.Parameters)
	if bolt.IsServerError(err) && isQueryError(err) {
		verdict.Reasons = append(reasons, Reason{Message: "cannot be kept from internal data; write the pattern in another way"})
		return verdict, nil
	}
	if err != nil {
		return Verdict{}, bolt.Translate(err)
	}
	verdict.Reasons = slices.Concat(reasons, judgeCost(plain.Plan, sealed.Plan, r.Allow, q, plain.Notices), judgeSealed(sealed.Plan, seal))
	if verdict.Accepted = len(verdict.Reasons) == 0; verdict.Accepted {
		text := q.sealed
		if !seal.foreign && countsOneLabel(plain.Plan) {
			text = q.original
		}
		verdict.Checked.Text = cypher.Guarded(versioned(text, language))
	}
	return verdict, nil
}

// versioned is a text with the version of Cypher in a separate line, so that the columns of messages are right.
func versioned(query string, language int) string {
	if language == 0 {
		return "\n" + query
	}
	return "CYPHER " + strconv.Itoa(language) + "\n" + query
}

func explainable(query string, language int) cypher.Text {
	return cypher.Guarded(versioned(query, language)).Explain()
}

// textReasons are the refusals of the text that its definition does not allow, and whether the text may be no valid Cypher.
func textReasons(refusals []refusal, allow []string) (reasons []Reason, unknown bool) {
	for _, r := range refusals {
		if r.allowedAs != "" && slices.Contains(allow, r.allowedAs) {
			continue
		}
		message := r.message
		if r.allowedAs != "" {
			message += orAllow(r.allowedAs)
		}
		reasons = append(reasons, Reason{Line: r.at.line, Column: r.at.column, Message: message})
		unknown = unknown || r.unknown
	}
	return reasons, unknown
}

// orAllow is the end of a refusal that the definition of a query can lift.
func orAllow(name string) string { return ", or save the query with \"" + name + "\" in \"allow\"" }

func onlyAllowable(refusals []refusal) bool {
	return !slices.ContainsFunc(refusals, func(r refusal) bool { return r.allowedAs == "" })
}

// ownWords are words that the properties of internal data may have.
var ownWords = sync.OnceValue(func() map[string]bool { return wordSet(strings.Join(cypher.OwnWords(), " ")) })

var missingProperty = regexp.MustCompile(`\(the missing property name is: (.*)\)$`)

// warnings are the notices of the database that are about the client's text. One of a property that no entity has would not be there if
// internal data had it, so that there is none of those which internal data may have.
func warnings(notices []bolt.Notice) []Warning {
	var shown []Warning
	for _, n := range notices {
		_, kind, _ := strings.Cut(n.Code, ".Statement.")
		if hasReservedName(n.Message) || kind == "ParameterNotProvided" {
			continue
		}
		if found := missingProperty.FindStringSubmatch(n.Message); kind == "UnknownPropertyKeyWarning" &&
			(found == nil || ownWords()[strings.ToLower(found[1])]) {
			continue
		}
		shown = append(shown, Warning{
			Line: max(n.Line-1, 0), Column: n.Column, Message: n.Message, OfNames: strings.HasPrefix(kind, "Unknown"),
		})
	}
	return shown
}
