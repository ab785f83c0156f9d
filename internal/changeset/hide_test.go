package changeset_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// Of an error's details those stay that are about what the diff shows; one stands for all others.
func TestHideParts(t *testing.T) {
	operations := []graph.Operation{
		update(id("a"), graph.Properties{"n": nil}), create("new"), update(ref("new"), graph.Properties{"n": int64(3)}),
	}
	state := &changeset.State{Properties: graph.Properties{"n": int64(1)}}
	shown := changeset.Diff{Entities: []*changeset.Entity{
		{Kind: graph.NodeKind, ID: "a", Operation: 0, Before: state, After: &changeset.State{}},
		{Kind: graph.NodeKind, ID: "gone"},
		{Kind: graph.NodeKind, Ref: "new", Operation: 1, After: state},
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
		{"operations[1].type", true},
		{"operations[1].properties.n", true},
		{"operations[2].properties.n", true},
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
	plain := fault.New(fault.Conflict, "It is open")
	require.Equal(t, error(plain), changeset.HideParts(plain, operations, changeset.Diff{}))
	require.NoError(t, changeset.HideParts(nil, operations, shown))
}

// If the diff does not show all operations, all failures have one answer.
func TestHidePartsOfHiddenOperations(t *testing.T) {
	seen := update(id("a"), graph.Properties{"n": int64(2)})
	state := &changeset.State{Properties: graph.Properties{"n": int64(1)}}
	shown := changeset.Diff{Entities: []*changeset.Entity{{Kind: graph.NodeKind, ID: "a", Before: state, After: state}}}
	conflict := changeset.NewConflictError(changeset.Conflict{Operation: 0, ID: "a", Message: "was changed since"})
	require.Equal(t, error(conflict), changeset.HideParts(conflict, []graph.Operation{seen}, shown))
	var answers []*fault.Error
	for _, hidden := range []graph.Operation{
		update(id("secret"), graph.Properties{"n": int64(1)}), connect("edge", id("a"), id("secret")), create("new"),
		update(id("a"), graph.Properties{"salary": int64(9)}), update(id("a"), graph.Properties{"salary": nil}),
	} {
		for _, err := range []error{
			conflict, changeset.NewConflictError(changeset.Conflict{Operation: 1, ID: "secret", Message: changeset.MissingEnd}),
			fault.New(fault.PermissionDenied, "salary", fault.Detail{Field: "operations[0].properties.n", Message: "is read-only"}),
			fault.New(fault.Validation, "salary", fault.Detail{Field: "operations[1].type", Message: "is secret"}),
		} {
			answer := changeset.HideParts(err, []graph.Operation{seen, hidden}, shown)
			var conflicts *changeset.ConflictError
			require.NotErrorAs(t, answer, &conflicts)
			answers = append(answers, fault.As(answer))
		}
	}
	for _, answer := range answers {
		require.Equal(t, fault.PermissionDenied, answer.Code)
		require.Equal(t, answers[0].Message, answer.Message)
		require.Equal(t, answers[0].Details, answer.Details)
		require.Equal(t, "operations", answer.Details[0].Field)
	}
	later := fault.New(fault.DatabaseUnavailable, "later", fault.Detail{Field: "operations[1].type"}).RetryAfter(time.Second)
	require.Equal(t, fault.DatabaseUnavailable, fault.CodeOf(changeset.HideParts(later, []graph.Operation{seen, create("new")}, shown)))
}
