package auth

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// userCache contains the users, service tokens and revoked tokens that this replica knows. Two sources write to it: reads of the
// database (polls and full loads) and this replica's own changes. A read that began before an own change was cached may
// be older than that change. Each entry therefore stores the step, a counter of writes to the cache, at which it was
// written, and a read does not overwrite entries written after it began.
type userCache struct {
	mu         sync.RWMutex
	step       uint64
	users      map[string]*cachedUser // by id
	byFolded   map[string]string      // folded name to id
	byIdentity map[string]string      // identity at a provider to id
	deleted    map[string]uint64      // ids of deleted users, with the step at which the deletion was cached
	revoked    map[string]time.Time
	tokens     map[string]*cachedToken // service tokens by id
	tokenIDs   map[SecretHash]string   // hash of a service token's secret to its id
	roles      *roleSet                // never modified, only replaced
	rolesStep  uint64                  // step at which the roles were written
	loadedStep uint64                  // step at which the last full load was applied
}

// cachedUser is the latest known state of a user. The StoredUser is never modified, only replaced.
type cachedUser struct {
	user *StoredUser
	step uint64
	view *viewMemo // the same for all states of a user
}

func newUserCache() *userCache {
	return &userCache{
		users: map[string]*cachedUser{}, byFolded: map[string]string{}, byIdentity: map[string]string{}, deleted: map[string]uint64{},
		revoked: map[string]time.Time{},
		tokens:  map[string]*cachedToken{}, tokenIDs: map[SecretHash]string{},
		roles: &roleSet{},
	}
}

// currentStep returns the step at which a read of the database begins.
func (m *userCache) currentStep() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.step
}

// userByID finds a user by id.
func (m *userCache) userByID(id string) (*StoredUser, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[id]; found {
		return k.user, true
	}
	return nil, false
}

// userByName finds a user by folded name.
func (m *userCache) userByName(folded string) (*StoredUser, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[m.byFolded[folded]]; found {
		return k.user, true
	}
	return nil, false
}

// userByIdentity finds a user by its identity at a provider.
func (m *userCache) userByIdentity(identity string) (*StoredUser, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[m.byIdentity[identity]]; found {
		return k.user, true
	}
	return nil, false
}

// userOfToken returns the user of a token, or nil, and whether the token id is revoked.
func (m *userCache) userOfToken(userID, tokenID string) (u *StoredUser, revoked bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[userID]; found {
		u = k.user
	}
	_, revoked = m.revoked[tokenID]
	return u, revoked
}

// allUsers lists the users by folded name.
func (m *userCache) allUsers() []*StoredUser {
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := make([]*StoredUser, 0, len(m.users))
	for _, folded := range slices.Sorted(maps.Keys(m.byFolded)) {
		list = append(list, m.users[m.byFolded[folded]].user)
	}
	return list
}

func (m *userCache) userCount() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.users)
}

// applyChanges applies the result of a poll that began at a step.
func (m *userCache) applyChanges(c Changes, began uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range c.Deleted {
		m.drop(id)
	}
	for i := range c.Users {
		u := &c.Users[i]
		if k, found := m.users[u.ID]; found && k.step > began || m.deleted[u.ID] > 0 {
			continue
		}
		m.put(u)
	}
	m.applyTokens(c.Tokens, began)
	m.putRoles(c.Roles)
	m.putRevocations(c.Revoked)
}

// replaceUsers applies the result of a full load that began at a step. Revocations are only added; they are removed when
// they expire. A load overtaken by a later one is ignored.
func (m *userCache) replaceUsers(c Changes, began uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.putRevocations(c.Revoked)
	if m.loadedStep > began {
		return
	}
	users, byFolded := make(map[string]*cachedUser, len(c.Users)), make(map[string]string, len(c.Users))
	for i := range c.Users {
		u := &c.Users[i]
		k := &cachedUser{user: u, step: began, view: &viewMemo{}}
		if had, found := m.users[u.ID]; found {
			if k.view = had.view; had.step > began {
				k = had
			}
		}
		if m.deleted[u.ID] > began {
			continue
		}
		users[u.ID], byFolded[k.user.Folded] = k, u.ID
	}
	for id, k := range m.users {
		if _, found := users[id]; !found && k.step > began {
			users[id], byFolded[k.user.Folded] = k, id
		}
	}
	// For users deleted before the load began the database decides: a restored backup may contain a deleted user again.
	maps.DeleteFunc(m.deleted, func(_ string, at uint64) bool { return at <= began })
	m.replaceTokens(c.Tokens, began)
	if m.rolesStep <= began {
		m.putRoles(c.Roles)
	}
	m.step++
	m.users, m.byFolded, m.byIdentity, m.loadedStep = users, byFolded, map[string]string{}, m.step
	for id, k := range users {
		if k.user.Identity != "" {
			m.byIdentity[k.user.Identity] = id
		}
	}
}

// putOwnChange caches this replica's own change. It returns false and does nothing if a newer version is cached.
func (m *userCache) putOwnChange(u StoredUser) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, found := m.users[u.ID]; found && k.user.Version > u.Version || m.deleted[u.ID] > 0 {
		return false
	}
	m.put(&u)
	return true
}

// deleteUser caches that this replica deleted a user.
func (m *userCache) deleteUser(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(id)
}

// addRevocation caches that this replica revoked a token.
func (m *userCache) addRevocation(r Revocation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.putRevocations([]Revocation{r})
}

// removeExpired removes revocations that expired before a time.
func (m *userCache) removeExpired(before time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.revoked, func(_ string, at time.Time) bool { return at.Before(before) })
}

// hasExpired reports whether any revocation expired before a time.
func (m *userCache) hasExpired(before time.Time) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, at := range m.revoked {
		if at.Before(before) {
			return true
		}
	}
	return false
}

func (m *userCache) put(u *StoredUser) {
	m.step++
	view := &viewMemo{}
	if had, found := m.users[u.ID]; found {
		m.releaseName(had.user)
		view = had.view
	}
	m.users[u.ID], m.byFolded[u.Folded] = &cachedUser{user: u, step: m.step, view: view}, u.ID
	if u.Identity != "" {
		m.byIdentity[u.Identity] = u.ID
	}
}

func (m *userCache) drop(id string) {
	if had, found := m.users[id]; found {
		m.releaseName(had.user)
		delete(m.users, id)
	}
	m.step++
	m.deleted[id] = m.step
}

// releaseName removes a user's name and identity from the indexes unless they already belong to a newer user.
func (m *userCache) releaseName(u *StoredUser) {
	if m.byFolded[u.Folded] == u.ID {
		delete(m.byFolded, u.Folded)
	}
	if m.byIdentity[u.Identity] == u.ID {
		delete(m.byIdentity, u.Identity)
	}
}

func (m *userCache) putRevocations(list []Revocation) {
	for _, r := range list {
		if m.revoked[r.TokenID].Before(r.ExpiresAt) {
			m.revoked[r.TokenID] = r.ExpiresAt
		}
	}
}
