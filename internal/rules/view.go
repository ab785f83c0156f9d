package rules

import (
	"context"
	"slices"
	"strings"

	"graphrest/internal/graph"
)

// User is what the conditions of grants may refer to. The zero value is nobody: no condition that refers to a user is met.
type User struct {
	ID         string
	Name       string
	Attributes graph.Properties
}

// View is what one user may do with the graph: the union of the permissions, which are for everything, and the grants of the user's roles.
// It is immutable. A nil view allows everything; it is the view of the service itself and of a user with all four permissions.
type View struct {
	everything map[Action]bool
	grants     []boundGrant
	scopes     map[scopeKey][]Scope // of the grants
	mayHide    map[graph.Kind][]string
}

// boundGrant is a grant with the literals of one user.
type boundGrant struct {
	*Grant
	role       string
	index      int // of the grant in its role
	conditions []graph.Condition
	never      bool // a condition refers to an attribute that the user lacks
}

// NewView returns the view of a user with permissions for everything and with roles; nil if the permissions allow everything.
func NewView(u User, permissions []Action, roles []Role) *View {
	v := &View{everything: map[Action]bool{}}
	for _, p := range permissions {
		if slices.Contains(Actions(), p) { // others are not about the graph
			v.everything[p] = true
		}
	}
	if len(v.everything) == len(Actions()) {
		return nil
	}
	for i := range roles {
		role := &roles[i]
		for n := range role.Grants {
			v.grants = append(v.grants, bind(role, n, u))
		}
	}
	v.scopes = collectScopes(v.grants)
	v.mayHide = map[graph.Kind][]string{}
	for _, kind := range []graph.Kind{graph.NodeKind, graph.EdgeKind} {
		v.mayHide[kind] = hiddenSomewhere(v.Scopes(Read, kind))
	}
	return v
}

func bind(role *Role, index int, u User) boundGrant {
	g := boundGrant{Grant: &role.Grants[index], role: role.Name, index: index}
	for _, c := range g.Where {
		bound := c.Condition
		if c.User != "" {
			value, known := u.value(c.User)
			bound.Value = value
			g.never = g.never || !known || !allowsLiteral(c.Operator, value)
		}
		g.conditions = append(g.conditions, bound)
	}
	return g
}

// allowsLiteral reports whether an operator can have a value of a user as its literal.
func allowsLiteral(operator graph.Operator, v graph.Value) bool {
	return operator.CheckLiteral("", v) == nil
}

// value is what a condition's reference to the user stands for.
func (u User) value(name string) (v graph.Value, known bool) {
	switch name {
	case "id":
		return u.ID, u.ID != ""
	case "username":
		return u.Name, u.Name != ""
	}
	v, known = u.Attributes[strings.TrimPrefix(name, attributePrefix)]
	return v, known
}

type viewKey struct{}

// contextViews are the views of a context.
type contextViews struct {
	shows *View // see ViewOf
	names *View // see NamingViewOf
}

// WithView returns a context in which the store shows and changes only what a view allows.
func WithView(ctx context.Context, v *View) context.Context {
	if v == nil {
		return ctx
	}
	return context.WithValue(ctx, viewKey{}, contextViews{v, v})
}

// WithoutView returns a context that shows everything, for what the service reads for itself.
func WithoutView(ctx context.Context) context.Context {
	return context.WithValue(ctx, viewKey{}, contextViews{nil, NamingViewOf(ctx)})
}

// ViewOf returns the view of a context; nil for one that allows everything.
func ViewOf(ctx context.Context) *View {
	views, _ := ctx.Value(viewKey{}).(contextViews)
	return views.shows
}

// NamingViewOf returns the view of the user on whose behalf something is read, also if everything is shown: an id of several entities means
// the one that this user sees. Nil if there is none, or one that allows everything.
func NamingViewOf(ctx context.Context) *View {
	views, _ := ctx.Value(viewKey{}).(contextViews)
	return views.names
}

// AllowsAll reports whether an action is allowed on everything.
func (v *View) AllowsAll(action Action) bool { return v == nil || v.everything[action] }

// ShowsAll reports whether everything is visible: by the permission, or by grants for all nodes and all edges that together hide nothing.
func (v *View) ShowsAll() bool {
	if v.AllowsAll(Read) {
		return true
	}
	shows := func(kind graph.Kind) bool {
		return len(v.MayHide(kind)) == 0 && slices.ContainsFunc(v.Scopes(Read, kind), Scope.HasAll)
	}
	return shows(graph.NodeKind) && shows(graph.EdgeKind)
}

