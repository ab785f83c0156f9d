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

const (
	// mostGrowth is the allowed ratio of an answer's time on the largest graph to that on the smallest.
	mostGrowth = 1.3
	// scanTolerance is how much more than the graph an answer may grow that has to read in proportion to it: the medians of two runs
	// differ by some percent, and a graph that no longer fits into the processor's caches costs more for each entity.
	scanTolerance = 1.1
)

// grows compares an answer on the smallest graph with that on the largest, which has factor times as many nodes.
func grows(before, after *Answer, factor float64) (growth float64, reached bool) {
	growth = bench.Ratio(float64(after.Gateway), float64(before.Gateway))
	allowed := mostGrowth
	if after.Scan {
		allowed = factor * scanTolerance
	}
	return growth, growth <= allowed || float64(after.Gateway-before.Gateway) < 1
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
	r.Tables = slices.DeleteFunc(r.Tables, func(t *Table) bool { return t.Size == table.Size && t.Adopted == table.Adopted })
	r.Tables = append(r.Tables, table)
	slices.SortFunc(r.Tables, func(a, b *Table) int {
		return cmp.Or(cmp.Compare(a.Size, b.Size), strings.Compare(fmt.Sprint(a.Adopted), fmt.Sprint(b.Adopted)))
	})
}

// Markdown returns the report for people.
func (r *Report) Markdown() string {
	var b strings.Builder
	b.WriteString("# Large graphs that no gateway made\n\n" +
		"Written by `make bench-large SIZE=1000000`, which adds the table of its size; do not edit.\n\n" +
		"The graph is imported with neo4j-admin: 30 node types and 30 edge types, the largest with half of the nodes and 1.6 edges " +
		"for each node, the smallest with 10; some nodes with several labels, some with none; holes in the internal ids; a hub with a tenth as " +
		"many edges as there are nodes; parallel edges and self-loops; no index besides the token lookup indexes, but for the questions that " +
		"name one. Each question is asked at the gateway over HTTP and, in turns, as the Cypher that an analyst would write, with the Go " +
		"driver's `ExecuteQuery`. Times are medians in milliseconds, of the second half of up to 30 answers; \"first\" is the first of all, " +
		"before the database has compiled the statement. The ratio is that of the medians. Db hits are those of the gateway's statements, " +
		"recorded on their way to the database and run again with `PROFILE`, and those of the Cypher. Both sides share one machine " +
		"with the database.\n\n")
	r.writeSummary(&b)
	r.writeGrowth(&b)
	for _, t := range r.Tables {
		t.write(&b)
	}
	return strings.TrimSpace(b.String()) + "\n"
}

func (r *Report) writeSummary(b *strings.Builder) {
	b.WriteString("| nodes | edges | ids | goals reached |\n|--:|--:|---|--:|\n")
	for _, t := range r.Tables {
		goals, reached := t.goals()
		fmt.Fprintf(b, "| %d | %d | %s | %d of %d |\n", t.Nodes, t.Edges, t.ids(), reached, goals)
	}
	b.WriteString("\n")
}

func (t *Table) ids() string {
	if t.Adopted {
		return "adopted"
	}
	return "element ids"
}

func (t *Table) goals() (goals, reached int) {
	for _, a := range t.Answers {
		if a.Goal == "" || a.Skipped != "" {
			continue
		}
		goals++
		if a.Reached {
			reached++
		}
	}
	return goals, reached
}

// writeGrowth compares the smallest graph with the largest.
func (r *Report) writeGrowth(b *strings.Builder) {
	plain := slices.DeleteFunc(slices.Clone(r.Tables), func(t *Table) bool { return t.Adopted })
	if len(plain) < 2 {
		return
	}
	small, large := plain[0], plain[len(plain)-1]
	factor := float64(large.Size) / float64(small.Size)
	fmt.Fprintf(b, "## Growth\n\nMedians of the gateway on %d nodes against %d nodes. An answer may take %v times as long. "+
		"One that demands a scan of its type or all edges of the hub, or has more rows on the larger graph, may take %v times as long "+
		"and a tenth more: the medians of two runs differ by some percent, and more data than the processor caches costs more for "+
		"each entity. Below a millisecond of difference no goal applies.\n\n"+
		"| question | %d | %d | growth | Cypher's growth | |\n|---|--:|--:|--:|--:|---|\n",
		large.Size, small.Size, mostGrowth, factor, small.Size, large.Size)
	for _, after := range large.Answers {
		before := small.answer(after.Question)
		if before == nil || before.Skipped != "" || after.Skipped != "" {
			continue
		}
		growth, reached := grows(before, &after, factor)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", after.Question, bench.Short(before.Gateway), bench.Short(after.Gateway),
			bench.Short(bench.Number(growth)),
			bench.Short(bench.Number(bench.Ratio(float64(after.Cypher), float64(before.Cypher)))), reachedOrMissed(reached))
	}
	b.WriteString("\n")
}

