package auth

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func stored(id, folded string, version int64, permissions ...Permission) StoredUser {
	return StoredUser{User: User{ID: id, Username: folded, Permissions: permissions}, Folded: folded, Version: version}
}

// A read that began before an own change may be older than it, and must not undo it.
func TestOlderReadsDoNotUndoOwnChanges(t *testing.T) {
	m := newMemory()
	m.load(Changes{Version: 1, Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1, Read)}}, m.begin())
	began := m.begin()
	require.True(t, m.put(stored("a", "ann", 2)))
	m.remove("b")
	require.True(t, m.put(stored("c", "cid", 3)))
	older := Changes{Version: 1, Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1, Read)}}
	for name, read := range map[string]func(Changes, uint64){"poll": m.apply, "load": m.load} {
		t.Run(name, func(t *testing.T) {
			read(older, began)
			u, found := m.named("ann")
			require.True(t, found)
			require.Empty(t, u.Permissions)
			_, found = m.named("bob")
			require.False(t, found, "deleted")
			_, found = m.named("cid")
			require.True(t, found, "created")
		})
	}
}

func TestLaterReadsCount(t *testing.T) {
	m := newMemory()
	m.load(Changes{Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1)}}, m.begin())
	require.True(t, m.put(stored("a", "ann", 2)))
	m.apply(Changes{Users: []StoredUser{stored("a", "ann", 3, Edit)}, Deleted: []string{"b"}}, m.begin())
	u, _ := m.user("a")
	require.Equal(t, []Permission{Edit}, u.Permissions)
	_, found := m.user("b")
	require.False(t, found)
	require.False(t, m.put(stored("a", "ann", 2)), "an own change that was overtaken")
	m.load(Changes{Users: []StoredUser{stored("b", "bob", 1)}}, m.begin())
	_, found = m.user("a")
	require.False(t, found, "gone from the database")
	_, found = m.named("bob")
	require.True(t, found, "brought back by a backup")
}

func TestALoadThatWasOvertakenIsIgnored(t *testing.T) {
	m := newMemory()
	slow := m.begin()
	m.load(Changes{Users: []StoredUser{stored("b", "bob", 2)}}, m.begin())
	m.load(Changes{Users: []StoredUser{stored("a", "ann", 1)}}, slow)
	_, found := m.named("ann")
	require.False(t, found)
	_, found = m.named("bob")
	require.True(t, found)
}

// A name may pass from one user to another; reads may tell the two halves in any order.
func TestNamesPassOn(t *testing.T) {
	m := newMemory()
	m.load(Changes{Users: []StoredUser{stored("a", "ann", 1)}}, m.begin())
	m.apply(Changes{Users: []StoredUser{stored("b", "ann", 3)}}, m.begin())
	m.apply(Changes{Deleted: []string{"a"}}, m.begin())
	u, found := m.named("ann")
	require.True(t, found)
	require.Equal(t, "b", u.ID)
	require.Len(t, m.all(), 1)
}

func TestRevocationsLeaveByExpiring(t *testing.T) {
	m := newMemory()
	m.apply(Changes{Revoked: []Revocation{{"early", testNow}, {"late", testNow.Add(time.Hour)}}}, m.begin())
	m.load(Changes{}, m.begin())
	_, revoked := m.holder("", "early")
	require.True(t, revoked, "a load without it does not bring a token back")
	require.False(t, m.expired(testNow))
	require.True(t, m.expired(testNow.Add(time.Second)))
	m.expire(testNow.Add(time.Second))
	_, revoked = m.holder("", "early")
	require.False(t, revoked)
	_, revoked = m.holder("", "late")
	require.True(t, revoked)
}
