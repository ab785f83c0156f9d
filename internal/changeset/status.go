package changeset

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"graphrest/internal/fault"
)

// Status is the status of a change set.
type Status string

// The statuses. The last three are final.
const (
	Open      Status = "open"
	Approved  Status = "approved"
	Applied   Status = "applied"
	Rejected  Status = "rejected"
	Withdrawn Status = "withdrawn"
)

// Statuses lists every status.
func Statuses() []string {
	return []string{string(Open), string(Approved), string(Applied), string(Rejected), string(Withdrawn)}
}

// Final reports whether nothing changes the status any more.
func (s Status) Final() bool { return s != Open && s != Approved }

// Action is what somebody does with a change set.
type Action string

// The actions.
const (
	Propose  Action = "propose"
	Edit     Action = "edit"
	Approve  Action = "approve"
	Reject   Action = "reject"
	Withdraw Action = "withdraw"
	Apply    Action = "apply"
)

// transitions are the statuses in which an action is allowed, each with the status that it leads to.
var transitions = map[Action]map[Status]Status{
	Propose:  {"": Open},
	Edit:     {Open: Open, Approved: Open},
	Approve:  {Open: Approved},
	Reject:   {Open: Rejected, Approved: Rejected},
	Withdraw: {Open: Withdrawn, Approved: Withdrawn},
	Apply:    {Approved: Applied},
}

// After returns the status after an action. CONFLICT: the status does not allow it.
func (s Status) After(a Action) (Status, error) {
	if next, allowed := transitions[a][s]; allowed {
		return next, nil
	}
	var from []string
	for _, status := range slices.Sorted(maps.Keys(transitions[a])) {
		from = append(from, string(status))
	}
	return s, fault.New(fault.Conflict, fmt.Sprintf("The change set is %s; to %s it, it must be %s", s, a, strings.Join(from, " or ")))
}

// NeedsPermissions reports whether the action needs every permission that the operations need.
func (a Action) NeedsPermissions() bool { return a == Approve || a == Reject || a == Apply }

// CheckUser reports whether a user may do something with a change set of an author, besides the permissions that its operations need.
// selfApproval lets authors approve and reject their own. PERMISSION_DENIED.
func CheckUser(a Action, author, who User, selfApproval bool) error {
	own := author.ID == who.ID
	switch a {
	case Edit, Withdraw:
		if !own {
			return fault.New(fault.PermissionDenied, "Permission denied: only its author may "+string(a)+" a change set")
		}
	case Approve, Reject:
		if author.isSamePerson(who) && !selfApproval {
			return fault.New(fault.PermissionDenied, "Permission denied: another user must "+string(a)+" your change set")
		}
	}
	return nil
}
