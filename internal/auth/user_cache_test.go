package auth

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func stored(id, folded string, version int64, permissions ...Permission) StoredUser {
	return StoredUser{User: User{ID: id, Username: folded, Permissions: permissions}, Folded: folded, Version: version}
}

// A read that began before an own change may return older data, and must not undo the change.
func TestOlderReadsDoNotUndoOwnChanges(t *testing.T) {
	m := newUserCache()
	m.replaceUsers(Changes{Version: 1, Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1, Read)}}, m.currentStep())
	began := m.currentStep()
	require.True(t, m.putOwnChange(stored("a", "ann", 2)))
	m.deleteUser("b")
	require.True(t, m.putOwnChange(stored("c", "cid", 3)))
	older := Changes{Version: 1, Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1, Read)}}
	for name, read := range map[string]func(Changes, uint64){"poll": m.applyChanges, "load": m.replaceUsers} {
		t.Run(name, func(t *testing.T) {
			read(older, began)
			u, found := m.userByName("ann")
			require.True(t, found)
			require.Empty(t, u.Permissions)
			_, found = m.userByName("bob")
			require.False(t, found, "deleted")
			_, found = m.userByName("cid")
			require.True(t, found, "created")
		})
	}
}

func TestLaterReadsCount(t *testing.T) {
	m := newUserCache()
	m.replaceUsers(Changes{Users: []StoredUser{stored("a", "ann", 1, Read), stored("b", "bob", 1)}}, m.currentStep())
	require.True(t, m.putOwnChange(stored("a", "ann", 2)))
	m.applyChanges(Changes{Users: []StoredUser{stored("a", "ann", 3, Edit)}, Deleted: []string{"b"}}, m.currentStep())
	u, _ := m.userByID("a")
	require.Equal(t, []Permission{Edit}, u.Permissions)
	_, found := m.userByID("b")
	require.False(t, found)
	require.False(t, m.putOwnChange(stored("a", "ann", 2)), "an own change older than the loaded data")
	m.replaceUsers(Changes{Users: []StoredUser{stored("b", "bob", 1)}}, m.currentStep())
	_, found = m.userByID("a")
	require.False(t, found, "deleted in the database")
	_, found = m.userByName("bob")
	require.True(t, found, "restored by a backup")
}

func TestALoadThatWasOvertakenIsIgnored(t *testing.T) {
	m := newUserCache()
	slow := m.currentStep()
	m.replaceUsers(Changes{Users: []StoredUser{stored("b", "bob", 2)}}, m.currentStep())
	m.replaceUsers(Changes{Users: []StoredUser{stored("a", "ann", 1)}}, slow)
	_, found := m.userByName("ann")
	require.False(t, found)
	_, found = m.userByName("bob")
	require.True(t, found)
}

// A name may pass from one user to another; reads may return the two changes in any order.
func TestNamesPassOn(t *testing.T) {
	m := newUserCache()
	m.replaceUsers(Changes{Users: []StoredUser{stored("a", "ann", 1)}}, m.currentStep())
	m.applyChanges(Changes{Users: []StoredUser{stored("b", "ann", 3)}}, m.currentStep())
	m.applyChanges(Changes{Deleted: []string{"a"}}, m.currentStep())
	u, found := m.userByName("ann")
	require.True(t, found)
	require.Equal(t, "b", u.ID)
	require.Len(t, m.allUsers(), 1)
}

func TestRevocationsLeaveByExpiring(t *testing.T) {
	m := newUserCache()
	m.applyChanges(Changes{Revoked: []Revocation{{"early", testNow}, {"late", testNow.Add(time.Hour)}}}, m.currentStep())
	m.replaceUsers(Changes{}, m.currentStep())
	_, revoked := m.userOfToken("", "early")
	require.True(t, revoked, "a load without the revocation does not make the token valid again")
	require.False(t, m.hasExpired(testNow))
	require.True(t, m.hasExpired(testNow.Add(time.Second)))
	m.removeExpired(testNow.Add(time.Second))
	_, revoked = m.userOfToken("", "early")
	require.False(t, revoked)
	_, revoked = m.userOfToken("", "late")
	require.True(t, revoked)
}
