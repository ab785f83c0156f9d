package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// Rules states how a route obeys the rules of roles. Its zero value states nothing, and newRoute panics on it.
type Rules struct {
	mode  rulesMode
	kinds []graph.Kind
}

type rulesMode int

const (
	rulesUnset rulesMode = iota
	rulesNone
	rulesPermission
	rulesObeyed
)

var (
	// noRules is for routes that show and change nothing of the graph.
	noRules = Rules{mode: rulesNone}
	// needsPermission is for routes that do not obey rules: only users with the permission for everything may use them.
	needsPermission = Rules{mode: rulesPermission}
)

// rulesApplied is for routes that show and change only what the view of their user allows (rules.ViewOf), of the kinds that they concern.
func rulesApplied(kinds ...graph.Kind) Rules {
	return Rules{mode: rulesObeyed, kinds: kinds}
}

// String returns "none", "permission", or the kinds that rules are applied to.
func (r Rules) String() string {
	switch r.mode {
	case rulesNone:
		return "none"
	case rulesPermission:
		return "permission"
	default:
		return strings.Join(mapSlice(r.kinds, func(k graph.Kind) string { return string(k) }), ", ")
	}
}

// allows reports whether a view grants an action on some entities of a kind of the route. A principal without a view has all permissions.
func (r Rules) allows(v *rules.View, action auth.Permission) bool {
	return slices.ContainsFunc(r.kinds, func(k graph.Kind) bool { return r.grants(v, action, k) })
}

// grants reports whether a view grants an action on some entities of a kind.
func (r Rules) grants(v *rules.View, action auth.Permission, kind graph.Kind) bool {
	return r.mode == rulesObeyed && v != nil && slices.Contains(r.kinds, kind) && v.Allows(rules.Action(action), kind)
}

// Allows reports whether a principal with a valid token may use the route: by its access, or by a grant for some entities.
func (r Route) Allows(p auth.Principal) bool {
	return r.Access.Allows(p) || r.Access.kind == accessPermission && !(r.Access.noServices && p.ServiceToken) &&
		slices.ContainsFunc(r.Access.permissions, func(want auth.Permission) bool { return r.Rules.allows(p.View, want) })
}

// lacksExtra returns the additional permission of a request that a principal lacks; empty if there is none. Where rules are obeyed a grant
// for some entities suffices.
func (r Route) lacksExtra(request *http.Request, p auth.Principal) auth.Permission {
	if r.extraPermission == nil {
		return ""
	}
	extra := r.extraPermission(request)
	if extra == "" || p.May(extra) || r.Rules.allows(p.View, extra) {
		return ""
	}
	return extra
}

// effectivePermissions are the actions that a principal may do with entities of a kind, some of them or all.
func effectivePermissions(p auth.Principal, kind graph.Kind) []string {
	names := []string{}
	for _, action := range auth.GraphPermissions() {
		if p.May(action) || p.View != nil && p.View.Allows(rules.Action(action), kind) {
			names = append(names, string(action))
		}
	}
	return names
}
