package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

// stateReader finds entities as they are now, and converts between them and the states of the journal.
type stateReader struct {
	reads *neo4jentity.Reader
	types func() *declared.Types // the declarations in memory
}

// recorded is an entity as the journal knows it.
type recorded struct {
	kind graph.Kind
	// ids under which its changes are recorded: its id, and for one that exists and has its own id the element id, under which they
	// were recorded before it got that id.
	ids  []string
	live *journal.State // nil if there is no such entity now
	own  *recordOwner   // nil if its id is its element id, and for one that does not exist for the user
}

// recordOwner tells the records of an entity from those of others with its id: see own_record.
type recordOwner struct {
	elements []string // element ids that it has or had, the first one that became known first; "" is not known
	names    []string // those of its types that are managed
}

func newRecordOwner(m *neo4jentity.ManagedTypes, k graph.Kind, element string, names []string) *recordOwner {
	isOther := func(name string) bool { return !m.Of(k).Has(name) }
	return &recordOwner{[]string{element}, slices.DeleteFunc(slices.Clone(names), isOther)}
}

// namesByKind are the managed types.
func namesByKind(m *neo4jentity.ManagedTypes) map[string]any {
	return map[string]any{string(graph.NodeKind): m.Nodes.Names, string(graph.EdgeKind): m.Edges.Names}
}

// has reports whether a record is of the entity.
func (o *recordOwner) has(r *journal.Record) bool {
	return o == nil || o.isSame(&recordOwner{[]string{r.Element}, r.Image.Labels})
}

// isSame reports whether two owners of one id are one entity.
func (o *recordOwner) isSame(other *recordOwner) bool {
	return haveCommon(o.elements, other.elements, neo4jentity.IsSameElement) || haveCommon(o.names, other.names, isEqual)
}

func isEqual(a, b string) bool { return a == b }

// add adds what is known of the entity besides.
func (o *recordOwner) add(more *recordOwner) {
	o.elements, o.names = appendMissing(o.elements, more.elements), appendMissing(o.names, more.names)
}

func haveCommon(a, b []string, isSame func(string, string) bool) bool {
	return slices.ContainsFunc(a, func(one string) bool {
		return slices.ContainsFunc(b, func(other string) bool { return isSame(one, other) })
	})
}

func appendMissing(to, more []string) []string {
	for _, text := range more {
		if !slices.Contains(to, text) {
			to = append(to, text)
		}
	}
	return to
}

// find looks an entity up.
func (es *stateReader) find(ctx context.Context, k graph.Kind, id string) (r recorded, err error) {
	m, e, err := es.reads.FindKnown(ctx, k, id, neo4jentity.EndNeedsOf(ctx, false), neo4jentity.Sees)
	if err != nil || e == nil {
		return recorded{kind: k, ids: []string{id}}, bolt.Translate(err)
	}
	if err := graph.TakeBytes(ctx, e.Size); err != nil {
		return r, err
	}
	r = recorded{kind: k}
	r.live, err = es.stateOf(ctx, m, k, e)
	if r.ids = []string{r.live.ID}; r.live.ID != e.ElementID {
		r.ids, r.own = append(r.ids, e.ElementID), newRecordOwner(m, k, e.ElementID, e.Names)
	}
	return r, bolt.Translate(err)
}

// params are the parameters by which a statement finds its records.
func (r recorded) params() map[string]any {
	params := map[string]any{"entities": r.keys(), "own": nil}
	if r.own != nil {
		params["own"] = map[string]any{"elements": r.own.elements, "names": r.own.names}
	}
	return params
}

// keys are the stored forms of its ids.
func (r recorded) keys() []string {
	keys := make([]string, len(r.ids))
	for i, id := range r.ids {
		keys[i] = neo4jentity.EntityKey(r.kind, id)
	}
	return keys
}

// isEarlier reports whether a record is of the deletion of another entity, which had the element id before: Neo4j uses element ids again.
// newest says that the record is the last one under these ids.
func (r recorded) isEarlier(record *journal.Record, newest bool) bool {
	return record.Action == journal.Delete && neo4jentity.IsElementID(r.kind, record.Entity) && (!newest || r.live != nil)
}

// showLive returns what the user sees of an entity as it is now; nil if it is not visible, after the same look-ups as for an id that does
// not exist. A hidden entity does not own the records under its id, which may be those of one that was deleted.
func (es *stateReader) showLive(ctx context.Context, v *journalView, r *recorded, id string) (*journal.State, error) {
	shown, err := v.state(ctx, r.kind, neo4jentity.MaxChangeID, r.live)
	if err != nil || shown != nil || r.live == nil {
		return shown, err
	}
	r.own = nil
	if err := es.reads.NotVisible(ctx, r.kind, id); fault.CodeOf(err) != fault.NotFound {
		return nil, err
	}
	return nil, nil
}

// stateOf is the state of an entity that was read.
func (es *stateReader) stateOf(
	ctx context.Context, m *neo4jentity.ManagedTypes, k graph.Kind, e *neo4jentity.Record,
) (*journal.State, error) {
	if k == graph.EdgeKind {
		r, err := es.reads.DecodeEdge(ctx, m, e)
		return &journal.State{
			ID: r.ID, Labels: []string{r.Type}, SourceID: r.SourceID, TargetID: r.TargetID, Properties: r.Properties,
			EndElements: [2]string{e.Source.ElementID, e.Target.ElementID},
		}, err
	}
	n, err := es.reads.DecodeNode(ctx, m, e)
	return &journal.State{ID: n.ID, Labels: n.Labels, Properties: n.Properties}, err
}

// domainNode is the node of a state.
func (es *stateReader) domainNode(s *journal.State) *graph.Node {
	return &graph.Node{ID: s.ID, Type: es.types().NodeType(s.Labels), Labels: s.Labels, Properties: s.Properties}
}

func domainEdge(s *journal.State) *graph.Edge {
	return &graph.Edge{ID: s.ID, Type: s.Labels[0], SourceID: s.SourceID, TargetID: s.TargetID, Properties: s.Properties}
}

// revision is the ETag of a state; empty if the entity does not exist.
func (es *stateReader) revision(k graph.Kind, s *journal.State) string {
	switch {
	case s == nil:
		return ""
	case k == graph.EdgeKind:
		return string(domainEdge(s).Revision())
	default:
		return string(es.domainNode(s).Revision())
	}
}
