package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
	"graphrest/internal/typedjson"
)

// stored is everything that a version had in its database: see testdata/upgrade/make.sh.
type stored struct {
	Schema []string
	Nodes  []struct {
		Labels     []string
		Properties map[string]any
	}
	Edges []struct {
		Source, Target int
		Type           string
		Properties     map[string]any
	}
}

// restore creates what a file has in a database.
func restore(t testing.TB, db *neo4jtest.DB, file string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "upgrade", file))
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var s stored
	require.NoError(t, decoder.Decode(&s))
	for _, statement := range s.Schema {
		db.Exec(t, statement, nil)
	}
	for i, n := range s.Nodes {
		db.Exec(t, "CREATE (n:$($labels)) SET n = $properties, n.`restored as` = $number",
			map[string]any{"labels": n.Labels, "properties": driverValue(t, n.Properties), "number": i})
	}
	for _, e := range s.Edges {
		db.Exec(t, "MATCH (a {`restored as`: $source}), (b {`restored as`: $target}) CREATE (a)-[e:$($type)]->(b) SET e = $properties",
			map[string]any{"source": e.Source, "target": e.Target, "type": e.Type, "properties": driverValue(t, e.Properties)})
	}
	db.Exec(t, "MATCH (n) REMOVE n.`restored as`", nil)
	db.Exec(t, "CALL db.awaitIndexes()", nil)
}

// driverValue is a value of a file as the driver takes it.
func driverValue(t testing.TB, v any) any {
	t.Helper()
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		n, err := v.Float64()
		require.NoError(t, err)
		return n
	case []any:
		for i := range v {
			v[i] = driverValue(t, v[i])
		}
	case map[string]any:
		if v["$type"] != nil {
			text, err := json.Marshal(v)
			require.NoError(t, err)
			value, f := typedjson.ParseValue("", string(text))
			require.Nil(t, f)
			return bolt.ToDriver(value)
		}
		for key := range v {
			v[key] = driverValue(t, v[key])
		}
	}
	return v
}

// Data that earlier versions stored: users log in with their passwords, rights and declarations hold, ids stay, and what was recorded is
// shown. Both files have the same graph; the commit of the first had neither roles nor history.
func TestDataOfEarlierVersions(t *testing.T) {
	for _, version := range []struct {
		commit string
		whole  bool
	}{{"cae6e3d7", false}, {"3d1238fa", true}} {
		t.Run(version.commit, func(t *testing.T) {
			if !version.whole {
				testmark.Long(t)
			}
			db := neo4jtest.Open(t)
			t.Cleanup(func() { db.Clean(t) })
			restore(t, db, version.commit+".json")
			g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_HISTORY_KEEP=87600h")
			g.waitReady(t)
			const password = "the password of then"
			token := g.clientOf("").Login(t, "keeper", password)
			get := func(path string) string {
				t.Helper()
				status, body := g.ask(http.MethodGet, path, token, "")
				require.Equal(t, http.StatusOK, status, "%s: %s", path, body)
				return body
			}
			nodes := get("/api/nodes?type=Airport&sort=code")
			for _, value := range []string{
				`"code":"HEL"`, `"latitude":60.3`, `{"$type":"Date","_value":"1952-07-10"}`, `"passengers":9007199254740993`, `"name":"Zurich"`,
			} {
				require.Contains(t, nodes, value)
			}
			require.NotContains(t, nodes, `"OLD"`)
			require.Contains(t, get("/api/edges?type=FLIGHT&count=exact"), `"total":1`)
			require.Contains(t, get("/api/search?q=Helsinki"), `"HEL"`)
			status, body := g.ask(http.MethodPost, "/api/nodes", token, `{"type":"Airport","properties":{"code":"TOO LONG"}}`)
			require.Equal(t, http.StatusBadRequest, status, body)
			status, body = g.ask(http.MethodPost, "/api/nodes", token, `{"type":"Airport","properties":{"code":"HEL"}}`)
			require.Equal(t, http.StatusConflict, status, body)
			status, body = g.ask(http.MethodPut, "/api/nodes/"+idOf(t, nodes), token, `{"properties":{"name":"Vantaa"}}`)
			require.Equal(t, http.StatusOK, status, body)
			require.Contains(t, get("/api/admin/audit?kind=user"), "keeper")
			if version.whole {
				requireRecorded(t, get)
				limited := g.clientOf("").Login(t, "limited", password)
				_, seen := g.ask(http.MethodGet, "/api/nodes", limited, "")
				require.Contains(t, seen, `"HEL"`)
				require.NotContains(t, seen, `"ZRH"`)
				require.NotContains(t, seen, "Finavia")
			}
			require.EqualValues(t, cypher.DataLayout, db.Count(t, "MATCH (s:_GraphrestState {name: 'auth'}) RETURN s.layout", nil))
		})
	}
}

// requireRecorded reads what versions with a history recorded.
func requireRecorded(t *testing.T, get func(string) string) {
	t.Helper()
	require.Contains(t, get("/api/trash"), `"Airport"`)
	require.Contains(t, get("/api/changes?since=0"), `"Zürich"`)
	require.Contains(t, get("/api/admin/webhooks"), `"hook"`)
	require.Contains(t, get("/api/admin/type-styles"), "#1c63b8")
	require.Contains(t, get("/api/views"), `"North"`)
	require.Contains(t, get("/api/changesets"), `"Rename"`)
	require.Contains(t, get("/api/admin/queries"), `"airports"`)
	require.Contains(t, get("/api/admin/tokens"), `"service"`)
}

// idOf is the id of the first entity of an answer.
func idOf(t testing.TB, body string) string {
	t.Helper()
	_, after, found := strings.Cut(body, `"id":"`)
	require.True(t, found, body)
	id, _, _ := strings.Cut(after, `"`)
	return url.PathEscape(id)
}

var newerLayout = regexp.MustCompile("a newer version has stored its data with layout")

// A gateway does not serve with data that a newer version wrote in a form that it does not know.
func TestDataOfANewerVersion(t *testing.T) {
	db := neo4jtest.Open(t)
	t.Cleanup(func() { db.Clean(t) })
	db.Exec(t, fmt.Sprintf("CREATE (:_GraphrestState {name: 'auth', version: 0, layout: %d})", cypher.DataLayout+1), nil)
	before := db.Checksum(t)
	g := start(t, db.URI, db.Username, db.Password)
	require.NotNil(t, g.log.Await(newerLayout, nil, eventTimeout), g.log.String())
	require.Equal(t, http.StatusServiceUnavailable, g.status("/readyz", ""))
	require.Equal(t, before, db.Checksum(t), "and writes nothing")
}
