package neo4jschema

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

// NameLimits are how many names there may be.
type NameLimits struct {
	NodeTypes, EdgeTypes, PropertyKeys int // in the database
	NewTypes, NewKeys                  int // that one user may add on one day (UTC): node and edge types together, and property keys
}

// Names knows the names in the database. Neo4j never frees a name, not even when a transaction rolls back, so a request that would
// exceed a limit of the database, or its user's daily budget, is rejected before it is sent. It is no snapshot.Snapshot: the known names
// grow with each request that adds some, between two reads. It is safe for concurrent use.
type Names struct {
	client  *bolt.Client
	managed ManagedTypes
	limits  NameLimits
	adding  chan struct{} // semaphore: one request at a time adds names, so that none counts as known before it is charged

	spent spentBudgets

	mu    sync.RWMutex // guards known and at; only the holder of adding writes them
	known *knownNames
	at    time.Time
}

// knownNames are sets of names.
type knownNames struct{ labels, types, keys map[string]struct{} }

// NewNames are the names of a request that are not in the database. Keys are sorted.
type NewNames struct{ Labels, Types, Keys []string }

const (
	// namesAge is the maximum age of the known names when a new name is added: other programs and other replicas add names too.
	namesAge = 5 * time.Second
	// namesRefresh is the maximum age of the numbers in the metrics.
	namesRefresh = 30 * time.Second
)

// Reserve accepts a request whose names are known, or fit within the limits and the budget of the context's user. It adds them to the known
// names.
func (r *Names) Reserve(ctx context.Context, labels, types []string, p graph.Properties) error {
	recent := r.isRecent()
	added := r.Unknown(labels, types, p)
	if added.IsEmpty() {
		return nil
	}
	userID := graph.NameBudgetFrom(ctx)
	if recent { // otherwise the names may have been added meanwhile
		if err := r.spent.check(userID, added, r.limits, time.Now()); err != nil {
			return err
		}
	}
	select {
	case r.adding <- struct{}{}:
	case <-ctx.Done():
		return bolt.Translate(ctx.Err())
	}
	defer func() { <-r.adding }()
	if added = r.Unknown(labels, types, p); added.IsEmpty() {
		return nil
	}
	// Reading again also drops names that were added for a request that then never reached the database.
	if !r.isRecent() {
		if err := r.load(ctx); err != nil {
			return err
		}
		added = r.Unknown(labels, types, p)
	}
	if err := added.checkCaps(r.known, r.limits); err != nil {
		return err
	}
	if userID != "" && !added.IsEmpty() {
		if err := r.charge(ctx, userID, added); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known.add(added)
	return nil
}

// ReserveIndex reserves the names that an index of entities of one kind would add.
func (r *Names) ReserveIndex(ctx context.Context, k graph.Kind, types, properties []string) error {
	keys := graph.Properties{}
	for _, p := range properties {
		keys[p] = true
	}
	labels, edgeTypes := types, []string(nil)
	if k == graph.EdgeKind {
		labels, edgeTypes = nil, types
	}
	return r.Reserve(ctx, labels, edgeTypes, keys)
}

// Refresh reads the names for the metrics if they are old, unless a request is adding names.
func (r *Names) Refresh(ctx context.Context) {
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

func (r *Names) load(ctx context.Context) error {
	known, err := r.read(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known, r.at = known, time.Now()
	return nil
}

// isRecent reports whether the names were read recently enough to check a new name against them.
func (r *Names) isRecent() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.known != nil && time.Since(r.at) <= namesAge
}

// Unknown are the names of a request that are not known.
func (r *Names) Unknown(labels, types []string, p graph.Properties) NewNames {
	r.mu.RLock()
	defer r.mu.RUnlock()
	known := r.known
	if known == nil {
		known = &knownNames{}
	}
	added := NewNames{Labels: missingNames(known.labels, labels), Types: missingNames(known.types, types)}
	for key, value := range p {
		if _, known := known.keys[key]; !known && value != nil { // removing a property needs no name
			added.Keys = append(added.Keys, key)
		}
	}
	slices.Sort(added.Keys) // the same fault for the same request
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

func (h *knownNames) add(n NewNames) {
	for _, name := range n.Labels {
		h.labels[name] = struct{}{}
	}
	for _, name := range n.Types {
		h.types[name] = struct{}{}
	}
	for _, name := range n.Keys {
		h.keys[name] = struct{}{}
	}
}

// IsEmpty reports whether all names are known.
func (n NewNames) IsEmpty() bool { return len(n.Labels)+len(n.Types)+len(n.Keys) == 0 }

// checkCaps rejects names that exceed a limit of the database.
func (n NewNames) checkCaps(h *knownNames, limits NameLimits) error {
	for _, each := range []struct {
		known map[string]struct{}
		added []string
		limit int
		what  string
		field func(string) string
	}{
		{h.labels, n.Labels, limits.NodeTypes, "node types", typeField},
		{h.types, n.Types, limits.EdgeTypes, "edge types", typeField},
		{h.keys, n.Keys, limits.PropertyKeys, "property keys", propertyField},
	} {
		if room := max(each.limit-len(each.known), 0); len(each.added) > room {
			return fault.Invalid(each.field(each.added[room]), "is a new name, and the database may hold %d %s at most", each.limit, each.what)
		}
	}
	return nil
}

func typeField(string) string { return "type" }

func propertyField(key string) string { return graph.FieldPath("properties", key) }

// KnownKeys says which properties of conditions existed in the database when the names were last read.
func (r *Names) KnownKeys(conditions graph.Filter) map[string]bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.known == nil {
		return nil
	}
	known := map[string]bool{}
	for _, c := range conditions {
		_, known[c.Property] = r.known.keys[c.Property]
	}
	return known
}

// LastUse returns how many names the database has, as of the last read; nil before the first.
func (r *Names) LastUse() []graph.NameUse {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.known == nil {
		return nil
	}
	return r.known.use(r.limits)
}

// ReadUse is LastUse, read now.
func (r *Names) ReadUse(ctx context.Context) ([]graph.NameUse, error) {
	known, err := r.read(ctx)
	if err != nil {
		return nil, bolt.Translate(err)
	}
	return known.use(r.limits), nil
}

func (h *knownNames) use(limits NameLimits) []graph.NameUse {
	return []graph.NameUse{
		{Kind: "node_type", Used: len(h.labels), Limit: limits.NodeTypes},
		{Kind: "edge_type", Used: len(h.types), Limit: limits.EdgeTypes},
		{Kind: "property_key", Used: len(h.keys), Limit: limits.PropertyKeys},
	}
}

// read serves all requests that add names, so it waits for the bookmark of none.
func (r *Names) read(ctx context.Context) (*knownNames, error) {
	ctx = graph.WithBookmarks(ctx, nil)
	labels, types, err := r.managed(ctx, namesAge)
	if err != nil {
		return nil, err
	}
	records, err := r.client.ReadRows(ctx, cypher.KnownNames.Text(nil), nil)
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
	for _, name := range labels {
		h.labels[name] = struct{}{}
	}
	for _, name := range types {
		h.types[name] = struct{}{}
	}
	return h, nil
}