func (t *Table) write(b *strings.Builder) {
	m := t.Machine
	fmt.Fprintf(b, "## %d nodes, %s\n\n%d edges. Commit `%s`, %s, %s minutes. %d cores and %s of memory, %s; Neo4j %s on Java %s%s.\n\n",
		t.Nodes, t.ids(), t.Edges, t.Commit, t.Date.Format("2006-01-02 15:04 MST"), bench.Short(t.Minutes), m.Cores, m.Memory, m.System,
		m.Neo4j, m.Java, t.memory())
	t.Adoption.write(b)
	t.writeAnswers(b, "Cypher", func(a Answer) bool { return a.As == "" })
	if slices.ContainsFunc(t.Answers, func(a Answer) bool { return a.As != "" }) {
		b.WriteString("The same question by a user with roles and by one who may read everything, in turns. The user with few grants has " +
			"one role of four grants, one with a condition; the one with fifty grants has ten roles, with a condition and a hidden property " +
			"for every node type.\n\n")
		t.writeAnswers(b, "everything", func(a Answer) bool { return a.As != "" })
	}
}

// writeAnswers writes a table of some answers, with the name of the other side.
func (t *Table) writeAnswers(b *strings.Builder, other string, wanted func(Answer) bool) {
	const header = "| question | gateway | first | %s | first | ratio | db hits | %s, db hits | goal | |\n"
	fmt.Fprintf(b, header+"|---|--:|--:|--:|--:|--:|--:|--:|---|---|\n", other, other)
	for _, a := range t.Answers {
		if a.Skipped != "" || !wanted(a) {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", a.Question, orFailure(a.Gateway, a.Failure),
			bench.Short(a.GatewayFirst),
			orFailure(a.Cypher, a.CypherFailure), bench.Short(a.CypherFirst), bench.Short(a.Ratio), formatHits(a.DBHits, a.Failure),
			formatHits(a.CypherDBHits, a.CypherFailure),
			a.Goal, a.verdict())
	}
	b.WriteString("\n")
}

// memory describes the memory settings of a Neo4j that the benchmark started.
func (t *Table) memory() string {
	if t.HeapMB == 0 {
		return ""
	}
	return fmt.Sprintf(" with %d MiB of heap and %d MiB of page cache", t.HeapMB, t.CacheMB)
}

// write adds the goals of adopt: its rate compared with hand-written Cypher, constant memory, and reads that stay fast during adopt.
func (a *Adoption) write(b *strings.Builder) {
	if a == nil {
		return
	}
	const flat = 1.25 // times the memory of the first quarter
	b.WriteString("`graphrest adopt` of everything, while 4 clients read nodes and pages at the gateway, up to 100 a " +
		"second:\n\n| | wanted | measured | |\n|---|--:|--:|---|\n")
	for _, row := range []struct {
		name, wanted string
		measured     float64
		reached      bool
	}{
		{"rate against `CALL { ... } IN TRANSACTIONS` by hand, without other load", "≥ 0.7", float64(a.Ratio), a.Ratio >= 0.7},
		{"memory in the last quarter against the first", "≤ 1.25", float64(a.LastMiB / a.FirstMiB), a.LastMiB <= flat*a.FirstMiB},
		{"99th percentile of reads against that of the idle gateway", "≤ 3", float64(a.BusyP99 / a.IdleP99), a.BusyP99 <= 3*a.IdleP99},
	} {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", row.name, row.wanted, bench.Short(bench.Number(row.measured)), reachedOrMissed(row.reached))
	}
	fmt.Fprintf(b, "\n%d entities in %s s, by hand in %s s; %s MiB of resident memory; 99th percentiles %s ms idle, %s ms meanwhile (%d "+
		"reads).\n\n", a.Entities,
		bench.Short(a.Seconds), bench.Short(a.HandSeconds), bench.Short(a.LastMiB), bench.Short(a.IdleP99), bench.Short(a.BusyP99), a.Reads)
}

func reachedOrMissed(reached bool) string {
	if reached {
		return "reached"
	}
	return "**missed**"
}

func (a *Answer) verdict() string {
	if a.Goal == "" {
		return ""
	}
	return reachedOrMissed(a.Reached)
}

func orFailure(value bench.Number, failure string) string {
	if failure != "" && (math.IsNaN(float64(value)) || value == 0) {
		return failure
	}
	return bench.Short(value)
}

func formatHits(count int64, failure string) string {
	if failure != "" || count == 0 {
		return "–"
	}
	return fmt.Sprint(count)
}
