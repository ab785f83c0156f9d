package auth

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// memory is what this replica knows about users and revoked tokens. Two sources feed it: reads of the database (polls and
// loads) and this replica's own changes. A read that began before an own change was remembered may be older than it, so each
// entry remembers when it was touched, counted in steps, and a read does not undo what was touched after it began.
type memory struct {
	mu       sync.RWMutex
	step     uint64
	users    map[string]*known // by id
	byFolded map[string]string // folded name to id
	gone     map[string]uint64 // ids of deleted users, with the step they were noticed at
	revoked  map[string]time.Time
	loaded   uint64 // step at which the last load was applied
}

// known is a user as last heard of. The user itself is never changed, only replaced.
type known struct {
	user    *StoredUser
	touched uint64
}

func newMemory() *memory {
	return &memory{users: map[string]*known{}, byFolded: map[string]string{}, gone: map[string]uint64{}, revoked: map[string]time.Time{}}
}

// begin marks the start of a read of the database.
func (m *memory) begin() uint64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.step
}

// user finds a user by id.
func (m *memory) user(id string) (*StoredUser, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[id]; found {
		return k.user, true
	}
	return nil, false
}

// named finds a user by folded name.
func (m *memory) named(folded string) (*StoredUser, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[m.byFolded[folded]]; found {
		return k.user, true
	}
	return nil, false
}

// holder finds what a token stands for: its user, if any, and whether the token id is revoked.
func (m *memory) holder(userID, tokenID string) (u *StoredUser, revoked bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if k, found := m.users[userID]; found {
		u = k.user
	}
	_, revoked = m.revoked[tokenID]
	return u, revoked
}

// all lists the users by folded name.
func (m *memory) all() []*StoredUser {
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := make([]*StoredUser, 0, len(m.users))
	for _, folded := range slices.Sorted(maps.Keys(m.byFolded)) {
		list = append(list, m.users[m.byFolded[folded]].user)
	}
	return list
}

func (m *memory) count() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.users)
}

// apply takes over what a poll found that began at a step.
func (m *memory) apply(c Changes, began uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range c.Deleted {
		m.forget(id)
	}
	for i := range c.Users {
		u := &c.Users[i]
		if k, found := m.users[u.ID]; found && k.touched > began || m.gone[u.ID] > 0 {
			continue
		}
		m.remember(u)
	}
	m.addRevoked(c.Revoked)
}

// load takes over a reading of all users that began at a step. Revocations are only ever added: they leave by expiring. A
// load that a later one has overtaken is ignored.
func (m *memory) load(c Changes, began uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.addRevoked(c.Revoked)
	if m.loaded > began {
		return
	}
	users, byFolded := make(map[string]*known, len(c.Users)), make(map[string]string, len(c.Users))
	for i := range c.Users {
		u := &c.Users[i]
		k := &known{user: u, touched: began}
		if had, found := m.users[u.ID]; found && had.touched > began {
			k = had
		}
		if m.gone[u.ID] > began {
			continue
		}
		users[u.ID], byFolded[k.user.Folded] = k, u.ID
	}
	for id, k := range m.users {
		if _, found := users[id]; !found && k.touched > began {
			users[id], byFolded[k.user.Folded] = k, id
		}
	}
	// The database is right about who was deleted before the load began: a backup may have brought a user back.
	maps.DeleteFunc(m.gone, func(_ string, at uint64) bool { return at <= began })
	m.step++
	m.users, m.byFolded, m.loaded = users, byFolded, m.step
}

// put remembers this replica's own change. It says false, and does nothing, when something newer is known.
func (m *memory) put(u StoredUser) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, found := m.users[u.ID]; found && k.user.Version > u.Version || m.gone[u.ID] > 0 {
		return false
	}
	m.remember(&u)
	return true
}

// remove remembers that this replica deleted a user.
func (m *memory) remove(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(id)
}

// revoke remembers that this replica revoked a token.
func (m *memory) revoke(r Revocation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.addRevoked([]Revocation{r})
}

// expire forgets revocations that expired before a time.
func (m *memory) expire(before time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.revoked, func(_ string, at time.Time) bool { return at.Before(before) })
}

// expired says whether some revocation expired before a time.
func (m *memory) expired(before time.Time) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, at := range m.revoked {
		if at.Before(before) {
			return true
		}
	}
	return false
}

func (m *memory) remember(u *StoredUser) {
	m.step++
	if had, found := m.users[u.ID]; found {
		m.unname(had.user)
	}
	m.users[u.ID], m.byFolded[u.Folded] = &known{user: u, touched: m.step}, u.ID
}

func (m *memory) forget(id string) {
	if had, found := m.users[id]; found {
		m.unname(had.user)
		delete(m.users, id)
	}
	m.step++
	m.gone[id] = m.step
}

// unname frees a user's name, unless a newer user holds it already.
func (m *memory) unname(u *StoredUser) {
	if m.byFolded[u.Folded] == u.ID {
		delete(m.byFolded, u.Folded)
	}
}

func (m *memory) addRevoked(list []Revocation) {
	for _, r := range list {
		if m.revoked[r.TokenID].Before(r.ExpiresAt) {
			m.revoked[r.TokenID] = r.ExpiresAt
		}
	}
}
