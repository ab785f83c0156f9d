package neo4jstore

import (
	"context"
	"slices"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// nameLimiter knows the names in the database. Neo4j never frees a name, not even when a transaction rolls back, so a request that would
// exceed a limit of the database, or its user's daily budget, is rejected before it is sent.
type nameLimiter struct {
	read   func(context.Context) (*knownNames, error)
	charge func(ctx context.Context, userID string, added newNames) error
	adding chan struct{} // semaphore: one request at a time adds names, so that none counts as known before it is charged

	spent spentBudgets

	mu    sync.RWMutex // guards known and at; only the holder of adding writes them
	known *knownNames
	at    time.Time
}

// knownNames are sets of names.
type knownNames struct{ labels, types, keys map[string]struct{} }

// newNames are the names of a request that are not in the database. Keys are sorted.
type newNames struct{ labels, types, keys []string }

const (
	// namesAge is the maximum age of the known names when a new name is added: other programs and other replicas add names too.
	namesAge = 5 * time.Second
	// namesRefresh is the maximum age of the numbers in the metrics.
	namesRefresh = 30 * time.Second
)

// reserve accepts a request whose names are known, or fit within the limits and the budget of the context's user. It adds them to the known
// names.
func (r *nameLimiter) reserve(ctx context.Context, c Config, labels, types []string, p graph.Properties) error {
	recent := r.isRecent()
	added := r.unknown(labels, types, p)
	if added.isEmpty() {
		return nil
	}
	userID := graph.NameBudgetFrom(ctx)
	if recent { // otherwise the names may have been added meanwhile
		if err := r.spent.check(userID, added, c, time.Now()); err != nil {
			return err
		}
	}
	select {
	case r.adding <- struct{}{}:
	case <-ctx.Done():
		return bolt.Translate(ctx.Err())
	}
	defer func() { <-r.adding }()
	if added = r.unknown(labels, types, p); added.isEmpty() {
		return nil
	}
	// Reading again also drops names that were added for a request that then never reached the database.
	if !r.isRecent() {
		if err := r.load(ctx); err != nil {
			return err
		}
		added = r.unknown(labels, types, p)
	}
	if err := added.checkCaps(r.known, c); err != nil {
		return err
	}
	if userID != "" && !added.isEmpty() {
		if err := r.charge(ctx, userID, added); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known.add(added)
	return nil
}

// refresh reads the names for the metrics if they are old, unless a request is adding names.
func (r *nameLimiter) refresh(ctx context.Context) {
	select {
	case r.adding <- struct{}{}:
	default:
		return
	}
	defer func() { <-r.adding }()
	if r.known == nil || time.Since(r.at) > namesRefresh {
		_ = r.load(ctx) // a failure shows in the requests themselves
	}
}

func (r *nameLimiter) load(ctx context.Context) error {
	known, err := r.read(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known, r.at = known, time.Now()
	return nil
}

// isRecent says whether the names were read recently enough to check a new name against them.
func (r *nameLimiter) isRecent() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.known != nil && time.Since(r.at) <= namesAge
}

// unknown are the names of a request that are not known.
func (r *nameLimiter) unknown(labels, types []string, p graph.Properties) newNames {
	r.mu.RLock()
	defer r.mu.RUnlock()
	known := r.known
	if known == nil {
		known = &knownNames{}
	}
	added := newNames{labels: missingNames(known.labels, labels), types: missingNames(known.types, types)}
	for key, value := range p {
		if _, known := known.keys[key]; !known && value != nil { // removing a property needs no name
			added.keys = append(added.keys, key)
		}
	}
	slices.Sort(added.keys) // the same fault for the same request
	return added
}

func missingNames(known map[string]struct{}, names []string) []string {
	var added []string
	for _, name := range names {
		if _, known := known[name]; !known && !slices.Contains(added, name) {
			added = append(added, name)
		}
	}
	return added
}

func (h *knownNames) add(n newNames) {
	for _, name := range n.labels {
		h.labels[name] = struct{}{}
	}
	for _, name := range n.types {
		h.types[name] = struct{}{}
	}
	for _, name := range n.keys {
		h.keys[name] = struct{}{}
	}
}

func (n newNames) isEmpty() bool { return len(n.labels)+len(n.types)+len(n.keys) == 0 }

// checkCaps rejects names that exceed a limit of the database.
func (n newNames) checkCaps(h *knownNames, c Config) error {
	for _, each := range []struct {
		known map[string]struct{}
		added []string
		limit int
		what  string
		field func(string) string
	}{
		{h.labels, n.labels, c.MaxNodeTypes, "node types", typeField},
		{h.types, n.types, c.MaxEdgeTypes, "edge types", typeField},
		{h.keys, n.keys, c.MaxPropertyKeys, "property keys", propertyField},
	} {
		if room := max(each.limit-len(each.known), 0); len(each.added) > room {
			return fault.Invalid(each.field(each.added[room]), "is a new name, and the database may hold %d %s at most", each.limit, each.what)
		}
	}
	return nil
}

func typeField(string) string { return "type" }

func propertyField(key string) string { return graph.FieldPath("properties", key) }

// Names returns how many names the database has, as of the last read; nil before the first.
func (s *Store) Names() []graph.NameUse {
	s.names.mu.RLock()
	defer s.names.mu.RUnlock()
	if s.names.known == nil {
		return nil
	}
	return s.names.known.use(s.config)
}

// NameUse is Names, read now.
func (s *Store) NameUse(ctx context.Context) ([]graph.NameUse, error) {
	names, err := s.readNames(ctx)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	return names.use(s.config), nil
}

func (h *knownNames) use(c Config) []graph.NameUse {
	return []graph.NameUse{
		{Kind: "node_type", Used: len(h.labels), Limit: c.MaxNodeTypes},
		{Kind: "edge_type", Used: len(h.types), Limit: c.MaxEdgeTypes},
		{Kind: "property_key", Used: len(h.keys), Limit: c.MaxPropertyKeys},
	}
}

func (s *Store) readNames(ctx context.Context) (*knownNames, error) {
	m, err := s.catalogue.Fresh(ctx, namesAge)
	if err != nil {
		return nil, err
	}
	records, err := s.client.ReadRows(ctx, cypher.KnownNames.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	h := &knownNames{labels: map[string]struct{}{}, types: map[string]struct{}{}, keys: map[string]struct{}{}}
	for _, record := range records {
		for column, into := range map[string]map[string]struct{}{"labels": h.labels, "types": h.types, "keys": h.keys} {
			names, _ := record.Get(column)
			list, _ := names.([]any)
			for _, name := range bolt.AsTexts(list) {
				if !graph.Reserved(name) {
					into[name] = struct{}{}
				}
			}
		}
	}
	// A managed type without entities is not in use, but its name exists.
	for _, name := range m.nodes.names {
		h.labels[name] = struct{}{}
	}
	for _, name := range m.edges.names {
		h.types[name] = struct{}{}
	}
	return h, nil
}
