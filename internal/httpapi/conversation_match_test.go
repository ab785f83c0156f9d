package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"graphrest/internal/auth"
	"graphrest/internal/testmark"
)

// TestMatchOfSeveralIDs: with rules, what they hide binds nothing, as an id of no node does.
func TestMatchOfSeveralIDs(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	withRole(t, srv, "limited", `[{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"lt":9}}},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	srv.db.Exec(t, `CREATE (a:Person {name: 'Ann', level: 1}), (b:Person {name: 'Bob', level: 2}), (c:Person {name: 'Cid', level: 9}),
		(a)-[:KNOWS]->(b), (a)-[:KNOWS]->(b), (a)-[:KNOWS]->(c), (b)-[:KNOWS]->(c), (:_GraphrestUser {name: 'secret'})`, nil)
	ids := `["nothing"`
	for _, row := range srv.db.Query(t, "MATCH (n) RETURN elementId(n) AS id", nil) {
		ids += `,"` + row["id"].(string) + `"`
	}
	ids += `]`
	named := `{"match":[[{"as":"p","id":` + ids + `}]],"columns":["p.name"],"sort":["p.name"]}`
	counted := `{"match":[[{"as":"p","type":"Person","id":` + ids + `},{"edge":"KNOWS"},{"as":"q","type":"Person"}]],
		"group_by":["p.name"],"measures":[{"op":"count"}],"sort":["p.name"]}`
	ask := func(name, user, body, rows string) step {
		return step{
			name: name, user: user, request: "POST /api/match", body: body, wantStatus: 200, wantBody: []string{`"rows":` + rows + `,`},
			notInBody: []string{"secret"},
		}
	}
	runSteps(t, srv, []step{
		ask("one of several", "reader", named, `[["Ann"],["Bob"],["Cid"]]`),
		ask("one of several, with rules", "limited", named, `[["Ann"],["Bob"]]`),
		ask("linked nodes, not edges, are counted", "reader", counted, `[["Ann",2],["Bob",1]]`),
		ask("linked nodes, with rules", "limited", counted, `[["Ann",1]]`),
		ask("none of several", "reader", `{"match":[[{"as":"p","id":["nothing","0"]}]]}`, `[]`),
		ask("without one of several", "reader", `{"match":[[{"as":"p","type":"Person"}]],"without":[[{"as":"p"},{},{"id":`+ids+`}]],
			"columns":["p.name"]}`, `[["Cid"]]`),
		{
			name: "a mistake", user: "reader", request: "POST /api/match", body: `{"match":[[{"as":"p","id":["a","b","c",4]}]]}`, wantStatus: 400,
			wantCode: "VALIDATION_ERROR", wantBody: []string{`"field":"match[0][0].id[3]"`},
		},
	})
}

func TestMatchConversation(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.user(t, "writer", auth.Create)
	withRole(t, srv, "limited", `[
		{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"lt":9}},"hidden":["salary"]},
		{"kind":"edge","type":"KNOWS","actions":["read"]}]`)
	srv.db.Exec(t,
		`CREATE (a:Person {name: 'Ann', level: 1, salary: 7, big: 9223372036854775807}),
		  (b:Person {name: 'Bob', level: 2, salary: 8, big: 1}), (c:Person {name: 'Cid', level: 9, salary: 9}),
		  (u:City {name: 'Ulm', level: 2.0}), (s:_GraphrestUser {name: 'secret'}), (h:Person:`+hostileTypes[0]+` {name: 'Hal'})
		CREATE (a)-[:KNOWS {since: 1}]->(b)-[:KNOWS {since: 2}]->(c), (a)-[:KNOWS]->(s)-[:KNOWS]->(c), (b)-[:LIKES]->(u),
		  (a)-[:_GraphrestHas]->(u), (a)-[:`+hostileTypes[1]+` {`+hostileTypes[2]+`: 1}]->(h)`, nil)
	ask := func(name, user, body string, wantBody ...string) step {
		return step{
			name: name, user: user, request: "POST /api/match", body: body, wantStatus: 200, wantBody: wantBody,
			notInBody: []string{"secret", "_Graphrest"},
		}
	}
	refuse := func(name, body string, places ...string) step {
		s := step{name: name, user: "reader", request: "POST /api/match", body: body, wantStatus: 400, wantCode: "VALIDATION_ERROR"}
		for _, place := range places {
			s.wantBody = append(s.wantBody, `"field":"`+place+`"`)
		}
		return s
	}
	const knows = `[{"as":"p","type":"Person"},{"as":"k","edge":"KNOWS"},{"as":"q"}]`
	runSteps(t, srv, []step{
		ask("rows", "reader", `{"match":[`+knows+`],"columns":["p.name","k.since","q.name"],"sort":["-p.name"]}`,
			`"columns":[{"name":"p.name","types":["String"]},{"name":"k.since","types":["Integer"]},{"name":"q.name","types":["String"]}]`,
			`"rows":[["Bob",2,"Cid"],["Ann",1,"Bob"]],"nodes":[],"edges":[]`, `"elapsed_ms":`, `"page":{"limit":100,"offset":0,"has_more":false}`),
		ask("a page", "reader", `{"match":[`+knows+`],"columns":["p.name"],"sort":["p.name"],"limit":1,"offset":1}`,
			`"rows":[["Bob"]]`, `"page":{"limit":1,"offset":1,"has_more":false}`),
		ask("more", "reader", `{"match":[`+knows+`],"columns":["p.name"],"sort":["p.name"],"limit":1}`, `"has_more":true`),
		ask("entities once", "reader", `{"match":[[{"as":"p","type":"Person","filter":{"name":{"eq":"Bob"}}},{"as":"r"},{"as":"q"}]],
			"columns":["p","r"]}`,
			`[{"$node":"4:`, `{"$edge":"5:`, `"nodes":[{"id":"4:`, `"source_id":"4:`),
		ask("any edge", "reader", `{"match":[[{"as":"p","type":"Person","filter":{"name":{"eq":"Ann"}}},{"hops":[1,3]},{"as":"q"}]],
			"columns":["q.name"],"sort":["q.name"]}`, `"rows":[["Bob"],["Cid"],["Hal"],["Ulm"]]`),
		ask("without", "reader", `{"match":[[{"as":"p","type":"Person"}]],"without":[[{"as":"p"},{"edge":"KNOWS","direction":"both"},{}]],
			"columns":["p.name"]}`, `"rows":[["Hal"]]`),
		ask("alternatives", "reader", `{"match":[[{"as":"p","type":"Person","any":[{"name":{"contains":"Ha"}},{"level":{"exists":true}}]}]],
			"columns":["p.level","p.name"],"sort":["p.level"]}`, `"rows":[[1,"Ann"],[2,"Bob"],[9,"Cid"],[null,"Hal"]]`),
		ask("alternatives of whole nodes", "reader", `{"match":[[{"as":"p","type":"Person","any":[{"name":{"contains":"Ha"}},
			{"level":{"ne":7}}]}]],"columns":["p"],"sort":["p.level"]}`, `"level":1,`, `"level":2,`),
		ask("alternatives of a hop", "reader", `{"match":[[{"type":"Person"},{"edge":"KNOWS","any":[{"since":{"eq":1}},{"since":{"gt":1}}]},
			{"as":"q"}]],"columns":["q.name"],"sort":["q.name"]}`, `"rows":[["Bob"],["Cid"]]`),
		ask("alternatives with rules", "limited", `{"match":[[{"as":"p","type":"Person","any":[{"salary":{"eq":7}},{"level":{"gt":1}}]}]],
			"columns":["p.name"]}`, `"rows":[["Bob"]]`),
		ask("groups", "reader", `{"match":[[{"as":"p","type":"Person"},{},{"as":"q"}]],"group_by":["q.level"],"measures":[{"op":"count"}],
			"sort":["q.level"]}`, `"rows":[[2`, `,2],[9,1],[null,1]]`),
		ask("a sum beyond 64 bits", "reader", `{"match":[[{"as":"p","type":"Person"}]],"measures":[{"op":"sum","of":"p.big"},
			{"op":"max","of":"p.big"},{"op":"sum","of":"p.level"},{"op":"mean","of":"p.none"},{"op":"sum","of":"p.none"}]}`,
			`"rows":[[9223372036854776000.0,9223372036854775807,12,null,0]]`),
		ask("a type that is not there", "reader", `{"match":[[{"as":"p","type":"Nothing"}]]}`, `"rows":[]`),
		ask("an id of nothing", "reader", `{"match":[[{"as":"p","id":"nothing"}]],"measures":[{"op":"count"}]}`, `"rows":[[0]]`),
		ask("rules", "limited", `{"match":[`+knows+`],"columns":["p.name","p.salary","q.name"]}`, `"rows":[["Ann",null,"Bob"]]`),
		ask("rules exclude nothing", "limited", `{"match":[[{"as":"p","type":"Person"}]],
			"without":[[{"as":"p"},{},{"filter":{"level":{"eq":9}}}]],"columns":["p.name"],"sort":["p.name"]}`, `"rows":[["Ann"],["Bob"]]`),
		ask("a hidden property is absent", "limited", `{"match":[[{"as":"p","type":"Person","filter":{"salary":{"exists":true}}}]]}`,
			`"rows":[]`),
		ask("the answer of rules", "limited", `{"match":[[{"as":"p","type":"Person","filter":{"name":{"eq":"Ann"}}}]]}`,
			`"properties":{"big":9223372036854775807,"level":1,"name":"Ann"}`),
		{
			name: "csv", user: "reader", request: "POST /api/match",
			body:   `{"match":[` + knows + `],"columns":["p.name"],"sort":["p.name"],"limit":1}`,
			header: []string{"Accept", "text/csv"}, wantStatus: 200, wantBody: []string{"p.name\nAnn\n"},
			wantHeaders: []string{"Content-Type", "text/csv", "Graphrest-Truncated", "rows"},
		},
		{
			name: "csv by its weight", user: "reader", request: "POST /api/match", body: `{"match":[` + knows + `],"columns":["p.name"],"limit":1}`,
			header: []string{"Accept", "application/json;q=0.1,text/csv"}, wantStatus: 200, wantHeaders: []string{"Content-Type", "text/csv"},
		},
		{
			name: "csv excluded", user: "reader", request: "POST /api/match", body: `{"match":[` + knows + `],"columns":["p.name"],"limit":1}`,
			header: []string{"Accept", "text/csv;q=0, application/json"}, wantStatus: 200, wantHeaders: []string{"Content-Type", "application/json"},
		},
		{
			name: "ndjson", user: "reader", request: "POST /api/match", body: `{"match":[` + knows + `],"columns":["p.name"],"sort":["p.name"]}`,
			header: []string{"Accept", "application/x-ndjson"}, wantStatus: 200,
			wantBody:    []string{`{"p.name":"Ann"}` + "\n" + `{"p.name":"Bob"}`},
			wantHeaders: []string{"Graphrest-Truncated", ""},
		},
		{
			name: "explain", user: "reader", request: "POST /api/match?explain=true", wantStatus: 200,
			body: `{"match":[[{"as":"p","type":"Person","filter":{"born":{"lt":{"$type":"Date","_value":"2000-01-01"}}}}]]}`,
			wantBody: []string{
				`"cypher":"`, `"parameters":{`, `{"$type":"Date","_value":"2000-01-01"}`, `"limit":101`, `"skip":0`,
				`"plan":{"operator":"ProduceResults"`,
			},
		},
		{
			name: "explain with rules", user: "limited", request: "POST /api/match?explain=true", body: `{"match":[` + knows + `]}`,
			wantStatus: 403, wantCode: "PERMISSION_DENIED",
		},
		{
			name: "no permission", user: "writer", request: "POST /api/match", body: `{"match":[` + knows + `]}`, wantStatus: 403,
			wantCode: "PERMISSION_DENIED",
		},
		{name: "no token", request: "POST /api/match", body: `{"match":[` + knows + `]}`, wantStatus: 401, wantCode: "UNAUTHENTICATED"},
		{name: "not a post", user: "reader", request: "GET /api/match", wantStatus: 405, wantCode: "METHOD_NOT_ALLOWED"},
		{
			name: "an unknown parameter", user: "reader", request: "POST /api/match?format=csv", body: `{"match":[` + knows + `]}`, wantStatus: 400,
			wantBody: []string{`"field":"format"`},
		},
		{
			name: "the decision on a plan", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
			body:     `{"user":"limited","method":"POST","path":"/api/match?explain=true"}`,
			wantBody: []string{`"allowed":false,"code":"PERMISSION_DENIED"`},
		},
		{
			name: "the decision on an answer", user: "root", request: "POST /api/admin/explain", wantStatus: 200,
			body: `{"user":"limited","method":"POST","path":"/api/match"}`, wantBody: []string{`"allowed":true`},
		},
		refuse("no object", `[]`, "body"),
		refuse("twice a member", `{"match":[],"match":[]}`, "match"),
		refuse("many mistakes", `{"match":[[{"as":"p","type":"Person"},{"edge":1},{"filter":{"x":{"is":1}}}]],"columns":["z"],"sort":["y"],
			"limit":0}`,
			"match[0][1].edge", "match[0][2].filter.x", "columns[0]", "sort[0]", "limit"),
		refuse("a number beyond 64 bits", `{"match":[[{"as":"p","type":"Person","filter":{"x":{"eq":92233720368547758070}}}]]}`,
			"match[0][0].filter.x.eq"),
		refuse("a reserved type", `{"match":[[{"as":"p","type":"_graphrestUser"}]]}`, "match[0][0].type"),
	})
}

