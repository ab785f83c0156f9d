package benchlarge

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

const matchPath = "/api/match"

const ageIndex = "CREATE INDEX bench_large FOR (n:Person) ON (n.age)"

// matches are the questions over several hops, each with the Cypher of an analyst.
var matches = []struct{ name, body, cypher, index string }{
	{
		"one hop, first page",
		`"match":[[{"as":"a","type":"Person"},{"edge":"WORKS_FOR"},{"as":"c","type":"Company"}]],"columns":["a.name","c.name"]`,
		"MATCH (a:Person)-[:WORKS_FOR]->(c:Company) RETURN DISTINCT a, c, a.name, c.name LIMIT 100", "",
	},
	{
		"two hops from a node", `"match":[[{"as":"a","type":"Person","id":"{ordinary}"},{"edge":"KNOWS"},{"as":"b","type":"Person"},` +
			`{"edge":"KNOWS"},{"as":"c","type":"Person"}]]`,
		"MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE elementId(a) = $ordinary RETURN a, b, c LIMIT 100", "",
	},
	{
		"a condition without an index", `"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33}}},{"edge":"WORKS_FOR"},` +
			`{"as":"c","type":"Company","filter":{"status":{"eq":"closed"}}}]],"columns":["a.name","c.name"]`,
		"MATCH (a:Person)-[:WORKS_FOR]->(c:Company) WHERE a.age = 33 AND c.status = 'closed' RETURN DISTINCT a, c, a.name, c.name LIMIT 100", "",
	},
	{
		"a condition with an index", `"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33}}},{"as":"r","edge":"WORKS_FOR"},` +
			`{"as":"c","type":"Company"}]],"columns":["a.name","c.name"],"sort":["a.name","c.name"]`,
		"MATCH (a:Person)-[r:WORKS_FOR]->(c:Company) WHERE a.age = 33 RETURN a.name, c.name ORDER BY a.name, c.name LIMIT 100", ageIndex,
	},
	{
		"a condition on the edge", `"match":[[{"as":"a","type":"Person"},{"as":"r","edge":"LIKES","filter":{"weight":{"lt":10}}},` +
			`{"as":"b","type":"Account"}]],"columns":["a.name","r.weight","b.name"]`,
		"MATCH (a:Person)-[r:LIKES]->(b:Account) WHERE r.weight < 10 RETURN a.name, r.weight, b.name LIMIT 100", "",
	},
	{
		"groups over two hops", `"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33}}},{"edge":"WORKS_FOR"},` +
			`{"as":"c","type":"Company"}]],"group_by":["c.status"],"measures":[{"op":"count"},{"op":"mean","of":"a.score"}],"sort":["-count"]`,
		"MATCH (a:Person)-[:WORKS_FOR]->(c:Company) WHERE a.age = 33 WITH DISTINCT a, c " +
			"RETURN c.status AS status, count(*) AS n, avg(a.score) AS score ORDER BY n DESC LIMIT 100", "",
	},
	{
		"a count of all of a type", `"match":[[{"as":"a","type":"Company"},{"as":"r","edge":"WORKS_FOR","direction":"in"},` +
			`{"as":"b","type":"Person"}]],"group_by":["a.status"],"measures":[{"op":"count"}],"sort":["-count"]`,
		"MATCH (a:Company)<-[r:WORKS_FOR]-(b:Person) RETURN a.status AS status, count(*) AS n ORDER BY n DESC LIMIT 100", "",
	},
	{
		"one to three hops", `"match":[[{"as":"a","type":"Person","id":"{ordinary}"},{"edge":"KNOWS","hops":[1,3]},` +
			`{"as":"b","type":"Person"}]],"columns":["b.name"]`,
		"MATCH (a:Person)-[:KNOWS]->{1,3}(b:Person) WHERE elementId(a) = $ordinary RETURN DISTINCT b, b.name LIMIT 100", "",
	},
	{
		"what is missing", `"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33}}}]],` +
			`"without":[[{"as":"a"},{"edge":"WORKS_FOR"},{"type":"Company"}]],"columns":["a.name"],"sort":["a.name"]`,
		"MATCH (a:Person) WHERE a.age = 33 AND NOT EXISTS { (a)-[:WORKS_FOR]->(:Company) } RETURN a.name ORDER BY a.name LIMIT 100", "",
	},
	{
		"two chains", `"match":[[{"as":"a","type":"Person","filter":{"age":{"eq":33}}},{"edge":"KNOWS"},{"as":"b","type":"Person"}],` +
			`[{"as":"b"},{"edge":"WORKS_FOR"},{"as":"c","type":"Company"}]],"columns":["a.name","b.name","c.name"]`,
		"MATCH (a:Person)-[:KNOWS]->(b:Person) MATCH (b)-[:WORKS_FOR]->(c:Company) WHERE a.age = 33 " +
			"RETURN DISTINCT a, b, c, a.name, b.name, c.name LIMIT 100", "",
	},
	{
		"edges of the hub", `"match":[[{"as":"h","type":"Person","id":"{hub}"},{"direction":"both"},{"as":"b"}]],"measures":[{"op":"count"}]`,
		"MATCH (h:Person)--(b) WHERE elementId(h) = $hub RETURN count(DISTINCT b)", "",
	},
}

// matchQuestions are asked by the user who may read everything, and again by users with roles.
func matchQuestions() []question {
	var all, ruled []question
	for _, q := range matches {
		asked := question{Name: "match: " + q.name, Path: matchPath, Body: "{" + q.body + "}", Cypher: q.cypher, Index: q.index}
		all = append(all, asked)
		for _, user := range []string{fewGrants, manyGrants} {
			asked := asked
			asked.Name, asked.As = user+": "+asked.Name, user
			ruled = append(ruled, asked)
		}
	}
	return append(all, ruled...)
}

// hitsOf returns the db hits of a question's statement and of the Cypher.
func (r *run) hitsOf(ctx context.Context, q question, body string, params map[string]any) (ours, analyst int64, err error) {
	status, answer, err := r.gateway.Call(ctx, http.MethodPost, q.Path+"?explain=true", r.gateway.readerToken, json.RawMessage(body))
	if err != nil {
		return 0, 0, err
	}
	if status != http.StatusOK {
		return 0, 0, statusError(status, answer)
	}
	var explained struct {
		Data struct {
			Cypher     string         `json:"cypher"`
			Parameters map[string]any `json:"parameters"`
		} `json:"data"`
	}
	decoder := json.NewDecoder(strings.NewReader(string(answer)))
	decoder.UseNumber()
	if err := decoder.Decode(&explained); err != nil {
		return 0, 0, err
	}
	if ours, err = r.db.Hits(ctx, explained.Data.Cypher, driverValues(explained.Data.Parameters)); err != nil {
		return 0, 0, err
	}
	analyst, err = r.db.Hits(ctx, q.Cypher, params)
	return ours, analyst, err
}

// bodyOf is the body of a question with the facts.
func (r *run) bodyOf(q question) string {
	body := q.Body
	for name, value := range r.facts {
		body = strings.ReplaceAll(body, "{"+name+"}", value)
	}
	return body
}

// driverValues are parameters with the numbers of a JSON text as the driver's integers and floats.
func driverValues(parameters map[string]any) map[string]any {
	for name, value := range parameters {
		parameters[name] = driverValue(value)
	}
	return parameters
}

func driverValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return driverValues(value)
	case json.Number:
		if integer, err := value.Int64(); err == nil {
			return integer
		}
		float, _ := value.Float64()
		return float
	}
	return value
}
