package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"graphrest/internal/neo4jdev"
)

// journalHeader are the columns of recorded changes, and journalRow is one of them as the gateway writes it: of an update of a node, which
// has 20. Its arguments are the number of the record, its time, the number of its node, that of its request, and the value that was set,
// which differs from the one before: an update that changes nothing is not in the feed.
const (
	journalHeader = "_graphrest.value:long,_graphrest_set,_graphrest_position:long,_graphrest_id,_graphrest_entity," +
		"_graphrest_request,_graphrest_meta:string[]\n"
	journalRow = `%[1]d,"{""value"":%[5]d}",%[1]d,%[2]d-%[1]d,node 00000000-0000-7000-8000-%012[3]d,` +
		"bench-%[4]d,update|bench|bench|bench|||||4:bench:%[3]d|" + journalLabel + "\n"
)

// importRecords creates a database with recorded changes and the state of the feed, all of them from a day ago.
func importRecords(ctx context.Context, server neo4jdev.Options, records int) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(server.Dir), "records-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	changes, state := filepath.Join(dir, "changes.csv"), filepath.Join(dir, "state.csv")
	if err := writeRecords(changes, records, time.Now().Add(-24*time.Hour)); err != nil {
		return err
	}
	if err := os.WriteFile(state, fmt.Appendf(nil, "name,position:long\njournal,%d\n", records), 0o600); err != nil {
		return err
	}
	return neo4jdev.Import(ctx, server, "--array-delimiter=|", "--nodes=_GraphrestChange="+changes, "--nodes=_GraphrestState="+state)
}

func writeRecords(name string, records int, began time.Time) (err error) {
	file, err := os.Create(name) //nolint:gosec // a file in the temporary folder of the measurement
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriterSize(file, 1<<20)
	if _, err := w.WriteString(journalHeader); err != nil {
		return err
	}
	first, nodes := began.UnixMicro(), records/20+1
	for i := 1; i <= records; i++ {
		if _, err := fmt.Fprintf(w, journalRow, i, first+int64(i), i%nodes, i/10, i+nodes); err != nil {
			return err
		}
	}
	return w.Flush()
}
