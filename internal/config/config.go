// Package config holds every setting of the gateway in one table. From that table come the flags, the reading of the
// environment and of the configuration file, `graphrest config print`, and docs/configuration.md. A value is taken from,
// in rising order, the default, the file, the environment, a flag. Whatever is wrong is reported at once, each mistake
// with what would be right, and no report prints a secret.
package config

import (
	"log/slog"
	"net/netip"
	"time"

	"graphrest/internal/audit"
)

// Config is the whole configuration, checked. Sizes are bytes.
type Config struct {
	Neo4j  Neo4j
	Tokens Tokens
	Admin  Admin
	HTTP   HTTP
	Rate   Rate
	Limits Limits
	Log    Log

	Telemetry Telemetry
	Audit     Audit

	IDProperty    string        // the property that holds a managed entity's id
	QueryTimeout  time.Duration // bound of one request's work in the database
	Coalesce      bool          // merge requests in flight into shared statements
	ShutdownGrace time.Duration // how long requests in flight may go on after SIGTERM

	lines []Line // what the settings were read from, secrets already redacted
}

// Neo4j says where the database is and who the gateway is there.
type Neo4j struct {
	URI      string // never holds credentials
	Username string
	Password Secret
	Database string
	PoolSize int // connections of the graph's driver
}

// Tokens says how access tokens are signed. Either Secret (HS256) or KeyFile (EdDSA) is set.
type Tokens struct {
	Secret           Secret
	PreviousSecrets  []Secret // still verify, never sign
	KeyFile          string   // PEM, PKCS #8, Ed25519
	PreviousKeyFiles []string // PEM, private or public; still verify, never sign
	TTL              time.Duration
}

// Admin is the account made when the database holds no users yet.
type Admin struct {
	Username string
	Password Secret // empty: no account is made
}

// HTTP is the gateway's own address and what it accepts there.
type HTTP struct {
	Listen         string
	CertFile       string // PEM; with KeyFile, both or none: then the gateway speaks TLS
	KeyFile        string
	CORSOrigins    []string // exact origins; empty switches CORS off
	TrustedProxies []netip.Prefix
	MaxBody        int64
}

// Rate is the default rate limit: Limit requests a Period for each user.
type Rate struct {
	Limit    int64
	Period   time.Duration
	Streams  int    // imports of one user under way at a time, and as many exports
	RedisURL Secret // empty: each replica counts for itself
}

// Limits bounds what clients may add.
type Limits struct {
	Detach        int64 // edges that a delete without ?detach=true may take along
	NodeTypes     int   // names in the database beyond which the API adds none
	EdgeTypes     int
	PropertyKeys  int
	NewTypes      int // names that one user may add on one day
	NewKeys       int
	List          int  // elements of a list
	StringBytes   int  // bytes of a string
	PropertyCount int  // properties of one entity
	DeclaredOnly  bool // nothing of a type that is not declared may be created

	PageBytes            int64 // memory of the entities on one page, beyond which the page ends
	BytesInFlight        int64 // memory of the entities that all answers under way hold
	BytesInFlightPerUser int64
}

// Telemetry says where metrics are served and traces are sent.
type Telemetry struct {
	MetricsListen string // empty: no metrics are served
	OTLPEndpoint  string // base URL without a slash at its end; empty: no traces are made
	ServiceName   string
	TraceRatio    float64
}

// Audit says what is recorded of who did what, and how long.
type Audit struct {
	Mode audit.Mode
	Keep time.Duration
}

// Log says how the log is written.
type Log struct {
	Format string // json or text
	Level  slog.Level
}
