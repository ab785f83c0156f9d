package auth

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// cachedToken is the latest known state of a service token or a personal token. A deleted token stays until the database forgets it. The
// StoredToken is never modified, only replaced.
type cachedToken struct {
	token *StoredToken
	step  uint64
	use   *tokenUse // the same for all states of a token
	view  *viewMemo // likewise
}

// tokenUse has the minutes since 1970 at which this replica saw a token last, and that it has written to the database.
type tokenUse struct{ last, written atomic.Int64 }

// record stores the minute of a use, and touches the shared memory once a minute only.
func (u *tokenUse) record(at time.Time) {
	if minute := at.Unix() / 60; u.last.Load() < minute {
		u.last.Store(minute)
	}
}

// tokenByHash finds a token, deleted ones included, by the hash of its secret.
func (m *userCache) tokenByHash(hash SecretHash) (*cachedToken, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, found := m.tokens[m.tokenIDs[hash]]
	return k, found
}

// tokenByID finds a token, deleted ones included.
func (m *userCache) tokenByID(id string) (*cachedToken, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, found := m.tokens[id]
	return k, found
}

// serviceTokens lists the service tokens that are not deleted by name, with their last use as far as this replica knows it.
func (m *userCache) serviceTokens() []ServiceToken {
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := make([]ServiceToken, 0, len(m.tokens))
	for _, k := range m.tokens {
		if k.token.DeletedAt.IsZero() && !k.token.isPersonal() {
			list = append(list, k.shown())
		}
	}
	slices.SortFunc(list, func(x, y ServiceToken) int { return strings.Compare(x.Name, y.Name) })
	return list
}

// shown returns the public part of a token, with its last use as far as this replica knows it.
func (k *cachedToken) shown() ServiceToken {
	shown := k.token.public()
	if own := time.Unix(60*k.use.last.Load(), 0).UTC(); own.Unix() > 0 && own.After(shown.LastUsedAt) {
		shown.LastUsedAt = own
	}
	return shown
}

// unwrittenUses returns the last uses that are not in the database, by id, and a function that marks them as written.
func (m *userCache) unwrittenUses() (uses []TokenUse, written func(TokenUse)) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	byID := map[string]*tokenUse{}
	for _, id := range slices.Sorted(maps.Keys(m.tokens)) {
		k := m.tokens[id]
		if last := k.use.last.Load(); last > k.use.written.Load() && k.token.DeletedAt.IsZero() {
			byID[id] = k.use
			uses = append(uses, TokenUse{TokenID: id, At: time.Unix(60*last, 0).UTC()})
		}
	}
	return uses, func(u TokenUse) { byID[u.TokenID].written.Store(u.At.Unix() / 60) }
}

// hasPurgeableTokens reports whether any deleted service token expired before a time.
func (m *userCache) hasPurgeableTokens(before time.Time) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	for _, k := range m.tokens {
		if k.token.isPurgeable(before) {
			return true
		}
	}
	return false
}

// removePurgedTokens removes the deleted service tokens that expired before a time.
func (m *userCache) removePurgedTokens(before time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, k := range m.tokens {
		if k.token.isPurgeable(before) {
			delete(m.tokens, id)
			delete(m.tokenIDs, k.token.Hash)
		}
	}
}

func (t *StoredToken) isPurgeable(before time.Time) bool {
	return !t.DeletedAt.IsZero() && t.ExpiresAt.Before(before)
}

// putOwnToken caches this replica's own change. It returns false and does nothing if a newer version is cached.
func (m *userCache) putOwnToken(t StoredToken) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, found := m.tokens[t.ID]; found && k.token.Version > t.Version {
		return false
	}
	m.step++
	m.putToken(&t, m.step)
	return true
}

// applyTokens applies the service tokens of a poll that began at a step; the caller holds the lock.
func (m *userCache) applyTokens(tokens []StoredToken, began uint64) {
	for i := range tokens {
		if k, found := m.tokens[tokens[i].ID]; found && k.step > began {
			continue
		}
		m.step++
		m.putToken(&tokens[i], m.step)
	}
}

// replaceTokens applies the service tokens of a full load that began at a step; the caller holds the lock.
func (m *userCache) replaceTokens(tokens []StoredToken, began uint64) {
	before := m.tokens
	m.tokens, m.tokenIDs = make(map[string]*cachedToken, len(tokens)), make(map[SecretHash]string, len(tokens))
	keep := func(k *cachedToken) { m.tokens[k.token.ID], m.tokenIDs[k.token.Hash] = k, k.token.ID }
	for i := range tokens {
		k := &cachedToken{token: &tokens[i], step: began, use: &tokenUse{}, view: &viewMemo{}}
		if had, found := before[k.token.ID]; found {
			if k.use, k.view = had.use, had.view; had.step > began {
				k = had
			}
		}
		keep(k)
	}
	for id, k := range before {
		if _, found := m.tokens[id]; !found && k.step > began {
			keep(k)
		}
	}
}

func (m *userCache) putToken(t *StoredToken, step uint64) {
	k := &cachedToken{token: t, step: step, use: &tokenUse{}, view: &viewMemo{}}
	if had, found := m.tokens[t.ID]; found {
		k.use, k.view = had.use, had.view
		delete(m.tokenIDs, had.token.Hash)
	}
	m.tokens[t.ID], m.tokenIDs[t.Hash] = k, t.ID
}
