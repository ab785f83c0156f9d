package auth

import (
	"errors"
	"fmt"
	"strings"
)

// MinSecret is the minimum length of a signing secret in bytes: RFC 7518, section 3.2, requires a key at least as long
// as the hash for HS256.
const MinSecret = 32

// minDistinct is the minimum number of different bytes in a secret.
const minDistinct = 6

// sampleWords occur in published examples or are typed by people, longest first, in lower case. A secret is rejected if
// little of it is left without them, so a random one may contain one by chance.
var sampleWords = []string{
	"abcdefghijklmnopqrstuvwxyz", "01234567890", "0123456789", "1234567890", "development", "characters", "production", "insecure",
	"123456789", "graphrest", "password", "sample", "qwertyuiop", "12345678", "changeme", "default", "example", "minimum",
	"replace", "signing",
	"string", "random", "secret", "change", "please", "letmein", "qwerty", "abcdef", "super", "token", "least", "bytes",
	"dummy", "admin", "long", "neo4j", "graph", "rest", "test", "demo", "your", "very", "this", "here", "must", "bits", "char", "with",
	"only", "jwt", "key",
	"256", "512", "not", "for", "use", "the", "one", "and", "32", "at", "me", "my", "is", "in", "a",
}

// minRandomCharacters is how many characters must be left without the sample words.
const minRandomCharacters = 12

// CheckSecret returns an error, which does not quote the secret, if a text cannot be a signing secret, or nil.
func CheckSecret(secret string) error {
	if len(secret) < MinSecret {
		return fmt.Errorf("it is %d bytes long, and at least %d are needed", len(secret), MinSecret)
	}
	if countDistinctBytes(secret) < minDistinct {
		return errors.New("it consists of only a few different characters")
	}
	if isRepetition(secret) {
		return errors.New("it is one short text repeated")
	}
	if isMostlySampleWords(secret) {
		return errors.New("it consists of words used in samples")
	}
	return nil
}

func countDistinctBytes(text string) int {
	var seen [256]bool
	count := 0
	for i := range len(text) {
		if !seen[text[i]] {
			seen[text[i]] = true
			count++
		}
	}
	return count
}

// isRepetition reports whether a part shorter than half the minimum length repeats to form the whole secret.
func isRepetition(text string) bool {
	for size := 1; size < MinSecret/2; size++ {
		if strings.HasPrefix(text, text[size:]) {
			return true
		}
	}
	return false
}

// isMostlySampleWords removes the sample words and checks how many characters are left, without punctuation.
func isMostlySampleWords(secret string) bool {
	rest := strings.ToLower(secret)
	for _, word := range sampleWords {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	left := 0
	for _, r := range rest {
		if !strings.ContainsRune(" -_.!?,:;<>[]{}()", r) {
			left++
		}
	}
	return left < minRandomCharacters
}
