package config

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"graphrest/internal/graph"
)

// errUnusable means that the value does not match the setting's Expected; the report adds that.
var errUnusable = errors.New("unusable value")

// setText stores a text that passes the check.
func setText(target func(*Config) *string, check func(string) error) func(*Config, string) error {
	return func(c *Config, v string) error {
		if err := check(v); err != nil {
			return err
		}
		*target(c) = v
		return nil
	}
}

// setNumber parses an integer from low to high.
func setNumber[N int | int64](target func(*Config) *N, low, high int64) func(*Config, string) error {
	return func(c *Config, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < low || n > high {
			return errUnusable
		}
		*target(c) = N(n)
		return nil
	}
}

var sizePattern = regexp.MustCompile(`^([0-9]{1,15})\s*(B|KiB|MiB|GiB|KB|MB|GB|)$`)

var sizeUnits = map[string]int64{
	"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1e3, "MB": 1e6, "GB": 1e9,
}

// setSize parses bytes: a plain number, or one with a unit (IEC 80000-13: KiB is 1024 bytes, KB is 1000).
func setSize[N int | int64](target func(*Config) *N, low, high int64) func(*Config, string) error {
	return func(c *Config, v string) error {
		parts := sizePattern.FindStringSubmatch(v)
		if parts == nil {
			return errUnusable
		}
		n, err := strconv.ParseInt(parts[1], 10, 64)
		unit := sizeUnits[parts[2]]
		if err != nil || n > high/unit || n*unit < low {
			return errUnusable
		}
		*target(c) = N(n * unit)
		return nil
	}
}

// setDuration parses a Go duration ("1h30m"), or a plain number of seconds.
func setDuration(target func(*Config) *time.Duration, low, high time.Duration) func(*Config, string) error {
	return func(c *Config, v string) error {
		if _, err := strconv.ParseUint(v, 10, 32); err == nil {
			v += "s"
		}
		d, err := time.ParseDuration(v)
		if err != nil || d < low || d > high {
			return errUnusable
		}
		*target(c) = d
		return nil
	}
}

// wholeSeconds parses a duration in whole seconds: values shown to clients are in seconds.
func wholeSeconds(target func(*Config) *time.Duration, low, high time.Duration) func(*Config, string) error {
	read := setDuration(target, low, high)
	return func(c *Config, v string) error {
		if err := read(c, v); err != nil {
			return err
		}
		if *target(c)%time.Second != 0 {
			return errUnusable
		}
		return nil
	}
}

func setBoolean(target func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		switch strings.ToLower(v) {
		case "on", "true", "yes", "1":
			*target(c) = true
		case "off", "false", "no", "0":
			*target(c) = false
		default:
			return errUnusable
		}
		return nil
	}
}

func oneOf(words ...string) func(string) error {
	return func(v string) error {
		for _, word := range words {
			if v == word {
				return nil
			}
		}
		return errUnusable
	}
}

func printable(maxBytes int) func(string) error {
	return func(v string) error {
		if len(v) > maxBytes || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
			return errUnusable
		}
		return nil
	}
}

// list splits at commas, trims the elements and drops empty ones.
func list(v string) []string {
	var all []string
	for part := range strings.SplitSeq(v, ",") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	return all
}

var uriSchemes = map[string]bool{"neo4j": true, "neo4j+s": true, "neo4j+ssc": true, "bolt": true, "bolt+s": true, "bolt+ssc": true}

// parseURI accepts the schemes of the driver. Its errors never contain the text, which may include a password.
func parseURI(v string) (string, error) {
	u, err := url.Parse(v)
	switch {
	case strings.Contains(v, "@") || (err == nil && u.User != nil):
		return "", errors.New("it contains a user name or password; those belong in NEO4J_USERNAME and NEO4J_PASSWORD")
	case err != nil:
		return "", errUnusable
	case !uriSchemes[u.Scheme]:
		return "", fmt.Errorf("the scheme %q is not one of Neo4j's", u.Scheme)
	case u.Hostname() == "" || (u.Path != "" && u.Path != "/") || u.Fragment != "" || u.Opaque != "":
		return "", errUnusable
	case u.RawQuery != "" && strings.HasPrefix(u.Scheme, "bolt"):
		return "", errors.New("a bolt address takes no routing context (the part after the question mark)")
	}
	if port := u.Port(); port != "" && !validPort(port, 1) {
		return "", errUnusable
	}
	return v, nil
}

func validPort(port string, low int) bool {
	n, err := strconv.Atoi(port)
	return err == nil && n >= low && n <= 65535
}

