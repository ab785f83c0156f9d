package neo4jstore

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Every statement, with names that contain every slot's braces in all its slots for names, is still one valid statement with the access of
// its header. The names contain everything that could end a name: quotes, backticks, comment marks, \u escapes.
func TestStatementsStayValidWithHostileNames(t *testing.T) {
	testmark.Long(t)
	db := neo4jtest.OpenPrepared(t)
	var braces strings.Builder
	for _, s := range cypher.All() {
		for _, slot := range s.Slots {
			if !strings.Contains(braces.String(), "{{"+slot+"}}") {
				braces.WriteString("{{" + slot + "}}")
			}
		}
	}
	hostile := cypher.Quote("x`" + braces.String() + `\u0060 \ ' " // /* */ ; ` + "\n} RETURN 1")
	for _, statement := range cypher.All() {
		t.Run(statement.Folder+"/"+statement.Name, func(t *testing.T) {
			slots := planSlots(t, statement)
			for slot, filled := range slots {
				if strings.HasPrefix(filled.String(), "`") && slot != "properties" {
					slots[slot] = hostile
				}
			}
			for slot := range slots { // fragments that contain names
				switch slot {
				case "where":
					slots[slot] = cypher.Where(variableOf(statement), []cypher.Condition{{Operator: "ne", Key: hostile}, {Operator: "icontains"}})
					if slices.Contains(statement.Slots, "order") && !aggregates(statement) && !strings.Contains(statement.Name, "_sorted") {
						slots[slot] = cypher.And([]cypher.Fragment{slots[slot], cypher.EdgeAfterID(hostile), cypher.EdgeAfter()})
						slots["order"] = cypher.EdgeOrder(hostile, true, true)
					}
				case "listed":
					if slots[slot] = (cypher.Listed{Under: true, WithoutID: true}).Nodes(hostile); variableOf(statement) == cypher.EdgeVariable {
						slots[slot] = cypher.Listed{WithoutID: true}.Edges(hostile)
					}
				case "ends":
					slots[slot] = cypher.EndNames(hostile) // the keys of cypher.EndKeys are parameters
				case "content":
					slots[slot] = cypher.SomeContent(variableOf(statement), hostile, []string{"a{{id}}`", braces.String()})
				case "held":
					slots[slot] = cypher.Held(variableOf(statement), []string{"a{{id}}`", braces.String()})
				case "properties":
					slots[slot] = cypher.Keys(variableOf(statement), []string{"a{{id}}`", braces.String()})
				}
			}
			if aggregates(statement) { // one key of a measure is a parameter
				key := cypher.Aggregated{Key: hostile}
				maps.Copy(slots, cypher.Aggregation(variableOf(statement), &key, cypher.ByValue, []cypher.Aggregated{key, {}}))
			}
			text := statement.Text(slots).String()
			require.ElementsMatch(t, statement.Params, paramsOf(strings.ReplaceAll(text, "$x", "")), "parameters")
			_, summary := explain(t, db, text)
			require.Contains(t, accessOf[statement.Access], summary.StatementType(), "access")
		})
	}
}

func aggregates(s cypher.Statement) bool { return slices.Contains(s.Slots, "measures") }

func variableOf(s cypher.Statement) cypher.Variable {
	if strings.Contains(s.Name, "edge") || strings.Contains(s.Name, "relationship") {
		return cypher.EdgeVariable
	}
	return cypher.NodeVariable
}
