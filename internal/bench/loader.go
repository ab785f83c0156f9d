package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// batchRows is the number of rows that one UNWIND of the loader writes.
const batchRows = 5_000

// database accesses Neo4j without the gateway: for loading, preparing and cleaning up.
type database struct {
	driver neo4j.DriverWithContext
	name   string
}

// Neo4j is the address and the credentials of the database.
type Neo4j struct {
	URI, HTTPURL, Username, Password, Database string
}

func openDatabase(ctx context.Context, at Neo4j) (*database, error) {
	driver, err := neo4j.NewDriverWithContext(at.URI, neo4j.BasicAuth(at.Username, at.Password, ""))
	if err != nil {
		return nil, err
	}
	if err := driver.VerifyConnectivity(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reach Neo4j at %s: %w", at.URI, err), driver.Close(ctx))
	}
	return &database{driver: driver, name: at.Database}, nil
}

// run runs a statement in an auto-commit transaction, which CALL IN TRANSACTIONS requires.
func (db *database) run(ctx context.Context, statement string, params map[string]any) ([]*neo4j.Record, error) {
	session := db.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.name})
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	result, err := session.Run(ctx, statement, params)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	records, err := result.Collect(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", statement, err)
	}
	return records, nil
}

func (db *database) count(ctx context.Context, statement string) (int64, error) {
	records, err := db.run(ctx, statement, nil)
	if err != nil {
		return 0, err
	}
	count, isNumber := records[0].Values[0].(int64)
	if !isNumber {
		return 0, fmt.Errorf("%s returned a %T", statement, records[0].Values[0])
	}
	return count, nil
}

