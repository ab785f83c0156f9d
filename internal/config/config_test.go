package config

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite docs/configuration.md")

// Three random secrets. None may appear in any error or output.
const (
	secretText   = "qX7vN2rLw9TzB4kHs8PdY6mGcE3fJa5u"
	previousText = "Zp4Wn8KtR2yVx6LsQ9bMh3DgC7eFj5Au"
	passwordText = "Vq9-mountain-Ty4-river"
)

func minimal(more ...string) []string {
	return append([]string{
		"NEO4J_URI=bolt://127.0.0.1:7687", "NEO4J_PASSWORD=" + passwordText, "GRAPHREST_JWT_SECRET=" + secretText,
	}, more...)
}

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func load(t *testing.T, sources Sources) *Config {
	t.Helper()
	c, err := Load(sources)
	require.NoError(t, err)
	return c
}

func TestDefaultsAreTheContract(t *testing.T) {
	c := load(t, Sources{Environ: minimal()})
	require.Equal(t, "127.0.0.1:8080", c.HTTP.Listen)
	require.Equal(t, "neo4j", c.Neo4j.Username)
	require.Equal(t, "neo4j", c.Neo4j.Database)
	require.Equal(t, 50, c.Neo4j.PoolSize)
	require.Equal(t, time.Hour, c.Tokens.TTL)
	require.Equal(t, "admin", c.Admin.Username)
	require.True(t, c.Admin.Password.Empty())
	require.Equal(t, Rate{Limit: 1000, Period: time.Hour, Streams: 1}, c.Rate)
	require.Equal(t, "uuid", c.IDProperty)
	require.Equal(t, int64(1<<20), c.HTTP.MaxBody)
	require.Empty(t, c.HTTP.CORSOrigins)
	require.Empty(t, c.HTTP.TrustedProxies)
	require.Equal(t, 15*time.Second, c.QueryTimeout)
	require.Equal(t, 10*time.Second, c.ShutdownGrace)
	require.True(t, c.Coalesce)
	require.Equal(t, Limits{
		Detach: 10000, NodeTypes: 1000, EdgeTypes: 1000, PropertyKeys: 10000, NewTypes: 100, NewKeys: 1000, List: 1000,
		StringBytes: 64 << 10, PropertyCount: 256,
		BatchOperations: 1000,
		PageBytes:       4 << 20, BytesInFlight: 128 << 20, BytesInFlightPerUser: 96 << 20,
	}, c.Limits)
	require.Equal(t, Telemetry{ServiceName: "graphrest", TraceRatio: 1}, c.Telemetry, "metrics and traces are off by default")
	require.Equal(t, Log{Format: "json", Level: slog.LevelInfo}, c.Log)
}

