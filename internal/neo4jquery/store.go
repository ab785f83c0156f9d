// Package neo4jquery stores saved queries, and runs queries on the graph within limits.
package neo4jquery

import (
	"context"
	"crypto/rand"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/query"
	"graphrest/internal/snapshot"
)

const (
	// maxAge is how old the saved queries may be that a request uses: a change on another replica counts within a second.
	maxAge = 500 * time.Millisecond
	// keptVersions is how many versions of a query are kept.
	keptVersions = 100
)

// Store is a query.Store. It is safe for concurrent use.
type Store struct {
	client *bolt.Client
	audit  *neo4jaudit.Store
	log    *slog.Logger
	saved  *snapshot.Snapshot[stampedSet]
}

var _ query.Store = (*Store)(nil)

// stampedSet is all saved queries with the versions that were read.
type stampedSet struct {
	query.Set
	stamps []stamp
}

// stamp identifies the version of a query.
type stamp struct {
	name             string
	version, created int64
}

// NewStore creates the store. Changes are recorded in the audit.
func NewStore(client *bolt.Client, trail *neo4jaudit.Store, log *slog.Logger) *Store {
	s := &Store{client: client, audit: trail, log: log}
	s.saved = snapshot.New(s.read, bolt.SnapshotOptions(func(work func()) { go work() }))
	return s
}

// All returns the saved queries: see query.Store.
func (s *Store) All(ctx context.Context) (*query.Set, error) {
	set, err := s.saved.Fresh(ctx, maxAge)
	if err != nil {
		return nil, err
	}
	return &set.Set, nil
}

// read reads all saved queries, or only their versions if none has changed.
func (s *Store) read(ctx context.Context) (*stampedSet, error) {
	rows, err := s.client.ReadLatest(ctx, cypher.QueryStamps.Text(nil), nil)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	set := &stampedSet{Set: query.Set{ByName: map[string]*query.Query{}}, stamps: make([]stamp, 0, len(rows))}
	for _, row := range rows {
		version := bolt.Tuple(bolt.Column[[]any](row, "version"))
		set.stamps = append(set.stamps, stamp{bolt.Column[string](row, "name"), version.Integer(0), version.Integer(1)})
	}
	before := s.saved.Current()
	if before != nil && slices.Equal(before.stamps, set.stamps) {
		return before, nil
	}
	if rows, err = s.client.ReadLatest(ctx, cypher.QueryList.Text(nil), nil); err != nil {
		return nil, bolt.Translate(err)
	}
	for _, row := range rows {
		q := s.decode(bolt.Column[map[string]any](row, "query"), before)
		if q != nil {
			set.ByName[q.Name] = q
		}
	}
	set.Names = slices.Sorted(maps.Keys(set.ByName))
	return set, nil
}

// decode returns a stored query; nil if it cannot be read, since another version of the gateway wrote it. One that has not changed is not
// compiled again.
func (s *Store) decode(stored map[string]any, before *stampedSet) *query.Query {
	name := bolt.AsText(stored["name"])
	version, _ := stored["version"].(int64)
	created := bolt.AsTime(stored["created_at"])
	if before != nil {
		if q := before.ByName[name]; q != nil && q.Version == version && q.CreatedAt.Equal(created) {
			return q
		}
	}
	q, err := query.Load(bolt.AsText(stored["definition"]))
	if err != nil {
		s.log.Warn("a saved query cannot be read", "query", name, "error", err.Error())
		return nil
	}
	language, _ := stored["language"].(int64)
	q.Version, q.Language, q.Author, q.CreatedAt = version, int(language), bolt.AsText(stored["author"]), created
	q.UpdatedAt = bolt.AsTime(stored["updated_at"])
	q.Columns, q.Operators = bolt.AsTexts(bolt.AsList(stored["columns"])), bolt.AsTexts(bolt.AsList(stored["operators"]))
	return q
}

// Save stores a version: see query.Store.
func (s *Store) Save(ctx context.Context, q *query.Query, create bool, when graph.Precondition) (*query.Query, error) {
	action := audit.Update
	if create {
		action = audit.Create
	}
	definition := append(query.AppendDefinition([]byte{'{'}, &q.Definition), '}')
	params := s.audit.AdminParameters(ctx, action, audit.SavedQuery, q.Name, "")
	params["name"], params["create"], params["versions"], params["write"] = q.Name, create, bolt.VersionsOf(when), rand.Text()
	params["max"], params["kept"] = query.MaxQueries, keptVersions
	params["row"] = map[string]any{
		"definition": string(definition), "language": q.Language, "columns": q.Columns, "operators": q.Operators, "author": q.Author,
	}
	rows, err := s.client.RepeatWrite(ctx, cypher.QuerySave.Text(nil), params)
	s.saved.Expire()
	full := "There are " + strconv.Itoa(query.MaxQueries) + " saved queries, which is the maximum; delete one first"
	row, err := bolt.OnlyRow(rows, err, fault.New(fault.DatabaseUnavailable, "The database is not prepared yet"),
		bolt.If("taken", fault.New(fault.Conflict, "A saved query with this name already exists")),
		bolt.If("missing", query.NoSuchQuery()), bolt.If("full", fault.New(fault.Conflict, full)), bolt.Unless("matches", errDiffers()))
	if err != nil {
		return nil, err
	}
	stored := s.decode(bolt.Column[map[string]any](row, "query"), nil)
	if stored == nil {
		return nil, fault.New(fault.Internal, "Internal error")
	}
	return stored, nil
}

// Delete removes a query: see query.Store.
func (s *Store) Delete(ctx context.Context, name string, when graph.Precondition) error {
	params := s.audit.AdminParameters(ctx, audit.Delete, audit.SavedQuery, name, "")
	params["name"], params["versions"] = name, bolt.VersionsOf(when)
	rows, err := s.client.Write(ctx, cypher.QueryDelete.Text(nil), params)
	s.saved.Expire()
	_, err = bolt.OnlyRow(rows, err, query.NoSuchQuery(), bolt.Unless("matches", errDiffers()))
	return err
}

// Versions returns the kept versions: see query.Store.
func (s *Store) Versions(ctx context.Context, name string) ([]*query.Query, error) {
	rows, err := s.client.ReadLatest(ctx, cypher.QueryVersions.Text(nil), map[string]any{"name": name})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	if len(rows) == 0 {
		return nil, query.NoSuchQuery()
	}
	versions := make([]*query.Query, 0, len(rows))
	for _, row := range rows {
		if q := s.decode(bolt.Column[map[string]any](row, "query"), nil); q != nil {
			versions = append(versions, q)
		}
	}
	return versions, nil
}

func errDiffers() error {
	return fault.New(fault.PreconditionFailed, "The saved query was changed since; its ETag does not match If-Match")
}
