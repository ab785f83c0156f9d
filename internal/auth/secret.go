package auth

import (
	"errors"
	"fmt"
	"strings"
)

// MinSecret is the least length of a signing secret in bytes: RFC 7518, section 3.2, asks HS256 for a key at least as long
// as its hash.
const MinSecret = 32

// minDistinct is how many different bytes a secret must hold.
const minDistinct = 6

// sampleWords stand in other people's examples, or are what people type, longest first; in lower case. A secret is refused
// when little is left of it without them, so that a random one may hold one by chance.
var sampleWords = []string{
	"abcdefghijklmnopqrstuvwxyz", "01234567890", "0123456789", "1234567890", "development", "characters", "production", "insecure",
	"123456789", "graphrest", "password", "sample", "qwertyuiop", "12345678", "changeme", "default", "example", "minimum", "replace", "signing",
	"string", "random", "secret", "change", "please", "letmein", "qwerty", "abcdef", "super", "token", "least", "bytes",
	"dummy", "admin", "long", "neo4j", "graph", "rest", "test", "demo", "your", "very", "this", "here", "must", "bits", "char", "with", "only", "jwt", "key",
	"256", "512", "not", "for", "use", "the", "one", "and", "32", "at", "me", "my", "is", "in", "a",
}

// minLeft is how many bytes must be left.
const minRandomCharacters = 12

// CheckSecret says what makes a text unfit as a signing secret, without quoting it; nil when it is fit.
func CheckSecret(secret string) error {
	if len(secret) < MinSecret {
		return fmt.Errorf("it is %d bytes long, and at least %d are needed", len(secret), MinSecret)
	}
	if countDistinctBytes(secret) < minDistinct {
		return errors.New("it repeats a few characters only")
	}
	if isRepetition(secret) {
		return errors.New("it is one short text repeated")
	}
	if isMostlySampleWords(secret) {
		return errors.New("it is made of words that stand in samples")
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

// repeats says whether a part of less than half the secret's least length makes up all of it.
func isRepetition(text string) bool {
	for size := 1; size < MinSecret/2; size++ {
		if strings.HasPrefix(text, text[size:]) {
			return true
		}
	}
	return false
}

// madeOfSamples takes the sample words out and looks how much is left besides punctuation.
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
