package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// JournalOptions are the options of MeasureJournal. All fields are required.
type JournalOptions struct {
	Gateway string // the program
	Neo4j   Neo4j
	Records int // recorded changes of other entities to add
	Edges   int // of the node that is deleted and restored
	Rounds  int // of each request
}

// changesOfOne is how many changes the entity has whose history is read.
const changesOfOne = 1000

const journalLabel = "BenchJournal"

// journalHub creates a node with edges.
const journalHub = `CREATE (h:BenchJournalHub {name: 'hub'})
WITH h UNWIND range(1, $edges) AS i
CREATE (h)-[:BENCH_JOURNAL {i: i, since: date()}]->(:BenchJournalLeaf {i: i})
RETURN elementId(h) LIMIT 1`

// journalPosition reserves positions of the feed for records.
const journalPosition = `MERGE (s:_GraphrestState {name: 'journal'})
WITH s, coalesce(s.position, 0) AS position
SET s.position = position + $records
RETURN position`

// journalFill creates records as the gateway writes them, of updates of other nodes, 20 of each, before and after those of the gateway.
const journalFill = `UNWIND range(1, $records) AS i
CALL (i) {
  CREATE (c:_GraphrestChange {` + "`_graphrest.value`" + `: i, _graphrest_set: '{"value":' + i + '}', _graphrest_position: $position + i,
    _graphrest_entity: 'node 00000000-0000-7000-8000-' + right('00000000000' + toString(i % ($records / 20 + 1)), 12),
    _graphrest_request: 'bench-' + toString(i / 10),
    _graphrest_meta: ['update', 'bench', 'bench', 'bench', '', '', '', '', '4:bench:' + toString(i), $label]})
  SET c._graphrest_id = toString($first + i) + '-' + split(elementId(c), ':')[2]
} IN TRANSACTIONS OF 20000 ROWS`

// MeasureJournal prints how long requests for history take with few and with many records in the journal, and how long a node with many
// edges takes to be deleted and to come back. The database must be empty.
func MeasureJournal(ctx context.Context, o JournalOptions, out io.Writer) (err error) {
	db, err := openDatabase(ctx, o.Neo4j)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.driver.Close(context.WithoutCancel(ctx))) }()
	g, err := startGateway(ctx, o.Gateway, o.Neo4j, newSecrets(), "on", "GRAPHREST_HISTORY_MAX_BYTES=1000GiB")
	if err != nil {
		return err
	}
	defer g.stop()
	m := &journalMeasurement{JournalOptions: o, gateway: g}
	began := time.Now().Add(-24 * time.Hour)
	if err := m.makeChanges(ctx); err != nil {
		return err
	}
	if err := m.restoreNode(ctx, db, out); err != nil {
		return err
	}
	few, err := m.measureRequests(ctx)
	if err != nil {
		return err
	}
	if err := m.addRecords(ctx, db, began); err != nil {
		return err
	}
	many, err := m.measureRequests(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d records of other entities, %d changes of the one whose history is read; medians of %d rounds\n\n"+
		"| request | few records: ms | many records: ms | ratio |\n|---|--:|--:|--:|\n", o.Records, changesOfOne, o.Rounds)
	for i, request := range m.requests() {
		fmt.Fprintf(out, "| %s | %.2f | %.2f | %.2f |\n", request.name, few[i], many[i], many[i]/few[i])
	}
	return nil
}

type journalMeasurement struct {
	JournalOptions
	gateway *gateway
	id      string // of the node whose history is read
	change  string // id of a change in the middle of it
}

// ask sends a request and decodes the data of its answer.
func (m *journalMeasurement) ask(ctx context.Context, method, path string, body, data any) error {
	status, answer, err := m.gateway.callWithRetry(ctx, method, path, m.gateway.tokens[0], body)
	if err != nil || status >= 300 {
		return fmt.Errorf("%s %s: %w", method, path, failure(status, answer, err))
	}
	envelope := struct{ Data any }{data}
	return json.Unmarshal(answer, &envelope)
}

