package config

import (
	"fmt"
	"strings"
	"time"

	"graphrest/internal/auth"
)

// Setting is one row of the table: the complete definition of one setting.
type Setting struct {
	Name     string   // environment variable, and key in the file
	Flag     string   // without the dashes; empty for secrets, because every user of the machine can read flags
	Aliases  []string // other names for the same setting
	Group    string   // heading in the documentation
	Kind     string   // text, secret, secrets, number, size, duration, switch, list, one of: says how to write a value
	Default  string
	Expected string // describes a valid value, in errors and in the documentation
	Help     string
	Secret   bool // never printed, and NAME_FILE names a file that contains it

	set func(*Config, string) error // reads the text into the configuration
}

// FileVariant returns the variable that names a file with the secret, empty for settings that are not secrets.
func (s Setting) FileVariant() string {
	if !s.Secret {
		return ""
	}
	return s.Name + "_FILE"
}

// FileFlag returns the equivalent flag.
func (s Setting) FileFlag() string {
	if !s.Secret {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.FileVariant(), ownPrefix)), "_", "-")
}

const (
	ownPrefix = "GRAPHREST_"
	// FileSetting names the configuration file. It is not a row of the table because it cannot be set in the file itself.
	FileSetting = ownPrefix + "CONFIG"
	// FileFlag is its flag.
	FileFlag = "config"
)

// Settings is the table, in the order of the documentation.
func Settings() []Setting {
	var all []Setting
	for _, part := range [][]Setting{
		databaseSettings(), querySettings(), httpSettings(), addressSettings(), tokenSettings(), adminSettings(), signOnSettings(),
		mcpSettings(), rateSettings(),
		limitSettings(), processSettings(),
		telemetrySettings(), auditSettings(), historySettings(), changeSetSettings(), webhookSettings(),
	} {
		all = append(all, part...)
	}
	return all
}

func databaseSettings() []Setting {
	const group = "Database"
	return []Setting{
		{
			Name: "NEO4J_URI", Flag: "neo4j-uri", Group: group, Kind: "text",
			Expected: "an address such as neo4j://localhost:7687 (schemes neo4j and bolt, each also with +s or +ssc), without a user " +
				"name or password in it",
			Help: "Address of the database. `serve` needs it; `dev` starts its own Neo4j if it is not set.",
			set:  func(c *Config, v string) (err error) { c.Neo4j.URI, err = parseURI(v); return err },
		},
		{
			Name: "NEO4J_USERNAME", Flag: "neo4j-username", Aliases: []string{"NEO4J_USER"}, Group: group, Kind: "text", Default: "neo4j",
			Expected: "a user name of the database",
			Help:     "The gateway's own account in the database. It needs the right to read, to write and to create constraints and new names.",
			set:      setText(func(c *Config) *string { return &c.Neo4j.Username }, printable(256)),
		},
		{
			Name: "NEO4J_PASSWORD", Group: group, Kind: "secret", Secret: true, Expected: "the password of that account",
			Help: "Password of that account.",
			set:  func(c *Config, v string) error { c.Neo4j.Password = NewSecret(v); return nil },
		},
		{
			Name: "NEO4J_DATABASE", Flag: "neo4j-database", Group: group, Kind: "text", Default: "neo4j",
			Expected: "the name of a database: 3 to 63 letters, digits, dots and dashes, starting with a letter, and not system",
			Help:     "Name of the database in that server.",
			set:      setText(func(c *Config) *string { return &c.Neo4j.Database }, checkDatabaseName),
		},
	}
}

