package changeset_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Of an error's details those stay that are about what the diff shows; one stands for all others.
func TestHideParts(t *testing.T) {
	operations := []graph.Operation{
		update(id("a"), graph.Properties{"n": nil, "salary": int64(9)}), update(id("secret"), graph.Properties{"code": int64(1)}), create("new"),
		connect("edge", id("a"), id("secret")), update(ref("new"), graph.Properties{"n": int64(3)}),
	}
	state := &changeset.State{Properties: graph.Properties{"n": int64(1)}}
	shown := changeset.Diff{Entities: []*changeset.Entity{
		{Kind: graph.NodeKind, ID: "a", Operation: 0, Before: state, After: &changeset.State{}},
		{Kind: graph.NodeKind, ID: "gone", Operation: 1},
		{Kind: graph.NodeKind, Ref: "new", Operation: 2, After: state},
	}}
	for _, c := range []struct {
		field string
		shown bool
	}{
		{"operations[0].op", true},
		{"operations[0].id", true},
		{"operations[0].properties.n", true},
		{"operations[0].properties.n[2]", true},
		{"operations[0].properties.salary", false},
		{"operations[1].op", false},
		{"operations[1]", false},
		{"operations[2].type", true},
		{"operations[2].properties.n", true},
		{"operations[3].source_id", false},
		{"operations[4].properties.n", true},
		{"operations[5].op", false},
		{"operations[-1].op", false},
		{"properties.salary", false},
		{"operations", false},
	} {
		t.Run(c.field, func(t *testing.T) {
			cause := errors.New("cause")
			f := fault.As(changeset.HideParts(
				fault.Wrap(cause, fault.Validation, "about salary", fault.Detail{Field: c.field, Message: "secret"}), operations, shown,
			))
			require.Equal(t, fault.Validation, f.Code)
			require.ErrorIs(t, f, cause)
			require.Len(t, f.Details, 1)
			if c.shown {
				require.Equal(t, fault.Detail{Field: c.field, Message: "secret"}, f.Details[0])
				return
			}
			require.Equal(t, "operations", f.Details[0].Field)
			require.NotContains(t, f.Message+f.Details[0].Message, "salary")
		})
	}
	var conflicts *changeset.ConflictError
	err := changeset.HideParts(changeset.NewConflictError(
		changeset.Conflict{Operation: 0, ID: "a", Message: "was changed since"}, changeset.Conflict{Operation: 1, ID: "secret", Message: "x"},
		changeset.Conflict{Operation: 3, ID: "secret", Message: changeset.MissingEnd},
	), operations, shown)
	require.ErrorAs(t, err, &conflicts)
	require.Equal(t, []changeset.Conflict{{Operation: 0, ID: "a", Message: "was changed since"}}, conflicts.Conflicts)
	require.Len(t, fault.As(err).Details, 2)
	plain := fault.New(fault.Conflict, "It is open")
	require.Equal(t, error(plain), changeset.HideParts(plain, operations, changeset.Diff{}))
	require.NoError(t, changeset.HideParts(nil, operations, shown))
}