func TestValues(t *testing.T) {
	c := load(t, Sources{Environ: minimal(
		"GRAPHREST_TOKEN_TTL=90", "GRAPHREST_RATE_PERIOD=1m30s", "GRAPHREST_MAX_BODY=2MiB", "GRAPHREST_MAX_STRING=2000",
		"GRAPHREST_COALESCE=off", "GRAPHREST_LOG_LEVEL=debug", "GRAPHREST_RATE_LIMIT= 5 ",
		"GRAPHREST_CORS_ORIGINS=https://a.example, http://localhost:3000",
		"GRAPHREST_TRUSTED_PROXIES=10.0.0.0/8,192.168.1.7,fd00::/8",
		"GRAPHREST_JWT_PREVIOUS_SECRETS="+previousText,
		"GRAPHREST_ADMIN_PASSWORD="+passwordText)})
	require.Equal(t, 90*time.Second, c.Tokens.TTL)
	require.Equal(t, 90*time.Second, c.Rate.Period)
	require.Equal(t, int64(2<<20), c.HTTP.MaxBody)
	require.Equal(t, 2000, c.Limits.StringBytes)
	require.False(t, c.Coalesce)
	require.Equal(t, slog.LevelDebug, c.Log.Level)
	require.Equal(t, int64(5), c.Rate.Limit)
	require.Equal(t, []string{"https://a.example", "http://localhost:3000"}, c.HTTP.CORSOrigins)
	require.Equal(t, []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.7/32"), netip.MustParsePrefix("fd00::/8"),
	}, c.HTTP.TrustedProxies)
	require.Len(t, c.Tokens.PreviousSecrets, 1)
	require.Equal(t, previousText, c.Tokens.PreviousSecrets[0].Reveal())
	require.Equal(t, passwordText, c.Admin.Password.Reveal())
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	path := write(t, "graphrest.env", "GRAPHREST_RATE_LIMIT=10\nGRAPHREST_RATE_PERIOD=10s\nGRAPHREST_LISTEN=127.0.0.1:1\n")
	c := load(t, Sources{
		Environ: minimal("GRAPHREST_CONFIG="+path, "GRAPHREST_RATE_PERIOD=20s", "GRAPHREST_LISTEN=127.0.0.1:2"),
		Flags:   map[string]string{"listen": "127.0.0.1:3"},
	})
	require.Equal(t, int64(10), c.Rate.Limit, "file beats default")
	require.Equal(t, 20*time.Second, c.Rate.Period, "environment beats file")
	require.Equal(t, "127.0.0.1:3", c.HTTP.Listen, "flag beats environment")
	sources := map[string]string{}
	for _, line := range c.Lines() {
		sources[line.Name] = line.Source
	}
	require.Equal(t, "file", sources["GRAPHREST_RATE_LIMIT"])
	require.Equal(t, "environment", sources["GRAPHREST_RATE_PERIOD"])
	require.Equal(t, "flag", sources["GRAPHREST_LISTEN"])
	require.Equal(t, "default", sources["GRAPHREST_ID_PROPERTY"])
	require.Empty(t, sources["GRAPHREST_CORS_ORIGINS"])
}

func TestSecretFiles(t *testing.T) {
	password := write(t, "password", passwordText+"\n")
	secret := write(t, "secret", secretText)
	c := load(t, Sources{
		Environ: []string{"NEO4J_URI=neo4j+s://db.example", "NEO4J_PASSWORD_FILE=" + password},
		Flags:   map[string]string{"jwt-secret-file": secret},
	})
	require.Equal(t, passwordText, c.Neo4j.Password.Reveal(), "the final line break is removed")
	require.Equal(t, secretText, c.Tokens.Secret.Reveal())

	t.Run("a password in the environment beats a password file named in the configuration file", func(t *testing.T) {
		path := write(t, "c.yaml", "NEO4J_PASSWORD_FILE: "+password+"\n")
		c := load(t, Sources{Environ: minimal("GRAPHREST_CONFIG="+path, "NEO4J_PASSWORD=other-text")})
		require.Equal(t, "other-text", c.Neo4j.Password.Reveal())
	})
}

func TestUserIsAnAlias(t *testing.T) {
	c := load(t, Sources{Environ: minimal("NEO4J_USER=reader")})
	require.Equal(t, "reader", c.Neo4j.Username)
}

func TestFiles(t *testing.T) {
	for _, test := range []struct{ name, file, content string }{
		{
			"dotenv", "x.env", "# a comment\nexport GRAPHREST_RATE_LIMIT=7 # why\n" +
				"GRAPHREST_ID_PROPERTY='my#id'\nGRAPHREST_CORS_ORIGINS=\"https://a.example,https://b.example\"\n\nAURA_INSTANCEID=abc\n",
		},
		{
			"dotenv with byte order mark and CRLF", "x",
			"\ufeffGRAPHREST_RATE_LIMIT=7\r\nGRAPHREST_ID_PROPERTY=my#id\r\nGRAPHREST_CORS_ORIGINS=https://a.example,https://b.example\r\n",
		},
		{"yaml", "x.yaml", "GRAPHREST_RATE_LIMIT: 7\nGRAPHREST_ID_PROPERTY: my#id\n" +
			"GRAPHREST_CORS_ORIGINS: [https://a.example, https://b.example]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := load(t, Sources{Environ: minimal(), Flags: map[string]string{"config": write(t, test.file, test.content)}})
			require.Equal(t, int64(7), c.Rate.Limit)
			require.Equal(t, "my#id", c.IDProperty)
			require.Equal(t, []string{"https://a.example", "https://b.example"}, c.HTTP.CORSOrigins)
		})
	}
}

