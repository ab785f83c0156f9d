package config

import "slices"

// Line is one setting as `graphrest config print` shows it.
type Line struct {
	Name   string `json:"name"`
	Value  string `json:"value"`  // [redacted] for secrets that are set, empty for what is not set
	Source string `json:"source"` // default, file, environment, flag, or empty
}

// Lines returns the configuration in the order of the documentation, with secrets redacted.
func (c *Config) Lines() []Line { return slices.Clone(c.lines) }

// IsSet reports whether a setting has another source than its default.
func (c *Config) IsSet(name string) bool {
	return slices.ContainsFunc(c.lines, func(l Line) bool {
		return l.Name == name && l.Source != "" && l.Source != "default"
	})
}

// lines builds the printable form. Nothing else keeps the texts: a Config that is printed must not leak them.
func (l *loader) lines() []Line {
	var lines []Line
	for _, s := range Settings() {
		v := l.from[s.Name]
		line := Line{Name: s.Name, Value: v.text, Source: v.source}
		if s.Secret && v.text != "" {
			line.Value = redacted
		}
		lines = append(lines, line)
	}
	return lines
}
