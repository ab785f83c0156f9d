package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Purpose determines which settings a command requires.
type Purpose int

// Purposes.
const (
	Serve          Purpose = iota // a database, its password, and one way to sign tokens
	Administration                // a database and its password
	Development                   // none: what is missing is created
)

// Sources are where values come from, besides the defaults.
type Sources struct {
	Flags   map[string]string // flag name -> text, only the flags that were given
	Environ []string          // NAME=value, as os.Environ gives it
	Purpose Purpose
}

// Problem is one invalid, missing or unknown setting.
type Problem struct {
	Setting  string // the name as the user wrote it: a variable, a flag or a file
	Message  string
	Expected string // the expected value; may be empty
}

// Problems are all problems found, in the order of the documentation. It is the error that Load returns.
type Problems []Problem

// Error lists the problems, one per line.
func (m Problems) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the configuration has %d problem(s):", len(m))
	for _, problem := range m {
		fmt.Fprintf(&b, "\n  %s: %s", problem.Setting, problem.Message)
		if problem.Expected != "" {
			fmt.Fprintf(&b, "; expected: %s", problem.Expected)
		}
	}
	return b.String()
}

// value is the text of a setting and its source.
type value struct {
	text   string
	source string // default, file, environment, flag
	given  string // the name it was given under
}

// Load merges defaults, file, environment and flags, parses every value and validates the whole. The error is a Problems
// with all of them; the configuration is nil then.
func Load(sources Sources) (*Config, error) {
	l := loader{from: map[string]value{}, sources: sources}
	l.merge("default", "", defaults())
	environ := environment(sources.Environ)
	if path, given := filePath(sources, environ); path != "" {
		content, err := readFile(path)
		if err != nil {
			l.addProblem(given, "the file "+err.Error(), "")
		}
		l.unknownInFile(path, content)
		l.merge("file", path, content)
	}
	l.unknownInEnvironment(environ)
	l.merge("environment", "", environ)
	l.merge("flag", "", flagNames(sources.Flags))

	c := &Config{lines: l.lines()}
	l.read(c)
	l.require(c)
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return c, nil
}

func defaults() map[string]string {
	all := map[string]string{}
	for _, s := range Settings() {
		if s.Default != "" {
			all[s.Name] = s.Default
		}
	}
	return all
}

func environment(environ []string) map[string]string {
	all := map[string]string{}
	for _, entry := range environ {
		if name, text, ok := strings.Cut(entry, "="); ok {
			all[name] = text
		}
	}
	return all
}

func filePath(sources Sources, environ map[string]string) (path, given string) {
	if path = sources.Flags[FileFlag]; path != "" {
		return path, "--" + FileFlag
	}
	return environ[FileSetting], FileSetting
}

// flagNames maps flags to the settings that they set.
func flagNames(flags map[string]string) map[string]string {
	all := map[string]string{}
	for _, s := range Settings() {
		if text, given := flags[s.Flag]; given && s.Flag != "" {
			all[s.Name] = text
		}
		if text, given := flags[s.FileFlag()]; given && s.Secret {
			all[s.FileVariant()] = text
		}
	}
	return all
}

type loader struct {
	from     map[string]value // by the name of the setting, of the source with the highest precedence so far
	sources  Sources
	problems Problems
}

func (l *loader) addProblem(setting, message, expected string) {
	l.problems = append(l.problems, Problem{Setting: setting, Message: message, Expected: expected})
}

// merge adds one source over those merged before. Aliases and NAME_FILE are resolved within their source, so that a
// password in the environment overrides a password file named in the configuration file. An empty text means not set:
// Compose and Helm pass empty variables for settings without a value.
func (l *loader) merge(source, path string, given map[string]string) {
	for _, s := range Settings() {
		var found []value
		for _, name := range append([]string{s.Name, s.FileVariant()}, s.Aliases...) {
			text := given[name]
			if name == "" || text == "" {
				continue
			}
			shown := l.displayName(s, name, source, path)
			if name == s.FileVariant() {
				content, err := os.ReadFile(text) //nolint:gosec // the operator names the file
				if err != nil {
					l.addProblem(shown, "the file cannot be read: "+err.Error(), "a readable file that contains "+s.Expected)
					continue
				}
				if text = strings.TrimRight(string(content), "\r\n"); text == "" {
					l.addProblem(shown, "the file is empty", "a file that contains "+s.Expected)
					continue
				}
			}
			found = append(found, value{text: text, source: source, given: shown})
		}
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 && found[0].text != found[1].text {
			l.addProblem(found[1].given, "contradicts "+found[0].given, "only one of the two")
		}
		l.from[s.Name] = found[0]
	}
}

// displayName returns the name as the user wrote it.
func (l *loader) displayName(s Setting, name, source, path string) string {
	switch {
	case source == "file":
		return name + " in " + path
	case source == "flag" && name == s.FileVariant():
		return "--" + s.FileFlag()
	case source == "flag":
		return "--" + s.Flag
	}
	return name
}

// read parses the text of every setting.
func (l *loader) read(c *Config) {
	for _, s := range Settings() {
		text := l.from[s.Name].text
		if !s.Secret {
			text = strings.TrimSpace(text)
		}
		if text == "" {
			continue
		}
		err := s.set(c, text)
		if err == nil {
			continue
		}
		message := err.Error()
		if errors.Is(err, errUnusable) {
			message = "this value is invalid"
			if !s.Secret && s.Name != "NEO4J_URI" {
				message = fmt.Sprintf("%q is invalid", text)
			}
		}
		l.addProblem(l.from[s.Name].given, message, s.Expected)
	}
}

