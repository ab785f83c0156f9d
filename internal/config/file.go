package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// readFile reads a configuration file. Names ending in .yaml or .yml are YAML, one flat mapping of setting names; all
// others contain lines NAME=value, as Docker Compose and shells write them. No error contains a value.
func readFile(path string) (map[string]string, error) {
	content, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yaml", ".yml":
		return parseYAML(content)
	default:
		return parseDotenv(string(content))
	}
}

func parseYAML(content []byte) (map[string]string, error) {
	var tree map[string]any
	if err := yaml.Unmarshal(content, &tree); err != nil {
		// The library's message quotes the lines around the error, which may contain a secret.
		return nil, fmt.Errorf("is not a YAML mapping of setting names to values%s", yamlLine(err))
	}
	flat := make(map[string]string, len(tree))
	for name, raw := range tree {
		text, err := scalar(raw)
		if err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
		flat[name] = text
	}
	return flat, nil
}

// yamlLine returns the line of the error, if the library reports it.
func yamlLine(err error) string {
	var described interface{ GetToken() *token.Token }
	if !errors.As(err, &described) || described.GetToken() == nil || described.GetToken().Position == nil {
		return ""
	}
	return fmt.Sprintf(" (line %d)", described.GetToken().Position.Line)
}

func scalar(raw any) (string, error) {
	switch v := raw.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			part, ok := element.(string)
			if !ok {
				return "", errors.New("must be a list of texts; put quotes around each")
			}
			parts[i] = part
		}
		return strings.Join(parts, ","), nil
	default:
		return "", errors.New("must be a text, a whole number, a switch or a list; put quotes around it")
	}
}

func parseDotenv(content string) (map[string]string, error) {
	flat := map[string]string{}
	for i, line := range strings.Split(strings.TrimPrefix(content, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, raw, found := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "export ")), "=")
		name = strings.TrimSpace(name)
		if !found || name == "" {
			return nil, fmt.Errorf("line %d is not of the form NAME=value", i+1)
		}
		if _, twice := flat[name]; twice {
			return nil, fmt.Errorf("line %d sets %s a second time", i+1, name)
		}
		text, err := unquote(strings.TrimSpace(raw))
		if err != nil {
			return nil, fmt.Errorf("line %d (%s) %w", i+1, name, err)
		}
		flat[name] = text
	}
	return flat, nil
}

// unquote removes the quotes. Between single quotes every character is literal; between double quotes \n, \r, \t, \" and
// \\ are escapes; without quotes a comment starts at " #".
func unquote(raw string) (string, error) {
	if raw == "" {
		return "", nil
	}
	quote := raw[0]
	if quote != '"' && quote != '\'' {
		if at := strings.Index(raw, " #"); at >= 0 {
			raw = strings.TrimSpace(raw[:at])
		}
		return raw, nil
	}
	var b strings.Builder
	for i := 1; i < len(raw); i++ {
		switch {
		case raw[i] == quote:
			if rest := strings.TrimSpace(raw[i+1:]); rest != "" && !strings.HasPrefix(rest, "#") {
				return "", errors.New("has text after the closing quote")
			}
			return b.String(), nil
		case raw[i] == '\\' && quote == '"' && i+1 < len(raw):
			i++
			b.WriteString(unescape(raw[i]))
		default:
			b.WriteByte(raw[i])
		}
	}
	return "", errors.New("has no closing quote")
}

func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '"', '\\':
		return string(c)
	default:
		return `\` + string(c)
	}
}