func querySettings() []Setting {
	const group = "Queries"
	return []Setting{
		{
			Name: "GRAPHREST_POOL_SIZE", Flag: "pool-size", Group: group, Kind: "number", Default: "50", Expected: "a whole number from 1 to 1000",
			Help: "Connections to the database for graph data. Authentication uses a few additional connections.",
			set:  setNumber(func(c *Config) *int { return &c.Neo4j.PoolSize }, 1, 1000),
		},
		{
			Name: "GRAPHREST_QUERY_TIMEOUT", Flag: "query-timeout", Group: group, Kind: "duration", Default: "15s",
			Expected: "a time from 100ms to 10m",
			Help:     "Maximum time of the database work of one request; after it the response is 504.",
			set:      setDuration(func(c *Config) *time.Duration { return &c.QueryTimeout }, 100*time.Millisecond, 10*time.Minute),
		},
		{
			Name: "GRAPHREST_QUERY_CONCURRENCY", Flag: "query-concurrency", Group: group, Kind: "number", Default: "8",
			Expected: "a whole number from 1 to 100",
			Help: "Saved queries, queries of the console and patterns that run at a time; one user has at most half of the places, and as " +
				"many as half of the processors of the database. Others wait, and get 503 after five seconds, or half of GRAPHREST_QUERY_TIMEOUT " +
				"if that is less.",
			set: setNumber(func(c *Config) *int { return &c.Queries.Concurrency }, 1, 100),
		},
		{
			Name: "GRAPHREST_QUERY_PROCEDURES", Flag: "query-procedures", Group: group, Kind: "list",
			Expected: "names of procedures and functions, separated by commas",
			Help:     "Procedures and functions that queries may call beside the built-in ones that only read. Not set: none.",
			set:      func(c *Config, v string) (err error) { c.Queries.Procedures, err = parseProcedures(v); return err },
		},
		{
			Name: "GRAPHREST_MAX_PAGE_BYTES", Flag: "max-page-bytes", Group: group, Kind: "size", Default: "4MiB",
			Expected: "a size from 64KiB to 1GiB",
			Help: "Memory of the nodes and edges on one page of a list or in one graph response. A page that reaches it ends early, with at " +
				"least one entity; `next_cursor` continues after it, and a graph response is `truncated`.",
			set: setSize(func(c *Config) *int64 { return &c.Limits.PageBytes }, 64<<10, 1<<30),
		},
		{
			Name: "GRAPHREST_MAX_BYTES_IN_FLIGHT", Flag: "max-bytes-in-flight", Group: group, Kind: "size", Default: "128MiB",
			Expected: "a size from 1MiB to 1TiB",
			Help: "Memory of the nodes and edges in all responses in progress, from reading them to the last byte sent. A request that would " +
				"exceed it gets 503 with Retry-After.",
			set: setSize(func(c *Config) *int64 { return &c.Limits.BytesInFlight }, 1<<20, 1<<40),
		},
		{
			Name: "GRAPHREST_MAX_BYTES_IN_FLIGHT_PER_USER", Flag: "max-bytes-in-flight-per-user", Group: group, Kind: "size", Default: "96MiB",
			Expected: "a size from 1MiB to 1TiB",
			Help:     "The same for the responses of one user.",
			set:      setSize(func(c *Config) *int64 { return &c.Limits.BytesInFlightPerUser }, 1<<20, 1<<40),
		},
		{
			Name: "GRAPHREST_COALESCE", Flag: "coalesce", Group: group, Kind: "switch", Default: "on", Expected: "on or off",
			Help: "Merge concurrent requests into shared round trips to the database.",
			set:  setBoolean(func(c *Config) *bool { return &c.Coalesce }),
		},
		{
			Name: "GRAPHREST_ID_PROPERTY", Flag: "id-property", Group: group, Kind: "text", Default: "uuid",
			Expected: "a property key of at most 255 bytes, without control characters, spaces or the prefix _Graphrest",
			Help: "The property that contains the id of nodes and edges of managed types. Choose it before the first write: a gateway with " +
				"another name does not find the ids created before.",
			set: setText(func(c *Config) *string { return &c.IDProperty }, checkIDProperty),
		},
	}
}