// require validates rules that involve several settings.
func (l *loader) require(c *Config) {
	given := func(name string) bool { return l.from[name].text != "" }
	missing := func(name string) {
		s := settingNamed(name)
		l.addProblem(name, "is not set", s.Expected)
	}
	if l.sources.Purpose != Development || given("NEO4J_URI") {
		for _, name := range []string{"NEO4J_URI", "NEO4J_PASSWORD"} {
			if !given(name) {
				missing(name)
			}
		}
	}
	if given("GRAPHREST_TLS_CERT_FILE") != given("GRAPHREST_TLS_KEY_FILE") {
		l.addProblem("GRAPHREST_TLS_CERT_FILE", "is set without GRAPHREST_TLS_KEY_FILE, or GRAPHREST_TLS_KEY_FILE without this", "both or none")
	} else if err := checkCertificate(c.HTTP.CertFile, c.HTTP.KeyFile); err != nil {
		l.addProblem(l.from["GRAPHREST_TLS_CERT_FILE"].given, err.Error(), "a certificate and its own key")
	}
	l.requireAddress(c)
	l.requireSignOn(c)
	secret, key := given("GRAPHREST_JWT_SECRET"), given("GRAPHREST_JWT_KEY_FILE")
	switch {
	case secret && key:
		l.addProblem("GRAPHREST_JWT_KEY_FILE", "is set together with GRAPHREST_JWT_SECRET", "one of the two")
	case l.sources.Purpose == Serve && !secret && !key:
		missing("GRAPHREST_JWT_SECRET")
	}
	if key {
		if err := checkKeyFiles(c.Tokens.KeyFile, c.Tokens.PreviousKeyFiles); err != nil {
			l.addProblem(l.from["GRAPHREST_JWT_KEY_FILE"].given, err.Error(), settingNamed("GRAPHREST_JWT_KEY_FILE").Expected)
		}
	}
	if given("GRAPHREST_JWT_PREVIOUS_KEY_FILES") && !key {
		l.addProblem("GRAPHREST_JWT_PREVIOUS_KEY_FILES", "is set without GRAPHREST_JWT_KEY_FILE",
			"both or none: all tokens are signed in one way")
	}
	if given("GRAPHREST_JWT_PREVIOUS_SECRETS") && key {
		l.addProblem("GRAPHREST_JWT_PREVIOUS_SECRETS", "is set together with GRAPHREST_JWT_KEY_FILE",
			"one of the two: all tokens are signed in one way")
	}
	if slices.ContainsFunc(c.Tokens.PreviousSecrets, func(p Secret) bool { return secret && p.Reveal() == c.Tokens.Secret.Reveal() }) {
		l.addProblem("GRAPHREST_JWT_PREVIOUS_SECRETS", "contains the current secret as well", "former secrets only")
	}
}

func settingNamed(name string) Setting {
	for _, s := range Settings() {
		if s.Name == name {
			return s
		}
	}
	panic("config: no setting is named " + name)
}

// unknownInEnvironment rejects unknown variables with the gateway's prefix: a misspelt limit must not be ignored
// silently.
func (l *loader) unknownInEnvironment(environ map[string]string) {
	known := knownNames()
	for _, name := range slices.Sorted(maps.Keys(environ)) {
		if strings.HasPrefix(strings.ToUpper(name), ownPrefix) && !known[name] {
			l.addProblem(name, "is not a setting of this version"+suggestion(name, known), "one of the names that `graphrest config print` lists")
		}
	}
}

// unknownInFile rejects every unknown name, except those that Aura adds to its credentials files.
func (l *loader) unknownInFile(path string, content map[string]string) {
	known := knownNames()
	for _, name := range slices.Sorted(maps.Keys(content)) {
		switch {
		case name == FileSetting:
			l.addProblem(name+" in "+path, "a configuration file cannot name another", "")
		case !known[name] && !strings.HasPrefix(name, "AURA_"):
			l.addProblem(name+" in "+path, "is not a setting of this version"+suggestion(name, known),
				"one of the names that `graphrest config print` lists")
		}
	}
}

func knownNames() map[string]bool {
	known := map[string]bool{FileSetting: true}
	for _, name := range ClientVariables() {
		known[name] = true
	}
	for _, s := range Settings() {
		known[s.Name] = true
		if s.Secret {
			known[s.FileVariant()] = true
		}
		for _, alias := range s.Aliases {
			known[alias] = true
		}
	}
	return known
}

// ClientVariables are variables with the prefix that are not settings of the gateway: `graphrest import` and `graphrest
// export` read from them which gateway to call and as which user.
func ClientVariables() []string {
	return []string{"GRAPHREST_URL", "GRAPHREST_TOKEN", "GRAPHREST_USERNAME", "GRAPHREST_PASSWORD"}
}

// suggestion returns the most similar setting name for a misspelt one, if any is similar.
func suggestion(name string, known map[string]bool) string {
	best, distance := "", 4
	for _, candidate := range slices.Sorted(maps.Keys(known)) {
		if d := editDistance(strings.ToUpper(name), candidate); d < distance {
			best, distance = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return " (did you mean " + best + "?)"
}

// editDistance is the Levenshtein distance.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
