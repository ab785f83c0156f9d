package neo4jmatch

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jentitytest"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/pattern"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// TestAQuestionDoesNotNameWhatRulesHide: its text does not tell whether the graph has a property that is hidden on all entities.
func TestAQuestionDoesNotNameWhatRulesHide(t *testing.T) {
	db := neo4jtest.OpenPrepared(t)
	db.Exec(t, "CREATE (:Person {age: 1, secret: 's'})-[:KNOWS {secret: 's'}]->(:Person {age: 2})", nil)
	grants, f := rules.ParseGrants("grants", `[{"kind":"node","type":"*","actions":["read"],"hidden":["secret","ghost"]},
		{"kind":"edge","type":"*","actions":["read"],"hidden":["secret","ghost"]}]`)
	require.Nil(t, f)
	ctx := rules.WithView(t.Context(), rules.NewView(rules.User{}, nil, []rules.Role{{Name: "r", Grants: grants}}))
	ms := New(neo4jentitytest.Open(t, db))
	_, err := ms.names.ReadUse(ctx)
	require.NoError(t, err)
	for _, question := range []string{
		`{"match":[[{"as":"a","type":"Person","filter":{"secret":{"eq":"s"},"age":{"gt":1}}},
			{"as":"r","filter":{"secret":{"eq":"s"}}},{"as":"b"}]]}`,
		`{"match":[[{"as":"a","type":"Person"}]],"columns":["a.secret","a.age","a.other"],"sort":["-a.secret"]}`,
		`{"match":[[{"as":"a","type":"Person"}]],"group_by":["a.secret"],"measures":[{"op":"sum","of":"a.secret"}]}`,
	} {
		missing := statementOf(ctx, t, ms, strings.ReplaceAll(question, "secret", "ghost"))
		require.Equal(t, missing.text, statementOf(ctx, t, ms, question).text)
	}
}

// statementOf is the statement of a question, which the database can plan.
func statementOf(ctx context.Context, t *testing.T, ms *Matches, question string) *matchStatement {
	t.Helper()
	tree, f := typedjson.ParseTree("", question)
	require.Nil(t, f)
	q, f := pattern.Parse("", tree, nil)
	require.Nil(t, f)
	s, err := ms.compose(ctx, q)
	require.NoError(t, err)
	_, err = ms.client.ExplainPlan(ctx, s.text, s.params)
	require.NoError(t, err)
	return s
}
