package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphrest/internal/neo4jdev"
)

// JournalOptions are the options of MeasureJournal. All fields but Version and Log are required.
type JournalOptions struct {
	Gateway     string // the program
	Dir         string // gets a temporary directory with both databases
	Version     string // of Neo4j
	HeapMB      int    // of each Neo4j
	PageCacheMB int
	Records     int // recorded changes of other entities in the larger journal
	Edges       int // of the node that is deleted and restored
	Rounds      int // of each request
	Log         io.Writer
}

// changesOfOne is how many changes the entity has whose history is read.
const changesOfOne = 1000

const journalLabel = "BenchJournal"

// journalHub creates a node with edges.
const journalHub = `CREATE (h:BenchJournalHub {name: 'hub'})
WITH h UNWIND range(1, $edges) AS i
CREATE (h)-[:BENCH_JOURNAL {i: i, since: date()}]->(:BenchJournalLeaf {i: i})
RETURN elementId(h) LIMIT 1`

// journalIndexes are the statements that create the indexes of the journal.
const journalIndexes = `SHOW INDEXES YIELD labelsOrTypes, createStatement
WHERE any(l IN labelsOrTypes WHERE l IN ['_GraphrestChange', '_GraphrestUnordered']) RETURN createStatement`

// MeasureJournal prints how long requests for history take with few and with many records in the journal, and how long a node with many
// edges takes to be deleted and to come back. Both databases are asked in turns, so that other load on the machine affects both.
func MeasureJournal(ctx context.Context, o JournalOptions, out io.Writer) (err error) {
	// neo4j-admin runs in a separate directory.
	o.Dir, err = filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.Dir, "journal-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	few, err := o.open(ctx, filepath.Join(dir, "few"), 0, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, few.close(context.WithoutCancel(ctx))) }()
	many, err := o.open(ctx, filepath.Join(dir, "many"), o.Records, few.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.close(context.WithoutCancel(ctx))) }()
	for _, m := range []*journalMeasurement{few, many} {
		if err := m.makeChanges(ctx); err != nil {
			return err
		}
		for range 2 { // the first time plans the statements
			if err := m.restoreNode(ctx, out); err != nil {
				return err
			}
		}
	}
	return compareJournals(ctx, few, many, out)
}

// compareJournals asks both databases the same questions.
func compareJournals(ctx context.Context, few, many *journalMeasurement, out io.Writer) error {
	fmt.Fprintf(out, "\n%d records of other entities, %d changes of the one whose history is read; medians of %d rounds\n\n"+
		"| request | few records: ms | many records: ms | ratio |\n|---|--:|--:|--:|\n", many.Records, changesOfOne, many.Rounds)
	for i, request := range few.requests() {
		var times [2][]float64
		for range 2 * many.Rounds {
			for side, m := range []*journalMeasurement{few, many} {
				took, err := m.measure(ctx, m.requests()[i].path)
				if err != nil {
					return fmt.Errorf("%s: %w", request.name, err)
				}
				times[side] = append(times[side], took)
			}
		}
		before, after := Median(times[0][many.Rounds:]), Median(times[1][many.Rounds:]) // the first half warms up
		fmt.Fprintf(out, "| %s | %.2f | %.2f | %.2f |\n", request.name, before, after, after/before)
	}
	return nil
}

// open starts a Neo4j whose journal has a number of records of other entities, with the indexes of a database that a gateway has prepared,
// and a gateway.
func (o JournalOptions) open(ctx context.Context, home string, records int, prepared *database) (m *journalMeasurement, err error) {
	m = &journalMeasurement{JournalOptions: o}
	m.Records = records
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close(context.WithoutCancel(ctx)))
		}
	}()
	server := neo4jdev.Options{Dir: home, Version: o.Version, HeapMB: o.HeapMB, PageCacheMB: o.PageCacheMB, Log: o.Log}
	if records > 0 {
		if err := importRecords(ctx, server, records); err != nil {
			return m, err
		}
	}
	if m.server, err = neo4jdev.Start(ctx, server); err != nil {
		return m, err
	}
	at := Neo4j{URI: m.server.URI, Username: m.server.Username, Password: m.server.Password, Database: "neo4j"}
	if m.db, err = openDatabase(ctx, at); err != nil {
		return m, err
	}
	if prepared != nil {
		if err := m.db.createIndexesOf(ctx, prepared); err != nil {
			return m, err
		}
	}
	m.gateway, err = startGateway(ctx, o.Gateway, at, newSecrets(), "on", "GRAPHREST_HISTORY_MAX_BYTES=1000GiB")
	return m, err
}

func (db *database) createIndexesOf(ctx context.Context, prepared *database) error {
	statements, err := prepared.run(ctx, journalIndexes, nil)
	if err != nil {
		return err
	}
	if len(statements) == 0 {
		return errors.New("the gateway has made no indexes for its journal")
	}
	for _, row := range statements {
		statement, _ := row.Values[0].(string)
		if _, err := db.run(ctx, statement, nil); err != nil {
			return err
		}
	}
	_, err = db.run(ctx, "CALL db.awaitIndexes(7200)", nil)
	return err
}

func (m *journalMeasurement) close(ctx context.Context) (err error) {
	if m.gateway != nil {
		m.gateway.stop()
	}
	if m.db != nil {
		err = m.db.driver.Close(ctx)
	}
	if m.server != nil {
		err = errors.Join(err, m.server.Stop(ctx))
	}
	return err
}

type journalMeasurement struct {
	JournalOptions
	server  *neo4jdev.Server
	db      *database
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
func (m *journalMeasurement) restoreNode(ctx context.Context, out io.Writer) error {
	rows, err := m.db.run(ctx, journalHub, map[string]any{"edges": m.Edges})
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
	fmt.Fprintf(out, "%d records, a node with %d edges: deleted in %.2f s, and back in %.2f s (%d changes undone in one transaction).\n",
		m.Records, m.Edges, deleted.Seconds(), time.Since(began).Seconds(), undone.Undone)
	return nil
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

// measure returns how long a request takes, in milliseconds. A state that does not exist is an answer too.
func (m *journalMeasurement) measure(ctx context.Context, path string) (float64, error) {
	began := time.Now()
	status, answer, err := m.gateway.call(ctx, http.MethodGet, path, m.gateway.tokens[0], nil, nil)
	if err != nil || !slices.Contains([]int{http.StatusOK, http.StatusNotFound}, status) {
		return 0, failure(status, answer, err)
	}
	return float64(time.Since(began)) / float64(time.Millisecond), nil
}
