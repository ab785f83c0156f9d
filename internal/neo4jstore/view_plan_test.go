package neo4jstore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
)

// The grants of a view are tested on each entity that a list reads. Of an OR of tests of labels the planner would make a union of a scan
// for each label, and a page would read most of them to their ends.
func TestAPageReadsNoUnionOfTheGrantedTypes(t *testing.T) {
	db := neo4jtest.Open(t)
	db.SeedForeign(t, 3000, 3000)
	condition := cypher.Condition{Operator: "eq", Key: cypher.Quote("name")}
	scopes := []cypher.Scope{{Conditions: []cypher.Condition{condition}}}
	for i, label := range []string{"Actor", "Back`tick", "Company", "City"} {
		scopes = append(scopes, cypher.Scope{Types: []string{label}, Conditions: []cypher.Condition{condition}, First: i + 1})
	}
	together := []cypher.Scope{{Types: []string{"Actor", "City", "Company"}, Conditions: []cypher.Condition{condition}}}
	id, internal := cypher.Quote("uuid"), cypher.QuoteAny([]string{"_GraphrestUser"})
	for _, c := range []struct {
		statement cypher.Statement
		slots     cypher.Slots
	}{
		{cypher.ListNodesFirst, cypher.Slots{
			"type": cypher.Quote("Person"), "id": id, "internal": internal, "where": cypher.InScopes(cypher.NodeEntity, scopes),
		}},
		{cypher.ListNodesFirst, cypher.Slots{
			"type": cypher.Quote("Person"), "id": id, "internal": internal, "where": cypher.InScopes(cypher.NodeEntity, together),
		}},
		{cypher.ListEdgesFirst, cypher.Slots{
			"type": cypher.Quote("KNOWS"), "id": id, "internal": internal, "ends": cypher.NoEnds,
			"where": cypher.And([]cypher.Fragment{cypher.InScopes(cypher.SourceEntity, scopes), cypher.InScopes(cypher.TargetEntity, scopes)}),
		}},
	} {
		_, summary := explain(t, db, c.statement.Text(c.slots).String())
		operators := operatorsOf(t, summary.Plan())
		for _, one := range []string{"OrderedUnion", "Union", "OrderedDistinct", "Distinct"} {
			require.NotContains(t, operators, one, c.statement.Name)
		}
	}
}
