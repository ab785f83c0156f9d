package auth

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// roleSet has all roles that this replica knows.
type roleSet struct {
	byName map[string]cachedRole
	grants int
}

// cachedRole is a role with its grants parsed.
type cachedRole struct {
	Role
	stored StoredRole
	alone  func() *rules.View // the view of somebody who has this role and nothing else, compiled once
}

// newCachedRole parses the grants of a role. Grants that an operator has damaged allow nothing.
func newCachedRole(stored StoredRole) cachedRole {
	r := cachedRole{stored: stored, Role: Role{CreatedAt: stored.CreatedAt, UpdatedAt: stored.UpdatedAt}}
	r.Name, r.Description, r.Queries = stored.Name, stored.Description, rules.SplitQueries(stored.Queries)
	if grants, f := rules.ParseGrants("grants", stored.Grants); f == nil {
		r.Grants = grants
	}
	role := r.Role.Role
	r.alone = sync.OnceValue(func() *rules.View { return rules.NewView(rules.User{}, nil, []rules.Role{role}) })
	return r
}

// all lists the roles by name.
func (s *roleSet) all() []Role {
	list := make([]Role, 0, len(s.byName))
	for _, name := range slices.Sorted(maps.Keys(s.byName)) {
		list = append(list, s.byName[name].Role)
	}
	return list
}

// selectByName returns those of the named roles that exist.
func (s *roleSet) selectByName(names []string) []rules.Role {
	list := make([]rules.Role, 0, len(names))
	for _, name := range names {
		if r, found := s.byName[name]; found {
			list = append(list, r.Role.Role)
		}
	}
	return list
}

// grantsAsIn reports whether the named roles have the same grants in another set.
func (s *roleSet) grantsAsIn(other *roleSet, names []string) bool {
	for _, name := range names {
		r, found := s.byName[name]
		if o, also := other.byName[name]; found != also || r.stored.Grants != o.stored.Grants {
			return false
		}
	}
	return true
}

// queriesOf returns the saved queries that roles allow together.
func (s *roleSet) queriesOf(names []string) (queries []string) {
	for _, name := range names {
		queries = append(queries, s.byName[name].Queries...)
	}
	return queries
}

// replaceRoles returns the set of the stored roles: the same set if they are the same, so that views stay valid. Only what has
// changed is parsed.
func (s *roleSet) replaceRoles(stored []StoredRole) *roleSet {
	next := &roleSet{byName: make(map[string]cachedRole, len(stored))}
	same := len(stored) == len(s.byName)
	for _, one := range stored {
		r, found := s.byName[one.Name]
		if !found || r.stored != one {
			had := r
			same = false
			if r = newCachedRole(one); found && had.stored.Grants == one.Grants {
				r.alone = had.alone
			}
		}
		next.byName[one.Name] = r
		next.grants += len(r.Grants)
	}
	if same {
		return s
	}
	return next
}

func (m *userCache) currentRoles() *roleSet {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.roles
}

// putRoles applies the roles of a read; nil if none has changed. The caller holds the lock.
func (m *userCache) putRoles(stored []StoredRole) {
	if stored == nil {
		return
	}
	m.step++
	m.roles, m.rolesStep = m.roles.replaceRoles(stored), m.step
}

// size returns the number of users, service tokens and grants.
func (m *userCache) size() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.users) + len(m.tokens) + m.roles.grants
}

// viewOfUser returns the view of a user with the current roles; nil if the user's permissions allow everything.
func (m *userCache) viewOfUser(u *StoredUser) *rules.View {
	m.mu.RLock()
	known, roles := m.users[u.ID], m.roles
	m.mu.RUnlock()
	h := holder{u.ID, u.Username, u.Permissions, u.Roles, u.Attributes}
	if known == nil { // the user is gone
		return new(viewMemo).view(h, roles)
	}
	return known.view.view(h, roles)
}

// holder is who holds permissions and roles.
type holder struct {
	id, name    string
	permissions []Permission
	roles       []string
	attributes  graph.Properties
}

func (h holder) equal(other holder) bool {
	return h.id == other.id && h.name == other.name && slices.Equal(h.permissions, other.permissions) &&
		slices.Equal(h.roles, other.roles) && maps.EqualFunc(h.attributes, other.attributes, graph.EqualValues)
}

// viewMemo keeps the view of one holder, which is compiled once for each version of the holder and of the grants of its roles: a change
// of other roles must not end a stream. Its zero value is empty, and it is safe for concurrent use.
type viewMemo struct{ last atomic.Pointer[compiledView] }

type compiledView struct {
	of    holder
	roles *roleSet
	view  *rules.View
}

func (v *viewMemo) view(h holder, roles *roleSet) *rules.View {
	last := v.last.Load()
	if last != nil && last.roles == roles && last.of.equal(h) {
		return last.view
	}
	next := &compiledView{of: h, roles: roles}
	if last != nil && last.of.equal(h) && last.roles.grantsAsIn(roles, h.roles) {
		next.view = last.view
	} else {
		next.view = h.compileView(roles)
	}
	if !v.last.CompareAndSwap(last, next) {
		return v.view(h, roles) // compiled concurrently: all requests get the same view
	}
	return next.view
}

func (h holder) compileView(roles *roleSet) *rules.View {
	permissions := make([]rules.Action, len(h.permissions))
	for i, p := range h.permissions {
		permissions[i] = rules.Action(p)
	}
	user := rules.User{ID: h.id, Name: h.name, Attributes: h.attributes}
	return rules.NewView(user, permissions, roles.selectByName(h.roles))
}