// version returns the edition and version of the server.
func (db *database) version(ctx context.Context) (string, error) {
	records, err := db.run(ctx,
		"CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] + ' ' + edition", nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(records[0].Values[0]), nil
}

// manageNodes turns types into managed ones: it creates the constraint that the gateway creates before the first entity of a type.
func (db *database) manageNodes(ctx context.Context, types ...string) error {
	return db.constrain(ctx, "FOR (n:%[2]s) REQUIRE n.%[3]s IS UNIQUE", types)
}

func (db *database) manageEdges(ctx context.Context, types ...string) error {
	return db.constrain(ctx, "FOR ()-[n:%[2]s]-() REQUIRE n.%[3]s IS UNIQUE", types)
}

func (db *database) constrain(ctx context.Context, pattern string, types []string) error {
	for _, name := range types {
		statement := fmt.Sprintf("CREATE CONSTRAINT %[1]s IF NOT EXISTS "+pattern, constraintName(name), name, idProperty)
		if _, err := db.run(ctx, statement, nil); err != nil {
			return err
		}
	}
	return nil
}

func (db *database) unmanage(ctx context.Context, types ...string) error {
	for _, name := range types {
		if _, err := db.run(ctx, "DROP CONSTRAINT "+constraintName(name)+" IF EXISTS", nil); err != nil {
			return err
		}
	}
	return nil
}

func constraintName(typeName string) string { return "bench_" + typeName }

// load writes the data set: constraints first, then nodes, then edges, in batches by two workers.
func (db *database) load(ctx context.Context, d *Dataset, progress func(format string, args ...any)) error {
	began := time.Now()
	if err := db.manageNodes(ctx, append([]string{listType}, d.NodeTypes...)...); err != nil {
		return err
	}
	if err := db.manageEdges(ctx, d.EdgeTypes...); err != nil {
		return err
	}
	var jobs []func(context.Context) error
	for i, name := range d.NodeTypes {
		jobs = append(jobs, func(ctx context.Context) error { return db.createNodes(ctx, name, d.Nodes[i]) })
	}
	jobs = append(jobs, func(ctx context.Context) error { return db.createNodes(ctx, listType, d.ListIDs) })
	if err := runTwoAtOnce(ctx, jobs); err != nil {
		return err
	}
	progress("loaded the nodes in %s", time.Since(began).Round(time.Second))
	jobs = nil
	for i := range d.EdgeTypes {
		jobs = append(jobs, func(ctx context.Context) error { return db.createEdges(ctx, d, i) })
	}
	if err := runTwoAtOnce(ctx, jobs); err != nil {
		return err
	}
	if _, err := db.run(ctx, "CALL db.awaitIndexes(300)", nil); err != nil {
		return err
	}
	progress("loaded nodes and edges in %s", time.Since(began).Round(time.Second))
	return nil
}

// runTwoAtOnce runs two jobs at a time and stops at the first error.
func runTwoAtOnce(ctx context.Context, jobs []func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan func(context.Context) error)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for job := range queue {
				if ctx.Err() != nil {
					continue
				}
				if err := job(ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

func (db *database) createNodes(ctx context.Context, typeName string, ids []string) error {
	statement := "UNWIND $rows AS row CREATE (n:" + typeName + ") SET n = row"
	return inBatches(len(ids), func(from, to int) error {
		rows := make([]any, 0, to-from)
		for i := from; i < to; i++ {
			row := nodeProperties(i)
			row[idProperty] = ids[i]
			rows = append(rows, row)
		}
		_, err := db.run(ctx, statement, map[string]any{"rows": rows})
		return err
	})
}

func (db *database) createEdges(ctx context.Context, d *Dataset, edgeType int) error {
	from, to := d.edgeEnds(edgeType)
	statement := fmt.Sprintf("UNWIND $rows AS row MATCH (a:%[1]s {%[4]s: row.a}) MATCH (b:%[2]s {%[4]s: row.b}) CREATE "+
		"(a)-[r:%[3]s]->(b) SET r = row.r",
		d.NodeTypes[from], d.NodeTypes[to], d.EdgeTypes[edgeType], idProperty)
	random := rand.New(rand.NewPCG(1, uint64(edgeType))) //nolint:gosec // a graph for a benchmark need not be unpredictable
	return inBatches(len(d.Edges[edgeType]), func(first, last int) error {
		rows := make([]any, 0, last-first)
		for i := first; i < last; i++ {
			properties := edgeProperties(i)
			properties[idProperty] = d.Edges[edgeType][i]
			rows = append(rows, map[string]any{
				"a": d.Nodes[from][random.IntN(len(d.Nodes[from]))],
				"b": d.Nodes[to][random.IntN(len(d.Nodes[to]))],
				"r": properties,
			})
		}
		_, err := db.run(ctx, statement, map[string]any{"rows": rows})
		return err
	})
}

func inBatches(count int, batch func(from, to int) error) error {
	for from := 0; from < count; from += batchRows {
		if err := batch(from, min(from+batchRows, count)); err != nil {
			return err
		}
	}
	return nil
}

// Five properties of a node and two of an edge, of several kinds, are what every target reads and writes.
func nodeProperties(i int) map[string]any {
	return map[string]any{
		"name": fmt.Sprintf("Node number %d", i), "rank": i, "score": float64(i) + 0.5, "active": i%2 == 0,
		"email": fmt.Sprintf("node%d@example.com", i),
	}
}

func edgeProperties(i int) map[string]any {
	return map[string]any{"since": 1900 + i%120, "weight": float64(i%1000) + 0.25}
}

// markLabel marks a database as the benchmark's from before its first write to after its last.
const markLabel = "BenchRun"

// claim takes the database for the benchmark: it must be empty, or have the mark of a killed run and contain
// only what such a run leaves. Anything else, for example a gateway's users, belongs to another user.
func (db *database) claim(ctx context.Context) error {
	statement := "MATCH (n) RETURN count(n)"
	if marks, err := db.count(ctx, "MATCH (n:"+markLabel+") RETURN count(n)"); err != nil {
		return err
	} else if marks > 0 {
		statement = "MATCH (n) WHERE NOT any(l IN labels(n) WHERE l STARTS WITH 'Bench' OR l STARTS WITH '_Graphrest') RETURN count(n)"
	}
	if foreign, err := db.count(ctx, statement); err != nil {
		return err
	} else if foreign > 0 {
		return fmt.Errorf("the database holds %d nodes of somebody's, and the benchmark empties it", foreign)
	}
	if _, err := db.run(ctx, "MERGE (:"+markLabel+")", nil); err != nil {
		return err
	}
	return db.clean(ctx)
}

// leave removes everything that a run created, the mark last.
func (db *database) leave(ctx context.Context) error {
	if err := db.clean(ctx); err != nil {
		return err
	}
	_, err := db.run(ctx, "MATCH (n:"+markLabel+") DELETE n", nil)
	return err
}

// clean removes all nodes but the mark, all edges, and the constraints of the benchmark and the gateway.
func (db *database) clean(ctx context.Context) error {
	records, err := db.run(ctx, "SHOW CONSTRAINTS YIELD name", nil)
	if err != nil {
		return err
	}
	for _, record := range records {
		name := fmt.Sprint(record.Values[0])
		if !strings.HasPrefix(name, constraintName("")) && !strings.HasPrefix(name, "_Graphrest") {
			continue
		}
		if _, err := db.run(ctx, "DROP CONSTRAINT `"+strings.ReplaceAll(name, "`", "``")+"` IF EXISTS", nil); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		"MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 20000 ROWS",
		"MATCH (n) WHERE NOT n:" + markLabel + " CALL (n) { DELETE n } IN TRANSACTIONS OF 20000 ROWS",
	} {
		if _, err := db.run(ctx, statement, nil); err != nil {
			return err
		}
	}
	return nil
}
