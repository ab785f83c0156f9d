package auth

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckSecret(t *testing.T) {
	for _, row := range []struct {
		name, secret string
		fit          bool
	}{
		{"random base64", "q8Zp1mB6w0xYt3uK9vLrJ5nHs7DfGa2EQe4TcWiVoXk=", true},
		{"random hexadecimal", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", true},
		{"random hexadecimal of 32", "9f86d081884c7d659a2feaa0c55ad015", true},
		{"random bytes", "\x01\xff\x9a\x80kQ\x00z\xf3\xe1\x11\x77mP\xc4\xb0\x05\x8d\x99 \xaa\x1c\x2f\xdd\x3a\x4e\x5b\x60\x71\x82\x93\xa4", true},
		{"a long passphrase", "glacier monkey trombone velvet sundial orbit", true},
		{"a sample word by chance", "q8Zp1mB6w0xYt3uK9vLrJ5nHs7secretDfGa2EQe4TcWiVoXk", true},
		{"empty", "", false},
		{"31 bytes", "q8Zp1mB6w0xYt3uK9vLrJ5nHs7DfGa2", false},
		{"all the same", strings.Repeat("x", 64), false},
		{"two characters", strings.Repeat("ab", 32), false},
		{"one short text repeated", strings.Repeat("Xk4pQ9zT", 5), false},
		{"of the token page", "a-string-secret-at-least-256-bits-long", false},
		{"your-256-bit-secret", "your-256-bit-secret-your-256-bit-secret", false},
		{"changeme", "changeme-changeme-please-changeme-1", false},
		{"counted", "01234567890123456789012345678901", false},
		{"alphabet", "abcdefghijklmnopqrstuvwxyz0123456789", false},
		{"please replace", "please-change-this-secret-in-production!!", false},
		{"of many examples", "super-secret-key-change-me-in-production", false},
		{"its own description", "this-is-a-secret-of-at-least-32-bytes", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := CheckSecret(row.secret)
			require.Equal(t, row.fit, err == nil, "%v", err)
			if err != nil && row.secret != "" {
				require.NotContains(t, err.Error(), row.secret)
			}
			_, err = NewKeys(row.secret)
			require.Equal(t, row.fit, err == nil)
			_, err = NewKeys(testSecret, row.secret)
			require.Equal(t, row.fit, err == nil, "a previous secret must meet the same rules")
		})
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	keys := secretKeys(t, testSecret, oldSecret)
	config := Config{Keys: keys}
	raw, err := json.Marshal(config)
	require.NoError(t, err)
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "keys", keys, "config", config)
	user := StoredUser{User: User{ID: "u1"}, PasswordHash: "$argon2id$hash"}
	printed := fmt.Sprintf("%v %+v %#v %s %q %x %d %v %+v %#v", keys, keys, keys, keys, keys, keys, keys, config, config, config) +
		string(raw) + log.String() + fmt.Sprintf("%v %+v %#v %v", user, user, user, &user)
	for _, hidden := range []string{testSecret, oldSecret, fmt.Sprintf("%x", testSecret), fmt.Sprint([]byte(testSecret)), "argon2id"} {
		require.NotContains(t, printed, hidden)
	}
}

func TestDerivedKeys(t *testing.T) {
	keys := secretKeys(t, testSecret, oldSecret)
	require.Len(t, keys.Derive("cursors"), 32)
	require.Equal(t, keys.Derive("cursors"), secretKeys(t, testSecret).Derive("cursors"), "every replica derives the same key")
	require.NotEqual(t, keys.Derive("cursors"), keys.Derive("other"))
	require.NotEqual(t, keys.Derive("cursors"), secretKeys(t, oldSecret).Derive("cursors"))
	require.Nil(t, Keys{}.Derive("cursors"))
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	_, err := New(Config{}, nil, nil, nil)
	require.ErrorContains(t, err, "keys")
	_, err = New(Config{Keys: secretKeys(t, testSecret)}, nil, nil, nil)
	require.ErrorContains(t, err, "store")
	_, err = New(Config{Keys: secretKeys(t, testSecret), TokenTTL: 1500_000_000}, nil, nil, nil)
	require.ErrorContains(t, err, "seconds")
}
