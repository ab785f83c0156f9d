package config

import (
	"fmt"
	"log/slog"
)

// redacted stands wherever a secret would be printed.
const redacted = "[redacted]"

// Secret is a text that no formatter prints: %v, %+v, %#v, %q, %x, JSON, YAML, XML and slog all give [redacted], also
// when the secret sits deep inside a struct. Reveal is the only way to its text, so every use can be found by name.
// It is no string kind on purpose: a conversion cannot undo it by accident. Its zero value is the empty secret.
type Secret struct{ text *string }

// NewSecret wraps a text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal is the text itself, empty when not set.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty says whether there is no secret.
func (s Secret) Empty() bool { return s.text == nil }

// String is [redacted], or nothing for the empty secret.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return redacted
}

// GoString serves %#v.
func (s Secret) GoString() string { return fmt.Sprintf("config.Secret(%q)", s.String()) }

// Format serves every verb, those included that would look inside the value.
func (s Secret) Format(state fmt.State, verb rune) {
	text := s.String()
	switch {
	case verb == 'v' && state.Flag('#'):
		text = s.GoString()
	case verb == 'q':
		text = fmt.Sprintf("%q", text)
	}
	_, _ = state.Write([]byte(text))
}

// MarshalText serves JSON, YAML, XML and flags.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue serves slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
