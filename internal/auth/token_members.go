package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// knownMembers are the members of the header and of the claims that are used here.
var knownMembers = [2][]string{
	{"alg", "typ", "kid", "crit", "b64", "zip"},
	{"iss", "aud", "sub", "jti", "iat", "nbf", "exp", "gen"},
}

// checkMembers rejects a token whose JSON is ambiguous: a duplicate member, of which encoding/json takes the last (RFC
// 7519, section 4, lets a parser reject it), or a known member in another letter case, which encoding/json accepts.
func checkMembers(token string) error {
	parts := strings.Split(token, ".")
	for i, known := range knownMembers {
		text, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil {
			return err
		}
		if err := checkObject(text, known); err != nil {
			return err
		}
	}
	return nil
}

// checkObject checks the names of an object's members and, for duplicates, those of all nested objects.
func checkObject(text []byte, known []string) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	var open []container
	for {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch delimiter, _ := token.(json.Delim); delimiter {
		case '{', '[':
			open = append(open, newContainer(delimiter))
			continue
		case '}', ']':
			open = open[:len(open)-1]
		default:
			if len(open) == 0 {
				return errors.New("not an object")
			}
			if top := &open[len(open)-1]; top.expectsName() {
				if err := top.addName(token.(string), len(open) == 1, known); err != nil {
					return err
				}
				continue
			}
		}
		if len(open) == 0 {
			return nil // the library has checked that nothing follows
		}
		open[len(open)-1].named = false
	}
}

// container is an object or a list that the decoder is inside.
type container struct {
	seen  map[string]bool // names of an object's members; nil for a list
	named bool            // a name was read, but not yet its value
}

func newContainer(delimiter json.Delim) container {
	if delimiter == '{' {
		return container{seen: map[string]bool{}}
	}
	return container{}
}

func (c *container) expectsName() bool { return c.seen != nil && !c.named }

func (c *container) addName(name string, outermost bool, known []string) error {
	misspelt := func(right string) bool { return right != name && strings.EqualFold(right, name) }
	if c.seen[name] || outermost && slices.ContainsFunc(known, misspelt) {
		return errors.New("ambiguous member")
	}
	c.seen[name], c.named = true, true
	return nil
}
