package changeset_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/changeset"
	"graphrest/internal/fault"
)

// Every action in every status. What is not listed is a conflict that says which status the action needs.
func TestStatusMachine(t *testing.T) {
	const open, approved, applied = changeset.Open, changeset.Approved, changeset.Applied
	const rejected, withdrawn = changeset.Rejected, changeset.Withdrawn
	allowed := map[changeset.Action]map[changeset.Status]changeset.Status{
		changeset.Edit:     {open: open, approved: open},
		changeset.Approve:  {open: approved},
		changeset.Reject:   {open: rejected, approved: rejected},
		changeset.Withdraw: {open: withdrawn, approved: withdrawn},
		changeset.Apply:    {approved: applied},
	}
	for action, from := range allowed {
		for _, name := range changeset.Statuses() {
			t.Run(fmt.Sprintf("%s while %s", action, name), func(t *testing.T) {
				status := changeset.Status(name)
				next, err := status.After(action)
				if want, is := from[status]; is {
					require.NoError(t, err)
					require.Equal(t, want, next)
					return
				}
				require.Equal(t, fault.Conflict, fault.CodeOf(err))
				require.ErrorContains(t, err, "The change set is "+name)
				for needed := range from {
					require.ErrorContains(t, err, string(needed))
				}
			})
		}
	}
	for _, name := range changeset.Statuses() {
		status := changeset.Status(name)
		require.Equal(t, status != open && status != approved, status.Final(), name)
		_, err := status.After(changeset.Propose)
		require.Error(t, err)
	}
}

func TestCheckUser(t *testing.T) {
	author, other := changeset.User{ID: "1", Name: "ann"}, changeset.User{ID: "2", Name: "ann"} // a name can be used again
	for _, test := range []struct {
		action           changeset.Action
		own, others      bool
		ownIfSelfApprove bool
	}{
		{changeset.Edit, true, false, true},
		{changeset.Withdraw, true, false, true},
		{changeset.Approve, false, true, true},
		{changeset.Reject, false, true, true},
		{changeset.Apply, true, true, true},
	} {
		t.Run(string(test.action), func(t *testing.T) {
			check := func(want bool, who changeset.User, selfApproval bool) {
				err := changeset.CheckUser(test.action, author, who, selfApproval)
				require.Equal(t, want, err == nil, "%v", err)
				if err != nil {
					require.Equal(t, fault.PermissionDenied, fault.CodeOf(err))
				}
			}
			check(test.own, author, false)
			check(test.others, other, false)
			check(test.ownIfSelfApprove, author, true)
			check(test.others, other, true)
		})
	}
}

func TestRecord(t *testing.T) {
	at := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
	record := func(s changeset.Set, a changeset.Action) changeset.Set {
		at = at.Add(time.Second)
		next, err := s.Record(changeset.Event{At: at, Action: a, User: changeset.User{Name: "ann"}})
		require.NoError(t, err)
		require.Equal(t, at, next.UpdatedAt)
		require.Equal(t, s.Version+1, next.Version)
		require.NotEqual(t, s.Revision(), next.Revision())
		return next
	}
	s := record(changeset.Set{}, changeset.Propose)
	edited := record(record(s, changeset.Edit), changeset.Edit)
	require.Len(t, s.Events, 1, "a change set that was read is not changed")
	require.Len(t, edited.Events, 2, "consecutive edits are one event")
	require.Equal(t, at, edited.Events[1].At)
	approved := record(edited, changeset.Approve)
	require.Equal(t, changeset.Approved, approved.Status)
	commented := approved
	commented.Comments = append(commented.Comments, changeset.Comment{})
	require.NotEqual(t, approved.Revision(), commented.Revision(), "an approver can insist on having read all comments")
	again := record(approved, changeset.Edit)
	require.Equal(t, changeset.Open, again.Status)
	for len(again.Events) < 200 {
		again = record(record(again, changeset.Approve), changeset.Edit)
	}
	_, err := record(again, changeset.Approve).Record(changeset.Event{Action: changeset.Edit})
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "events do not fill the database")
	require.True(t, strings.Contains(err.Error(), "propose another"))
	require.Equal(t, changeset.Rejected, record(again, changeset.Reject).Status)
}

// A service token and who made it may be one person, and so may two service tokens that one administrator made.
func TestNobodyApprovesTheirOwnByAServiceToken(t *testing.T) {
	maker, other := changeset.User{ID: "1", Name: "ann"}, changeset.User{ID: "2", Name: "bob"}
	token := changeset.User{ID: "3", Name: "token:a", MakerID: "1"}
	second := changeset.User{ID: "4", Name: "token:b", MakerID: "1"}
	byCommand := changeset.User{ID: "5", Name: "token:c"} // made on the command line
	for _, action := range []changeset.Action{changeset.Approve, changeset.Reject} {
		for _, pair := range [][2]changeset.User{{maker, token}, {token, maker}, {token, second}, {token, token}} {
			require.Error(t, changeset.CheckUser(action, pair[0], pair[1], false), "%v", pair)
			require.NoError(t, changeset.CheckUser(action, pair[0], pair[1], true))
		}
		for _, pair := range [][2]changeset.User{{maker, other}, {other, token}, {token, other}, {maker, byCommand}} {
			require.NoError(t, changeset.CheckUser(action, pair[0], pair[1], false), "%v", pair)
		}
	}
}
