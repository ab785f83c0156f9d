package faulttest

import (
	"context"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fillDisk makes each file write of Neo4j fail, as on a full disk, after which Neo4j marks its database as failed. Once there is space
// again Neo4j is restarted on its files, as an operator would do.
func fillDisk(w *testbed, l *load) int {
	end := w.watchOutage(l)
	free := w.full()
	time.Sleep(2 * faultDuration)
	free()
	time.Sleep(faultDuration)
	require.NoError(w.t, w.server.Kill())
	w.restart(l)
	end()
	return 1
}

// full lets Neo4j extend no file until the returned function is called (prlimit(2), RLIMIT_FSIZE: a write gets EFBIG, where on a full
// disk it gets ENOSPC).
func (w *testbed) full() (free func()) {
	w.t.Helper()
	pid := w.server.Pid()
	var before unix.Rlimit
	require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &before))
	require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 0, Max: before.Max}, nil))
	return func() { require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &before, nil)) }
}

// failWhenFull shows Neo4j's own error for a write, which names the transaction log or the failed database.
func failWhenFull(b *unprotectedClient) string {
	b.full() // not undone: the next subtest starts by killing Neo4j
	var serverError *neo4j.Neo4jError
	err := b.once(context.Background(), "CREATE (:Bare {kind: 'full'})", nil)
	require.ErrorAs(b.t, err, &serverError)
	b.t.Log(err)
	return fmt.Sprintf("each write fails with `%s` and Neo4j's own text", serverError.Code)
}
