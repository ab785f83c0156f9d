package faulttest

import (
	"context"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fillDisk makes each write of Neo4j to a file fail, as on a full disk. Neo4j then panics its database. Once there is room again it is ended
// and started on its files, as an operator would do.
func fillDisk(w *world, l *load) int {
	end := w.away(l)
	free := w.full()
	time.Sleep(2 * spell)
	free()
	time.Sleep(spell)
	require.NoError(w.t, w.server.Kill())
	w.restart(l)
	end()
	return 1
}

// full leaves Neo4j no room in any file until the function returned is called (prlimit(2), RLIMIT_FSIZE: a write gets EFBIG, where on a full
// disk it gets ENOSPC).
func (w *world) full() (free func()) {
	w.t.Helper()
	pid := w.server.Pid()
	var before unix.Rlimit
	require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &before))
	require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 0, Max: before.Max}, nil))
	return func() { require.NoError(w.t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &before, nil)) }
}

// toldWhenFull is what Neo4j itself says of a write, which names its transaction log or that the database has panicked.
func toldWhenFull(b *bare) string {
	b.full() // for good: the next part starts with killing it
	var told *neo4j.Neo4jError
	err := b.once(context.Background(), "CREATE (:Bare {kind: 'full'})", nil)
	require.ErrorAs(b.t, err, &told)
	b.t.Log(err)
	return fmt.Sprintf("each write fails with `%s` and Neo4j's own text", told.Code)
}
