package neo4jentity

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// JudgedWriter changes entities that it has judged by their content, under their locks: the changes of single requests, of batches and
// change sets, and of the lines of imports.
type JudgedWriter struct {
	*rowRunner
	contents *contentReader
}

// Judging is what the changes that are judged together have in common.
type Judging struct {
	Managed *ManagedTypes
	Types   *declared.Types
	Kind    kind
	Deletes bool          // they are deletes, or else updates
	Bytes   *AttemptBytes // is charged with the contents, before and after; nil if nothing is
	Named   int           // see RowWrite
}

// JudgedChange is an update or delete that is judged.
type JudgedChange struct {
	At     Reference
	Change graph.Change   // of a delete: only its precondition
	row    map[string]any // that writes it
}

// NewJudgedUpdate is an update whose content decides whether it is allowed.
func (jw *JudgedWriter) NewJudgedUpdate(ctx context.Context, at Reference, c graph.Change) JudgedChange {
	return JudgedChange{at, c, jw.UpdateRow(Update{at, c.Properties, AuthorFrom(ctx)})}
}

// WriteOne is Write for one change.
func (jw *JudgedWriter) WriteOne(ctx context.Context, j Judging, c JudgedChange) RowResult {
	results, err := jw.Write(ctx, j, []JudgedChange{c})
	if err != nil {
		return RowResult{Err: err}
	}
	return results[0]
}

// Write judges changes and writes those that are allowed, in one transaction, which is repeated once if an entity was deleted concurrently.
// The result of a change whose entity does not exist has neither a tuple nor an error.
func (jw *JudgedWriter) Write(ctx context.Context, j Judging, changes []JudgedChange) (results []RowResult, err error) {
	attempt := func() error {
		return jw.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
			var err error
			j.Bytes.Release(ctx)
			results, err = jw.writeIn(ctx, tx, j, changes)
			return err
		})
	}
	if err = attempt(); bolt.IsEntityDeleted(err) {
		err = attempt()
	}
	return results, err
}

func (jw *JudgedWriter) writeIn(ctx context.Context, tx *bolt.Transaction, j Judging, changes []JudgedChange) ([]RowResult, error) {
	results, write := make([]RowResult, len(changes)), UpdateOf(j.Kind, nil)
	var allowed []int
	if j.Deletes {
		write = DeleteOf(j.Kind, nil)
	}
	write.Named = j.Named
	err := jw.Judge(ctx, tx, j, changes, func(i int, l *LockedEntity, err error) error {
		if results[i].Err = err; err == nil && l != nil {
			results[i].endValues = l.endValues
			allowed, write.Rows = append(allowed, i), append(write.Rows, changes[i].row)
		}
		return nil
	})
	if err != nil || len(allowed) == 0 {
		return results, err
	}
	tuples, err := jw.RunIn(ctx, tx, write)
	if err != nil {
		return nil, err
	}
	for n, t := range tuples {
		results[allowed[n]].Tuple = t
		if t != nil && !j.Deletes {
			if err := j.Bytes.Take(ctx, bolt.SizeOfRow(t)); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// Judge locks the entities of changes and calls use with the judgement of each, in their order, until it returns an error. The entity is
// nil if it does not exist.
func (jw *JudgedWriter) Judge(
	ctx context.Context, tx *bolt.Transaction, j Judging, changes []JudgedChange, use func(i int, l *LockedEntity, err error) error,
) error {
	at := make([]Reference, len(changes))
	for i, c := range changes {
		at[i] = c.At
	}
	var refused map[int]int64
	return jw.Lock(ctx, tx, j.Managed, j.Kind, at, func(i int, e *Record) (err error) {
		if e == nil {
			return use(i, nil, nil)
		}
		if err := j.Bytes.Take(ctx, e.Size); err != nil {
			return err
		}
		if j.Deletes && j.Kind == nodes && refused == nil {
			if refused, err = refusedEdges(ctx, tx, ElementIDsOf(at)); err != nil {
				return err
			}
		}
		l, err := jw.contents.ReadLocked(ctx, j.Managed, j.Kind, at[i], e)
		switch {
		case err != nil:
			return err
		case j.Deletes:
			err = l.judgeDelete(ctx, changes[i].Change.If, refused[i])
		default:
			err = l.JudgeUpdate(ctx, j.Types, changes[i].Change)
		}
		return use(i, &l, err)
	})
}

// Lock locks entities and then calls use with each, in their order, until it returns an error. The entity is nil if it does not exist, or
// no longer has its id.
func (jw *JudgedWriter) Lock(
	ctx context.Context, tx *bolt.Transaction, m *ManagedTypes, k kind, at []Reference, use func(i int, e *Record) error,
) error {
	text, params := jw.texts.LockStatement(ctx, k, ElementIDsOf(at))
	return jw.ReadAt(ctx, tx, m, k, at, text, params, use)
}

// ReadAt is Lock with another statement, which may take no locks.
func (jw *JudgedWriter) ReadAt(
	ctx context.Context, tx *bolt.Transaction, m *ManagedTypes, k kind, at []Reference, text cypher.Text, params map[string]any,
	use func(i int, e *Record) error,
) error {
	tuples, err := RunRows(ctx, tx, len(at), text, params)
	if err != nil {
		return err
	}
	found := make([]*Record, len(at))
	for i, r := range at {
		if t := tuples[i]; t != nil {
			e := elementWithEnds(k, t)
			e.Size = bolt.SizeOfRow(t)
			if m.ReferenceOf(k, e, jw.config.IDProperty) == r {
				found[i] = e
			}
		}
	}
	if err := orderLabels(ctx, tx, k, found); err != nil {
		return err
	}
	for i, e := range found {
		if err := use(i, e); err != nil {
			return err
		}
	}
	return nil
}

// orderLabels brings the labels of nodes that a transaction has read into the order of a read outside: within one that has written, Neo4j
// reports them in another. ETag and type depend on it.
func orderLabels(ctx context.Context, tx *bolt.Transaction, k kind, found []*Record) error {
	several := func(e *Record) bool { return k == nodes && e != nil && len(e.Names) > 1 }
	if !slices.ContainsFunc(found, several) {
		return nil
	}
	names, err := neo4jschema.LabelsWithin(ctx, tx)
	for _, e := range found {
		if err == nil && several(e) {
			names.SortReported(e.Names)
		}
	}
	return err
}

// ElementIDsOf are the element ids of references, in their order.
func ElementIDsOf(at []Reference) []string {
	ids := make([]string, len(at))
	for i, r := range at {
		ids[i] = r.ElementID
	}
	return ids
}

// AttemptBytes are the bytes that one attempt of a transaction has reserved. A nil one reserves nothing.
type AttemptBytes struct{ taken int64 }

// Take reserves bytes until the next attempt, or the end of the request.
func (a *AttemptBytes) Take(ctx context.Context, n int64) error {
	if a == nil {
		return nil
	}
	if err := graph.TakeBytes(ctx, n); err != nil {
		return err
	}
	a.taken += n
	return nil
}

// Release gives back what an earlier attempt has reserved.
func (a *AttemptBytes) Release(ctx context.Context) {
	if a != nil {
		_ = graph.TakeBytes(ctx, -a.taken)
		a.taken = 0
	}
}
