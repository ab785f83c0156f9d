package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"golang.org/x/sync/errgroup"
)

// batchRows is the number of rows that one UNWIND of the loader writes.
const batchRows = 5_000

// Database accesses Neo4j without the gateway: for loading, preparing and cleaning up.
type Database struct {
	driver neo4j.DriverWithContext
	name   string
}

// Neo4j is the address and the credentials of the database.
type Neo4j struct {
	URI, HTTPURL, Username, Password, Database string
}

// OpenDatabase opens one.
func OpenDatabase(ctx context.Context, at Neo4j) (*Database, error) {
	driver, err := neo4j.NewDriverWithContext(at.URI, neo4j.BasicAuth(at.Username, at.Password, ""))
	if err != nil {
		return nil, err
	}
	if err := driver.VerifyConnectivity(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reach Neo4j at %s: %w", at.URI, err), driver.Close(ctx))
	}
	return &Database{driver: driver, name: at.Database}, nil
}

// Run runs a statement in an auto-commit transaction, which CALL IN TRANSACTIONS requires.
func (db *Database) Run(ctx context.Context, statement string, params map[string]any) ([]*neo4j.Record, error) {
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

// Close closes the connections.
func (db *Database) Close(ctx context.Context) error { return db.driver.Close(ctx) }

// Ask runs a read statement as an analyst's program does.
func (db *Database) Ask(ctx context.Context, statement string, params map[string]any) (*neo4j.EagerResult, error) {
	return neo4j.ExecuteQuery(ctx, db.driver, statement, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase(db.name),
		neo4j.ExecuteQueryWithReadersRouting())
}

// Hits runs a statement under PROFILE and returns its db hits.
func (db *Database) Hits(ctx context.Context, statement string, params map[string]any) (int64, error) {
	result, err := db.Ask(ctx, "PROFILE "+statement, params)
	if err != nil {
		return 0, err
	}
	return hitsOf(result.Summary.Profile()), nil
}

func hitsOf(plan neo4j.ProfiledPlan) int64 {
	hits := plan.DbHits()
	for _, part := range plan.Children() {
		hits += hitsOf(part)
	}
	return hits
}

// version returns the edition and version of the server.
func (db *Database) version(ctx context.Context) (string, error) {
	records, err := db.Run(ctx,
		"CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] + ' ' + edition", nil)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(records[0].Values[0]), nil
}

// manageNodes turns types into managed ones: it creates the constraint that the gateway creates before the first entity of a type.
func (db *Database) manageNodes(ctx context.Context, types ...string) error {
	return db.constrain(ctx, "FOR (n:%[2]s) REQUIRE n.%[3]s IS UNIQUE", types)
}

func (db *Database) manageEdges(ctx context.Context, types ...string) error {
	return db.constrain(ctx, "FOR ()-[n:%[2]s]-() REQUIRE n.%[3]s IS UNIQUE", types)
}

func (db *Database) constrain(ctx context.Context, pattern string, types []string) error {
	for _, name := range types {
		statement := fmt.Sprintf("CREATE CONSTRAINT %[1]s IF NOT EXISTS "+pattern, constraintName(name), name, idProperty)
		if _, err := db.Run(ctx, statement, nil); err != nil {
			return err
		}
	}
	return nil
}

func constraintName(typeName string) string { return "bench_" + typeName }

// load writes the data set: constraints first, then nodes, then edges, in batches by two workers.
func (db *Database) load(ctx context.Context, d *Dataset, progress func(format string, args ...any)) error {
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
	if _, err := db.Run(ctx, "CALL db.awaitIndexes(300)", nil); err != nil {
		return err
	}
	progress("loaded nodes and edges in %s", time.Since(began).Round(time.Second))
	return nil
}

// runTwoAtOnce runs two jobs at a time and stops at the first error.
func runTwoAtOnce(ctx context.Context, jobs []func(context.Context) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for _, job := range jobs {
		group.Go(func() error { return job(ctx) })
	}
	return group.Wait()
}

func (db *Database) createNodes(ctx context.Context, typeName string, ids []string) error {
	statement := "UNWIND $rows AS row CREATE (n:" + typeName + ") SET n = row"
	return inBatches(len(ids), func(from, to int) error {
		rows := make([]any, 0, to-from)
		for i := from; i < to; i++ {
			row := nodeProperties(i)
			row[idProperty] = ids[i]
			rows = append(rows, row)
		}
		_, err := db.Run(ctx, statement, map[string]any{"rows": rows})
		return err
	})
}

func (db *Database) createEdges(ctx context.Context, d *Dataset, edgeType int) error {
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
		_, err := db.Run(ctx, statement, map[string]any{"rows": rows})
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
