package httpapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// randomChanges makes changes of people, cities and edges as an administrator. Every text is used once.
type randomChanges struct {
	srv          *testServer
	random       *rand.Rand
	nodes, edges []string
	texts        int
}

func (c *randomChanges) text(prefix string) string {
	c.texts++
	return fmt.Sprintf("%s%04dx", prefix, c.texts)
}

func (c *randomChanges) pick(ids []string) string { return ids[c.random.IntN(len(ids))] }

// properties returns some properties of a type as JSON members; null removes one.
func (c *randomChanges) properties(kinds ...string) string {
	members := []string{fmt.Sprintf(`"name":%q`, c.text("name"))}
	for _, key := range kinds {
		switch n := c.random.IntN(4); {
		case n == 0:
			members = append(members, fmt.Sprintf(`%q:null`, key))
		case n == 1 || key == "salary" || key == "note":
			members = append(members, fmt.Sprintf(`%q:%q`, key, c.text(key)))
		case n == 2 && key == "team":
			members = append(members, `"team":"blue"`)
		case n == 2 && key == "level":
			members = append(members, `"level":"one"`)
		}
	}
	return "{" + strings.Join(members[c.random.IntN(2):], ",") + "}"
}

func (c *randomChanges) change(t *testing.T) {
	t.Helper()
	person, edge := []string{"team", "salary", "level"}, []string{"note", "secret"}
	send := func(method, path, body string) reply {
		return c.srv.send(t, "root", method, path, body, "X-Request-ID", c.text("r"))
	}
	created := func(path, body string) []string {
		if r := send("POST", path, body); r.status == http.StatusCreated {
			return []string{jsonAt(t, r.body, "data.id").(string)}
		}
		return nil // of an end that is deleted
	}
	switch n := c.random.IntN(20); {
	case n < 4 || len(c.nodes) < 6:
		c.nodes = append(c.nodes, created("/api/nodes", `{"type":"Person","properties":`+c.properties(person...)+`}`)...)
	case n < 5:
		c.nodes = append(c.nodes, created("/api/nodes", `{"type":"City","properties":`+c.properties()+`}`)...)
	case n < 9 || len(c.edges) < 4:
		typ := []string{"KNOWS", "LIVES_IN"}[c.random.IntN(2)]
		c.edges = append(c.edges, created("/api/edges", fmt.Sprintf(`{"type":%q,"source_id":%q,"target_id":%q,"properties":%s}`,
			typ, c.pick(c.nodes), c.pick(c.nodes), c.properties(edge...)))...)
	case n < 14:
		send("PUT", "/api/nodes/"+c.pick(c.nodes), `{"properties":`+c.properties(person...)+`}`)
	case n < 16:
		send("PUT", "/api/edges/"+c.pick(c.edges), `{"properties":`+c.properties(edge...)+`}`)
	case n < 17:
		send("DELETE", "/api/nodes/"+c.pick(c.nodes), "")
	case n < 18:
		send("DELETE", "/api/edges/"+c.pick(c.edges), "")
	case n < 19:
		if trash := c.srv.objects(t, "root", "/api/trash?limit=1000", "cursor"); len(trash) > 0 {
			send("POST", "/api/undo", fmt.Sprintf(`{"change":%q}`, trash[c.random.IntN(len(trash))]["change"]))
		}
	case c.random.IntN(3) == 0: // outside the gateway
		c.srv.db.Exec(t, "MATCH (n {uuid: $id}) DETACH DELETE n", map[string]any{"id": c.pick(c.nodes)})
	}
}
