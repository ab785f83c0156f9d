package neo4jstore_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Which of several shortest paths a user gets does not depend on edges that the user does not see.
func TestHiddenEdgesDoNotChooseThePath(t *testing.T) {
	s, db := open(t, nil)
	grants, f := rules.ParseGrants("grants",
		`[{"kind":"node","type":"*","actions":["read"]},{"kind":"edge","type":"ROAD","actions":["read"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	db.Exec(t, `CREATE (s:City {name: 'start'}), (e:City {name: 'end'})
		WITH s, e UNWIND range(1, 30) AS i CREATE (m:City {name: 'between ' + i}) WITH s, e, collect(m) AS between
		UNWIND reverse(between) AS m CREATE (s)-[:ROAD]->(m) CREATE (m)-[:ROAD]->(e)`, nil)
	element := func(name string) string {
		return db.Query(t, "MATCH (n:City {name: $name}) RETURN elementId(n) AS id", map[string]any{"name": name})[0]["id"].(string)
	}
	answers := func() (found [][]string) {
		for _, all := range []bool{false, true} {
			for _, direction := range []graph.Direction{graph.Out, graph.Both} {
				g, err := s.Walks.Paths(ctx, graph.PathQuery{
					SourceID: element("start"), TargetID: element("end"), Direction: direction, MaxDepth: 4, All: all,
				})
				require.NoError(t, err)
				require.False(t, g.Truncated)
				found = append(found, g.Paths...)
			}
		}
		return found
	}
	want := answers()
	require.Len(t, want, 2+2*30)
	for _, hidden := range []string{"start", "end", "between 1", "between 7"} {
		db.Exec(t, "MATCH (n:City {name: $name}) UNWIND range(1, 120) AS i CREATE (n)-[:HIDDEN]->(:City), (n)<-[:HIDDEN]-(n)",
			map[string]any{"name": hidden})
		require.Equal(t, want, answers(), fmt.Sprint("with hidden edges of ", hidden))
	}
	db.Exec(t, "MATCH ()-[r:HIDDEN]->() DELETE r", nil)
	require.Equal(t, want, answers())
}