// Allows reports whether an action is allowed on entities of a kind, some of them or all.
func (v *View) Allows(action Action, kind graph.Kind) bool {
	return v.AllowsAll(action) ||
		slices.ContainsFunc(v.grants, func(g boundGrant) bool { return g.Kind == kind && slices.Contains(g.Actions, action) })
}

// MayHide lists the properties that may be hidden from the user on some visible entities of a kind, in order. It leaves out those that a
// grant for everything shows. The result must not be changed.
func (v *View) MayHide(kind graph.Kind) []string {
	if v.AllowsAll(Read) {
		return nil
	}
	return v.mayHide[kind]
}

// RequiresVisibleEnds reports whether an edge that is to be changed exists for the user only if both of its ends are visible: no permission
// covers the action, and the user sees some nodes. No grant on edges can say which ends they may have; without this, one on all edges would
// reach those between nodes that the user does not see.
func (v *View) RequiresVisibleEnds(action Action) bool {
	return !v.AllowsAll(action) && v.Allows(Read, graph.NodeKind)
}

// HasGrants reports whether the view has grants besides permissions.
func (v *View) HasGrants() bool { return v != nil && len(v.grants) > 0 }

// Names are the types that an action is allowed on, completely or in part; all is true if they are not limited.
func (v *View) Names(action Action, kind graph.Kind) (names []string, all bool) {
	if v.AllowsAll(action) {
		return nil, true
	}
	for _, s := range v.Scopes(action, kind) {
		if s.Types == nil {
			return nil, true
		}
		names = append(names, s.Types...)
	}
	slices.Sort(names)
	return slices.Compact(names), false
}

// Rights are the grants that hold for one entity in one state, for one action.
type Rights struct {
	all    bool // allowed on everything, without hidden or protected properties
	grants []*boundGrant
}

// NodeRights are the rights to an action on a node with these labels and properties. To create it needs a grant for each of its labels.
func (v *View) NodeRights(action Action, labels []string, p graph.Properties) Rights {
	return v.rights(graph.NodeKind, action, labels, p)
}

// EdgeRights are the rights to an action on an edge itself. That both ends of a visible edge must be visible is not part of it.
func (v *View) EdgeRights(action Action, typ string, p graph.Properties) Rights {
	return v.rights(graph.EdgeKind, action, []string{typ}, p)
}

func (v *View) rights(kind graph.Kind, action Action, names []string, p graph.Properties) Rights {
	if v.AllowsAll(action) {
		return Rights{all: true}
	}
	var r Rights
	for i := range v.grants {
		g := &v.grants[i]
		if !g.never && g.covers(kind, action, names) && g.holds(p) {
			r.grants = append(r.grants, g)
		}
	}
	if kind == graph.NodeKind && action == Create && !r.coverEach(names) {
		return Rights{}
	}
	return r
}

// coverEach reports whether each of the labels of a new node has a grant: one for another of its labels is not sufficient, because it would
// allow nodes of every type.
func (r Rights) coverEach(labels []string) bool {
	return !slices.ContainsFunc(labels, func(label string) bool {
		return !slices.ContainsFunc(r.grants, func(g *boundGrant) bool { return g.Type == AnyType || g.Type == label })
	})
}

func (g *boundGrant) holds(p graph.Properties) bool {
	return !slices.ContainsFunc(g.conditions, func(c graph.Condition) bool { return !c.IsMetBy(p[c.Property]) })
}

// Granted reports whether the action is allowed.
func (r Rights) Granted() bool { return r.all || len(r.grants) > 0 }

// Hides reports whether a property is not shown: every grant hides it.
func (r Rights) Hides(property string) bool {
	return !r.all && !slices.ContainsFunc(r.grants, func(g *boundGrant) bool { return !slices.Contains(g.Hidden, property) })
}

// Protects reports whether a property may not be written: every grant hides it or makes it read-only.
func (r Rights) Protects(property string) bool {
	return !r.all && !slices.ContainsFunc(r.grants, func(g *boundGrant) bool {
		return !slices.Contains(g.Hidden, property) && !slices.Contains(g.ReadOnly, property)
	})
}

// Or are the rights by either grant.
func (r Rights) Or(other Rights) Rights {
	return Rights{all: r.all || other.all, grants: slices.Concat(r.grants, other.grants)}
}

// Project returns the properties that are shown. The result shares nothing with p if a property is hidden, and is p itself otherwise.
func (r Rights) Project(p graph.Properties) graph.Properties {
	if r.all {
		return p
	}
	hides := false
	for key := range p {
		hides = hides || r.Hides(key)
	}
	if !hides {
		return p
	}
	shown := make(graph.Properties, len(p))
	for key, value := range p {
		if !r.Hides(key) {
			shown[key] = value
		}
	}
	return shown
}
