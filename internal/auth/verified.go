package auth

import "sync"

// verifiedTokens caches the claims of tokens with a valid signature, so that a token is not verified again on each
// request: that is a fifth of the gateway's own work on a read. Everything that can change is still checked every time:
// the times in the claims, the revocation, the user. Only valid tokens are cached, so a client without one cannot fill
// it.
type verifiedTokens struct {
	mu         sync.RWMutex
	young, old map[string]*claims
}

// verifiedGeneration is the capacity of each of the two generations; some 700 bytes for each token.
const verifiedGeneration = 4096

func (v *verifiedTokens) get(text string) *claims {
	v.mu.RLock()
	c, young := v.young[text]
	if !young {
		c = v.old[text]
	}
	v.mu.RUnlock()
	if c != nil && !young {
		v.put(text, c)
	}
	return c
}

func (v *verifiedTokens) put(text string, c *claims) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.young == nil || len(v.young) >= verifiedGeneration {
		v.old, v.young = v.young, make(map[string]*claims)
	}
	v.young[text] = c
}
