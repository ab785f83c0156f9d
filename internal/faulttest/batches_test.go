package faulttest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// batchNodes are the nodes of a batch, which an edge joins to the next one. A batch of so many operations is often under way when a fault
// is injected.
const batchNodes = 40

// batch is a batch that a client sent; every node of it has its number.
type batch struct {
	number       int64
	acknowledged bool
}

// batchFigures are what became of batches: those without an acknowledgement are found whole in the database, or not at all.
type batchFigures struct{ acknowledged, whole, absent, partial int64 }

func (f *batchFigures) add(more batchFigures) {
	f.acknowledged += more.acknowledged
	f.whole += more.whole
	f.absent += more.absent
	f.partial += more.partial
}

func (f *batchFigures) line() string {
	return fmt.Sprintf("\n%d batches of %d operations were acknowledged, and all of them were found whole. Of %d others %d were found whole, "+
		"%d not at all, and %d in part.\n", f.acknowledged, 2*batchNodes-1, f.whole+f.absent+f.partial, f.whole, f.absent, f.partial)
}

// sendBatch sends a batch: with an Idempotency-Key, retried until it is acknowledged, or without one, once.
func (l *load) sendBatch(random *rand.Rand) {
	b := batch{number: l.numbers.Add(1)}
	operations := make([]string, 0, 2*batchNodes)
	for i := range batchNodes {
		number := l.numbers.Add(1)
		operations = append(operations, fmt.Sprintf(`{"op":"create_node","ref":"n%d","type":%q,"properties":{"n":%d,"value":%d,"batch":%d}}`,
			i, nodeLabel, number, number, b.number))
		if i > 0 {
			operations = append(operations, fmt.Sprintf(
				`{"op":"create_edge","type":"FAULTY","source_id":{"ref":"n%d"},"target_id":{"ref":"n%d"},"properties":{"n":%d}}`,
				i-1, i, l.numbers.Add(1)))
		}
	}
	key := ""
	if random.IntN(2) == 0 {
		key = fmt.Sprintf("batch-%d", b.number)
	}
	body := `{"operations":[` + strings.Join(operations, ",") + `]}`
	for {
		status, _ := l.send(random, http.MethodPost, "/api/batch", body, key)
		b.acknowledged = status == http.StatusOK
		if b.acknowledged || key == "" || l.stopped() {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches = append(l.batches, b)
}

// countBatches compares the batches with the database.
func (w *testbed) countBatches(l *load) (f batchFigures, lost int64) {
	t := w.t
	t.Helper()
	var acknowledged, others []any
	for _, b := range l.batches {
		if b.acknowledged {
			acknowledged = append(acknowledged, b.number)
		} else {
			others = append(others, b.number)
		}
	}
	f.acknowledged = int64(len(acknowledged))
	for _, row := range w.db.Query(t, `UNWIND $numbers AS number
		OPTIONAL MATCH (n:Faulty) WHERE n.batch = number
		WITH number, count(n) AS nodes, sum(COUNT { (n)-[:FAULTY]->() }) AS edges
		RETURN nodes, edges, number IN $acknowledged AS acknowledged`,
		map[string]any{"numbers": append(others, acknowledged...), "acknowledged": acknowledged}) {
		nodes, edges := row["nodes"].(int64), row["edges"].(int64)
		switch {
		case nodes == 0 && row["acknowledged"].(bool):
			lost++
		case nodes == 0:
			f.absent++
		case nodes != batchNodes || edges != batchNodes-1:
			f.partial++
		case !row["acknowledged"].(bool):
			f.whole++
		}
	}
	return f, lost
}
