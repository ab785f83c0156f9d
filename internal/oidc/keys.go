package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
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

	mu      sync.Mutex
	address string
	keys    []jose.JSONWebKey
	readAt  time.Time // of keys
	triedAt time.Time
	failure error         // of the last try
	reading chan struct{} // closed at the end of the read in progress; nil if there is none
}

func newKeySet(client *http.Client, now func() time.Time) *keySet {
	return &keySet{client: client, now: now}
}

// setAddress sets the address of the keys. A new one makes the keys of the old one unusable.
func (k *keySet) setAddress(address string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.address != address {
		k.address, k.keys, k.readAt, k.triedAt, k.failure = address, nil, time.Time{}, time.Time{}, nil
	}
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
func (k *keySet) current(ctx context.Context, forced bool) ([]jose.JSONWebKey, error) {
	for waited := false; ; waited = true {
		k.mu.Lock()
		now := k.now()
		usable := k.readAt != (time.Time{}) && now.Sub(k.readAt) < keysOutage
		pause := keysRefreshPause
		if !usable {
			pause = keysFailurePause
		}
		if k.reading == nil && !waited && (forced || !usable || now.Sub(k.readAt) >= keysMaxAge) && now.Sub(k.triedAt) >= pause {
			k.triedAt, k.reading = now, make(chan struct{})
			go k.read(context.WithoutCancel(ctx), k.address, k.reading)
		}
		keys, reading, failure := k.keys, k.reading, k.failure
		k.mu.Unlock()
		switch {
		case reading == nil && usable:
			return keys, nil
		case reading == nil:
			return nil, errors.Join(errKeysUnknown, failure)
		}
		select {
		case <-reading:
		case <-ctx.Done():
			return nil, errors.Join(errKeysUnknown, ctx.Err())
		}
	}
}

func (k *keySet) read(ctx context.Context, address string, done chan struct{}) {
	keys, err := k.fetch(ctx, address)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.reading, k.failure = nil, err; err == nil && k.address == address {
		k.keys, k.readAt = keys, k.now()
	}
	close(done)
}

// fetch reads the public keys for signatures. What is none is left out: private and symmetric keys, keys for encryption, and those of kinds
// that are unknown here (RFC 7517, section 5).
func (k *keySet) fetch(ctx context.Context, address string) ([]jose.JSONWebKey, error) {
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
	return keys, nil
}
