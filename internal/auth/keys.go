package auth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"os"

	"github.com/golang-jwt/jwt/v5"
)

// Keys sign and verify tokens. All have one algorithm, fixed by how the Keys were created and never by a token. No
// formatter prints them. New rejects the zero value.
type Keys struct{ ring *ring }

type ring struct {
	method   jwt.SigningMethod
	sign     any    // []byte or ed25519.PrivateKey
	material []byte // input of Derive
	id       string // of the signing key
	verify   map[string]jwt.VerificationKey
	order    []jwt.VerificationKey // the current one first
}

// NewKeys creates keys for HS256: the current secret signs and verifies, the previous ones only verify. A weak secret is
// an error that does not quote it; see CheckSecret.
func NewKeys(secret string, previous ...string) (Keys, error) {
	r := &ring{method: jwt.SigningMethodHS256, sign: []byte(secret), material: []byte(secret), verify: map[string]jwt.VerificationKey{}}
	for i, text := range append([]string{secret}, previous...) {
		if err := CheckSecret(text); err != nil {
			if i > 0 {
				return Keys{}, fmt.Errorf("previous signing secret number %d: %w", i, err)
			}
			return Keys{}, fmt.Errorf("signing secret: %w", err)
		}
		r.add(secretID([]byte(text)), []byte(text))
	}
	r.id = secretID([]byte(secret))
	return Keys{r}, nil
}

// ReadKeys reads keys for EdDSA from PEM files: the first contains the private key (PKCS #8, Ed25519) that signs, the
// others contain earlier keys, private or public (PKIX), that only verify.
func ReadKeys(file string, previous ...string) (Keys, error) {
	private, _, err := readKey(file)
	if err != nil {
		return Keys{}, err
	}
	if private == nil {
		return Keys{}, fmt.Errorf("key file %s contains a public key; signing needs the private one", file)
	}
	public := private.Public().(ed25519.PublicKey)
	r := &ring{
		method: jwt.SigningMethodEdDSA, sign: private, material: private.Seed(), id: publicID(public),
		verify: map[string]jwt.VerificationKey{},
	}
	r.add(r.id, public)
	for _, name := range previous {
		_, public, err := readKey(name)
		if err != nil {
			return Keys{}, err
		}
		r.add(publicID(public), public)
	}
	return Keys{r}, nil
}

// Derive derives 32 bytes for another purpose, such as signing cursors, from the signing key (HKDF, RFC 5869). They are
// the same on every replica with the same key and reveal nothing about it. For the zero Keys it returns nil.
func (k Keys) Derive(purpose string) []byte {
	if k.ring == nil {
		return nil
	}
	derived, err := hkdf.Key(sha256.New, k.ring.material, nil, "graphrest "+purpose, sha256.Size)
	if err != nil {
		panic(err) // the length is a constant that HKDF allows
	}
	return derived
}

// String redacts the keys in every formatter.
func (k Keys) String() string { return "[redacted]" }

// GoString implements %#v.
func (k Keys) GoString() string { return "auth.Keys([redacted])" }

// Format implements every verb, including those that would print the fields.
func (k Keys) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(k.String())) }

// MarshalText implements JSON and slog.
func (k Keys) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

func (r *ring) add(id string, key jwt.VerificationKey) {
	if _, known := r.verify[id]; !known {
		r.verify[id] = key
		r.order = append(r.order, key)
	}
}

// keysFor returns the keys that a token may be verified with. A key id only selects one of the configured keys: nothing
// is fetched or opened for it. Without a key id every key is tried.
func (r *ring) keysFor(kid any, given bool) (any, error) {
	if !given {
		return jwt.VerificationKeySet{Keys: r.order}, nil
	}
	if id, isText := kid.(string); isText {
		if key, known := r.verify[id]; known {
			return key, nil
		}
	}
	return nil, errors.New("unknown key id")
}

// secretID returns an id of a secret that reveals no more about it than a signature does.
func secretID(secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("graphrest key id"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:9])
}

func publicID(key ed25519.PublicKey) string {
	sum := sha256.Sum256(key)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// readKey reads one PEM block; private is nil if the file contains a public key.
func readKey(file string) (private ed25519.PrivateKey, public ed25519.PublicKey, err error) {
	content, err := os.ReadFile(file) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, nil, fmt.Errorf("key file: %w", err)
	}
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, nil, fmt.Errorf("key file %s contains no PEM block", file)
	}
	var key crypto.PublicKey
	if parsed, parseErr := x509.ParsePKCS8PrivateKey(block.Bytes); parseErr == nil {
		var isEd25519 bool
		if private, isEd25519 = parsed.(ed25519.PrivateKey); isEd25519 {
			key = private.Public()
		}
	} else if key, parseErr = x509.ParsePKIXPublicKey(block.Bytes); parseErr != nil {
		return nil, nil, fmt.Errorf("key file %s contains neither a PKCS #8 private key nor a public key", file)
	}
	public, isEd25519 := key.(ed25519.PublicKey)
	if !isEd25519 {
		return nil, nil, fmt.Errorf("key file %s contains a key that is not Ed25519", file)
	}
	return private, public, nil
}
