package neo4jstore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
)

// TestAnExactCountNoticesANewInternalLabel: a count by names that were read before a label came into use runs again with the label.
func TestAnExactCountNoticesANewInternalLabel(t *testing.T) {
	client, db := openClient(t)
	schema, spawn := openSchema(t, client)
	exact := &exactCounter{client: client, exclusions: newExclusionCache(client, spawn), counts: schema.Counts}
	texts := newListTexts(newListQuery(nodes, graph.EdgeQuery{}), textsOf(defaultConfig()), nil)
	totals := &listTotals{client: client, exact: exact, texts: texts}
	db.Exec(t, "CREATE (:Seen), (:Seen)", nil)
	names, err := exact.exclusions.exclusionNow(t.Context())
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Seen:_GraphrestNewest)", nil)
	exact.exclusions.exclusions.Put(names, time.Now()) // however long that took
	old, err := exact.countUnverified(t.Context(), "Seen", func(_ *exclusion, parts internalParts) cypher.Text {
		return texts.total("Seen", parts)
	})
	require.NoError(t, err)
	require.EqualValues(t, 3, old.count, "the names are not old")
	total, err := totals.countType(t.Context(), "Seen")
	require.NoError(t, err)
	require.EqualValues(t, 2, total)
}
