package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
)

var printedKey = regexp.MustCompile(`--key (\S+):`)

// importTest imports files into one gateway.
type importTest struct {
	db     *neo4jtest.DB
	caller []string
	dir    string
}

func TestImportsOfTables(t *testing.T) {
	db := neo4jtest.Open(t)
	dir := t.TempDir()
	runDevWith(t, databaseEnvironment(db), dir, func(stdout, _ string) {
		i := importTest{db, []string{
			"GRAPHREST_URL=" + regexp.MustCompile(`http://[0-9.:]+`).FindString(stdout),
			"GRAPHREST_USERNAME=admin", "GRAPHREST_PASSWORD=" + passwords.FindStringSubmatch(stdout)[1],
		}, dir}
		i.failedRecords(t)
		i.tablesOfOthers(t)
		i.encodings(t)
		i.fileThatEnds(t)
		i.interrupt(t)
		i.brokenConnection(t)
	})
}

func (i importTest) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(i.dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// rows is a CSV file of so many records, with a wrong one.
func rows(count, wrong int) string {
	var b strings.Builder
	b.WriteString(":ID,n:int,text\n")
	for n := 1; n <= count; n++ {
		value := strconv.Itoa(n)
		if n == wrong {
			value = "n/a"
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", n, value, strings.Repeat("x", 80))
	}
	return b.String()
}

func (i importTest) failedRecords(t *testing.T) {
	path := i.write(t, "rows.csv", rows(2500, 1801))
	r := command(t, i.caller, "", "import", "Row="+path)
	require.Equal(t, exitFailed, r.code)
	require.Equal(t, "created 2499, updated 0, skipped 0, failed 1\n", r.stdout)
	require.Contains(t, r.stderr, path+`, record 1801: n: "n/a" is not a 64-bit integer`)
	require.EqualValues(t, 2499, i.db.Count(t, "MATCH (n:Row) RETURN count(n)", nil))
	key := printedKey.FindStringSubmatch(r.stderr)
	require.NotNil(t, key, r.stderr)

	i.write(t, "rows.csv", rows(2500, 0))
	r = command(t, i.caller, "", "import", "--key", key[1], "Row="+path)
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, "created 1, updated 0, skipped 2499, failed 0\n", r.stdout)
	require.EqualValues(t, 2500, i.db.Count(t, "MATCH (n:Row) RETURN count(DISTINCT n.n)", nil))
}

func (i importTest) tablesOfOthers(t *testing.T) {
	header := i.write(t, "airports_header.csv",
		"id:ID(Airport),name,city,country,iata,icao,lat:float,lon:float,feet:int,tz:float\n")
	data := i.write(t, "airports.dat",
		`1,"Goroka Airport","Goroka","Papua New Guinea","GKA","AYGA",-6.081689834590001,145.391998291,5282,10`+"\n"+
			`6,"Wewak ""Intl""","Wewak","Papua New Guinea",\N,"AYWK",-3.58383011818,143.669006348,19,\N`+"\n")
	routes := i.write(t, "routes.csv", ":START_ID(Airport)|:END_ID(Airport)|since:DATETIME\n1|6|2010-01-03T15:10:31.499+0000\n")
	plain := i.write(t, "others.csv", ":ID;name\nAirport/1;wrong\n")
	r := command(t, i.caller, "", "import", "--null", `\N`, "Airport="+header+","+data, "Other="+plain, "ROUTE="+routes)
	require.Equal(t, exitOK, r.code, r.stderr)
	require.Equal(t, "created 4, updated 0, skipped 0, failed 0\n", r.stdout)
	require.EqualValues(t, 1, i.db.Count(t, `MATCH (a:Airport {id: '1', iata: 'GKA', tz: 10.0})
		-[r:ROUTE {since: datetime('2010-01-03T15:10:31.499Z')}]->(b:Airport {name: 'Wewak "Intl"', feet: 19})
		WHERE b.iata IS NULL AND b.tz IS NULL RETURN count(r)`, nil))
	mark := i.write(t, "mark.ndjson", "\ufeff"+`{"kind":"node","type":"Marked","properties":{}}`)
	r = command(t, i.caller, "", "import", mark)
	require.Equal(t, "created 1, updated 0, skipped 0, failed 0\n", r.stdout, r.stderr)
}

func (i importTest) encodings(t *testing.T) {
	path := i.write(t, "german.csv", "Name;Stra\xdfe\nM\xfcller;Allee\n")
	r := command(t, i.caller, "", "import", "Kunde="+path)
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stderr, "line 1 is not in UTF-8; give --encoding")
	require.Zero(t, i.db.Count(t, "MATCH (n:Kunde) RETURN count(n)", nil))
	r = command(t, i.caller, "", "import", "--encoding", "windows-1252", "Kunde="+path)
	require.Equal(t, exitOK, r.code, r.stderr)
	require.EqualValues(t, 1, i.db.Count(t, "MATCH (n:Kunde {Name: 'Müller', `Straße`: 'Allee'}) RETURN count(n)", nil))
	r = command(t, i.caller, "", "import", "--encoding", "klingon", "Kunde="+path)
	require.Equal(t, exitUsage, r.code)
	r = command(t, i.caller, "", "import", "--delimiter", "ab", "Kunde="+path)
	require.Equal(t, exitUsage, r.code)
}

