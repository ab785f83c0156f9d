package benchlarge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphrest/internal/bench"
)

// Report contains the tables of the sizes measured so far.
type Report struct {
	Tables []*Table `json:"tables"`
}

// Add puts tables into the report files of a directory, large.json and large.md. Tables of the same size are replaced.
func Add(directory string, tables ...*Table) error {
	report := &Report{}
	path := filepath.Join(directory, "large.json")
	text, err := os.ReadFile(path) //nolint:gosec // the directory of the report
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(text, report); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
	}
	for _, table := range tables {
		report.put(table)
	}
	if text, err = json.MarshalIndent(report, "", " "); err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o755); err != nil { //nolint:gosec // public documents
		return err
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil { //nolint:gosec // public documents
		return err
	}
	return os.WriteFile(filepath.Join(directory, "large.md"), []byte(report.Markdown()), 0o644) //nolint:gosec // public documents
}

func (r *Report) put(table *Table) {
	r.Tables = slices.DeleteFunc(r.Tables, func(t *Table) bool { return t.Size == table.Size })
	r.Tables = append(r.Tables, table)
	slices.SortFunc(r.Tables, func(a, b *Table) int { return cmp.Compare(a.Size, b.Size) })
}

// Markdown returns the report for people.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("# Large graphs that no gateway made\n\n" +
		"Written by `make bench-large SIZE=1000000`, which adds the table of its size, or `make bench-match SIZE=1000000`; do not edit.\n\n" +
		"The graph is imported with neo4j-admin: 30 node types and 30 edge types, the largest with half of the nodes and 1.6 edges " +
		"for each node, the smallest with 10; some nodes with several labels, some with none; holes in the internal ids; a hub with a tenth as " +
		"many edges as there are nodes; parallel edges and self-loops; no index besides the token lookup indexes, but for the questions that " +
		"name one. Each question is asked at the gateway over HTTP and, in turns, as the Cypher that an analyst would write, with the Go " +
		"driver's `ExecuteQuery`. Times are medians in milliseconds, of the second half of up to 30 answers; \"first\" is the first of all, " +
		"before the database has compiled the statement. The ratio is that of the medians. Both sides share one machine " +
		"with the database.\n\n")
	for _, t := range r.Tables {
		t.write(&b)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

func (t *Table) write(b *strings.Builder) {
	m := t.Machine
	fmt.Fprintf(b, "## %d nodes\n\n%d edges. Commit `%s`, %s, %s minutes. %d cores and %s of memory, %s; Neo4j %s on Java %s "+
		"with %d MiB of heap and %d MiB of page cache.\n\n",
		t.Nodes, t.Edges, t.Commit, t.Date.Format("2006-01-02 15:04 MST"), bench.Short(t.Minutes), m.Cores, m.Memory, m.System,
		m.Neo4j, m.Java, t.HeapMB, t.CacheMB)
	t.writeAnswers(b, "Cypher", func(a Answer) bool { return a.As == "" })
	t.writeHits(b)
	if slices.ContainsFunc(t.Answers, func(a Answer) bool { return a.As != "" }) {
		b.WriteString("The same question by a user with roles and by one who may read everything, in turns. The user with few grants has " +
			"one role of four grants, one with a condition; the one with fifty grants has ten roles, with a condition and a hidden property " +
			"for every node type.\n\n")
		t.writeAnswers(b, "everything", func(a Answer) bool { return a.As != "" })
	}
}

// writeAnswers writes a table of some answers, with the name of the other side.
func (t *Table) writeAnswers(b *strings.Builder, other string, wanted func(Answer) bool) {
	fmt.Fprintf(b, "| question | gateway | first | %s | first | ratio |\n|---|--:|--:|--:|--:|--:|\n", other)
	for _, a := range t.Answers {
		if a.Skipped != "" || !wanted(a) {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", a.Question, orFailure(a.Gateway, a.Failure), bench.Short(a.GatewayFirst),
			orFailure(a.Cypher, a.CypherFailure), bench.Short(a.CypherFirst), bench.Short(a.Ratio))
	}
	b.WriteString("\n")
}

// writeHits writes the table of the questions whose statements were profiled.
func (t *Table) writeHits(b *strings.Builder) {
	if !slices.ContainsFunc(t.Answers, func(a Answer) bool { return a.CypherHits > 0 }) {
		return
	}
	b.WriteString("Db hits by `PROFILE` of the statement that `explain=true` answers, and of the Cypher.\n\n" +
		"| question | gateway | Cypher | ratio |\n|---|--:|--:|--:|\n")
	for _, a := range t.Answers {
		if a.CypherHits > 0 {
			fmt.Fprintf(b, "| %s | %d | %d | %.2f |\n", a.Question, a.Hits, a.CypherHits, bench.Ratio(float64(a.Hits), float64(a.CypherHits)))
		}
	}
	b.WriteString("\n")
}

func orFailure(value bench.Number, failure string) string {
	if failure != "" && (math.IsNaN(float64(value)) || value == 0) {
		return failure
	}
	return bench.Short(value)
}