// Each row adds one problem to a valid configuration; the report must name it and state what is expected.
func TestProblems(t *testing.T) {
	for _, test := range []struct {
		name         string
		environ      []string
		flags        map[string]string
		wantMessages []string
	}{
		{"unknown variable", []string{"GRAPHREST_RATE_LIMT=5"}, nil, []string{"GRAPHREST_RATE_LIMT", "did you mean GRAPHREST_RATE_LIMIT?"}},
		{"unknown variable in lower case", []string{"graphrest_rate_limit=5"}, nil, []string{"graphrest_rate_limit", "not a setting"}},
		{"feature that does not exist yet", []string{"GRAPHREST_FEDERATION=on"}, nil, []string{"GRAPHREST_FEDERATION: is not a setting"}},
		{"Redis of another protocol", []string{"GRAPHREST_REDIS_URL=http://x:" + passwordText + "@h"}, nil, []string{
			"GRAPHREST_REDIS_URL: this value is invalid", "rediss://",
		}},
		{"Redis with a broken address", []string{"GRAPHREST_REDIS_URL=redis://x:%" + passwordText + "@h"}, nil, []string{
			"GRAPHREST_REDIS_URL: this value is invalid",
		}},
		{"Redis database", []string{"GRAPHREST_REDIS_URL=redis://h/x"}, nil, []string{"GRAPHREST_REDIS_URL"}},
		{"scheme", []string{"NEO4J_URI=http://127.0.0.1:7474"}, nil, []string{"NEO4J_URI", `"http"`, "neo4j://localhost:7687"}},
		{"credentials in the address", []string{"NEO4J_URI=bolt://neo4j:" + passwordText + "@h:1"}, nil, []string{"NEO4J_URI", "NEO4J_PASSWORD"}},
		{"credentials in a broken address", []string{"NEO4J_URI=bolt://neo4j:%" + passwordText + "@h:1"}, nil, []string{"NEO4J_URI"}},
		{"no host", []string{"NEO4J_URI=bolt://"}, nil, []string{"NEO4J_URI"}},
		{"port", []string{"NEO4J_URI=bolt://h:99999"}, nil, []string{"NEO4J_URI"}},
		{"routing context on bolt", []string{"NEO4J_URI=bolt://h:1?policy=eu"}, nil, []string{"routing context"}},
		{"system database", []string{"NEO4J_DATABASE=system"}, nil, []string{"NEO4J_DATABASE", "not system"}},
		{"metrics address without port", []string{"GRAPHREST_METRICS_LISTEN=localhost"}, nil, []string{"GRAPHREST_METRICS_LISTEN", "host:port"}},
		{"collector with credentials", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://me:hush@collector:4318"}, nil, []string{
			"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS",
		}},
		{"collector of another protocol", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=grpc://collector:4317"}, nil, []string{
			"OTEL_EXPORTER_OTLP_ENDPOINT",
		}},
		{"trace ratio over 1", []string{"GRAPHREST_TRACE_RATIO=1.5"}, nil, []string{"GRAPHREST_TRACE_RATIO", "from 0 to 1"}},
		{"trace ratio that is not a number", []string{"GRAPHREST_TRACE_RATIO=NaN"}, nil, []string{"GRAPHREST_TRACE_RATIO"}},
		{"certificate without a key", []string{"GRAPHREST_TLS_CERT_FILE=/nowhere"}, nil, []string{
			"GRAPHREST_TLS_CERT_FILE", "GRAPHREST_TLS_KEY_FILE", "both or none",
		}},
		{"certificate file that does not exist", []string{"GRAPHREST_TLS_CERT_FILE=/nowhere", "GRAPHREST_TLS_KEY_FILE=/nowhere"}, nil, []string{
			"GRAPHREST_TLS_CERT_FILE", "no such file",
		}},
		{"listen without port", []string{"GRAPHREST_LISTEN=localhost"}, nil, []string{"GRAPHREST_LISTEN", "host:port"}},
		{"listen by flag", nil, map[string]string{"listen": "x:y"}, []string{"--listen", "host:port"}},
		{"negative limit", []string{"GRAPHREST_RATE_LIMIT=-1"}, nil, []string{"GRAPHREST_RATE_LIMIT", `"-1"`, "from 1 to"}},
		{"zero limit", []string{"GRAPHREST_RATE_LIMIT=0"}, nil, []string{"GRAPHREST_RATE_LIMIT"}},
		{"fraction", []string{"GRAPHREST_RATE_LIMIT=1.5"}, nil, []string{"GRAPHREST_RATE_LIMIT"}},
		{"period with an unknown unit", []string{"GRAPHREST_RATE_PERIOD=1 hour"}, nil, []string{"GRAPHREST_RATE_PERIOD"}},
		{"lifetime of nothing", []string{"GRAPHREST_TOKEN_TTL=0"}, nil, []string{"GRAPHREST_TOKEN_TTL", "from 1s"}},
		{"lifetime with a fraction", []string{"GRAPHREST_TOKEN_TTL=1500ms"}, nil, []string{"GRAPHREST_TOKEN_TTL", "whole seconds"}},
		{"negative time", []string{"GRAPHREST_QUERY_TIMEOUT=-5s"}, nil, []string{"GRAPHREST_QUERY_TIMEOUT"}},
		{"size overflow", []string{"GRAPHREST_MAX_BODY=99999999999999GiB"}, nil, []string{"GRAPHREST_MAX_BODY"}},
		{"size unit", []string{"GRAPHREST_MAX_BODY=1MiBs"}, nil, []string{"GRAPHREST_MAX_BODY"}},
		{"switch", []string{"GRAPHREST_COALESCE=maybe"}, nil, []string{"GRAPHREST_COALESCE", "on or off"}},
		{"format", []string{"GRAPHREST_LOG_FORMAT=xml"}, nil, []string{"json or text"}},
		{"level", []string{"GRAPHREST_LOG_LEVEL=loud"}, nil, []string{"debug, info"}},
		{"wildcard origin", []string{"GRAPHREST_CORS_ORIGINS=*"}, nil, []string{"GRAPHREST_CORS_ORIGINS", "wildcard"}},
		{"wildcard host", []string{"GRAPHREST_CORS_ORIGINS=https://*.example"}, nil, []string{"wildcard"}},
		{"null origin", []string{"GRAPHREST_CORS_ORIGINS=null"}, nil, []string{"GRAPHREST_CORS_ORIGINS"}},
		{"origin with a path", []string{"GRAPHREST_CORS_ORIGINS=https://a.example/"}, nil, []string{"a browser would never send"}},
		{"origin in capitals", []string{"GRAPHREST_CORS_ORIGINS=https://A.example"}, nil, []string{"a browser would never send"}},
		{"origin with the default port", []string{"GRAPHREST_CORS_ORIGINS=https://a.example:443"}, nil, []string{"default port"}},
		{"origin with credentials", []string{"GRAPHREST_CORS_ORIGINS=https://u:p@a.example"}, nil, []string{"GRAPHREST_CORS_ORIGINS"}},
		{"proxy", []string{"GRAPHREST_TRUSTED_PROXIES=proxy.local"}, nil, []string{"not an address or network"}},
		{"proxies with every address", []string{"GRAPHREST_TRUSTED_PROXIES=0.0.0.0/0"}, nil, []string{"every client"}},
		{"proxy with host bits", []string{"GRAPHREST_TRUSTED_PROXIES=10.1.2.3/8"}, nil, []string{"10.0.0.0/8"}},
		{"reserved id property", []string{"GRAPHREST_ID_PROPERTY=_graphrestId"}, nil, []string{"GRAPHREST_ID_PROPERTY"}},
		{"short secret", []string{"GRAPHREST_JWT_SECRET=" + secretText[:31]}, nil, []string{"GRAPHREST_JWT_SECRET", "openssl"}},
		{"short previous secret", []string{"GRAPHREST_JWT_PREVIOUS_SECRETS=" + previousText + "," + previousText[:31]}, nil, []string{
			"secret number 2",
		}},
		{"previous secret is the current one", []string{"GRAPHREST_JWT_PREVIOUS_SECRETS=" + secretText}, nil, []string{
			"GRAPHREST_JWT_PREVIOUS_SECRETS", "current secret",
		}},
		{"secret and key", []string{"GRAPHREST_JWT_KEY_FILE=/nonexistent"}, nil, []string{
			"GRAPHREST_JWT_KEY_FILE: is set together with", "no such file",
		}},
		{"previous key without a key", []string{"GRAPHREST_JWT_PREVIOUS_KEY_FILES=/nonexistent"}, nil, []string{
			"GRAPHREST_JWT_PREVIOUS_KEY_FILES: is set without",
		}},
		{"admin name with a line break", []string{"GRAPHREST_ADMIN_USERNAME=a\nb"}, nil, []string{"GRAPHREST_ADMIN_USERNAME"}},
		{"short admin password", []string{"GRAPHREST_ADMIN_PASSWORD=Vq9-mountai"}, nil, []string{"GRAPHREST_ADMIN_PASSWORD", "12 characters"}},
		{"sample admin password", []string{"GRAPHREST_ADMIN_PASSWORD=changeme-changeme"}, nil, []string{"GRAPHREST_ADMIN_PASSWORD", "sample"}},
		{"missing secret file", []string{"NEO4J_PASSWORD_FILE=/nonexistent"}, nil, []string{"NEO4J_PASSWORD_FILE", "/nonexistent"}},
		{"two names that disagree", []string{"NEO4J_USER=a", "NEO4J_USERNAME=b"}, nil, []string{"NEO4J_USER", "contradicts NEO4J_USERNAME"}},
		{"missing file", []string{"GRAPHREST_CONFIG=/nonexistent"}, nil, []string{"GRAPHREST_CONFIG: the file cannot be read"}},
		{"emptied address", []string{"NEO4J_URI="}, nil, []string{"NEO4J_URI: is not set"}},
		{"emptied password", []string{"NEO4J_PASSWORD="}, nil, []string{"NEO4J_PASSWORD: is not set"}},
		{"emptied secret", []string{"GRAPHREST_JWT_SECRET="}, nil, []string{"GRAPHREST_JWT_SECRET: is not set"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Load(Sources{Environ: minimal(test.environ...), Flags: test.flags})
			require.Nil(t, c)
			var problems Problems
			require.ErrorAs(t, err, &problems)
			for _, text := range test.wantMessages {
				require.ErrorContains(t, err, text)
			}
			requireNoSecret(t, err.Error())
		})
	}
}

func requireNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{
		secretText, secretText[:31], previousText, previousText[:31], passwordText, "Vq9-mountai",
		"changeme-changeme",
	} {
		require.NotContains(t, text, secret)
	}
}

func TestProblemsInFiles(t *testing.T) {
	for _, test := range []struct{ name, file, content, wantMessage string }{
		{"unknown name", "x.env", "GRAPHREST_RATELIMIT=1\n", "did you mean GRAPHREST_RATE_LIMIT?"},
		{"foreign name", "x.env", "PATH=/bin\n", "PATH in "},
		{"misspelt database setting", "x.env", "NEO4J_PASWORD=" + passwordText, "did you mean NEO4J_PASSWORD?"},
		{"no equals sign", "x.env", "GRAPHREST_RATE_LIMIT=1\n" + passwordText + "\n", "line 2"},
		{"twice", "x.env", "GRAPHREST_RATE_LIMIT=1\nGRAPHREST_RATE_LIMIT=2\n", "second time"},
		{"open quote", "x.env", "NEO4J_PASSWORD='" + passwordText + "\n", "no closing quote"},
		{"after the quote", "x.env", "NEO4J_PASSWORD='" + passwordText + "' x\n", "after the closing quote"},
		{"another file", "x.env", "GRAPHREST_CONFIG=y\n", "cannot name another"},
		{"broken yaml", "x.yaml", "NEO4J_PASSWORD: [" + passwordText + "\n", "not a YAML mapping"},
		{"yaml list at the top", "x.yaml", "- " + passwordText + "\n", "not a YAML mapping"},
		{"yaml tree", "x.yml", "NEO4J_PASSWORD:\n  inside: " + passwordText + "\n", "put quotes"},
		{"yaml fraction", "x.yml", "GRAPHREST_RATE_LIMIT: 1.5\n", "put quotes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(Sources{Environ: minimal(), Flags: map[string]string{"config": write(t, test.file, test.content)}})
			require.ErrorContains(t, err, test.wantMessage)
			requireNoSecret(t, err.Error())
		})
	}
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	_, err := Load(Sources{Environ: []string{
		"GRAPHREST_NONSENSE=1", "GRAPHREST_RATE_LIMIT=x", "GRAPHREST_TOKEN_TTL=x", "GRAPHREST_LISTEN=x", "NEO4J_URI=x",
	}})
	var problems Problems
	require.ErrorAs(t, err, &problems)
	var names []string
	for _, m := range problems {
		names = append(names, m.Setting)
	}
	require.ElementsMatch(t, []string{
		"GRAPHREST_NONSENSE", "GRAPHREST_RATE_LIMIT", "GRAPHREST_TOKEN_TTL", "GRAPHREST_LISTEN", "NEO4J_URI",
		"NEO4J_PASSWORD", "GRAPHREST_JWT_SECRET",
	}, names)
}

