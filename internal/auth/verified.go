package auth

import "sync"

// verifiedTokens remembers the claims of tokens whose signature was found good, so that the same token is not verified anew on each of
// its requests: that is a fifth of the gateway's own work on a read. Everything that can change is still checked every time:
// the claims' times, the revocation, the user. Only good tokens get in, so nobody without one can fill it.
type verifiedTokens struct {
	mu         sync.RWMutex
	young, old map[string]*claims
}

// verifiedGeneration is how many tokens one of the two generations holds; some 700 bytes each.
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
