package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/neo4jtest"
)

// The test inspects an analyst's graph with doctor, adopts it, watches it, and undoes the adoption.
func TestDoctorAndAdoptCommands(t *testing.T) {
	db := neo4jtest.Open(t)
	environ := databaseEnvironment(db)
	db.Exec(t, "CREATE (:Person {name: 'Ann'})-[:KNOWS]->(:Person {name: 'Bob'}), (:Twin {uuid: 'a'}), (:Twin {uuid: 'a'})", nil)
	before := db.Checksum(t)

	r := command(t, environ, "", "doctor")
	require.Equal(t, exitProblems, r.code, r.stderr)
	require.Regexp(t, `(?m)^node +Person +2 +no +0 +2 +0 +0$`, r.stdout)
	require.Regexp(t, `(?m)^PROBLEM +node type Twin: 1 of the values`, r.stdout)
	r = command(t, environ, "", "doctor", "--json")
	var d graph.Diagnosis
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &d))
	require.Len(t, d.Types, 3)
	r = command(t, environ, "", "version", "--check-database")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Regexp(t, `^graphrest \S+ on Neo4j \S+ \w+: no gateway has used it`, r.stdout)
	require.Equal(t, before, db.Checksum(t), "neither changes the database")

	r = command(t, environ, "", "adopt")
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stdout, "node type Person: 2 ids given\n")
	require.Contains(t, r.stdout, "edge type KNOWS: 1 ids given\n")
	require.Contains(t, r.stderr, "node type Twin was skipped: Several entities of this type have the same id")
	r = command(t, environ, "", "version", "--check-database")
	require.Contains(t, r.stdout, "its data have layout 1\n")
	db.Exec(t, "MATCH (s:_GraphrestState {name: 'auth'}) SET s.layout = 9", nil)
	r = command(t, environ, "", "version", "--check-database", "-o", "json")
	require.Equal(t, exitProblems, r.code)
	require.Contains(t, r.stdout, "a newer version has stored its data with layout 9")
	require.Contains(t, command(t, environ, "", "adopt", "--type", "Person").stderr, "newer version")
	db.Exec(t, "MATCH (s:_GraphrestState {name: 'auth'}) SET s.layout = 1", nil)
	r = command(t, environ, "", "adopt", "--type", "Person")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, "node type Person: nothing to do\n", r.stdout)

	ctx, stop := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, process{
			args: []string{"adopt", "--type", "Person", "--watch", "--every", "1s"}, environ: environ, stdin: strings.NewReader(""),
			stdout: &stdout, stderr: &stderr,
		})
	}()
	db.Exec(t, "CREATE (:Person {name: 'Cid'})", nil)
	require.Eventually(t, func() bool {
		return db.Count(t, "MATCH (n:Person {name: 'Cid'}) WHERE n.uuid IS NOT NULL RETURN count(n)", nil) == 1
	}, time.Minute, 50*time.Millisecond)
	stop()
	require.Equal(t, exitOK, <-ended, stderr.String())

	r = command(t, environ, "", "adopt", "--undo")
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Zero(t, db.Count(t, "MATCH (n:Person) WHERE n.uuid IS NOT NULL RETURN count(n)", nil))
	require.Equal(t, "nothing was adopted\n", command(t, environ, "", "adopt", "--undo").stdout)
	require.Zero(t, db.Count(t, "SHOW CONSTRAINTS YIELD labelsOrTypes WHERE 'Person' IN labelsOrTypes RETURN count(*)", nil))

	require.Equal(t, exitUsage, command(t, environ, "", "adopt", "--undo", "--watch").code)
	require.Equal(t, exitUsage, command(t, environ, "", "adopt", "--batch", "0").code)
}
