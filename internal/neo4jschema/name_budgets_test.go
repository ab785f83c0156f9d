package neo4jschema

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestASpentBudgetIsCachedForItsTTL(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	midnight := time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC)
	c := NameLimits{NewTypes: 2, NewKeys: 5}
	var s spentBudgets
	oneKey, oneType := NewNames{Keys: []string{"k"}}, NewNames{Labels: []string{"L"}}
	require.NoError(t, s.check("ann", oneKey, c, now), "no budget of ann is cached")
	s.put("ann", spentBudget{types: 1, keys: 5, renewsAt: midnight}, now)
	require.ErrorContains(t, s.check("ann", oneKey, c, now), "Invalid input")
	require.NoError(t, s.check("ann", oneType, c, now), "one type fits")
	require.Error(t, s.check("ann", NewNames{Labels: []string{"L"}, Types: []string{"T"}}, c, now), "two do not fit")
	require.NoError(t, s.check("bob", oneKey, c, now))
	require.Error(t, s.check("ann", oneKey, c, now.Add(spentTTL-1)))
	require.NoError(t, s.check("ann", oneKey, c, now.Add(spentTTL)), "the entry has expired")

	require.NoError(t, s.check("ann", oneType, NameLimits{}, now.Add(spentTTL)), "the entry was dropped")

	s.put("ann", spentBudget{types: 9, keys: 5, renewsAt: midnight}, now)
	require.NoError(t, s.check("ann", oneKey, NameLimits{NewTypes: 2, NewKeys: 6}, now),
		"a request without a new type is not limited by the budget of types")

	s.put("ann", spentBudget{keys: 5, renewsAt: midnight}, midnight.Add(-time.Second))
	require.Error(t, s.check("ann", oneKey, c, midnight.Add(-1)))
	require.NoError(t, s.check("ann", oneKey, c, midnight), "a new day")

	for i := range 3 * maxSpentBudgets {
		s.put(fmt.Sprint("user", i), spentBudget{keys: 5, renewsAt: midnight}, now)
		require.LessOrEqual(t, len(s.byUser), maxSpentBudgets)
	}
	require.Error(t, s.check(fmt.Sprint("user", 3*maxSpentBudgets-1), oneKey, c, now))
}
