package auth

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

func grantsText(typ string) string {
	return `[{"kind":"node","type":"` + typ + `","actions":["read"]}]`
}

// A view is compiled once for each version of its user and of the roles, also if a load reads the same users and roles again.
func TestViewsAreCompiledOnce(t *testing.T) {
	m := newUserCache()
	ann := stored("a", "ann", 1)
	ann.Roles, ann.Attributes = []string{"r", "gone"}, graph.Properties{"team": "x"}
	all := Changes{Users: []StoredUser{ann}, Roles: []StoredRole{{Name: "r", Grants: grantsText("Person")}}}
	m.replaceUsers(all, m.currentStep())
	view := func() *rules.View {
		u, found := m.userByID("a")
		require.True(t, found)
		return m.viewOfUser(u)
	}
	first := view()
	require.NotNil(t, first)
	m.replaceUsers(Changes{Users: []StoredUser{ann}, Roles: all.Roles}, m.currentStep())
	m.applyChanges(Changes{Users: []StoredUser{ann}}, m.currentStep())
	require.Same(t, first, view())

	ann.Attributes = graph.Properties{"team": "y"}
	m.applyChanges(Changes{Users: []StoredUser{ann}}, m.currentStep())
	second := view()
	require.NotSame(t, first, second, "other attributes")
	m.applyChanges(Changes{Roles: []StoredRole{{Name: "r", Grants: grantsText("Movie")}}}, m.currentStep())
	third := view()
	names, _ := third.Names(rules.Read, graph.NodeKind)
	require.Equal(t, []string{"Movie"}, names)
	m.applyChanges(Changes{Roles: []StoredRole{{Name: "r", Grants: "damaged"}}}, m.currentStep())
	require.False(t, view().Allows(rules.Read, graph.NodeKind), "damage allows nothing")
	ann.Permissions = AllPermissions()
	m.applyChanges(Changes{Users: []StoredUser{ann}}, m.currentStep())
	require.Nil(t, view(), "all permissions")
}

// A load that began before a poll may return older roles, and must not bring them back.
func TestOlderLoadsDoNotBringRolesBack(t *testing.T) {
	m := newUserCache()
	roles := []StoredRole{{Name: "r", Grants: grantsText("Person")}}
	m.replaceUsers(Changes{Roles: roles}, m.currentStep())
	began := m.currentStep()
	m.applyChanges(Changes{Roles: []StoredRole{}}, m.currentStep())
	require.Empty(t, m.currentRoles().all(), "deleted")
	m.replaceUsers(Changes{Roles: roles}, began)
	require.Empty(t, m.currentRoles().all())
	m.replaceUsers(Changes{Roles: roles}, m.currentStep())
	require.Len(t, m.currentRoles().all(), 1, "restored by a backup")
	require.Equal(t, 1, m.size())
}

// Views stay the same while the grants of their own roles do: the feed and streams compare them as pointers.
func TestChangesOfOtherRolesKeepViews(t *testing.T) {
	m := newUserCache()
	ann := stored("a", "ann", 1)
	ann.Roles = []string{"r"}
	one, other := StoredRole{Name: "r", Grants: grantsText("Person")}, StoredRole{Name: "other", Grants: grantsText("Movie")}
	m.replaceUsers(Changes{Users: []StoredUser{ann}, Roles: []StoredRole{one, other}}, m.currentStep())
	s := &Service{cache: m}
	views := func() (ofUser, ofRole *rules.View) {
		u, found := m.userByID("a")
		require.True(t, found)
		as, err := s.cachedPrincipalOf(ViewAs{Role: "r"})
		require.NoError(t, err)
		return m.viewOfUser(u), as.View
	}
	user, role := views()
	described := one
	described.Description = "described"
	for name, roles := range map[string][]StoredRole{
		"another changes":   {one, {Name: "other", Grants: grantsText("Film")}},
		"another is new":    {one, other, {Name: "new", Grants: grantsText("Film")}},
		"another is gone":   {one},
		"a new description": {described, other},
	} {
		m.applyChanges(Changes{Roles: roles}, m.currentStep())
		userNow, roleNow := views()
		require.Same(t, user, userNow, name)
		require.Same(t, role, roleNow, name)
	}
	m.applyChanges(Changes{Roles: []StoredRole{{Name: "r", Grants: grantsText("Film")}}}, m.currentStep())
	userNow, roleNow := views()
	require.NotSame(t, user, userNow)
	require.NotSame(t, role, roleNow)
}
