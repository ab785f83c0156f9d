package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

func TestFilterConversation(t *testing.T) {
	w := openWorld(t, nil)
	w.user(t, "reader", auth.Read)
	w.user(t, "writer", auth.Create)
	w.db.Exec(t, `CREATE (a:Person {name: 'Ann Lee', born: 1960, code: '007', at: date('2024-05-01'), tags: ['x', 'y']}),
		(b:Person {name: 'Bob', born: 1970, code: 7}), (c:Person {name: 'Cid', born: 1980.5, `+"`a][b`"+`: 1}), (d:Person {name: 'Dee'})
		CREATE (a)-[:KNOWS {since: 1999}]->(b), (a)-[:KNOWS {since: 2001}]->(c), (b)-[:KNOWS]->(c)
		CREATE (:_GraphrestUser {name: 'secret', born: 1965})`, nil)
	ann := w.db.Query(t, "MATCH (n {name: 'Ann Lee'}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	none, all := []string{`"data":[]`}, []string{"Ann", "Bob", "Cid", "Dee"}
	talk(t, w, []step{
		{says: "two conditions", as: "reader", do: "GET /api/nodes?filter%5Bborn%5D%5Bgte%5D=1960&filter[born][lt]=1975&filter[name][contains]=Ann", status: 200, has: all[:1], lacks: all[1:]},
		{says: "equality for short", as: "reader", do: "GET /api/nodes?filter[born]=1970", status: 200, has: all[1:2], lacks: all[2:]},
		{says: "one parameter twice", as: "reader", do: "GET /api/nodes?filter[tags][has]=x&filter[tags][has]=y", status: 200, has: all[:1], lacks: all[1:]},
		{says: "a forced type", as: "reader", do: "GET /api/nodes?type=Person&filter[code][eq:string]=007", status: 200, has: all[:1], lacks: all[1:]},
		{says: "a forced integer", as: "reader", do: "GET /api/nodes?type=Person&filter[code][eq:integer]=7", status: 200, has: all[1:2], lacks: all[:1]},
		{says: "a date", as: "reader", do: `GET /api/nodes?filter[at][lt]=%7B%22$type%22:%22Date%22,%22_value%22:%222024-05-02%22%7D`, status: 200, has: all[:1], lacks: all[1:]},
		{says: "a date, forced", as: "reader", do: `GET /api/nodes?filter[at][lt:date]=2024-05-01`, status: 200, has: none},
		{says: "one of several", as: "reader", do: "GET /api/nodes?filter[born][in]=1970,1980.5", status: 200, has: all[1:3], lacks: all[:1]},
		{says: "no property", as: "reader", do: "GET /api/nodes?type=Person&filter[born][exists]=false", status: 200, has: all[3:], lacks: all[:3]},
		{says: "letters of either case", as: "reader", do: "GET /api/nodes?filter[name][icontains]=LEE", status: 200, has: all[:1], lacks: all[1:]},
		{says: "a hostile key", as: "reader", do: "GET /api/nodes?filter[a][b][eq]=1", status: 200, has: all[2:3], lacks: all[:1]},
		{says: "internal data is not found", as: "reader", do: "GET /api/nodes?filter[born]=1965", status: 200, has: none},
		{says: "nor sorted", as: "reader", do: "GET /api/nodes?sort=-name&count=exact", status: 200, has: []string{`"total":4`}, lacks: []string{"secret"}},
		{says: "sorted downwards", as: "reader", do: "GET /api/nodes?sort=-born&limit=1&fields=name", status: 200, has: all[2:3], keep: "next=meta.page.next_cursor"},
		{says: "the next page", as: "reader", do: "GET /api/nodes?sort=-born&limit=2&fields=name&cursor={next}", status: 200, has: all[:2], lacks: all[2:]},
		{says: "a cursor of another sort", as: "reader", do: "GET /api/nodes?sort=born&cursor={next}", status: 400, has: []string{`"field":"cursor"`}},
		{says: "a cursor of another filter", as: "reader", do: "GET /api/nodes?sort=-born&filter[a]=1&cursor={next}", status: 400, has: []string{`"field":"cursor"`}},
		{
			says: "the link keeps filter and sort", as: "reader", do: "GET /api/nodes?sort=born&filter[born][gt]=1&filter[born][gt]=2&limit=1", status: 200,
			heads: []string{"Link", "filter%5Bborn%5D%5Bgt%5D=1&filter%5Bborn%5D%5Bgt%5D=2", "Link", "sort=born"},
		},
		{says: "edges", as: "reader", do: "GET /api/edges?filter[since][gt]=2000&count=exact", status: 200, has: []string{`"total":1`, "2001"}},
		{says: "edges, sorted", as: "reader", do: "GET /api/edges?sort=-since&limit=1", status: 200, has: []string{"2001"}},
		{says: "edges of a node", as: "reader", do: "GET /api/nodes/" + ann + "/edges?sort=-since&limit=1&filter[since][lt]=2000", status: 200, has: []string{"1999"}},
		{says: "an unknown operator", as: "reader", do: "GET /api/nodes?filter[born][like]=1", status: 400, code: "VALIDATION_ERROR", has: []string{`"field":"filter[born][like]"`, "starts_with"}},
		{says: "a literal of the wrong type", as: "reader", do: "GET /api/nodes?filter[born][gt:date]=1960", status: 400, has: []string{`"field":"filter[born][gt:date]"`}},
		{says: "no name", as: "reader", do: "GET /api/nodes?filter=born", status: 400, has: []string{`"field":"filter"`}},
		{says: "no order of lists", as: "reader", do: "GET /api/nodes?filter[tags][gt]=[1]", status: 400, has: []string{`"field":"filter[tags][gt]"`}},
		{says: "too many keys", as: "reader", do: "GET /api/nodes?sort=a,b,c,d,e", status: 400, has: []string{`"field":"sort"`}},
		{says: "all mistakes at once", as: "reader", do: "GET /api/nodes?sort=-&filter[a][x]=1&limit=0", status: 400, has: []string{`"field":"sort"`, `"field":"filter[a][x]"`, `"field":"limit"`}},
		{says: "no filter elsewhere", as: "reader", do: "GET /api/schema?filter[a]=1", status: 400, has: []string{`"field":"filter[a]"`}},
		{says: "no permission", as: "writer", do: "GET /api/nodes?filter[a]=1", status: 403, code: "PERMISSION_DENIED"},
		{says: "no token", do: "GET /api/nodes?filter[a]=1", status: 401, code: "UNAUTHENTICATED"},
	})
}
