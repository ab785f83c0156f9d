package neo4jjournal

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jentity"
	"graphrest/internal/neo4jschema"
)

// recordReader reads and decodes the stored records of changes, whoever sees them.
type recordReader struct {
	client    *bolt.Client
	config    *neo4jentity.Config
	types     func() *declared.Types // the declarations in memory
	reads     *neo4jentity.Reader
	bounded   *neo4jentity.BoundedReader
	sequencer *feedSequencer

	prefix atomic.Pointer[string] // of the database's element ids of nodes
}

// changeIDDigits is the length of the first part of an id, microseconds since 1970: enough until the year 2286.
const changeIDDigits = 16

var changeIDPattern = regexp.MustCompile(`^\d{16}-\d{1,19}$`)

// changeIDAt is the first id that a change of a time can have.
func changeIDAt(t time.Time) string {
	return fmt.Sprintf("%0*d", changeIDDigits, max(0, t.UnixMicro()))
}

// timeOfChange is the time in an id.
func timeOfChange(id string) time.Time {
	micros, _ := strconv.ParseInt(id[:min(changeIDDigits, len(id))], 10, 64)
	return time.UnixMicro(micros).UTC()
}

// oldestKept is the first id that a record can have which is still served; records are served for the duration keep.
func oldestKept(keep time.Duration) string { return changeIDAt(time.Now().Add(-keep)) }

// read runs a statement that returns records, up to maxBytes of them. full reports that there are more.
func (rr *recordReader) read(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64,
) (records []journal.Record, full bool, err error) {
	nothing := func(*bolt.Record) (struct{}, error) { return struct{}{}, nil }
	records, _, full, err = readBeside(ctx, rr, statement, params, maxBytes, nothing)
	return records, full, err
}

// readNumbered is read for a statement that returns with each record the number of the row that it was asked for by.
func (rr *recordReader) readNumbered(
	ctx context.Context, statement cypher.Statement, params map[string]any, maxBytes int64,
) (records []journal.Record, numbers []int64, full bool, err error) {
	number := func(row *bolt.Record) (int64, error) { return bolt.Column[int64](row, "number"), nil }
	return readBeside(ctx, rr, statement, params, maxBytes, number)
}

// readBeside is recordReader.read with what a function takes of the row of each record. Rows are not kept: they are as large as records.
func readBeside[T any](
	ctx context.Context, rr *recordReader, statement cypher.Statement, params map[string]any, maxBytes int64,
	take func(*bolt.Record) (T, error),
) (records []journal.Record, beside []T, full bool, err error) {
	begin := func() { records, beside = nil, nil }
	full, err = rr.bounded.Read(ctx, statement, params, maxBytes, begin, func(row *bolt.Record) error {
		r, err := rr.decode(bolt.Column[map[string]any](row, "record"))
		if err != nil {
			return err
		}
		taken, err := take(row)
		records, beside = append(records, r), append(beside, taken)
		return err
	})
	for i := 0; err == nil && i < len(records); i++ {
		err = rr.completeValues(ctx, &records[i])
	}
	if err == nil {
		err = rr.orderLabels(ctx, records)
	}
	return records, beside, full, err
}

// orderLabels brings the labels of records into the order of a read: a record has them as its transaction saw them.
func (rr *recordReader) orderLabels(ctx context.Context, records []journal.Record) error {
	several := func(r journal.Record) bool { return r.Kind == graph.NodeKind && len(r.Image.Labels) > 1 }
	if !slices.ContainsFunc(records, several) {
		return nil
	}
	names, err := neo4jschema.LabelsInUse(ctx, rr.client)
	if err != nil {
		return bolt.Translate(err)
	}
	for i := range records {
		if r := &records[i]; several(*r) {
			names.SortReported(r.Image.Labels)
			r.Type = rr.types().NodeType(r.Image.Labels)
		}
	}
	return nil
}

