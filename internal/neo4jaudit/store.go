// Package neo4jaudit stores the audit in Neo4j: the stored form of an entry, the parameters by which a statement writes the entry of its
// own change, and the pages of entries that a client reads.
package neo4jaudit

import (
	"context"
	"log/slog"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
)

// Config says what is recorded.
type Config struct {
	Mode audit.Mode    // default off
	Keep time.Duration // how long entries are kept; default 90 days
	Log  *slog.Logger  // default: discards
}

// Store stores the audit. It is an audit.Reader, and gives the statements of other packages the parameters by which each writes its
// change into the audit in its own transaction. It is safe for concurrent use.
type Store struct {
	client  *bolt.Client
	config  Config
	pending pendingAudit
}

var _ audit.Reader = (*Store)(nil)

// New creates the store of an audit whose statements a client runs.
func New(client *bolt.Client, c Config) *Store {
	if c.Keep == 0 {
		c.Keep = 90 * 24 * time.Hour
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Store{client: client, config: c}
}

// Records reports whether changes of a kind are recorded.
func (s *Store) Records(k audit.Kind) bool { return s.config.Mode.Records(k) }

const (
	// maxScan bounds the entries in the database that one page scans, and maxBatch those of one statement.
	maxScan  = 20_000
	maxBatch = 2000
	// purgeBatch bounds how much one transaction removes.
	purgeBatch = 5000
)

// ReadUse counts the entries: see audit.Reader.
func (s *Store) ReadUse(ctx context.Context) (audit.Use, error) {
	rows, err := s.client.ReadRows(ctx, cypher.AuditUse.Text(nil), nil)
	row, err := bolt.OnlyRow(rows, err, nil)
	if err != nil {
		return audit.Use{}, err
	}
	use := audit.Use{Entries: bolt.Column[int64](row, "total"), Keep: s.config.Keep}
	if oldest := bolt.Column[int64](row, "oldest"); oldest > 0 {
		use.Oldest = time.UnixMilli(oldest)
	}
	return use, nil
}

// Purge removes entries older than Config.Keep in batches. A lock serializes the replicas.
func (s *Store) Purge(ctx context.Context) (total int64, err error) {
	for {
		records, err := s.client.Write(ctx, cypher.AuditPurge.Text(nil),
			map[string]any{"keep": s.config.Keep.Milliseconds(), "limit": purgeBatch})
		if err != nil {
			return total, err
		}
		removed, err := bolt.SingleInteger(records, "removed")
		total += removed
		if err != nil || removed < purgeBatch {
			return total, err
		}
	}
}
