package httpapi_test

import (
	"testing"

	"graphrest/internal/auth"
)

func TestFilterConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create)
	withRole(t, srv, "limited", `[{"kind":"node","type":"*","actions":["read"],"hidden":["born"]},
		{"kind":"edge","type":"*","actions":["read"]}]`)
	srv.db.Exec(t, `CREATE (a:Person {name: 'Ann Lee', born: 1960, code: '007', at: date('2024-05-01'), tags: ['x', 'y']}),
		(b:Person {name: 'Bob', born: 1970, code: 7}), (c:Person {name: 'Cid', born: 1980.5, `+"`a][b`"+`: 1}), (d:Person {name: 'Dee'})
		CREATE (a)-[:KNOWS {since: 1999}]->(b), (a)-[:KNOWS {since: 2001}]->(c), (b)-[:KNOWS]->(c)
		CREATE (:_GraphrestUser {name: 'secret', born: 1965})`, nil)
	ann := srv.db.Query(t, "MATCH (n {name: 'Ann Lee'}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	none, all := []string{`"data":[]`}, []string{"Ann", "Bob", "Cid", "Dee"}
	runSteps(t, srv, []step{
		{
			name: "two conditions", user: "reader",
			request: "GET /api/nodes?filter%5Bborn%5D%5Bgte%5D=1960&filter[born][lt]=1975&filter[name][contains]=Ann", wantStatus: 200,
			wantBody: all[:1], notInBody: all[1:],
		},
		{
			name: "equality for short", user: "reader", request: "GET /api/nodes?filter[born]=1970", wantStatus: 200, wantBody: all[1:2],
			notInBody: all[2:],
		},
		{
			name: "one parameter twice", user: "reader", request: "GET /api/nodes?filter[tags][has]=x&filter[tags][has]=y", wantStatus: 200,
			wantBody: all[:1], notInBody: all[1:],
		},
		{
			name: "a forced type", user: "reader", request: "GET /api/nodes?type=Person&filter[code][eq:string]=007", wantStatus: 200,
			wantBody: all[:1], notInBody: all[1:],
		},
		{
			name: "a forced integer", user: "reader", request: "GET /api/nodes?type=Person&filter[code][eq:integer]=7", wantStatus: 200,
			wantBody: all[1:2], notInBody: all[:1],
		},
		{
			name: "a date", user: "reader", request: `GET /api/nodes?filter[at][lt]=%7B%22$type%22:%22Date%22,%22_value%22:%222024-05-02%22%7D`,
			wantStatus: 200, wantBody: all[:1], notInBody: all[1:],
		},
		{name: "a date, forced", user: "reader", request: `GET /api/nodes?filter[at][lt:date]=2024-05-01`, wantStatus: 200, wantBody: none},
		{
			name: "one of several", user: "reader", request: "GET /api/nodes?filter[born][in]=1970,1980.5", wantStatus: 200, wantBody: all[1:3],
			notInBody: all[:1],
		},
		{
			name: "no property", user: "reader", request: "GET /api/nodes?type=Person&filter[born][exists]=false", wantStatus: 200,
			wantBody: all[3:], notInBody: all[:3],
		},
		{
			name: "letters of either case", user: "reader", request: "GET /api/nodes?filter[name][icontains]=LEE", wantStatus: 200,
			wantBody: all[:1], notInBody: all[1:],
		},
		{
			name: "a hostile key", user: "reader", request: "GET /api/nodes?filter[a][b][eq]=1", wantStatus: 200, wantBody: all[2:3],
			notInBody: all[:1],
		},
		{
			name: "alternatives", user: "reader", request: "GET /api/nodes?type=Person&any[1][born][lt]=1965&any[2][born][exists]=false",
			wantStatus: 200, wantBody: []string{"Ann", "Dee"}, notInBody: all[1:3],
		},
		{
			name: "alternatives of several conditions", user: "reader",
			request:    "GET /api/nodes?filter[name][exists]=true&any[2][born]=1960&any[2][name]=Bob&any[7][name][contains]=b&count=exact",
			wantStatus: 200, wantBody: []string{"Bob", `"total":1`}, notInBody: all[:1],
		},
		{
			name: "alternatives at an end", user: "reader",
			request:    "GET /api/edges?any[1][since]=1999&any[2][source:name]=Bob&fields=since&count=exact",
			wantStatus: 200, wantBody: []string{"1999", `"total":2`}, notInBody: []string{"2001"},
		},
		{
			name: "alternatives of an aggregate", user: "reader", request: "GET /api/aggregate/nodes?type=Person&any[1][born]=1960&any[2][code]=7",
			wantStatus: 200, wantBody: []string{`"count":2`},
		},
		{
			name: "internal data is no alternative", user: "reader", request: "GET /api/nodes?any[1][born]=1965&any[2][born]=1", wantStatus: 200,
			wantBody: none,
		},
		{
			name: "a hidden property is no alternative", user: "limited", request: "GET /api/nodes?any[1][born]=1960&any[2][name]=Bob&count=exact",
			wantStatus: 200, wantBody: []string{"Bob", `"total":1`}, notInBody: all[:1],
		},
		{
			name: "nor one of an end", user: "limited", request: "GET /api/edges?any[1][source:born]=1960&any[2][since]=2001&count=exact",
			wantStatus: 200, wantBody: []string{"2001", `"total":1`}, notInBody: []string{"1999"},
		},
		{
			name: "alternatives without a number", user: "reader", request: "GET /api/nodes?any[born]=1", wantStatus: 400,
			wantBody: []string{`"field":"any[born]"`, "such as any[1][born][lt]"},
		},
		{
			name: "alternatives out of range", user: "reader", request: "GET /api/nodes?any[21][born]=1&any[01][born]=1&any=1", wantStatus: 400,
			wantBody: []string{`"field":"any[21][born]"`, `"field":"any[01][born]"`, `"field":"any"`},
		},
		{name: "internal data is not found", user: "reader", request: "GET /api/nodes?filter[born]=1965", wantStatus: 200, wantBody: none},
		{
			name: "nor sorted", user: "reader", request: "GET /api/nodes?sort=-name&count=exact", wantStatus: 200, wantBody: []string{`"total":4`},
			notInBody: []string{"secret"},
		},
		{
			name: "sorted downwards", user: "reader", request: "GET /api/nodes?sort=-born&limit=1&fields=name", wantStatus: 200, wantBody: all[2:3],
			save: "next=meta.page.next_cursor",
		},
		{
			name: "the next page", user: "reader", request: "GET /api/nodes?sort=-born&limit=2&fields=name&cursor={next}", wantStatus: 200,
			wantBody: all[:2], notInBody: all[2:],
		},
		{
			name: "a cursor of another sort", user: "reader", request: "GET /api/nodes?sort=born&cursor={next}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		{
			name: "a cursor of another filter", user: "reader", request: "GET /api/nodes?sort=-born&filter[a]=1&cursor={next}", wantStatus: 400,
			wantBody: []string{`"field":"cursor"`},
		},
		{
			name: "the link keeps filter and sort", user: "reader",
			request: "GET /api/nodes?sort=born&filter[born][gt]=1&filter[born][gt]=2&limit=1", wantStatus: 200,
			wantHeaders: []string{"Link", "filter%5Bborn%5D%5Bgt%5D=1&filter%5Bborn%5D%5Bgt%5D=2", "Link", "sort=born"},
		},
		{
			name: "edges", user: "reader", request: "GET /api/edges?filter[since][gt]=2000&count=exact", wantStatus: 200,
			wantBody: []string{`"total":1`, "2001"},
		},
		{name: "edges, sorted", user: "reader", request: "GET /api/edges?sort=-since&limit=1", wantStatus: 200, wantBody: []string{"2001"}},
		{
			name: "edges of a node", user: "reader", request: "GET /api/nodes/" + ann + "/edges?sort=-since&limit=1&filter[since][lt]=2000",
			wantStatus: 200, wantBody: []string{"1999"},
		},
		{
			name: "by an end", user: "reader",
			request:    "GET /api/edges?filter[target:born][gte]=1970&filter[source:name][contains]=Ann&count=exact",
			wantStatus: 200, wantBody: []string{`"total":2`},
		},
		{
			name: "by an end, a forced type", user: "reader",
			request:    "GET /api/edges?type=KNOWS&filter[target:code][eq:integer]=7&count=exact",
			wantStatus: 200, wantBody: []string{`"total":1`, "1999"},
		},
		{
			name: "sorted by an end", user: "reader",
			request:    "GET /api/edges?type=KNOWS&sort=-target:born,-source:name&limit=1&ends=caption",
			wantStatus: 200, wantBody: []string{`"caption":"Bob"`, `"caption":"Cid"`}, save: "ends=meta.page.next_cursor",
		},
		{
			name: "the next page by an end", user: "reader",
			request:    "GET /api/edges?type=KNOWS&sort=-target:born,-source:name&limit=1&cursor={ends}",
			wantStatus: 200, wantBody: []string{"2001"},
		},
		{
			name: "a cursor of the other end", user: "reader",
			request:    "GET /api/edges?type=KNOWS&sort=-source:born,-source:name&cursor={ends}",
			wantStatus: 400, wantBody: []string{`"field":"cursor"`},
		},
		{
			name: "edges of a node by an end", user: "reader",
			request:    "GET /api/nodes/" + ann + "/edges?filter[target:name]=Bob&sort=target:name",
			wantStatus: 200, wantBody: []string{"1999"}, notInBody: []string{"2001"},
		},
		{
			name: "an end without a property", user: "reader",
			request:    "GET /api/edges?filter[source:][eq]=1&sort=target:",
			wantStatus: 400, wantBody: []string{`"field":"filter[source:][eq]"`, `"field":"sort"`},
		},
		{
			name: "nodes have no ends", user: "reader", request: "GET /api/nodes?type=Person&filter[source:name]=Bob",
			wantStatus: 200, wantBody: none,
		},
		{
			name: "an aggregate by an end", user: "reader",
			request:    "GET /api/aggregate/edges?filter[target:name]=Cid",
			wantStatus: 200, wantBody: []string{`"count":2`},
		},
		{
			name: "no groups by an end", user: "reader",
			request:    "GET /api/aggregate/edges?group_by=source:name&measure=target:born",
			wantStatus: 400, wantBody: []string{`"field":"group_by"`, `"field":"measure"`, "edge:source:name"},
		},
		{
			name: "an unknown operator", user: "reader", request: "GET /api/nodes?filter[born][like]=1", wantStatus: 400,
			wantCode: "VALIDATION_ERROR", wantBody: []string{`"field":"filter[born][like]"`, "starts_with"},
		},
		{
			name: "a literal of the wrong type", user: "reader", request: "GET /api/nodes?filter[born][gt:date]=1960", wantStatus: 400,
			wantBody: []string{`"field":"filter[born][gt:date]"`},
		},
		{name: "no name", user: "reader", request: "GET /api/nodes?filter=born", wantStatus: 400, wantBody: []string{`"field":"filter"`}},
		{
			name: "no order of lists", user: "reader", request: "GET /api/nodes?filter[tags][gt]=[1]", wantStatus: 400,
			wantBody: []string{`"field":"filter[tags][gt]"`},
		},
		{name: "too many keys", user: "reader", request: "GET /api/nodes?sort=a,b,c,d,e", wantStatus: 400, wantBody: []string{`"field":"sort"`}},
		{
			name: "all problems together", user: "reader", request: "GET /api/nodes?sort=-&filter[a][x]=1&limit=0", wantStatus: 400,
			wantBody: []string{`"field":"sort"`, `"field":"filter[a][x]"`, `"field":"limit"`},
		},
		{
			name: "no filter elsewhere", user: "reader", request: "GET /api/schema?filter[a]=1", wantStatus: 400,
			wantBody: []string{`"field":"filter[a]"`},
		},
		{
			name: "an aggregate", user: "reader",
			request:    "GET /api/aggregate/nodes?type=Person&filter[born][gt]=1&group_by=born&bin=10&measure=born",
			wantStatus: 200, notInBody: []string{"secret", "Ann"}, wantBody: []string{
				`{"value":1960,"until":1970,"count":1,"measures":{"born":{"count":1,"numbers":1,"sum":1960,"mean":1960.0,"min":1960,"max":1960}}}`,
			},
		},
		{
			name: "an aggregate of edges", user: "reader", request: "GET /api/aggregate/edges?source_id=" + ann, wantStatus: 200,
			wantBody: []string{`"data":{"groups":[{"count":2,"measures":{}}],"truncated":false}`},
		},
		{
			name: "problems of an aggregate", user: "reader", request: "GET /api/aggregate/nodes?bin=-1&measure=,&limit=1001&sort=a",
			wantStatus: 400,
			wantBody: []string{
				`"field":"bin","message":"must be a width`, `"field":"measure"`,
				`"field":"limit"`, `"field":"sort"`,
			},
		},
		{
			name: "bins of nothing", user: "reader", request: "GET /api/aggregate/nodes?bin=10", wantStatus: 400,
			wantBody: []string{`"field":"bin","message":"must be used together with group_by`},
		},
		{name: "no right to aggregate", user: "writer", request: "GET /api/aggregate/nodes", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{name: "no permission", user: "writer", request: "GET /api/nodes?filter[a]=1", wantStatus: 403, wantCode: "PERMISSION_DENIED"},
		{name: "no token", request: "GET /api/nodes?filter[a]=1", wantStatus: 401, wantCode: "UNAUTHENTICATED"},
	})
}
