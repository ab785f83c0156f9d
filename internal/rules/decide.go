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
	Grant  int    // index in the role
	Holds  bool
	Reason string
}

// String names the grant, as the audit does: "hr grants[0]".
func (d Decision) String() string {
	if d.Role == "" {
		return d.Reason
	}
	return grantName(d.Role, d.Grant)
}

func grantName(role string, index int) string { return fmt.Sprintf("%s grants[%d]", role, index) }

// Decide lists what decides about an action on an entity in one state: the permission alone if there is one, else every grant for the
// action and the kind. The rights are those of NodeRights or EdgeRights.
func (v *View) Decide(action Action, kind graph.Kind, names []string, p graph.Properties) (Rights, []Decision) {
	if v.AllowsAll(action) {
		return Rights{all: true}, []Decision{permissionDecision(action)}
	}
	var decisions []Decision
	for i := range v.grants {
		g := &v.grants[i]
		if g.Kind != kind || !slices.Contains(g.Actions, action) {
			continue
		}
		reason := g.obstacle(names, p)
		d := Decision{Role: g.role, Grant: g.index, Holds: reason == "", Reason: reason}
		if d.Holds {
			d.Reason = "it holds"
		}
		decisions = append(decisions, d)
	}
	return v.rights(kind, action, names, p), decisions
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
		if !matches(c, p) {
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

// Names lists the grants that hold, as the audit names them; nil if a permission allows everything.
func (r Rights) Names() []string {
	var names []string
	for _, g := range r.grants {
		if name := grantName(g.role, g.index); !slices.Contains(names, name) { // the rights before and after a change may be by one grant
			names = append(names, name)
		}
	}
	return names
}

// Refusal is the cause of a refused change, for the audit: the grants that hold and still forbid it, because they hide or protect a
// property. None means that no grant holds; Decided then says why each of them does not, where it is known.
type Refusal struct {
	Grants  []string
	Decided []Decision
}

// Decisions says what decided: the grants that hold and forbid it, or why each grant does not hold.
func (r Refusal) Decisions() []Decision {
	decided := r.Decided
	for _, name := range r.Grants {
		decided = append(decided, Decision{Holds: true, Reason: name + " holds, and hides or protects the property"})
	}
	return decided
}

// Error names the grants.
func (r Refusal) Error() string {
	if len(r.Grants) == 0 {
		return "no grant"
	}
	return strings.Join(r.Grants, ", ")
}