func TestPurposes(t *testing.T) {
	t.Run("development needs nothing", func(t *testing.T) {
		load(t, Sources{Purpose: Development})
	})
	t.Run("development on a named database needs its password", func(t *testing.T) {
		_, err := Load(Sources{Purpose: Development, Environ: []string{"NEO4J_URI=bolt://h"}})
		require.ErrorContains(t, err, "NEO4J_PASSWORD: is not set")
	})
	t.Run("administration needs no signing secret", func(t *testing.T) {
		load(t, Sources{Purpose: Administration, Environ: []string{"NEO4J_URI=bolt://h", "NEO4J_PASSWORD=x"}})
	})
	t.Run("administration rejects invalid settings too", func(t *testing.T) {
		_, err := Load(Sources{Purpose: Administration, Environ: []string{"NEO4J_URI=bolt://h", "NEO4J_PASSWORD=x", "GRAPHREST_X=1"}})
		require.ErrorContains(t, err, "GRAPHREST_X")
	})
}

func TestKeyFiles(t *testing.T) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	key := write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})))
	encoded, err = x509.MarshalPKIXPublicKey(private.Public())
	require.NoError(t, err)
	public := write(t, "public.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: encoded})))
	database := []string{"NEO4J_URI=bolt://h", "NEO4J_PASSWORD=x"}

	c := load(t, Sources{Environ: append(database, "GRAPHREST_JWT_KEY_FILE="+key, "GRAPHREST_JWT_PREVIOUS_KEY_FILES="+public)})
	require.Equal(t, key, c.Tokens.KeyFile)
	require.Equal(t, []string{public}, c.Tokens.PreviousKeyFiles)

	_, err = Load(Sources{Environ: append(database, "GRAPHREST_JWT_KEY_FILE="+public)})
	require.ErrorContains(t, err, "GRAPHREST_JWT_KEY_FILE", "a public key cannot sign")
	_, err = Load(Sources{Environ: append(database, "GRAPHREST_JWT_KEY_FILE="+key, "GRAPHREST_JWT_PREVIOUS_SECRETS="+previousText)})
	require.ErrorContains(t, err, "GRAPHREST_JWT_PREVIOUS_SECRETS: is set together with")
}

func TestTable(t *testing.T) {
	names, flags := map[string]bool{}, map[string]bool{FileFlag: true}
	for _, s := range Settings() {
		require.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		require.NotEmpty(t, s.Help, s.Name)
		require.NotEmpty(t, s.Expected, s.Name)
		require.NotEmpty(t, s.Kind, s.Name)
		require.Equal(t, s.Secret, s.Flag == "", "%s: secrets have no flag, all others have", s.Name)
		for _, name := range []string{s.Flag, s.FileFlag()} {
			require.False(t, name != "" && flags[name], name)
			flags[name] = true
		}
		if s.Default != "" {
			require.NoError(t, s.set(&Config{}, s.Default), s.Name)
		}
	}
}

func TestDocumentIsCurrent(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "configuration.md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(Document()), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, Document(), string(have), "docs/configuration.md is stale: run make generate")
}
