package benchlarge

import (
	"context"
	"fmt"

	"graphrest/internal/bench"
)

// facts are the values that questions use: names, element ids and cursors, by the name that is in braces in a question's path
// and after a dollar sign in its Cypher.
type facts map[string]string

// findFacts reads from the database which entities the questions are about.
func findFacts(ctx context.Context, db *bench.Database) (facts, error) {
	f := facts{
		"largest": nodeTypes[0], "middle": nodeTypes[typeCount/2], "smallest": nodeTypes[typeCount-1],
		"LARGEST": edgeTypes[0], "MIDDLE": edgeTypes[typeCount/2], "SMALLEST": edgeTypes[typeCount-1],
		"common": commonStatus, "rare": rareStatus, "none": noStatus,
	}
	for name, code := range map[string]string{"hub": hubCode, "island": "ISLAND0"} {
		if err := f.find(ctx, db, name, "MATCH (n:Person) WHERE n.code = $code RETURN elementId(n)", map[string]any{"code": code}); err != nil {
			return nil, err
		}
	}
	// Two Persons with a typical number of relationships, the second from the half in random order, as a live system writes it.
	// Users with roles see only Persons of the common status.
	ordinary := `MATCH (n:Person) WHERE n.code STARTS WITH 'N' AND n.status = $common
AND COUNT { (n)--(:Person) } >= 5 AND COUNT { (n)--() } <= 15 AND COUNT { (n)--(:Person {code: $hub}) } = 0
RETURN elementId(n) ORDER BY n SKIP $skip LIMIT 1`
	for name, skip := range map[string]int{"ordinary": 100, "other": 400} {
		if err := f.find(ctx, db, name, ordinary, map[string]any{"hub": hubCode, "common": commonStatus, "skip": skip}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f facts) find(ctx context.Context, db *bench.Database, name, statement string, params map[string]any) error {
	records, err := db.Run(ctx, statement, params)
	if err != nil {
		return fmt.Errorf("find %s: %w", name, err)
	}
	if len(records) == 0 {
		return fmt.Errorf("find %s: there is no such node", name)
	}
	id, isText := records[0].Values[0].(string)
	if !isText {
		return fmt.Errorf("find %s: %v is no element id", name, records[0].Values[0])
	}
	f[name] = id
	return nil
}

// params returns the facts as parameters of a statement.
func (f facts) params() map[string]any {
	params := make(map[string]any, len(f))
	for name, value := range f {
		params[name] = value
	}
	return params
}

// countEntities returns the number of entities of a node type or relationship type, from the count store.
func countEntities(ctx context.Context, db *bench.Database, pattern string) (int, error) {
	records, err := db.Run(ctx, "MATCH "+pattern+" RETURN count(*)", nil)
	if err != nil {
		return 0, err
	}
	number, _ := records[0].Values[0].(int64)
	return int(number), nil
}
