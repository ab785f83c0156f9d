package auth

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a provider calls a user is from outside: it becomes a name that an administrator could have given.
func TestNamesOfIdentities(t *testing.T) {
	for wish, want := range map[string]string{
		"ann": "ann", " A\u202enn\n": "Ann", "": "user", ".": "user", "..": "user", "\x00\xff": "user", " \u2028 ": "user",
		ServiceTokenUser + "import": "user", strings.ToUpper(ServiceTokenUser) + "x": "user", "\u200e" + ServiceTokenUser + "x": "user",
		strings.Repeat("é", 100): strings.Repeat("é", maxUsername), "ann@example.com": "ann@example.com",
	} {
		names := usernamesFor(Identity{Issuer: "https://id.example", Subject: "1", Username: wish})
		require.Equal(t, want, names[0], "%q", wish)
		require.Len(t, names, 3)
		for _, name := range names {
			require.Nil(t, CheckUsername("username", name), "%q", name)
		}
	}
	one := usernamesFor(Identity{Issuer: "https://id.example", Subject: "1", Username: "x"})
	other := usernamesFor(Identity{Issuer: "https://id.example", Subject: "2", Username: "x"})
	require.NotEqual(t, one[1], other[1])
}
