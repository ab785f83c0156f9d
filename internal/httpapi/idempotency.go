package httpapi

import (
	"crypto/sha256"
	"encoding/hex"

	"graphrest/internal/graph"
)

// maxIdempotencyKey is the maximum length of an Idempotency-Key in characters.
const maxIdempotencyKey = 255

// readIdempotencyKey reads the Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header); nil if it is absent. The key is
// used unchanged, including quotes if a client sends them.
func (c *call) readIdempotencyKey() *graph.IdempotencyKey {
	lines := c.gin.Request.Header["Idempotency-Key"]
	if len(lines) == 0 {
		return nil
	}
	key := lines[0]
	if len(lines) > 1 || key == "" || len(key) > maxIdempotencyKey || !visibleASCII(key) {
		c.invalid("Idempotency-Key", "must be given once, as 1 to %d visible ASCII characters", maxIdempotencyKey)
		return nil
	}
	h := sha256.New()
	h.Write([]byte(c.gin.Request.Method + "\n" + c.route.Path + "\n"))
	h.Write(c.body)
	return &graph.IdempotencyKey{UserID: c.principal.UserID, Key: key, Fingerprint: hex.EncodeToString(h.Sum(nil))}
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x21 || s[i] > 0x7e {
			return false
		}
	}
	return true
}
