package oidc

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"
)

// cookieSealer encrypts and authenticates what a login leaves in the browser, so that any replica can go on with it (AES-256-GCM with
// random nonces).
type cookieSealer struct{ aead cipher.AEAD }

// What a sealed text is for; one kind cannot be used as the other.
const (
	attemptCookie  = "attempt"
	handOverCookie = "hand-over"
)

// maxCookie is the size of the largest sealed text, in bytes.
const maxCookie = 4096

var errCookie = errors.New("the cookie is missing, changed or expired")

func newCookieSealer(key []byte) (cookieSealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil || len(key) != 32 {
		return cookieSealer{}, errors.New("oidc: the key of the cookies must be 32 bytes long")
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return cookieSealer{aead}, err
}

// sealed is the content of a cookie with its end.
type sealed struct {
	Expires int64           `json:"exp"` // in seconds since 1970
	Content json.RawMessage `json:"content"`
}

func (s cookieSealer) seal(kind string, content any, expires time.Time) (string, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	text, err = json.Marshal(sealed{expires.Unix(), text})
	if err != nil {
		return "", err
	}
	box := s.aead.Seal(nil, nil, text, []byte(kind)) //nolint:gosec // it makes a random nonce itself
	return base64.RawURLEncoding.EncodeToString(box), nil
}

// open reads a sealed text into content, and returns its end.
func (s cookieSealer) open(kind, text string, now time.Time, content any) (time.Time, error) {
	if text == "" || len(text) > maxCookie {
		return time.Time{}, errCookie
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return time.Time{}, errCookie
	}
	plain, err := s.aead.Open(nil, nil, raw, []byte(kind))
	if err != nil {
		return time.Time{}, errCookie
	}
	var read sealed
	if err := json.Unmarshal(plain, &read); err != nil {
		return time.Time{}, errCookie
	}
	expires := time.Unix(read.Expires, 0)
	if !now.Before(expires) || json.Unmarshal(read.Content, content) != nil {
		return time.Time{}, errCookie
	}
	return expires, nil
}