func httpSettings() []Setting {
	const group = "HTTP"
	return []Setting{
		{
			Name: "GRAPHREST_LISTEN", Flag: "listen", Group: group, Kind: "text", Default: "127.0.0.1:8080",
			Expected: "host:port, for example 127.0.0.1:8080, or :8080 for every network interface; port 0 picks a free one",
			Help:     "Address to listen on. Put a TLS proxy in front of it, or set the next two settings, before other machines may reach it.",
			set:      setText(func(c *Config) *string { return &c.HTTP.Listen }, checkListen),
		},
		{
			Name: "GRAPHREST_TLS_CERT_FILE", Flag: "tls-cert-file", Group: group, Kind: "text",
			Expected: "a readable file with the gateway's certificate in PEM form, followed by the intermediate certificates",
			Help:     "Serve TLS 1.2 or newer with this certificate. The file is read again when it changes.",
			set:      func(c *Config, v string) error { c.HTTP.CertFile = v; return nil },
		},
		{
			Name: "GRAPHREST_TLS_KEY_FILE", Flag: "tls-key-file", Group: group, Kind: "text",
			Expected: "a readable file with that certificate's private key in PEM form",
			Help:     "The private key of GRAPHREST_TLS_CERT_FILE.",
			set:      func(c *Config, v string) error { c.HTTP.KeyFile = v; return nil },
		},
		{
			Name: "GRAPHREST_CORS_ORIGINS", Flag: "cors-origins", Group: group, Kind: "list",
			Expected: "origins exactly as a browser sends them, scheme://host or scheme://host:port in lower case, without a path, a " +
				"default port or a wildcard",
			Help: "Web pages of other origins that may call the API from a browser. Not set: none.",
			set:  func(c *Config, v string) (err error) { c.HTTP.CORSOrigins, err = parseOrigins(v); return err },
		},
		{
			Name: "GRAPHREST_TRUSTED_PROXIES", Flag: "trusted-proxies", Group: group, Kind: "list",
			Expected: "addresses or networks such as 10.0.0.7 or 10.0.0.0/8, and not a network of all addresses",
			Help:     "Proxies whose X-Forwarded-For header is trusted. Not set: none, and the address of a client is that of its connection.",
			set:      func(c *Config, v string) (err error) { c.HTTP.TrustedProxies, err = parseProxies(v); return err },
		},
		{
			Name: "GRAPHREST_MAX_BODY", Flag: "max-body", Group: group, Kind: "size", Default: "1MiB", Expected: "a size from 1KiB to 64MiB",
			Help: "Maximum request body; a larger one gets 413.",
			set:  setSize(func(c *Config) *int64 { return &c.HTTP.MaxBody }, 1<<10, 64<<20),
		},
		{
			Name: "GRAPHREST_SHUTDOWN_GRACE", Flag: "shutdown-grace", Group: group, Kind: "duration", Default: "10s",
			Expected: "a time from 0s to 10m",
			Help:     "After SIGTERM, how long requests in flight may take to finish.",
			set:      setDuration(func(c *Config) *time.Duration { return &c.ShutdownGrace }, 0, 10*time.Minute),
		},
	}
}

func tokenSettings() []Setting {
	const group = "Tokens"
	return []Setting{
		{
			Name: "GRAPHREST_JWT_SECRET", Group: group, Kind: "secret", Secret: true,
			Expected: "at least 32 random bytes, for example the output of: openssl rand -base64 48",
			Help:     "Secret that signs the access tokens (HS256). Every replica needs the same one.",
			set:      func(c *Config, v string) (err error) { c.Tokens.Secret, err = strongSecret(v); return err },
		},
		{
			Name: "GRAPHREST_JWT_PREVIOUS_SECRETS", Group: group, Kind: "secrets", Secret: true,
			Expected: "secrets of at least 32 bytes each, separated by commas",
			Help:     "Secrets that no longer sign but are still accepted, during a rotation. Remove them once GRAPHREST_TOKEN_TTL has passed.",
			set:      func(c *Config, v string) (err error) { c.Tokens.PreviousSecrets, err = strongSecrets(v); return err },
		},
		{
			Name: "GRAPHREST_JWT_KEY_FILE", Flag: "jwt-key-file", Group: group, Kind: "text",
			Expected: "a readable file with an Ed25519 private key in PEM form (openssl genpkey -algorithm ed25519)",
			Help:     "Key that signs the access tokens (EdDSA), instead of GRAPHREST_JWT_SECRET.",
			set:      func(c *Config, v string) error { c.Tokens.KeyFile = v; return nil },
		},
		{
			Name: "GRAPHREST_JWT_PREVIOUS_KEY_FILES", Flag: "jwt-previous-key-files", Group: group, Kind: "list",
			Expected: "readable files with Ed25519 keys in PEM form, private or public, separated by commas",
			Help:     "Keys that no longer sign but are still accepted, during a rotation.",
			set:      func(c *Config, v string) error { c.Tokens.PreviousKeyFiles = list(v); return nil },
		},
		{
			Name: "GRAPHREST_TOKEN_TTL", Flag: "token-ttl", Group: group, Kind: "duration", Default: "3600s",
			Expected: "a time from 1s to 720h in whole seconds",
			Help:     "How long a token is valid. A plain number means seconds.",
			set:      wholeSeconds(func(c *Config) *time.Duration { return &c.Tokens.TTL }, time.Second, 720*time.Hour),
		},
	}
}