// A file that cannot be read ends the import, whose counts are still those of the database.
func (i importTest) fileThatEnds(t *testing.T) {
	first, second := i.write(t, "first.csv", rows(1500, 7)), i.write(t, "second.csv", ":ID,x:nonsense\n1,2\n")
	r := command(t, i.caller, "", "import", "First="+first, "Second="+second)
	require.Equal(t, exitFailed, r.code)
	require.Equal(t, "created 1499, updated 0, skipped 0, failed 1\n", r.stdout)
	require.Contains(t, r.stderr, `"nonsense" is not a type`)
	require.EqualValues(t, 1499, i.db.Count(t, "MATCH (n:First) RETURN count(n)", nil))
}

// An interrupted import ends with whole lines, and prints what the database has.
func (i importTest) interrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	input, feed := io.Pipe()
	var stdout, stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, process{args: []string{"import", "-"}, environ: i.caller, stdin: input, stdout: &stdout, stderr: &stderr})
	}()
	for range 1200 {
		_, err := feed.Write([]byte(`{"kind":"node","type":"Stopped","properties":{}}` + "\n"))
		require.NoError(t, err)
	}
	_, err := feed.Write([]byte(`{"kind":"node","type":"Stop`))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return i.db.Count(t, "MATCH (n:Stopped) RETURN count(n)", nil) > 0 },
		time.Minute, 20*time.Millisecond)
	interrupt()
	require.Equal(t, exitFailed, <-code)
	want := fmt.Sprintf("created %d, updated 0, skipped 0, failed 0\n", i.db.Count(t, "MATCH (n:Stopped) RETURN count(n)", nil))
	require.Equal(t, want, stdout.String(), stderr.String())
	require.Contains(t, stderr.String(), "stopped")
	require.Regexp(t, printedKey, stderr.String())
	require.NoError(t, feed.Close())
}

// A connection that breaks off leaves lines of which the result is unknown; the key completes the import, and nothing is there twice.
func (i importTest) brokenConnection(t *testing.T) {
	path := i.write(t, "long.csv", rows(6000, 0))
	gateway := strings.TrimPrefix(i.caller[0], "GRAPHREST_URL=http://")
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is local
	require.NoError(t, err)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", gateway) //nolint:noctx // it is local
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(client, server) }()
			_, _ = io.CopyN(server, client, 500_000)
			_ = client.Close()
			_ = server.Close()
		}
	}()
	broken := append([]string{"GRAPHREST_URL=http://" + listener.Addr().String()}, i.caller[1:]...)
	r := command(t, broken, "", "import", "Long="+path)
	require.NoError(t, listener.Close())
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stdout, "at least created ")
	key := printedKey.FindStringSubmatch(r.stderr)
	require.NotNil(t, key, r.stderr)
	r = command(t, i.caller, "", "import", "--key", key[1], "Long="+path)
	for range 100 { // the gateway may not have noticed yet that the client is gone
		if !strings.Contains(r.stderr, "RATE_LIMITED") {
			break
		}
		r = command(t, i.caller, "", "import", "--key", key[1], "Long="+path)
	}
	require.Equal(t, exitOK, r.code, r.stderr)
	require.EqualValues(t, 6000, i.db.Count(t, "MATCH (n:Long) RETURN count(n)", nil))
}