// hostileTypes are a label, a type and a property that would end a quoted name or begin a slot.
var hostileTypes = []string{"`a``b\\u005Cu0060 {{where}} // /*`", "`K``]->() RETURN 1 // {{rows}}`", "`p.q``) RETURN 1 //`"}

// TestMatchDoesNotPassWhatIsHidden: no chain of several edges passes a node that the user does not see, or internal data, whichever end the
// database begins at, also where two edges lead there and back.
func TestMatchDoesNotPassWhatIsHidden(t *testing.T) {
	testmark.EveryRelease(t)
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	withRole(t, srv, "limited", `[{"kind":"node","type":"Pub","actions":["read"]},{"kind":"edge","type":"LINK","actions":["read"]}]`)
	srv.db.Exec(t, `CREATE (a:Pub {n: 1}), (b:Pub {n: 2}), (c:Pub {n: 3}), (x:Sec), (s:_GraphrestUser {name: 'secret'}),
		(a)-[:LINK]->(x), (a)-[:LINK]->(x), (b)-[:LINK]->(x), (c)-[:LINK]->(c), (b)-[:LINK]->(s), (b)-[:LINK]->(s)`, nil)
	first := srv.db.Query(t, "MATCH (n:Pub {n: 1}) RETURN elementId(n) AS id", nil)[0]["id"].(string)
	var steps []step
	for _, hop := range []string{
		`{"edge":"LINK","direction":"both","hops":[1,2]}`, `{"direction":"both","hops":[1,3]}`, `{"edge":"LINK","hops":[1,2]}`,
	} {
		for _, ends := range []string{
			`{"as":"a","type":"Pub"} {"as":"b","type":"Pub"}`, `{"as":"a"} {"as":"b","type":"Pub"}`, `{"as":"a","type":"Pub"} {"as":"b"}`,
		} {
			from, to, _ := strings.Cut(ends, " ")
			question := fmt.Sprintf(`{"match":[[%s,%s,%s]],"columns":["a.n","b.n"]}`, from, hop, to)
			steps = append(steps, step{
				name: question, user: "limited", request: "POST /api/match", body: question, wantStatus: 200,
				wantBody: []string{`"rows":[[3,3]],`},
			})
		}
	}
	const back = `{"match":[[{"as":"a"%s},{"direction":"both","hops":[1,2]},{"as":"b"%s}]],"columns":["b.n"],"sort":["b.n"]}`
	for _, c := range []struct{ user, from, to, rows string }{
		{"limited", `,"id":"` + first + `"`, "", "[]"},
		{"limited", "", `,"id":"` + first + `"`, "[]"},
		{"reader", `,"type":"Pub","filter":{"n":{"eq":2}}`, "", "[[1],[null]]"},
		{"reader", `,"type":"Sec"`, `,"filter":{"n":{"gt":0}}`, "[[1],[2]]"},
		{"reader", `,"type":"Pub","filter":{"n":{"eq":2}}`, `,"type":"Pub"`, "[[1]]"},
	} {
		steps = append(steps, step{
			name: c.user + c.from + c.to, user: c.user, request: "POST /api/match", body: fmt.Sprintf(back, c.from, c.to), wantStatus: 200,
			wantBody: []string{`"rows":` + c.rows + `,`},
		})
	}
	runSteps(t, srv, steps)
}

