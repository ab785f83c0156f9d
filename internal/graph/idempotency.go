package graph

import (
	"crypto/sha256"
	"encoding/base64"
	"time"

	"graphrest/internal/fault"
)

// IdempotencyKey is the Idempotency-Key header of a user. One key creates one entity within IdempotencyLifetime.
type IdempotencyKey struct {
	UserID      string
	Key         string
	Fingerprint string // hash of method, path and body: the same key with another fingerprint is IDEMPOTENCY_KEY_REUSED
}

// IdempotencyLifetime is how long a key is kept.
const IdempotencyLifetime = 24 * time.Hour

// Hash is the stored form of a user's key.
func (k *IdempotencyKey) Hash() string {
	sum := sha256.Sum256([]byte(k.UserID + "\x00" + k.Key))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// IdempotencyKeyReused is the fault of a key that was used for another request.
func IdempotencyKeyReused() error {
	return fault.New(fault.IdempotencyKeyReused, "This Idempotency-Key was used for another request before",
		fault.Detail{Field: "Idempotency-Key", Message: "use a new key for a new request"})
}
