package neo4jstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
	"graphrest/internal/graph"
	"graphrest/internal/testmark"
	"graphrest/internal/typedjson"
)

// The zone data of Neo4j and of Go differ before 1970. Neo4j's own text of a date-time means the instant that is stored, what the gateway
// writes is read back as the same instant, and Neo4j shows the same clock for it.
func TestZonesBefore1970(t *testing.T) {
	testmark.EveryRelease(t)
	s, db := open(t, nil)
	rows := db.Query(t, `UNWIND ['Europe/Amsterdam', 'Europe/Berlin', 'Europe/Oslo', 'Europe/Stockholm', 'Atlantic/Reykjavik', 'Africa/Accra',
			'America/Montreal', 'Asia/Kuala_Lumpur', 'Pacific/Pohnpei', 'Antarctica/Syowa'] AS zone
		UNWIND [1850, 1905, 1921, 1935, 1944, 1958, 1969, 1970, 1985, 2024] AS year UNWIND [1, 7] AS month
		WITH datetime({year: year, month: month, day: 1, hour: 12, timezone: zone}) AS d
		RETURN d, toString(d) AS text`, nil)
	require.Len(t, rows, 200)
	different := 0
	for _, row := range rows {
		stored, text := bolt.FromDriver(row["d"]), row["text"].(string)
		parsed, f := typedjson.ParseValue("v", fmt.Sprintf(`{"$type":"ZonedDateTime","_value":%q}`, text))
		require.Nil(t, f, text)
		require.Equal(t, stored, parsed, text)
		written := string(typedjson.AppendValue(nil, stored))
		parsed, f = typedjson.ParseValue("v", written)
		require.Nil(t, f, written)
		require.Equal(t, stored, parsed, written)
		if !strings.Contains(written, strings.TrimSuffix(text, "]")) {
			different++
		}
		made, err := s.CreateNode(t.Context(), graph.NewNode{Type: "Person", Properties: graph.Properties{"at": parsed, "text": text}})
		require.NoError(t, err, text)
		require.NotEmpty(t, made.Entity.ID)
	}
	require.Positive(t, different)
	require.EqualValues(t, len(rows), db.Count(t, "MATCH (n:Person) WHERE toString(n.at) = n.text RETURN count(n)", nil))
}
