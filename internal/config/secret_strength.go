package config

import (
	"errors"
	"fmt"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
)

// strongSecret rejects a signing secret that is short, a sample or guessable.
func strongSecret(v string) (Secret, error) {
	if err := auth.CheckSecret(v); err != nil {
		return Secret{}, err
	}
	return NewSecret(v), nil
}

func strongSecrets(v string) ([]Secret, error) {
	var all []Secret
	for i, part := range list(v) {
		secret, err := strongSecret(part)
		if err != nil {
			return nil, fmt.Errorf("secret number %d: %w", i+1, err)
		}
		all = append(all, secret)
	}
	return all, nil
}

// samplePasswords are words used in documentation, images and published examples, in lower case.
var samplePasswords = []string{
	"changeme", "change-me", "change_me", "replace", "example", "password", "secret", "your-", "admin123",
	"letmein", "graphrest", "12345678",
}

// adminPassword applies the rule for every password to the first administrator's, and also rejects samples: texts that
// consist mostly of a sample word, so that a long passphrase may contain one.
func adminPassword(v string) (Secret, error) {
	if err := detail(auth.CheckPassword("password", v)); err != nil {
		return Secret{}, err
	}
	lower := strings.ToLower(v)
	for _, sample := range samplePasswords {
		if strings.Contains(lower, sample) && len(lower)-len(sample) < 12 {
			return Secret{}, errors.New("it is a sample or easily guessed")
		}
	}
	return NewSecret(v), nil
}

func adminUsername(v string) (string, error) {
	return v, detail(auth.CheckUsername("username", v))
}

// detail returns the message of a fault without the name of its field.
func detail(f *fault.Error) error {
	switch {
	case f == nil:
		return nil
	case len(f.Details) > 0:
		return errors.New(f.Details[0].Message)
	default:
		return errors.New(f.Message)
	}
}

// checkKeyFiles checks that the files contain keys that can sign and verify; they are read again when the gateway
// starts.
func checkKeyFiles(file string, previous []string) error {
	_, err := auth.ReadKeys(file, previous...)
	return err
}