func adminSettings() []Setting {
	const group = "First administrator"
	return []Setting{
		{
			Name: "GRAPHREST_ADMIN_USERNAME", Flag: "admin-username", Group: group, Kind: "text", Default: "admin", Expected: "a user name",
			Help: "Name of the administrator that is created if the database contains no users.",
			set:  func(c *Config, v string) (err error) { c.Admin.Username, err = adminUsername(v); return err },
		},
		{
			Name: "GRAPHREST_ADMIN_PASSWORD", Group: group, Kind: "secret", Secret: true,
			Expected: "a password of " + auth.PasswordLimits + " that is not a sample",
			Help: "That administrator's first password. Not set: no administrator is created, and `graphrest user add --admin` creates one. It " +
				"is ignored once there is a user.",
			set: func(c *Config, v string) (err error) { c.Admin.Password, err = adminPassword(v); return err },
		},
	}
}

func rateSettings() []Setting {
	const group = "Rate limit"
	return []Setting{
		{
			Name: "GRAPHREST_RATE_LIMIT", Flag: "rate-limit", Group: group, Kind: "number", Default: "1000",
			Expected: "a whole number from 1 to 1000000000",
			Help:     "Requests that one user may make in a period. An administrator can set another number for a user.",
			set:      setNumber(func(c *Config) *int64 { return &c.Rate.Limit }, 1, 1_000_000_000),
		},
		{
			Name: "GRAPHREST_RATE_PERIOD", Flag: "rate-period", Group: group, Kind: "duration", Default: "1h",
			Expected: "a time from 1s to 720h in whole seconds",
			Help:     "Length of a period.",
			set:      wholeSeconds(func(c *Config) *time.Duration { return &c.Rate.Period }, time.Second, 720*time.Hour),
		},
		{
			Name: "GRAPHREST_STREAMS_PER_USER", Flag: "streams-per-user", Group: group, Kind: "number", Default: "1",
			Expected: "a whole number from 1 to 4",
			Help: "Concurrent imports of one user on one gateway, and as many exports; more get 429. In total there are at most 16, or a third " +
				"of GRAPHREST_POOL_SIZE if that is less; more get 503.",
			set: setNumber(func(c *Config) *int { return &c.Rate.Streams }, 1, 4),
		},
		{
			Name: "GRAPHREST_REDIS_URL", Group: group, Kind: "secret", Secret: true,
			Expected: "redis://host:6379/0, with user:password@ before the host if Redis requires it, or rediss:// for TLS",
			Help: "Redis or Valkey in which replicas share one count for each user. While it is unavailable each replica counts for itself and " +
				"reports that in the log and the metrics. Not set: each replica counts for itself.",
			set: func(c *Config, v string) (err error) { c.Rate.RedisURL, err = parseRedisURL(v); return err },
		},
	}
}

func limitSettings() []Setting {
	const group = "Limits on data"
	count := func(name, flag, standard, help string, target func(*Config) *int, high int64) Setting {
		return Setting{
			Name: name, Flag: flag, Group: group, Kind: "number", Default: standard, Help: help,
			Expected: fmt.Sprintf("a whole number from 1 to %d", high), set: setNumber(target, 1, high),
		}
	}
	daily := func(name, flag, standard, help string, target func(*Config) *int) Setting {
		return Setting{
			Name: name, Flag: flag, Group: group, Kind: "number", Default: standard, Help: help,
			Expected: "a whole number from 0 to 1000000; 0 reserves new names for administrators", set: setNumber(target, 0, 1_000_000),
		}
	}
	return []Setting{
		{
			Name: "GRAPHREST_MAX_DETACH", Flag: "max-detach", Group: group, Kind: "number", Default: "10000",
			Expected: "a whole number from 1 to 1000000000",
			Help:     "Maximum edges that deleting a node removes with it; for more the request needs ?detach=true.",
			set:      setNumber(func(c *Config) *int64 { return &c.Limits.Detach }, 1, 1_000_000_000),
		},
		count("GRAPHREST_MAX_NODE_TYPES", "max-node-types", "1000",
			"Node types in the database beyond which the API adds no new one. Neo4j never frees a name.",
			func(c *Config) *int { return &c.Limits.NodeTypes }, 1_000_000),
		count("GRAPHREST_MAX_EDGE_TYPES", "max-edge-types", "1000",
			"Edge types beyond which the API adds no new one. Neo4j supports at most 65,536.",
			func(c *Config) *int { return &c.Limits.EdgeTypes }, 65_000),
		count("GRAPHREST_MAX_PROPERTY_KEYS", "max-property-keys", "10000", "Property keys beyond which the API adds no new one.",
			func(c *Config) *int { return &c.Limits.PropertyKeys }, 1_000_000),
		daily("GRAPHREST_NEW_TYPES_PER_DAY", "new-types-per-day", "100",
			"New node and edge types, together, that one user may add on one day (UTC). It does not apply to administrators.",
			func(c *Config) *int { return &c.Limits.NewTypes }),
		daily("GRAPHREST_NEW_PROPERTY_KEYS_PER_DAY", "new-property-keys-per-day", "1000",
			"New property keys that one user may add on one day (UTC). It does not apply to administrators.",
			func(c *Config) *int { return &c.Limits.NewKeys }),
		count("GRAPHREST_MAX_LIST", "max-list", "1000", "Elements of a list property.",
			func(c *Config) *int { return &c.Limits.List }, 1_000_000),
		{
			Name: "GRAPHREST_MAX_STRING", Flag: "max-string", Group: group, Kind: "size", Default: "64KiB", Expected: "a size from 1KiB to 16MiB",
			Help: "Size of a string property, in UTF-8.",
			set:  setSize(func(c *Config) *int { return &c.Limits.StringBytes }, 1<<10, 16<<20),
		},
		{
			Name: "GRAPHREST_DECLARED_TYPES_ONLY", Flag: "declared-types-only", Group: group, Kind: "switch", Default: "off", Expected: "on or off",
			Help: "Reject creating nodes and edges of undeclared types. Existing ones can still be read and changed.",
			set:  setBoolean(func(c *Config) *bool { return &c.Limits.DeclaredOnly }),
		},
		count("GRAPHREST_MAX_PROPERTIES", "max-properties", "256", "Properties of one node or edge in a request.",
			func(c *Config) *int { return &c.Limits.PropertyCount }, 10_000),
		count("GRAPHREST_MAX_BATCH", "max-batch", "1000", "Operations of one batch (POST /api/batch), which is one transaction.",
			func(c *Config) *int { return &c.Limits.BatchOperations }, 10_000),
	}
}

