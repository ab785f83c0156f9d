package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/transfer"
)

// writeFiles writes files with their texts below a directory.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// everyKind has an object of each kind, written in other forms than the gateway's.
var everyKind = map[string]string{
	"types/person.yaml": "kind: nodes\ntype: Person\nlevel: new\nschema:\n  type: object\n  properties:\n" +
		"    born: {type: integer, minimum: 0}\n    name: {type: string}\nunique: [[name]]\n",
	"indexes/born.json":         `{"name": "person_born", "entity": "node", "kind": "range", "type": "Person", "properties": ["born"]}`,
	"search-indexes/names.yaml": "name: names\nkind: node\ntypes: [Person, City]\nproperties: [name]\n",
	"styles/all.yaml":           "- {kind: nodes, type: Person, color: \"#1c63b8\", caption: name}\n- {kind: edges, type: KNOWS, width: 3}\n",
	"queries/friends_of.cypher": "// description: Whom a person knows\n// parameters: {\"name\": {\"type\": \"string\"}}\n// timeout: 2s\n" +
		"MATCH (p:Person {name: $name})-[:KNOWS]->(f:Person)\nRETURN f.name AS name\n",
	"queries/pattern.json": `{"name": "persons", "pattern": {"match": [[{"as": "p", "type": "Person"}]], "columns": ["p.name"]}}`,
	"roles/hr.yaml": "name: hr\nqueries: [persons, friends_of, persons]\ngrants:\n" +
		"- kind: node\n  type: Person\n  actions: [edit, read]\n  where: {height: {lt: 2.0}, team: {eq: {$user: attributes.team}}}\n" +
		"  hidden: [salary]\n",
	"users/ann.yaml": "username: ann\nroles: [hr]\npermissions: [query, read]\n" +
		"attributes: {team: blue, since: {$type: Date, _value: \"2024-05-01\"}}\n",
	"webhooks/hook.yml": "name: hook\nurl: https://hooks.example/graph\nactions: [update, create]\nsecret_env: HOOK_SECRET\n",
	"views/tall.json":   `{"name": "Tall", "page": "nodes", "everyone": true, "state": {"filter": {"height": 1e0}, "columns": ["name"]}}`,
	"README.md":         "not read\n",
}

func TestApply(t *testing.T) {
	runDevAsAdministrator(t, func(url, token string) {
		environ := []string{"GRAPHREST_TOKEN=" + token, "GRAPHREST_URL=" + url, "HOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
		call := func(code int, args ...string) result {
			t.Helper()
			r := command(t, environ, "", args...)
			require.Equal(t, code, r.code, "%s%s", r.stdout, r.stderr)
			return r
		}
		dir := t.TempDir()
		writeFiles(t, dir, everyKind)
		require.Contains(t, call(exitFailed, "apply", dir).stderr, "user ann: does not exist")
		client := transfer.NewClient(url, token)
		require.NoError(t, client.Send(t.Context(), http.MethodPost, "/api/admin/users",
			[]byte(`{"username": "ann", "password": "correct horse battery"}`)))
		dry := call(exitOK, "apply", dir, "--dry-run")
		for _, title := range []string{
			"+ type nodes Person", "+ index person_born", "+ search index names", "+ style nodes Person", "+ style edges KNOWS",
			"+ query friends_of", "+ query persons", "+ role hr", "~ user ann: permissions, roles, attributes", "+ webhook hook", "+ view Tall",
		} {
			require.Contains(t, dry.stdout, title+"\n")
		}
		require.NotContains(t, call(exitProblems, "diff", dir).stdout, "whsec_")
		queries := filepath.Join(dir, "queries")
		require.Equal(t, "+ query friends_of", strings.SplitN(call(exitOK, "query", "sync", queries).stdout, "\n", 2)[0])
		require.Equal(t, dry.stdout, call(exitOK, "apply", dir).stdout)
		require.Contains(t, call(exitOK, "query", "sync", queries).stderr, "no differences")
		require.Contains(t, call(exitOK, "apply", dir).stderr, "no differences")

		exported := filepath.Join(t.TempDir(), "new")
		call(exitOK, "export-config", exported)
		require.Empty(t, call(exitOK, "diff", exported, "--delete").stdout, "what is exported is what there is")
		require.Contains(t, call(exitFailed, "export-config", exported).stderr, "not empty")
		cypher, err := os.ReadFile(filepath.Join(exported, "queries", "friends_of.cypher"))
		require.NoError(t, err)
		require.Contains(t, string(cypher), "\n// timeout: 2\nMATCH (p:Person")

		tall := map[string]string{"tall.cypher": "MATCH (p:Person) WHERE p.height > 2 RETURN p.name AS name\n"}
		more := t.TempDir()
		writeFiles(t, more, tall)
		require.Contains(t, call(exitOK, "query", "sync", more, "--apply").stderr, "changes made: 1\n")
		require.Contains(t, call(exitOK, "query", "sync", queries, "--apply", "--delete").stdout, "- query tall")

		writeFiles(t, dir, map[string]string{
			"indexes/born.json": strings.ReplaceAll(everyKind["indexes/born.json"], `["born"]`, `["born", "name"]`),
			"styles/all.yaml":   "{kind: nodes, type: Person, color: \"#1c63b8\"}\n",
			"queries/friends_of.cypher": "// parameters: {\"name\": {\"type\": \"string\"}}\n" +
				"MATCH (p:Person {name: $name})-[:KNOWS]->(f:Person)\nRETURN f.name AS friend\n",
			"users/ann.yaml": "username: ann\nroles: []\n",
		})
		require.NoError(t, os.Remove(filepath.Join(dir, "roles", "hr.yaml")))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "views")))
		changed := call(exitOK, "apply", dir, "--delete").stdout
		require.Equal(t, `! index person_born: properties
  - properties: ["born"]
  + properties: ["born","name"]
~ style nodes Person: caption
  - caption: "name"
  + caption: null
~ query friends_of: description, cypher, timeout
  - description: "Whom a person knows"
  + description: ""
  - RETURN f.name AS name
  + RETURN f.name AS friend
  - timeout: 2
  + timeout: null
~ user ann: roles
  - roles: ["hr"]
  + roles: []
- role hr
- style edges KNOWS
`, changed)
		require.Empty(t, call(exitOK, "diff", dir, "--delete").stdout)
		me, err := client.Read(t.Context(), "/api/admin/users/ann")
		require.NoError(t, err)
		require.Contains(t, string(me), `"permissions":["read","query"]`, "what a user's file leaves out stays")
	})
}

func TestApplyStopsAtAnError(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"roles/hr.json": `{"name": "hr"}`})
	r := command(t, []string{"GRAPHREST_TOKEN=x"}, "", "apply", "--url", "http://127.0.0.1:1", dir)
	require.Equal(t, exitFailed, r.code)
	require.Contains(t, r.stderr, "is the gateway running there?")
}
