package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"

	"graphrest/internal/snapshot"
)

const (
	// keysMaxAge is how long keys are used before they are read again, so that a key that the provider withdrew ends.
	keysMaxAge = 10 * time.Minute
	// keysRefreshPause is the time between two reads of the keys, whatever the reason: a forged token may name any key.
	keysRefreshPause = 60 * time.Second
	// keysFailurePause is that time after a failed read while there is no usable key.
	keysFailurePause = retryPause
	// keysOutage is how long keys are used if the provider does not answer any more.
	keysOutage = time.Hour
	// maxKeys is how many keys are kept.
	maxKeys = 64
)

// errKeysUnknown means that a token cannot be verified now because the provider does not answer.
var errKeysUnknown = errors.New("the provider's keys cannot be read")

// keySet is the provider's public keys; a goidc.KeySet. It replaces the library's, which reads the keys again for every token that it
// cannot verify.
type keySet struct {
	client *http.Client
	now    func() time.Time

	published atomic.Pointer[publishedKeys] // nil until the address is known
}

// publishedKeys are the keys of one address.
type publishedKeys struct {
	address string
	keys    *snapshot.Snapshot[[]jose.JSONWebKey]
}

func newKeySet(client *http.Client, now func() time.Time) *keySet {
	return &keySet{client: client, now: now}
}

// setAddress sets the address of the keys. A new one makes the keys of the old one unusable.
func (k *keySet) setAddress(address string) {
	if p := k.published.Load(); p != nil && p.address == address {
		return
	}
	p := &publishedKeys{address: address}
	p.keys = snapshot.New(
		func(ctx context.Context) (*[]jose.JSONWebKey, error) { return k.fetch(ctx, address) },
		snapshot.Options{Now: k.now, FailurePause: p.failurePause})
	k.published.Store(p)
}

// VerifySignature returns the payload of a token. The verifier that calls it has checked the algorithm.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	algorithms := make([]jose.SignatureAlgorithm, len(asymmetric))
	for i, name := range asymmetric {
		algorithms[i] = jose.SignatureAlgorithm(name)
	}
	signed, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return nil, err
	}
	header := signed.Signatures[0].Header
	for forced := false; ; forced = true {
		keys, err := k.current(ctx, forced)
		if err != nil {
			return nil, err
		}
		known := false
		for i := range keys {
			if header.KeyID != "" && keys[i].KeyID != header.KeyID || keys[i].Algorithm != "" && keys[i].Algorithm != header.Algorithm {
				continue
			}
			known = true
			if payload, err := signed.Verify(&keys[i]); err == nil {
				return payload, nil
			}
		}
		switch {
		case known && header.KeyID != "":
			return nil, errors.New("the signature is wrong")
		case forced:
			return nil, errors.New("no key of the provider verifies the signature")
		}
	}
}

// current returns the keys. It reads them if there are none or they are old, and if forced, but not before keysRefreshPause has passed.
// Old keys are used if they cannot be read again.
func (k *keySet) current(ctx context.Context, forced bool) ([]jose.JSONWebKey, error) {
	p := k.published.Load()
	if p == nil {
		return nil, errKeysUnknown
	}
	maxAge := keysMaxAge
	if forced {
		maxAge = keysRefreshPause
	}
	keys, err := p.keys.Fresh(ctx, maxAge)
	if err != nil && ctx.Err() == nil && p.keys.IsFresh(keysOutage) {
		keys, err = p.keys.Current(), nil
	}
	if err != nil {
		return nil, errors.Join(errKeysUnknown, err)
	}
	return *keys, nil
}

// failurePause is the time between a failed read of the keys and the next read.
func (p *publishedKeys) failurePause() time.Duration {
	if p.keys.IsFresh(keysOutage) {
		return keysRefreshPause
	}
	return keysFailurePause
}

// fetch reads the public keys for signatures. What is none is left out: private and symmetric keys, keys for encryption, and those of kinds
// that are unknown here (RFC 7517, section 5).
func (k *keySet) fetch(ctx context.Context, address string) (*[]jose.JSONWebKey, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the keys: status %d", response.StatusCode)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("the keys: %s", shorten(err.Error()))
	}
	var keys []jose.JSONWebKey
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		usable := json.Unmarshal(text, &key) == nil && key.IsPublic() && key.Valid() && (key.Use == "" || key.Use == "sig")
		if usable && len(keys) < maxKeys {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("the keys: there is no public key for signatures")
	}
	return &keys, nil
}