// completeValues reads the values of a record that the driver could not decode: see ReadUnsupportedZones. A record that was removed
// meanwhile remains as it is.
func (rr *recordReader) completeValues(ctx context.Context, r *journal.Record) error {
	for _, value := range r.Image.Properties {
		if !bolt.IsUnsupported(value) {
			continue
		}
		element, err := rr.elementOf(ctx, r.ID)
		if err == nil {
			_, err = rr.reads.ReadUnsupportedZones(ctx, cypher.JournalTexts, element, imagePrefix, r.Image.Properties)
		}
		return bolt.Translate(err)
	}
	return nil
}

// The parts of _graphrest_meta before the labels.
const (
	metaAction = iota
	metaUser
	metaUserID
	metaGatewayID
	metaUndo
	metaChangeSet
	metaImport
	metaDeletedWith
	metaElement
	metaLabels
)

// imagePrefix starts the keys of the entity's properties in a record, so that a query in Cypher for a property does not find the record.
const imagePrefix = "_graphrest."

// decode converts the properties of a stored record.
func (rr *recordReader) decode(stored map[string]any) (journal.Record, error) {
	meta := bolt.AsTexts(bolt.AsList(stored["_graphrest_meta"]))
	for len(meta) < metaLabels { // written by another program: what can be read of it
		meta = append(meta, "")
	}
	kindName, entity, _ := strings.Cut(bolt.AsText(stored["_graphrest_entity"]), " ")
	r := journal.Record{
		ID: bolt.AsText(stored["_graphrest_id"]), RequestID: bolt.AsText(stored["_graphrest_request"]),
		User: meta[metaUser], UserID: meta[metaUserID],
		Action: journal.Action(meta[metaAction]), Kind: graph.Kind(kindName), Entity: entity,
		Cause: journal.Cause{
			Undo:        meta[metaUndo],
			ChangeSet:   meta[metaChangeSet],
			Import:      meta[metaImport],
			DeletedWith: meta[metaDeletedWith],
		},
		Element: meta[metaElement],
		Image:   journal.State{ID: entity, Labels: meta[metaLabels:], Properties: graph.Properties{}},
	}
	r.At = timeOfChange(r.ID)
	r.Position, _ = stored["_graphrest_position"].(int64)
	r.Restored = r.Action == journal.Delete && stored["_graphrest_trash"] == nil && stored["_graphrest_with"] == nil
	if r.Kind == graph.EdgeKind {
		if len(r.Image.Labels) > 0 {
			r.Type = r.Image.Labels[0]
		}
		if ends := bolt.AsTexts(bolt.AsList(stored["_graphrest_ends"])); len(ends) == 4 {
			r.Image.SourceID, r.Image.TargetID, r.Image.EndElements = ends[2], ends[3], [2]string{ends[0], ends[1]}
		}
	} else {
		r.Type = rr.types().NodeType(r.Image.Labels)
	}
	for key, value := range stored {
		name, ofEntity := strings.CutPrefix(key, imagePrefix)
		if ofEntity && (name != rr.config.IDProperty || value != entity) {
			r.Image.Properties[name] = bolt.FromDriver(value)
		}
	}
	if set := bolt.AsText(stored["_graphrest_set"]); set != "" {
		var err error
		if r.Set, err = journal.DecodeSet(set); err != nil {
			return r, err
		}
	}
	return r, nil
}

// elementOf is the element id of a record's node; empty if the id is none of a change.
func (rr *recordReader) elementOf(ctx context.Context, id string) (string, error) {
	if !changeIDPattern.MatchString(id) {
		return "", nil
	}
	prefix := rr.prefix.Load()
	if prefix == nil {
		state, err := rr.sequencer.readState(ctx)
		if err != nil {
			return "", err
		}
		text := state.element[:strings.LastIndexByte(state.element, ':')+1]
		prefix = &text
		rr.prefix.Store(prefix)
	}
	return *prefix + id[changeIDDigits+1:], nil
}

// change reads one record; nil if there is none.
func (rr *recordReader) change(ctx context.Context, id string) (*journal.Record, error) {
	element, err := rr.elementOf(ctx, id)
	if err != nil || element == "" || id < oldestKept(rr.config.JournalKeep) {
		return nil, err
	}
	found, _, err := rr.read(ctx, cypher.JournalChange, map[string]any{"element": element, "id": id}, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}
