package changeset

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"graphrest/internal/graph"
)

// Base is what an update or a delete was based on, besides the ETag that its if_match shows.
type Base struct {
	// Revision is the ETag of the whole entity, if the author does not see all of the graph; empty otherwise.
	Revision graph.Revision
	// Edges are the edges that went with a deleted node; nil for other operations.
	Edges *EdgeSet
	// Missing are the ends of a new edge, source and target, that did not exist for the author.
	Missing [2]bool
}

// EdgeSet is a set of edges, by a part of the SHA-256 of their ids.
type EdgeSet struct {
	order  []string
	hashes map[string]bool
}

// edgeHash is how many characters stand for an edge: 72 bits.
const edgeHash = 12

// NewEdgeSet returns the set of some edges.
func NewEdgeSet(edges []graph.Edge) *EdgeSet {
	s := &EdgeSet{hashes: map[string]bool{}}
	for _, e := range edges {
		s.add(hashEdge(e.ID))
	}
	return s
}

func (s *EdgeSet) add(hash string) {
	if !s.hashes[hash] {
		s.order, s.hashes[hash] = append(s.order, hash), true
	}
}

// Has reports whether an edge is in the set.
func (s *EdgeSet) Has(id string) bool { return s.hashes[hashEdge(id)] }

func hashEdge(id string) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:edgeHash]
}

// edgesMark precedes the edges in the stored form; a base with missing ends is one of missingMarks.
const edgesMark = " "

var missingMarks = map[[2]bool]string{{true, false}: "!s", {false, true}: "!t", {true, true}: "!st"}

// Encode is the stored form: the ETag and, of the delete of a node, a space and the edges.
func (b Base) Encode() string {
	if mark, missing := missingMarks[b.Missing]; missing {
		return mark
	}
	if b.Edges == nil {
		return string(b.Revision)
	}
	return string(b.Revision) + edgesMark + strings.Join(b.Edges.order, "")
}

// BaseOf is that of an operation.
func (s *Set) BaseOf(operation int) (b Base) {
	if operation >= len(s.Bases) {
		return b
	}
	for missing, mark := range missingMarks {
		if s.Bases[operation] == mark {
			return Base{Missing: missing}
		}
	}
	revision, edges, known := strings.Cut(s.Bases[operation], edgesMark)
	b.Revision = graph.Revision(revision)
	if known {
		b.Edges = &EdgeSet{hashes: map[string]bool{}}
		for ; len(edges) >= edgeHash; edges = edges[edgeHash:] {
			b.Edges.add(edges[:edgeHash])
		}
	}
	return b
}

// addEdge makes an edge one of those of its ends.
func (d *differ) addEdge(e *Entity) {
	d.edges[e.After.Source] = append(d.edges[e.After.Source], e)
	if e.After.Target != e.After.Source {
		d.edges[e.After.Target] = append(d.edges[e.After.Target], e)
	}
}

// attached are the edges of a node that exist at this point of the simulation.
func (d *differ) attached(node *Entity) (edges []*Entity) {
	r := graph.EntityRef{ID: node.ID, Ref: node.Ref}
	if r == (graph.EntityRef{}) {
		return nil
	}
	for _, e := range d.edges[r] {
		if e.After != nil {
			edges = append(edges, e)
		}
	}
	return edges
}

// Attached is the message of the conflict of a node to be deleted that has other edges than when its delete was proposed.
const Attached = "has edges that were attached since"

// hasOthers reports whether a node that operation n deletes has other edges in the graph than when this was proposed.
func (d *differ) hasOthers(n int, node *Entity) bool {
	if d.before.Base == nil || node.ID == "" {
		return false
	}
	kept := d.before.Base(n).Edges
	return kept != nil && slices.ContainsFunc(d.before.Attached[node.ID], func(e graph.Edge) bool { return !kept.Has(e.ID) })
}

// AppearedEnds are the conflicts of a new edge with ends that exist now, and did not when this was proposed: what was seen and approved is
// not an edge between these nodes.
func (b Base) AppearedEnds(operation int, o graph.Operation, exist [2]bool) (conflicts []Conflict) {
	for i, end := range []graph.EntityRef{o.Source, o.Target} {
		if b.Missing[i] && exist[i] {
			conflicts = append(conflicts, Conflict{Operation: operation, ID: end.ID, Message: "its end " + didNotExist})
		}
	}
	return conflicts
}

const didNotExist = "did not exist when this was proposed"

// CompareBase compares an entity with what an operation was based on; nil if they agree. found is the ETag of an existing entity.
func CompareBase(operation int, o graph.Operation, id string, found graph.Revision) *Conflict {
	switch {
	case !o.If.Present():
		return &Conflict{Operation: operation, ID: id, Found: string(found), Message: didNotExist}
	case o.If.Allows(found):
		return nil
	default:
		return &Conflict{Operation: operation, ID: id, Expected: baseOf(o), Found: string(found), Message: "was changed since"}
	}
}
