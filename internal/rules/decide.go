package rules

import (
	"fmt"
	"slices"
	"strings"

	"graphrest/internal/graph"
)

// Decision is what one permission or grant says about an action. Its reason names properties and attributes, never their values.
type Decision struct {
	Role   string // empty for a permission
	Grant  int    // index in the role, or NoGrant
	Holds  bool
	Reason string
}

// EndNotVisible is the reason of a decision about an edge whose ends the user does not both see.
const EndNotVisible = "an end of the edge is not visible"

// NoGrant is the index of a decision of a role that none of its grants makes: what its member queries allows.
const NoGrant = -1

// String names the grant, as the audit does: "hr grants[0]".
func (d Decision) String() string {
	if d.Role == "" {
		return d.Reason
	}
	if d.Grant == NoGrant {
		return d.Role
	}
	return grantName(d.Role, d.Grant)
}

func grantName(role string, index int) string { return fmt.Sprintf("%s grants[%d]", role, index) }

// Decide lists what decides about an action on an entity in one state: the permission alone if there is one, else every grant for the
// action and the kind, or that there is none. The rights are those of NodeRights or EdgeRights.
func (v *View) Decide(action Action, kind graph.Kind, names []string, p graph.Properties) (Rights, []Decision) {
	if v.AllowsAll(action) {
		return Rights{all: true}, []Decision{permissionDecision(action)}
	}
	rights := v.rights(kind, action, names, p)
	var decisions []Decision
	for i := range v.grants {
		g := &v.grants[i]
		if g.Kind != kind || !slices.Contains(g.Actions, action) {
			continue
		}
		reason := g.obstacle(names, p)
		if reason == "" && !rights.Granted() { // a create, see rights
			reason = "it does not hold for each label"
		}
		d := Decision{Role: g.role, Grant: g.index, Holds: reason == "", Reason: reason}
		if d.Holds {
			d.Reason = "it holds"
		}
		decisions = append(decisions, d)
	}
	if len(decisions) == 0 {
		decisions = []Decision{{Reason: "no permission and no grant has " + string(action) + " for " + string(kind)}}
	}
	return rights, decisions
}

// Grants lists the permission or the grants for an action on some entities of a kind.
func (v *View) Grants(action Action, kind graph.Kind) []Decision {
	if v.AllowsAll(action) {
		return []Decision{permissionDecision(action)}
	}
	var decisions []Decision
	for i := range v.grants {
		g := &v.grants[i]
		if g.Kind != kind || !slices.Contains(g.Actions, action) {
			continue
		}
		d := Decision{Role: g.role, Grant: g.index, Holds: !g.never, Reason: "it holds for " + g.describe()}
		if g.never {
			d.Reason = g.lacks()
		}
		decisions = append(decisions, d)
	}
	return decisions
}

func permissionDecision(action Action) Decision {
	return Decision{Holds: true, Reason: "the permission " + string(action) + " is for everything"}
}

// obstacle says why a grant does not hold for an entity; empty if it holds.
func (g *boundGrant) obstacle(names []string, p graph.Properties) string {
	switch {
	case g.Type != AnyType && !slices.Contains(names, g.Type):
		return "it is for the type " + g.Type
	case g.never:
		return g.lacks()
	}
	for _, c := range g.conditions {
		if !c.IsMetBy(p[c.Property]) {
			return "its condition where." + c.Property + "." + string(c.Operator) + " is not met"
		}
	}
	return ""
}

// lacks says why a grant can never hold for its user.
func (g *boundGrant) lacks() string {
	for i, c := range g.Where {
		if c.User != "" && (g.conditions[i].Value == nil || !allowsLiteral(c.Operator, g.conditions[i].Value)) {
			return "its condition where." + c.Property + "." + string(c.Operator) + " refers to " + c.User +
				", which the user lacks or which has another kind of value"
		}
	}
	return "it can never hold for this user"
}

// describe says what a grant is for.
func (g *boundGrant) describe() string {
	text := "the type " + g.Type
	if g.Type == AnyType {
		text = "every type"
	}
	var conditions []string
	for _, c := range g.Where {
		conditions = append(conditions, "where."+c.Property+"."+string(c.Operator))
	}
	if len(conditions) > 0 {
		text += " under the condition " + strings.Join(conditions, " and ")
	}
	return text
}

// Refusal is the cause of a refused change, for the audit and explanations: the grants that hold and still forbid it, because they hide or
// protect a property, or why no grant holds.
type Refusal struct{ Decided []Decision }

// Error names the grants that hold.
func (r Refusal) Error() string {
	var names []string
	for _, d := range r.Decided {
		if d.Holds {
			names = append(names, d.String())
		}
	}
	if len(names) == 0 {
		return "no grant"
	}
	return strings.Join(names, ", ")
}
