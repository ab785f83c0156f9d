package neo4jstore

import (
	"context"
	"slices"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// nameRegister knows the names the database holds. Neo4j never gives a name back, not even when a transaction rolls back, so
// a request that would bring the database over a cap is refused before anything is sent.
type nameRegister struct {
	read func(context.Context) (*heldNames, error)

	mu   sync.RWMutex
	held *heldNames
	at   time.Time
}

// heldNames are sets of names.
type heldNames struct{ labels, types, keys map[string]struct{} }

// namesAge is how old the register may be when a new name comes: other programs and other replicas bring names too.
const namesAge = 5 * time.Second

// admit lets a request through whose names are known or fit under the caps, and takes them down as known.
func (r *nameRegister) admit(ctx context.Context, c Config, labels, types []string, p graph.Properties) error {
	r.mu.RLock()
	known := r.held != nil && r.held.hasAll(labels, types, p)
	r.mu.RUnlock()
	if known {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Reading again also forgets names that were taken down for a request that then never reached the database.
	if r.held == nil || (time.Since(r.at) > namesAge && !r.held.hasAll(labels, types, p)) {
		if err := r.load(ctx); err != nil {
			return err
		}
	}
	return r.held.take(c, labels, types, p)
}

func (r *nameRegister) load(ctx context.Context) error {
	held, err := r.read(ctx)
	if err != nil {
		return err
	}
	r.held, r.at = held, time.Now()
	return nil
}

func (h *heldNames) hasAll(labels, types []string, p graph.Properties) bool {
	for _, name := range labels {
		if _, ok := h.labels[name]; !ok {
			return false
		}
	}
	for _, name := range types {
		if _, ok := h.types[name]; !ok {
			return false
		}
	}
	for key, value := range p {
		if value == nil {
			continue // removing a property needs no name
		}
		if _, ok := h.keys[key]; !ok {
			return false
		}
	}
	return true
}

// take adds all names, or none when a cap does not allow it.
func (h *heldNames) take(c Config, labels, types []string, p graph.Properties) error {
	keys := make([]string, 0, len(p))
	for key, value := range p {
		if value != nil {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys) // the same fault for the same request
	all := []struct {
		held  map[string]struct{}
		names []string
		most  int
		what  string
		field func(string) string
	}{
		{h.labels, labels, c.MaxNodeTypes, "node types", func(string) string { return "type" }},
		{h.types, types, c.MaxEdgeTypes, "edge types", func(string) string { return "type" }},
		{h.keys, keys, c.MaxPropertyKeys, "property keys", func(key string) string { return graph.FieldPath("properties", key) }},
	}
	for _, each := range all {
		room := each.most - len(each.held)
		for _, name := range each.names {
			if _, known := each.held[name]; known {
				continue
			}
			if room--; room < 0 {
				return fault.Invalid(each.field(name), "is a new name, and the database may hold %d %s at most", each.most, each.what)
			}
		}
	}
	for _, each := range all {
		for _, name := range each.names {
			each.held[name] = struct{}{}
		}
	}
	return nil
}

func (s *Store) readNames(ctx context.Context) (*heldNames, error) {
	m, err := s.catalogue.within(ctx, namesAge)
	if err != nil {
		return nil, err
	}
	records, err := s.readRows(ctx, cypher.KnownNames.Text(nil), nil)
	if err != nil {
		return nil, err
	}
	h := &heldNames{labels: map[string]struct{}{}, types: map[string]struct{}{}, keys: map[string]struct{}{}}
	for _, record := range records {
		for column, into := range map[string]map[string]struct{}{"labels": h.labels, "types": h.types, "keys": h.keys} {
			names, _ := record.Get(column)
			list, _ := names.([]any)
			for _, name := range texts(list) {
				if !graph.Reserved(name) {
					into[name] = struct{}{}
				}
			}
		}
	}
	// A managed type without entities is not in use, yet its name is there.
	for _, name := range m.nodes.names {
		h.labels[name] = struct{}{}
	}
	for _, name := range m.edges.names {
		h.types[name] = struct{}{}
	}
	return h, nil
}