func (m *journalMeasurement) makeChanges(ctx context.Context) error {
	var made struct{ ID string }
	body := map[string]any{"type": journalLabel, "properties": map[string]any{"value": 0}}
	if err := m.ask(ctx, http.MethodPost, "/api/nodes", body, &made); err != nil {
		return err
	}
	m.id = made.ID
	for i := 1; i < changesOfOne; i++ {
		if err := m.ask(ctx, http.MethodPut, "/api/nodes/"+m.id, map[string]any{"properties": map[string]any{"value": i}}, new(any)); err != nil {
			return err
		}
	}
	var page []struct{ ID string }
	if err := m.ask(ctx, http.MethodGet, "/api/nodes/"+m.id+"/history?limit=500", nil, &page); err != nil {
		return err
	}
	m.change = page[len(page)-1].ID
	return nil
}

// restoreNode deletes a node with its edges and undoes that.
func (m *journalMeasurement) restoreNode(ctx context.Context, db *database, out io.Writer) error {
	rows, err := db.run(ctx, journalHub, map[string]any{"edges": m.Edges})
	if err != nil {
		return err
	}
	began := time.Now()
	if err := m.ask(ctx, http.MethodDelete, fmt.Sprintf("/api/nodes/%v?detach=true", rows[0].Values[0]), nil, new(any)); err != nil {
		return err
	}
	deleted := time.Since(began)
	var trash []struct{ Change string }
	if err := m.ask(ctx, http.MethodGet, "/api/trash?limit=1", nil, &trash); err != nil {
		return err
	}
	began = time.Now()
	var undone struct{ Undone int }
	if err := m.ask(ctx, http.MethodPost, "/api/undo", map[string]any{"change": trash[0].Change}, &undone); err != nil {
		return err
	}
	fmt.Fprintf(out, "A node with %d edges: deleted in %.2f s, and back in %.2f s (%d changes undone in one transaction).\n",
		m.Edges, deleted.Seconds(), time.Since(began).Seconds(), undone.Undone)
	return nil
}

func (m *journalMeasurement) addRecords(ctx context.Context, db *database, began time.Time) error {
	rows, err := db.run(ctx, journalPosition, map[string]any{"records": m.Records})
	if err != nil {
		return err
	}
	_, err = db.run(ctx, journalFill, map[string]any{
		"records": m.Records, "position": rows[0].Values[0], "first": began.UnixMicro(), "label": journalLabel,
	})
	return err
}

func (m *journalMeasurement) requests() []struct{ name, path string } {
	node := "/api/nodes/" + m.id
	return []struct{ name, path string }{
		{"history, page of 100", node + "/history?limit=100"},
		{"node at a change in its middle", node + "?at=" + m.change},
		{"node an hour ago", node + "?at=" + time.Now().UTC().Add(-time.Hour).Format(time.RFC3339)},
		{"trash, page of 100", "/api/trash?limit=100"},
		{"feed, page of 100 from the beginning", "/api/changes?since=0&limit=100"},
		{"feed, page of 100 after a change in the middle", "/api/changes?limit=100&since=" + m.change},
	}
}

// measureRequests returns the medians of the requests in milliseconds. A state that does not exist is an answer too.
func (m *journalMeasurement) measureRequests(ctx context.Context) ([]float64, error) {
	var medians []float64
	for _, request := range m.requests() {
		var times []float64
		for range 2 * m.Rounds {
			began := time.Now()
			status, answer, err := m.gateway.call(ctx, http.MethodGet, request.path, m.gateway.tokens[0], nil, nil)
			if err != nil || !slices.Contains([]int{http.StatusOK, http.StatusNotFound}, status) {
				return nil, fmt.Errorf("%s: %w", request.name, failure(status, answer, err))
			}
			times = append(times, float64(time.Since(began))/float64(time.Millisecond))
		}
		medians = append(medians, Median(times[m.Rounds:])) // the first half warms up
	}
	return medians, nil
}
