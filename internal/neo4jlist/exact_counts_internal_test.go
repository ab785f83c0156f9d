package neo4jlist

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
)

// TestAnExactCountNoticesANewInternalLabel: a count by names that were read before a label came into use runs again with the label.
func TestAnExactCountNoticesANewInternalLabel(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	core := neo4jentitytest.Open(t, db)
	exact := New(core).sources.exact
	texts := newListTexts(newListQuery(graph.NodeKind, graph.EdgeQuery{}), core.Texts, nil)
	totals := &listTotals{client: core.Client, exact: exact, texts: texts}
	db.Exec(t, "CREATE (:Seen), (:Seen)", nil)
	names, err := exact.exclusions.ExclusionNow(t.Context())
	require.NoError(t, err)
	db.Exec(t, "CREATE (:Seen:_GraphrestNewest)", nil)
	exact.exclusions.Exclusions.Put(names, time.Now()) // however long that took
	old, err := exact.countUnverified(t.Context(), "Seen", func(_ *neo4jentity.Exclusion, parts internalParts) cypher.Text {
		return texts.total("Seen", parts)
	})
	require.NoError(t, err)
	require.EqualValues(t, 3, old.count, "the names are not old")
	total, err := totals.countType(t.Context(), "Seen")
	require.NoError(t, err)
	require.EqualValues(t, 2, total)
}
