package neo4jschema

import (
	"context"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/graph"
)

const (
	// maxOrderedTypes bounds the types whose order is kept. Those beyond have no place.
	maxOrderedTypes = 1000
	// orderRetry is how long a failure to store the order is not tried again: the database may be read-only.
	orderRetry = time.Minute
	// orderTimeout is how long a schema waits for it.
	orderTimeout = 3 * time.Second
)

// typeOrder keeps the order in which types of nodes were first seen, so that each has one color for all users, which no later type
// changes. A type that is gone keeps its place.
type typeOrder struct {
	client *bolt.Client
	log    *slog.Logger

	mu      sync.Mutex
	places  map[string]typePlaces
	retryAt time.Time
}

// typePlaces are places of a type, each from 1.
type typePlaces struct{ palette, shape int64 }

// place gives types their places. What was not seen before is stored; if that fails, it has no place yet.
func (o *typeOrder) place(ctx context.Context, types []graph.NodeType) {
	places := o.placesOf(ctx, types)
	for i := range types {
		p := places[types[i].Type]
		types[i].PalettePlace, types[i].ShapePlace = p.palette, p.shape
	}
}

func (o *typeOrder) placesOf(ctx context.Context, types []graph.NodeType) map[string]typePlaces {
	o.mu.Lock()
	defer o.mu.Unlock()
	var unseen []any
	for _, t := range types {
		if o.places[t.Type] == (typePlaces{}) {
			unseen = append(unseen, t.Type)
		}
	}
	if len(unseen) == 0 || len(o.places) >= maxOrderedTypes || time.Now().Before(o.retryAt) {
		return o.places
	}
	bounded, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	rows, err := o.client.Write(bounded, cypher.TypeOrderAdd.Text(nil), map[string]any{"types": unseen, "max": maxOrderedTypes})
	switch {
	case err == nil:
		o.places = assignPlaces(bolt.AsTexts(bolt.AsList(rows[0].Values[0])))
	case ctx.Err() == nil: // otherwise the caller has left
		o.retryAt = time.Now().Add(orderRetry)
		o.log.WarnContext(ctx, "the order of the types was not stored", "error", err)
	}
	return o.places
}

// assignPlaces gives each type, in order, the color of its hash or, if an earlier type has it, the next that is free; when all are
// taken, they are given again. Shapes are given in order.
func assignPlaces(order []string) map[string]typePlaces {
	places := make(map[string]typePlaces, len(order))
	used := map[uint32]bool{}
	for i, name := range order {
		if len(used) == graph.PalettePlaces {
			clear(used)
		}
		place := placeHash(name) % graph.PalettePlaces
		for used[place] {
			place = (place + 1) % graph.PalettePlaces
		}
		used[place] = true
		places[name] = typePlaces{palette: int64(place) + 1, shape: int64(i%graph.ShapePlaces) + 1}
	}
	return places
}

// placeHash is that of the web interface (appearance.ts), for users who have no places.
func placeHash(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return h.Sum32() ^ h.Sum32()>>15
}