// TestMatchTakesHostileNamesAsNames asks for a type, an edge and a property whose names would end the quotes of the statement.
func TestMatchTakesHostileNamesAsNames(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.user(t, "reader", auth.Read)
	srv.db.Exec(t, "CREATE (:Person {name: 'Ann'})-[:"+hostileTypes[1]+" {"+hostileTypes[2]+": 1}]->(:"+hostileTypes[0]+" {name: 'Hal'})", nil)
	label, edge, property := "a`b\\u0060 {{where}} // /*", "K`]->() RETURN 1 // {{rows}}", "p.q`) RETURN 1 //"
	body := `{"match":[[{"as":"p","type":"Person"},{"as":"r","edge":` + jsonText(t, edge) + `,"filter":{` + jsonText(t, property) +
		`:{"gte":0}}},{"as":"q","type":` + jsonText(t, label) + `,"filter":{"name":{"eq":"Hal"}}}]],
		"columns":["r.` + strings.Trim(jsonText(t, property), `"`) + `","q.name"],"sort":["r.` + strings.Trim(jsonText(t, property), `"`) + `"]}`
	runSteps(t, srv, []step{
		{name: "rows", user: "reader", request: "POST /api/match", body: body, wantStatus: 200, wantBody: []string{`"rows":[[1,"Hal"]]`}},
	})
}
