package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
)

const (
	minPassword  = 12  // characters
	maxPassword  = 256 // bytes
	maxLoginText = 1 << 10
)

// PasswordLimits states the limits of a password.
var PasswordLimits = fmt.Sprintf("at least %d characters and at most %d bytes", minPassword, maxPassword)

// CheckPassword returns a fault that names the field and the limits if a text cannot be a new password, or nil. The limits are for its
// normal form.
func CheckPassword(field, password string) *fault.Error {
	normal := normalizePassword(password)
	if !utf8.ValidString(password) || utf8.RuneCountInString(normal) < minPassword || len(normal) > maxPassword {
		return fault.Invalid(field, "must be %s long, in UTF-8", PasswordLimits)
	}
	return nil
}

// normalizePassword returns the form of a password that is hashed: NFKC, one of the two that NIST SP 800-63B (section 3.1.1.2) names, since
// keyboards and systems write one character in several ways, and the form of user names. What is not UTF-8 stays as it is.
func normalizePassword(password string) string {
	if !utf8.ValidString(password) {
		return password
	}
	return norm.NFKC.String(password)
}

// checkLoginText bounds the input of a login, the same for every user.
func checkLoginText(field, text string) *fault.Error {
	if text == "" || len(text) > maxLoginText {
		return fault.Invalid(field, "must be 1 to %d bytes long", maxLoginText)
	}
	return nil
}

// cost are the parameters of one hash: the second choice of the OWASP password storage cheat sheet for argon2id.
type cost struct {
	memory  uint32 // KiB
	time    uint32
	threads uint8
}

var currentCost = cost{memory: 19 * 1024, time: 2, threads: 1}

const (
	saltSize = 16
	hashSize = 32
)

// hasher computes and verifies password hashes, a few at a time.
type hasher struct {
	queue *queue
	work  atomic.Int64 // number of hashes computed; tests check that every path of a login does the same work
	dummy phc          // hash that a password is compared with if the user does not exist
}

func newHasher() *hasher {
	// One processor is reserved for all other work.
	slots := min(maxConcurrentHashes, max(1, runtime.GOMAXPROCS(0)-1))
	return &hasher{queue: newQueue(slots), dummy: phc{cost: currentCost, salt: randomBytes(saltSize), hash: randomBytes(hashSize)}}
}

// runQueued computes hashes when the caller's turn in the queue comes. RATE_LIMITED if the queue is full.
func (h *hasher) runQueued(ctx context.Context, who counterKey, compute func()) error {
	p, err := h.queue.enqueue(ctx, who)
	if err != nil {
		return err
	}
	defer p.release()
	if err := p.waitForTurn(); err != nil {
		return err
	}
	compute()
	return nil
}

// hashFor hashes a password that an administrator sets. It waits in that administrator's queue, not behind logins.
// RATE_LIMITED if the queue is full.
func (h *hasher) hashFor(ctx context.Context, password string) (hash string, err error) {
	err = h.runQueued(ctx, hashKey("user", audit.ActorFrom(ctx).UserID), func() { hash = h.hash(password) })
	return hash, err
}

// hash returns the PHC string of a password with a new salt. The caller must have its turn.
func (h *hasher) hash(password string) string {
	p := phc{cost: currentCost, salt: randomBytes(saltSize)}
	p.hash = h.compute(normalizePassword(password), p.cost, p.salt, hashSize)
	return p.String()
}

// verify compares a password with a stored hash: in its normal form, and as it was sent, since hashes of earlier versions are of that. An
// empty or unreadable hash costs the same and never matches. stale reports that the hash is of such a version or has other cost parameters
// than the current ones. The caller must have its turn.
func (h *hasher) verify(password, stored string) (match, stale bool) {
	p, readable := parsePHC(stored)
	if !readable {
		p = h.dummy
	}
	equals := func(text string) bool {
		sum := h.compute(text, p.cost, p.salt, uint32(len(p.hash)))
		return subtle.ConstantTimeCompare(sum, p.hash) == 1 && readable
	}
	normal := normalizePassword(password)
	if match = equals(normal); !match && normal != password {
		match, stale = equals(password), true
	}
	return match, stale || p.cost != currentCost || len(p.hash) != hashSize || len(p.salt) != saltSize
}

func (h *hasher) compute(password string, c cost, salt []byte, size uint32) []byte {
	h.work.Add(1)
	return argon2.IDKey([]byte(password), salt, c.time, c.memory, c.threads, size)
}

// phc is a hash in the PHC string format: $argon2id$v=19$m=19456,t=2,p=1$salt$hash, base64 without padding.
type phc struct {
	cost cost
	salt []byte
	hash []byte
}

func (p phc) String() string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.cost.memory, p.cost.time, p.cost.threads,
		encode(p.salt), encode(p.hash))
}

// Bounds of the parameters in a stored hash, so that a corrupt one cannot exhaust the memory.
const (
	maxMemory  = 64 * 1024
	maxTime    = 16
	maxThreads = 8
)

func parsePHC(text string) (phc, bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, false
	}
	var p phc
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.cost.memory, &p.cost.time, &p.cost.threads); err != nil {
		return phc{}, false
	}
	if p.cost.memory > maxMemory || p.cost.time > maxTime || p.cost.threads > maxThreads || p.cost.time < 1 || p.cost.threads < 1 {
		return phc{}, false
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil || len(p.salt) < 8 || len(p.salt) > 64 {
		return phc{}, false
	}
	if p.hash, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(p.hash) < 16 || len(p.hash) > 64 {
		return phc{}, false
	}
	return p, true
}

func randomBytes(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.Read(b) // never fails: crypto/rand terminates the program instead
	return b
}
