package auth

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

func TestCheckPassword(t *testing.T) {
	for _, row := range []struct {
		name, password string
		fit            bool
	}{
		{"12 characters", "abcdefghijkl", true},
		{"12 characters of four bytes", strings.Repeat("😀", 12), true},
		{"256 bytes", strings.Repeat("a", 256), true},
		{"NUL inside", "abcdef\x00ghijkl", true},
		{"11 characters", "abcdefghijk", false},
		{"11 characters of four bytes", strings.Repeat("😀", 11), false},
		{"257 bytes", strings.Repeat("a", 257), false},
		{"65 characters of four bytes", strings.Repeat("😀", 65), false},
		{"not UTF-8", "abcdefghijkl\xff", false},
		{"empty", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := CheckPassword("new_password", row.password)
			require.Equal(t, row.fit, f == nil)
			if f != nil {
				require.Equal(t, "new_password", f.Details[0].Field)
				require.Contains(t, f.Details[0].Message, "12")
				require.Contains(t, f.Details[0].Message, "256")
			}
		})
	}
}

// A password is the same however a keyboard writes its characters, and the limits are for its normal form. Hashes of what was typed, from
// earlier versions, still match it, and are replaced.
func TestPasswordsAreNormalized(t *testing.T) {
	composed, decomposed := "gr\u00fc\u00dfe aus K\u00f6ln \ud55c", "gru\u0308\u00dfe aus Ko\u0308ln \u1112\u1161\u11ab"
	h := newHasher()
	for _, set := range []string{composed, decomposed} {
		stored := h.hash(set)
		for _, sent := range []string{composed, decomposed} {
			match, stale := h.verify(sent, stored)
			require.True(t, match)
			require.False(t, stale)
		}
		match, _ := h.verify("gru\u00dfe aus Koln \ud55c", stored)
		require.False(t, match)
	}
	old := phc{cost: currentCost, salt: randomBytes(saltSize)}
	old.hash = h.compute(decomposed, old.cost, old.salt, hashSize)
	match, stale := h.verify(decomposed, old.String())
	require.True(t, match)
	require.True(t, stale, "the login stores the hash of the normal form")
	for _, password := range []string{strings.Repeat("a\u0308", 6), strings.Repeat("\u1112\u1161", 11)} {
		require.NotNil(t, CheckPassword("password", password), "%q", password)
	}
	require.Nil(t, CheckPassword("password", strings.Repeat("u\u0308", 128)), "256 bytes")
}

func TestHashes(t *testing.T) {
	h := newHasher()
	long := strings.Repeat("p", 73)
	stored := h.hash(long)
	require.True(t, strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$"), stored)
	again := h.hash(long)
	require.NotEqual(t, stored, again, "salted")
	for password, want := range map[string]bool{long: true, long[:72]: false, long + "\x00": false, "": false, strings.ToUpper(long): false} {
		match, stale := h.verify(password, stored)
		require.Equal(t, want, match)
		require.False(t, stale)
	}
	// Computed by the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1
	match, stale := h.verify("password", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	require.True(t, match)
	require.True(t, stale, "the hash has another cost")
}

// A damaged hash matches no password, cannot exhaust the memory, and costs as much as a valid one.
func TestDamagedHashes(t *testing.T) {
	h := newHasher()
	good := h.hash("correct horse")
	for _, stored := range []string{
		"", "$", "correct horse", "$argon2id$v=19$m=19456,t=2,p=1$$", strings.Replace(good, "argon2id", "argon2i", 1),
		strings.Replace(good, "m=19456", "m=4294967295", 1), strings.Replace(good, "t=2", "t=4000000", 1), strings.Replace(good, "p=1", "p=0", 1),
		strings.Replace(good, "t=2", "t=0", 1), good + "$", good[:len(good)-30] + "!!", strings.Replace(good, "v=19", "v=16", 1),
	} {
		before := h.work.Load()
		match, _ := h.verify("correct horse", stored)
		require.False(t, match, stored)
		require.Equal(t, before+1, h.work.Load(), stored)
	}
}

func TestHashingIsBounded(t *testing.T) {
	h := newHasher()
	var wg sync.WaitGroup
	var done, rejected atomic.Int64
	for range 200 {
		wg.Go(func() {
			switch _, err := h.hashFor(context.Background(), "correct horse"); fault.CodeOf(err) {
			case "":
				done.Add(1)
			case fault.RateLimited:
				require.Equal(t, time.Second, fault.As(err).After)
				rejected.Add(1)
			default:
				t.Errorf("%v", err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 200, done.Load()+rejected.Load())
	require.NotZero(t, rejected.Load())
	require.GreaterOrEqual(t, done.Load(), int64(maxQueuedPerAddress))
	require.Empty(t, h.queue.byAddress)

	p := enter(t, h.queue, "somebody")
	require.NoError(t, p.waitForTurn())
	for h.queue.free > 0 {
		require.NoError(t, enter(t, h.queue, "somebody").waitForTurn())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := h.hashFor(ctx, "correct horse")
	require.Equal(t, fault.RateLimited, fault.CodeOf(err), "waiting ends with the request")
}

func TestUsernames(t *testing.T) {
	for _, row := range []struct {
		name, username string
		fit            bool
	}{
		{"plain", "ann", true},
		{"with a space inside", "Ann Lee", true},
		{"64 characters", strings.Repeat("ä", 64), true},
		{"markup is text", "<img src=x onerror=alert(1)>", true},
		{"Cypher is text", "x'}) DETACH DELETE n //", true},
		{"one emoji", "😀", true},
		{"empty", "", false},
		{"65 characters", strings.Repeat("a", 65), false},
		{"leading space", " ann", false},
		{"trailing space", "ann ", false},
		{"trailing no-break space", "ann\u00a0", false},
		{"only space", "   ", false},
		{"NUL", "a\x00b", false},
		{"line break", "a\nb", false},
		{"escape", "\x1b[31mann", false},
		{"C1 control", "a\u0085b", false},
		{"line separator", "a\u2028b", false},
		{"right-to-left override", "a\u202eb", false},
		{"soft hyphen", "ad\u00admin", false},
		{"a dot", ".", false},
		{"two dots", "..", false},
		{"three dots", "...", true},
		{"not UTF-8", "a\xff", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.fit, CheckUsername("username", row.username) == nil)
		})
	}
	for _, same := range []string{"Admin", "ADMIN", " admin ", "admin\t", "\uff21dmin", "admin\u00a0"} {
		require.Equal(t, "admin", FoldUsername(same), "%q", same)
	}
	require.Equal(t, FoldUsername("Straße"), FoldUsername("STRASSE"))
	require.NotEqual(t, FoldUsername("admin"), FoldUsername("аdmin"), "a Cyrillic letter differs from the similar Latin one")
}
