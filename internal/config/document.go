package config

import (
	"fmt"
	"strings"
)

// Document returns the content of docs/configuration.md. `make generate` writes the file; a test fails if it differs.
func Document() string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from the table in internal/config by "make generate". Edit the table, not this file. -->
# Configuration

Sources of a setting, in rising precedence: its default, the configuration file, the environment, a flag.
The file is set by ` + "`" + FileSetting + "` or `--" + FileFlag + "`" + `. It contains the names below, as a YAML mapping if its
name ends in .yaml or .yml, otherwise as lines ` + "`NAME=value`" + `.

Secrets have no flag, since every user of a machine can read the flags of its processes. Each can be read from a file
instead: ` + "`NAME_FILE`" + ` in the environment or the configuration file, or the flag named below. A line break at the end of
such a file is ignored.

An empty value means not set. Times are written like ` + "`90s`, `15m`, `1h30m`" + ` or as a number of seconds, sizes like
` + "`64KiB`, `1MiB`" + ` or as a number of bytes, lists with commas between their elements. An unknown variable that starts with
` + "`" + ownPrefix + "`" + ` and every invalid value prevent the start; ` + "`graphrest config check`" + ` lists all problems, and
` + "`graphrest config print`" + ` shows the effective values and their sources, without the secrets.
`)
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		s.describe(&b)
	}
	return b.String()
}

func (s Setting) describe(b *strings.Builder) {
	fmt.Fprintf(b, "\n### %s\n%s\n\n", s.Name, s.Help)
	fmt.Fprintf(b, "- Value: %s.\n", s.Expected)
	switch {
	case s.Default != "":
		fmt.Fprintf(b, "- Default: `%s`.\n", s.Default)
	default:
		b.WriteString("- Default: not set.\n")
	}
	if s.Flag != "" {
		fmt.Fprintf(b, "- Flag: `--%s`.\n", s.Flag)
	}
	if s.Secret {
		fmt.Fprintf(b, "- From a file: `%s`, flag `--%s`.\n", s.FileVariant(), s.FileFlag())
	}
	for _, alias := range s.Aliases {
		fmt.Fprintf(b, "- Also called: `%s`.\n", alias)
	}
}
