package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

const (
	importNodeType = "BenchImportNode"
	importEdgeType = "BenchImportEdge"
	// importRounds is how often each of the two targets imports, in turns.
	importRounds = 3
	// importBatch is how many rows the driver's program writes at a time.
	importBatch = 1000
)

// ImportStep is the result of one target importing a graph, the median of several rounds.
type ImportStep struct {
	Target    Target `json:"target"`
	Entities  int    `json:"entities"` // half of them nodes, half edges
	PerSecond Number `json:"entities_per_second"`
	// GatewayMiB is the largest resident memory of the gateway, which was started for this.
	GatewayMiB Number `json:"gateway_rss_mib"`
}

// imports compares POST /api/import with the program that a developer would write with the driver: batches of rows, each by UNWIND
// in one ExecuteQuery. Both write the same nodes and edges, under constraints on the id, into an empty database.
func (r *run) imports(ctx context.Context) error {
	r.progress("importing %d nodes and as many edges, %d times each", r.Import, importRounds)
	g, err := startGateway(ctx, r.Gateway, r.at, r.secrets, "on")
	if err != nil {
		return err
	}
	defer g.stop()
	if err := r.db.manageNodes(ctx, importNodeType); err != nil {
		return err
	}
	if err := r.db.manageEdges(ctx, importEdgeType); err != nil {
		return err
	}
	most := math.NaN()
	seconds := map[Target][]float64{}
	for range importRounds {
		for _, target := range []Target{Driver, Gateway} {
			if err := r.clearImport(ctx); err != nil {
				return err
			}
			began := time.Now()
			if target == Driver {
				err = r.importByDriver(ctx)
			} else {
				var mib float64
				mib, err = r.importByGateway(ctx, g)
				if !(most >= mib) {
					most = mib
				}
			}
			if err != nil {
				return fmt.Errorf("import by the %s: %w", target, err)
			}
			seconds[target] = append(seconds[target], time.Since(began).Seconds())
		}
	}
	for _, target := range []Target{Gateway, Driver} {
		step := ImportStep{
			Target: target, Entities: 2 * r.Import, PerSecond: Number(float64(2*r.Import) / Median(seconds[target])),
			GatewayMiB: Number(math.NaN()),
		}
		if target == Gateway {
			step.GatewayMiB = Number(most)
		}
		r.report.Imports = append(r.report.Imports, step)
	}
	return r.clearImport(ctx)
}

func (r *run) clearImport(ctx context.Context) error {
	_, err := r.db.run(ctx, "MATCH (n:"+importNodeType+") CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS", nil)
	return err
}

// importEnds returns the nodes that edge i connects.
func (r *run) importEnds(i int) (source, target int) { return i, (i*7919 + 1) % r.Import }

func (r *run) importByDriver(ctx context.Context) error {
	driver, err := newBenchDriver(r.at)
	if err != nil {
		return err
	}
	defer func() { _ = driver.Close(context.WithoutCancel(ctx)) }()
	nodeIDs, err := newIDs(importNodeType, r.Import)
	if err != nil {
		return err
	}
	edgeIDs, err := newIDs(importEdgeType, r.Import)
	if err != nil {
		return err
	}
	write := func(statement string, row func(i int) map[string]any) error {
		for from := 0; from < r.Import; from += importBatch {
			var rows []map[string]any
			for i := from; i < min(from+importBatch, r.Import); i++ {
				rows = append(rows, row(i))
			}
			if _, err := neo4j.ExecuteQuery(ctx, driver, statement, map[string]any{"rows": rows}, neo4j.EagerResultTransformer,
				neo4j.ExecuteQueryWithDatabase(r.at.Database)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write("UNWIND $rows AS row CREATE (n:"+importNodeType+") SET n = row", func(i int) map[string]any {
		row := nodeProperties(i)
		row[idProperty] = nodeIDs[i]
		return row
	}); err != nil {
		return err
	}
	statement := fmt.Sprintf("UNWIND $rows AS row MATCH (a:%[1]s {%[2]s: row.source}) MATCH (b:%[1]s {%[2]s: row.target}) CREATE "+
		"(a)-[r:%[3]s]->(b) SET r = row.properties",
		importNodeType, idProperty, importEdgeType)
	return write(statement, func(i int) map[string]any {
		source, target := r.importEnds(i)
		p := edgeProperties(i)
		p[idProperty] = edgeIDs[i]
		return map[string]any{"source": nodeIDs[source], "target": nodeIDs[target], "properties": p}
	})
}

// importByGateway sends the lines and measures the gateway's peak memory.
func (r *run) importByGateway(ctx context.Context, g *gateway) (mib float64, err error) {
	body, lines := io.Pipe()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+g.address+"/api/import", body)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+g.tokens[0])
	request.Header.Set("Content-Type", "application/x-ndjson")
	go func() { _ = lines.CloseWithError(r.writeImport(lines)) }() // never fails
	// No timeout: the duration is measured, and the context ends the request.
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	answers := bufio.NewScanner(response.Body)
	var last []byte
	for answers.Scan() {
		last = bytes.Clone(answers.Bytes())
		if now := residentMiB(g.pid()); !(mib >= now) {
			mib = now
		}
	}
	var answer struct {
		Data struct {
			Created int `json:"created"`
		} `json:"data"`
	}
	if err := json.Unmarshal(last, &answer); err != nil || answer.Data.Created != 2*r.Import {
		return 0, fmt.Errorf("status %d, not everything was created: %s", response.StatusCode, last)
	}
	return mib, answers.Err()
}

func (r *run) writeImport(to io.Writer) error {
	out := bufio.NewWriterSize(to, 64<<10)
	var b []byte
	for i := range 2 * r.Import {
		w := work{operation: CreateNode, number: i}
		if i < r.Import {
			b = append(b[:0], `{"kind":"node","type":"`+importNodeType+`","ref":"`...)
			b = append(strconv.AppendInt(b, int64(i), 10), `","properties":{`...)
		} else {
			w = work{operation: CreateEdge, number: i - r.Import}
			source, target := r.importEnds(i - r.Import)
			b = append(b[:0], `{"kind":"edge","type":"`+importEdgeType+`","source_ref":"`...)
			b = append(strconv.AppendInt(b, int64(source), 10), `","target_ref":"`...)
			b = append(strconv.AppendInt(b, int64(target), 10), `","properties":{`...)
		}
		b = append(appendProperties(b, &w), "}}\n"...)
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}

// importGoals adds the goals of the imports.
func importGoals(l *goalList, r *Report) {
	if len(r.Imports) != 2 {
		return
	}
	imported, byDriver := r.Imports[0], r.Imports[1]
	l.atLeast(Ratio(float64(imported.PerSecond), float64(byDriver.PerSecond)), 0.7,
		"import of %d nodes and edges: rate against the driver's UNWIND batches", imported.Entities)
	l.atMost(float64(imported.GatewayMiB), 200, "MiB", "import of %d nodes and edges: resident memory of the gateway", imported.Entities)
}