func telemetrySettings() []Setting {
	const group = "Metrics and traces"
	return []Setting{
		{
			Name: "GRAPHREST_METRICS_LISTEN", Flag: "metrics-listen", Group: group, Kind: "text",
			Expected: "host:port, for example 127.0.0.1:9090, different from GRAPHREST_LISTEN",
			Help: "Address that serves metrics for Prometheus at /metrics, without a login: only the collector should reach it. Not set: no " +
				"metrics are served.",
			set: setText(func(c *Config) *string { return &c.Telemetry.MetricsListen }, checkListen),
		},
		{
			Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Flag: "otlp-endpoint", Group: group, Kind: "text",
			Expected: "the base address of an OpenTelemetry collector that takes OTLP over HTTP, for example " +
				"http://localhost:4318, without a user name or password in it",
			Help: "Collector that traces are sent to. Not set: no traces are sent. Other variables of OpenTelemetry's exporter, such as " +
				"OTEL_EXPORTER_OTLP_HEADERS, are read by its library.",
			set: func(c *Config, v string) (err error) { c.Telemetry.OTLPEndpoint, err = parseEndpoint(v); return err },
		},
		{
			Name: "OTEL_SERVICE_NAME", Flag: "otel-service-name", Group: group, Kind: "text", Default: "graphrest",
			Expected: "a name of at most 255 bytes",
			Help:     "Name of this service in traces.",
			set:      setText(func(c *Config) *string { return &c.Telemetry.ServiceName }, printable(255)),
		},
		{
			Name: "GRAPHREST_TRACE_RATIO", Flag: "trace-ratio", Group: group, Kind: "number", Default: "1", Expected: "a number from 0 to 1",
			Help: "Share of the requests that are traced. A caller that sends a traceparent header decides for its own requests.",
			set:  func(c *Config, v string) (err error) { c.Telemetry.TraceRatio, err = parseRatio(v); return err },
		},
	}
}

func processSettings() []Setting {
	const group = "Log"
	return []Setting{
		{
			Name: "GRAPHREST_LOG_FORMAT", Flag: "log-format", Group: group, Kind: "one of", Default: "json", Expected: "json or text",
			Help: "One JSON object per line, or text for people. `dev` writes text unless this is set.",
			set:  setText(func(c *Config) *string { return &c.Log.Format }, oneOf("json", "text")),
		},
		{
			Name: "GRAPHREST_LOG_LEVEL", Flag: "log-level", Group: group, Kind: "one of", Default: "info", Expected: "debug, info, warn or error",
			Help: "Lines below this level are left out.",
			set:  func(c *Config, v string) (err error) { c.Log.Level, err = parseLevel(v); return err },
		},
	}
}
