package httpapi

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"

	"graphrest/internal/graph"
)

const (
	cursorVersion = 1
	cursorMAC     = 16   // HMAC-SHA-256 cut to 128 bits (RFC 2104, section 5)
	maxCursor     = 8192 // characters; a position contains a type name, an id and the sort keys of up to four properties
)

// cursorSigner encodes a store's positions as cursors and decodes them. A cursor is
//
//	base64url(version | MAC | offset as uvarint | position)
//
// without padding. The MAC covers the version, the query's fingerprint and the rest of the cursor, so a cursor can neither be
// forged nor used with another query.
type cursorSigner struct {
	key     []byte
	sealing cipher.AEAD
}

// newCursorSigner derives its keys from the secret, which may have other uses.
func newCursorSigner(secret []byte) cursorSigner {
	return cursorSigner{key: deriveKey(secret, "graphrest cursor"), sealing: newSealing(deriveKey(secret, "graphrest cursor encryption"))}
}

func deriveKey(secret []byte, purpose string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(purpose))
	return h.Sum(nil)
}

func newSealing(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key has 32 bytes
	}
	sealing, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return sealing
}

// encode returns a signed cursor. Offset is the number of entities before the cursor's page.
func (s cursorSigner) encode(p graph.Position, offset int64, fingerprint []byte) string {
	payload := append(binary.AppendUvarint(nil, uint64(offset)), p...)
	raw := make([]byte, 0, 1+cursorMAC+len(payload))
	raw = append(raw, cursorVersion)
	raw = append(raw, s.mac(fingerprint, payload)...)
	raw = append(raw, payload...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// decode verifies a cursor and returns its position and offset.
func (s cursorSigner) decode(text string, fingerprint []byte) (graph.Position, int64, bool) {
	if len(text) > maxCursor {
		return nil, 0, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < 1+cursorMAC+1 || raw[0] != cursorVersion {
		return nil, 0, false
	}
	payload := raw[1+cursorMAC:]
	if !hmac.Equal(raw[1:1+cursorMAC], s.mac(fingerprint, payload)) {
		return nil, 0, false
	}
	offset, size := binary.Uvarint(payload)
	if size <= 0 || offset > maxOffset {
		return nil, 0, false
	}
	return graph.Position(payload[size:]), int64(offset), true
}

func (s cursorSigner) mac(fingerprint, payload []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(fingerprint)))
	h.Write([]byte{cursorVersion})
	h.Write(length[:])
	h.Write(fingerprint)
	h.Write(payload)
	return h.Sum(nil)[:cursorMAC]
}

// seal encrypts the position of a store that may name something its user does not see (AES-256-GCM, random nonce).
func (s cursorSigner) seal(position string) string {
	nonce := make([]byte, s.sealing.NonceSize(), s.sealing.NonceSize()+len(position)+s.sealing.Overhead())
	_, _ = rand.Read(nonce) // it never fails
	return base64.RawURLEncoding.EncodeToString(s.sealing.Seal(nonce, nonce, []byte(position), nil))
}

// unseal decrypts what seal returned.
func (s cursorSigner) unseal(text string) (position string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < s.sealing.NonceSize() {
		return "", false
	}
	size := s.sealing.NonceSize()
	plain, err := s.sealing.Open(nil, raw[:size], raw[size:], nil)
	return string(plain), err == nil
}

// nextLink returns the target of Link rel="next": the same path and parameters with the new cursor (RFC 8288). It is a
// relative reference.
func (c *call) nextLink(cursor string) string {
	values := url.Values{}
	for _, p := range c.query {
		if p.name != "offset" && p.name != "cursor" {
			values.Add(p.name, p.value)
		}
	}
	values.Set("cursor", cursor)
	return c.api.address(c.gin.Request.URL.EscapedPath()) + "?" + values.Encode()
}
