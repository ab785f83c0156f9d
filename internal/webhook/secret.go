package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"graphrest/internal/fault"
)

const (
	secretPrefix = "whsec_"
	// The lengths of a key that Standard Webhooks allows, in bytes ("Signature scheme").
	minKey, maxKey = 24, 64
	generatedKey   = 32
	redacted       = "[redacted]"
)

// Secret is the key that signs deliveries. No formatter prints it: Reveal is the only access. Its zero value is none.
type Secret struct{ key *[]byte }

// ParseSecret reads a secret in the form of Standard Webhooks: whsec_ and base64 of 24 to 64 bytes.
func ParseSecret(field, text string) (Secret, *fault.Error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, secretPrefix))
	canonical := secretPrefix + base64.StdEncoding.EncodeToString(key) // the decoder also accepts line breaks
	if err != nil || text != canonical || len(key) < minKey || len(key) > maxKey {
		return Secret{}, fault.Invalid(field, "must be %s followed by %d to %d bytes in base64", secretPrefix, minKey, maxKey)
	}
	return Secret{&key}, nil
}

// NewSecret generates a secret.
func NewSecret() Secret {
	key := make([]byte, generatedKey)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	return Secret{&key}
}

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.key == nil }

// Reveal returns the secret in the form that ParseSecret reads, empty if there is none.
func (s Secret) Reveal() string {
	if s.Empty() {
		return ""
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(*s.key)
}

// sign returns the value of the header webhook-signature.
func (s Secret) sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, *s.key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// String is [redacted].
func (s Secret) String() string { return redacted }

// Format implements every verb, including those that would print the fields.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(redacted)) }

// MarshalText implements JSON and the like.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
