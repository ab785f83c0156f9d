package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
)

// driverClient is the program a developer would write without the gateway: one neo4j.ExecuteQuery for each operation,
// with the database named and reads routed as reads. All clients share one driver, as its documentation recommends.
type driverClient struct {
	driver     neo4j.DriverWithContext
	database   string
	data       *Dataset
	statements *statementSet
}

// newBenchDriver returns a driver with a connection for every client, so that none waits for the pool. It connects once before the clients
// share it: the driver's first connect is not safe for concurrent use.
func newBenchDriver(at Neo4j) (neo4j.DriverWithContext, error) {
	driver, err := neo4j.NewDriverWithContext(at.URI, neo4j.BasicAuth(at.Username, at.Password, ""), func(c *config.Config) {
		c.MaxConnectionPoolSize = 256
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return driver, driver.VerifyConnectivity(ctx)
}

func newDriverClient(driver neo4j.DriverWithContext, at Neo4j, d *Dataset) *driverClient {
	return &driverClient{driver: driver, database: at.Database, data: d, statements: newStatements(d)}
}

func (c *driverClient) do(ctx context.Context, w *work) error {
	options := []neo4j.ExecuteQueryConfigurationOption{neo4j.ExecuteQueryWithDatabase(c.database)}
	switch w.operation {
	case NodeByID, EdgeByID, ListFirst, ListDeep:
		options = append(options, neo4j.ExecuteQueryWithReadersRouting())
	}
	result, err := neo4j.ExecuteQuery(ctx, c.driver, c.statements.of(w), c.parameters(w), neo4j.EagerResultTransformer, options...)
	if err != nil {
		return fmt.Errorf("%s: %w", w.operation, err)
	}
	if !c.right(w, result.Records) {
		return fmt.Errorf("%s: %d rows, not the right ones", w.operation, len(result.Records))
	}
	return nil
}

func (c *driverClient) parameters(w *work) map[string]any {
	switch w.operation {
	case ListFirst, ListDeep:
		return map[string]any{"after": c.data.page(w).after}
	case CreateNode:
		return map[string]any{"properties": driverProperties(w)}
	case CreateEdge:
		return map[string]any{"source": w.source, "target": w.target, "properties": driverProperties(w)}
	case UpdateNode:
		return map[string]any{"id": w.ID, "properties": driverProperties(w)}
	default:
		return map[string]any{"id": w.ID}
	}
}

func (c *driverClient) right(w *work, records []*neo4j.Record) bool {
	switch w.operation {
	case DeleteNode:
		return len(records) == 1 && records[0].Values[0] == int64(1)
	case ListFirst, ListDeep:
		want := c.data.page(w)
		return len(records) == pageSize && idOf(records[0]) == want.first && idOf(records[pageSize-1]) == want.last
	default:
		return len(records) == 1 && idOf(records[0]) == w.ID
	}
}

// idOf returns the id of the node or edge in the first column.
func idOf(record *neo4j.Record) any {
	switch value := record.Values[0].(type) {
	case neo4j.Node:
		return value.Props[idProperty]
	case neo4j.Relationship:
		return value.Props[idProperty]
	default:
		return nil
	}
}
