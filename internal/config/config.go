// Package config defines every setting of the gateway in one table. The flags, the parsing of the environment and of the
// configuration file, `graphrest config print` and docs/configuration.md are derived from it. Sources in rising
// precedence: default, file, environment, flag. All problems are reported together, each with the expected value, and no
// report prints a secret.
package config

import (
	"log/slog"
	"net/netip"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/webhook"
)

// Config is the complete, validated configuration. Sizes are in bytes.
type Config struct {
	Neo4j  Neo4j
	Tokens Tokens
	Admin  Admin
	HTTP   HTTP
	Rate   Rate
	Limits Limits
	Log    Log

	Telemetry  Telemetry
	Audit      Audit
	History    History
	ChangeSets ChangeSets
	Webhooks   Webhooks

	MCP           MCP
	OIDC          OIDC
	PasswordLogin bool // of users other than the first administrator

	IDProperty    string        // the property that contains the id of a managed entity
	QueryTimeout  time.Duration // bound of one request's work in the database
	Queries       Queries
	Coalesce      bool          // merge requests in flight into shared statements
	ShutdownGrace time.Duration // how long requests in flight may go on after SIGTERM

	lines []Line // what the settings were read from, secrets already redacted
}

// MCP is the endpoint of agents.
type MCP struct {
	On     bool
	Writes string // off, propose or direct
	OAuth  bool   // name the identity provider to agents
	// QueryTools is how many saved queries are separate tools.
	QueryTools int
}

// Neo4j is the address of the database and the gateway's account in it.
type Neo4j struct {
	URI      string // never contains credentials
	Username string
	Password Secret
	Database string
	PoolSize int // connections of the graph's driver
}

// Tokens are the keys and the lifetime of access tokens. Either Secret (HS256) or KeyFile (EdDSA) is set.
type Tokens struct {
	Secret           Secret
	PreviousSecrets  []Secret // still verify, never sign
	KeyFile          string   // PEM, PKCS #8, Ed25519
	PreviousKeyFiles []string // PEM, private or public; still verify, never sign
	TTL              time.Duration
}

// Admin is the account created when the database contains no users.
type Admin struct {
	Username string
	Password Secret // empty: no account is created
}

// HTTP is the gateway's own address and what it accepts there.
type HTTP struct {
	Listen         string
	CertFile       string // PEM; with KeyFile, both or none: then the gateway speaks TLS
	KeyFile        string
	CORSOrigins    []string // exact origins; empty switches CORS off
	TrustedProxies []netip.Prefix
	BasePath       string // the path under which clients reach the gateway, without a slash at its end; empty for the root
	PublicURL      string // the address that clients use, with BasePath and without a slash at its end; may be empty
	MaxBody        int64
}

// Rate is the default rate limit: Limit requests a Period for each user.
type Rate struct {
	Limit    int64
	Period   time.Duration
	Streams  int    // concurrent imports of one user, and as many exports
	RedisURL Secret // empty: each replica counts for itself
}

// Limits bounds what clients may add.
type Limits struct {
	Detach        int64 // edges that a delete without ?detach=true may remove
	NodeTypes     int   // names in the database beyond which the API adds none
	EdgeTypes     int
	PropertyKeys  int
	NewTypes      int // names that one user may add on one day
	NewKeys       int
	List          int  // elements of a list
	StringBytes   int  // bytes of a string
	PropertyCount int  // properties of one entity
	DeclaredOnly  bool // entities of undeclared types may not be created

	BatchOperations int // operations of one batch

	PageBytes            int64 // memory of the entities on one page, beyond which the page ends
	BytesInFlight        int64 // memory of the entities in all responses in progress
	BytesInFlightPerUser int64
}

// Telemetry says where metrics are served and traces are sent.
type Telemetry struct {
	MetricsListen string // empty: no metrics are served
	OTLPEndpoint  string // base URL without a slash at its end; empty: no traces are sent
	ServiceName   string
	TraceRatio    float64
}

// Audit determines what is recorded of users' actions, and for how long.
type Audit struct {
	Mode audit.Mode
	Keep time.Duration
}

// History determines whether changes of the graph are recorded with their values, and for how long.
type History struct {
	On       bool
	Keep     time.Duration
	MaxBytes int64    // of all records
	Exclude  []string // types whose entities are never recorded
}

// ChangeSets determines who may approve change sets, and how much is kept of them.
type ChangeSets struct {
	SelfApproval bool          // authors may approve their own
	MaxBytes     int64         // of the change sets of one author
	Keep         time.Duration // how long closed ones are kept
}

// Webhooks says where changes may be sent.
type Webhooks struct {
	Allow webhook.Addresses // besides public addresses
}

// Log says how the log is written.
type Log struct {
	Format string // json or text
	Level  slog.Level
}

// Queries are the settings of saved queries and of the console.
type Queries struct {
	Concurrency int      // queries that run at a time
	Procedures  []string // that they may call beside the built-in read-only ones
}