var databaseName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9.-]{2,62}$`)

// checkDatabaseName implements the naming rules of the Neo4j operations manual ("Database names").
func checkDatabaseName(v string) error {
	if !databaseName.MatchString(v) || strings.EqualFold(v, "system") {
		return errUnusable
	}
	return nil
}

func checkIDProperty(v string) error {
	odd := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }
	if v == "" || len(v) > 255 || !utf8.ValidString(v) || strings.ContainsFunc(v, odd) || graph.Reserved(v) {
		return errUnusable
	}
	return nil
}

// parseRedisURL parses the address of a Redis, which may include a password: no error contains any of it.
func parseRedisURL(v string) (Secret, error) {
	u, err := url.Parse(v)
	if err != nil || (u.Scheme != "redis" && u.Scheme != "rediss") || u.Hostname() == "" || u.Fragment != "" ||
		(u.Port() != "" && !validPort(u.Port(), 1)) {
		return Secret{}, errUnusable
	}
	if database := strings.Trim(u.Path, "/"); database != "" {
		if _, err := strconv.ParseUint(database, 10, 16); err != nil {
			return Secret{}, errUnusable
		}
	}
	return NewSecret(v), nil
}

// checkCertificate loads the files of the gateway's own certificate, if there are any.
func checkCertificate(certFile, keyFile string) error {
	if certFile == "" {
		return nil
	}
	_, err := tls.LoadX509KeyPair(certFile, keyFile)
	return err
}

// parseEndpoint parses the address of a collector.
func parseEndpoint(v string) (string, error) {
	u, err := url.Parse(v)
	switch {
	case strings.Contains(v, "@") || (err == nil && u.User != nil):
		return "", errors.New("it contains a user name or password; those belong in OTEL_EXPORTER_OTLP_HEADERS")
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "":
		return "", errUnusable
	}
	return strings.TrimRight(v, "/"), nil
}

func parseRatio(v string) (float64, error) {
	ratio, err := strconv.ParseFloat(v, 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		return 0, errUnusable
	}
	return ratio, nil
}

func checkListen(v string) error {
	_, port, err := net.SplitHostPort(v)
	if err != nil || !validPort(port, 0) {
		return errUnusable
	}
	return nil
}

// parseOrigins parses origins in the form that a browser sends (RFC 6454, section 6.2), since they are compared as text.
func parseOrigins(v string) ([]string, error) {
	origins := list(v)
	for _, origin := range origins {
		u, err := url.Parse(origin)
		switch {
		case strings.Contains(origin, "*"):
			return nil, fmt.Errorf("%q contains a wildcard; list every origin", origin)
		case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil:
			return nil, errUnusable
		case u.Port() != "" && !validPort(u.Port(), 1):
			return nil, fmt.Errorf("%q has an invalid port", origin)
		case origin != strings.ToLower(u.Scheme+"://"+u.Host):
			return nil, fmt.Errorf("a browser would never send %q", origin)
		case u.Scheme == "http" && u.Port() == "80", u.Scheme == "https" && u.Port() == "443":
			return nil, fmt.Errorf("%q has the default port, which browsers leave out", origin)
		}
	}
	return origins, nil
}

func parseTypeNames(v string) ([]string, error) {
	names := list(v)
	for _, name := range names {
		if _, f := graph.ParseTypeName("", name); f != nil {
			return nil, fmt.Errorf("%q cannot be the name of a type", name)
		}
	}
	return names, nil
}

func parseProxies(v string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, part := range list(v) {
		prefix, err := netip.ParsePrefix(part)
		if address, single := netip.ParseAddr(part); single == nil {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is not an address or network", part)
		case prefix.Bits() == 0:
			return nil, fmt.Errorf("%q would let every client choose the address that is logged and limited", part)
		case prefix != prefix.Masked():
			return nil, fmt.Errorf("%q names an address inside a network; the network is %s", part, prefix.Masked())
		}
		proxies = append(proxies, prefix)
	}
	return proxies, nil
}

func parseLevel(v string) (slog.Level, error) {
	switch v {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, errUnusable
}

var procedureName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)

// parseProcedures parses names of procedures and functions.
func parseProcedures(v string) ([]string, error) {
	var names []string
	for part := range strings.SplitSeq(v, ",") {
		name := strings.TrimSpace(part)
		if name == "" {
			continue
		}
		if !procedureName.MatchString(name) {
			return nil, fmt.Errorf("%q is not the name of a procedure or function", name)
		}
		names = append(names, name)
	}
	return names, nil
}
