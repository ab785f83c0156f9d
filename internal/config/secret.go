package config

import (
	"fmt"
	"log/slog"
)

// redacted is printed in place of every secret.
const redacted = "[redacted]"

// Secret is a text that no formatter prints: %v, %+v, %#v, %q, %x, JSON, YAML, XML and slog all give [redacted], also
// for a secret nested in a struct. Reveal is the only access to its text, so every use can be found by name. It is not a
// string kind on purpose, so that no conversion exposes it by accident. Its zero value is the empty secret.
type Secret struct{ text *string }

// NewSecret wraps a text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: &text}
}

// Reveal returns the text, empty if not set.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.text == nil }

// String is [redacted], or nothing for the empty secret.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return redacted
}

// GoString implements %#v.
func (s Secret) GoString() string { return fmt.Sprintf("config.Secret(%q)", s.String()) }

// Format implements every verb, including those that would print the fields.
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

// MarshalText implements JSON, YAML, XML and flags.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
