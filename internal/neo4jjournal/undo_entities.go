package neo4jjournal

import (
	"slices"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
)

// undoEntities tells apart the entities that the records of an undo name by one id, as their own or as that of an end.
type undoEntities struct {
	managed *neo4jentity.ManagedTypes
	owners  map[journal.Entity][]*recordOwner // by kind and id
}

// of is the entity of a record.
func (ue *undoEntities) of(r *journal.Record) journal.Entity {
	e, _ := ue.ofRecord(r)
	return e
}

// ends are the source and the target of an edge.
func (ue *undoEntities) ends(s *journal.State) [2]journal.Entity {
	source, _ := ue.ofEnd(s.SourceID, s.EndElements[0])
	target, _ := ue.ofEnd(s.TargetID, s.EndElements[1])
	return [2]journal.Entity{source, target}
}

func (ue *undoEntities) ofRecord(r *journal.Record) (journal.Entity, *recordOwner) {
	return ue.find(r.Kind, r.Entity, newRecordOwner(ue.managed, r.Kind, r.Element, r.Image.Labels))
}

func (ue *undoEntities) ofEnd(id, element string) (journal.Entity, *recordOwner) {
	return ue.find(graph.NodeKind, id, newRecordOwner(ue.managed, graph.NodeKind, element, nil))
}

// find returns the entity with an id that is the same as that of an owner, with all that is known of it.
func (ue *undoEntities) find(k graph.Kind, id string, known *recordOwner) (journal.Entity, *recordOwner) {
	e := journal.Entity{Kind: k, ID: id}
	if known.elements[0] == "" { // the record does not tell
		return e, known
	}
	at := slices.IndexFunc(ue.owners[e], known.isSame)
	if at < 0 {
		at, ue.owners[e] = len(ue.owners[e]), append(ue.owners[e], known)
	}
	owner := ue.owners[e][at]
	owner.add(known)
	e.Element = owner.elements[0]
	return e, owner
}

// soughtEntity is an entity of an undo that is looked up.
type soughtEntity struct {
	journal.Entity
	soughtRecord
	owner   *recordOwner
	changed bool // or else it is only an end
	isGone  bool // its newest record is of its deletion: Neo4j may have given its element ids to another one
}

// sought are the entities of a kind that records, newest first, name: the changed ones and, of nodes, the ends of edges to be restored; not
// deleted ones whose id is their element id.
func (ue *undoEntities) sought(k graph.Kind, records []journal.Record) []*soughtEntity {
	var all []*soughtEntity
	known := map[journal.Entity]*soughtEntity{}
	add := func(e journal.Entity, owner *recordOwner, isGone bool) *soughtEntity {
		if known[e] == nil {
			known[e] = &soughtEntity{Entity: e, owner: owner, isGone: isGone}
			if !isGone || !neo4jentity.IsElementID(k, e.ID) {
				all = append(all, known[e])
			}
		}
		return known[e]
	}
	for i := range records {
		switch r := &records[i]; {
		case r.Kind == k:
			e, owner := ue.ofRecord(r)
			add(e, owner, r.Action == journal.Delete).changed = true
		case k == graph.NodeKind && r.Action == journal.Delete:
			for n, id := range []string{r.Image.SourceID, r.Image.TargetID} {
				e, owner := ue.ofEnd(id, r.Image.EndElements[n])
				add(e, owner, false)
			}
		}
	}
	for _, s := range all {
		s.SoughtID = neo4jentity.SoughtID{ID: s.Entity.ID, Types: s.owner.names, Element: s.Entity.Element, Only: s.Entity.Element != ""}
		if s.isGone {
			s.SoughtID.Element = ""
		}
	}
	return all
}
