package neo4jstore

import (
	"context"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/declared"
	"graphrest/internal/graph"
)

// judgedWriter changes entities that it has judged by their content, under their locks: the changes of single requests, of batches and
// change sets, and of the lines of imports.
type judgedWriter struct {
	*rowRunner
	contents *contentReader
}

// judging is what the changes that are judged together have in common.
type judging struct {
	m       *managedTypes
	types   *declared.Types
	k       kind
	deletes bool          // they are deletes, or else updates
	bytes   *attemptBytes // is charged with the contents, before and after; nil if nothing is
	named   int           // see rowWrite
}

// judgedChange is an update or delete that is judged.
type judgedChange struct {
	at     reference
	change graph.Change   // of a delete: only its precondition
	row    map[string]any // that writes it
}

func (jw *judgedWriter) newJudgedUpdate(ctx context.Context, at reference, c graph.Change) judgedChange {
	return judgedChange{at, c, jw.updateRow(update{at, c.Properties, authorFrom(ctx)})}
}

// writeOne is write for one change.
func (jw *judgedWriter) writeOne(ctx context.Context, j judging, c judgedChange) rowResult {
	results, err := jw.write(ctx, j, []judgedChange{c})
	if err != nil {
		return rowResult{err: err}
	}
	return results[0]
}

// write judges changes and writes those that are allowed, in one transaction, which is repeated once if an entity was deleted concurrently.
// The result of a change whose entity does not exist has neither a tuple nor an error.
func (jw *judgedWriter) write(ctx context.Context, j judging, changes []judgedChange) (results []rowResult, err error) {
	attempt := func() error {
		return jw.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
			var err error
			j.bytes.release(ctx)
			results, err = jw.writeIn(ctx, tx, j, changes)
			return err
		})
	}
	if err = attempt(); bolt.IsEntityDeleted(err) {
		err = attempt()
	}
	return results, err
}

func (jw *judgedWriter) writeIn(ctx context.Context, tx *bolt.Transaction, j judging, changes []judgedChange) ([]rowResult, error) {
	results, write := make([]rowResult, len(changes)), updateOf(j.k, nil)
	var allowed []int
	if j.deletes {
		write = deleteOf(j.k, nil)
	}
	write.named = j.named
	err := jw.judge(ctx, tx, j, changes, func(i int, l *lockedEntity, err error) error {
		if results[i].err = err; err == nil && l != nil {
			results[i].endValues = l.endValues
			allowed, write.rows = append(allowed, i), append(write.rows, changes[i].row)
		}
		return nil
	})
	if err != nil || len(allowed) == 0 {
		return results, err
	}
	tuples, err := jw.runIn(ctx, tx, write)
	if err != nil {
		return nil, err
	}
	for n, t := range tuples {
		results[allowed[n]].tuple = t
		if t != nil && !j.deletes {
			if err := j.bytes.take(ctx, bolt.SizeOfRow(t)); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// judge locks the entities of changes and calls use with the judgement of each, in their order, until it returns an error. The entity is
// nil if it does not exist.
func (jw *judgedWriter) judge(
	ctx context.Context, tx *bolt.Transaction, j judging, changes []judgedChange, use func(i int, l *lockedEntity, err error) error,
) error {
	at := make([]reference, len(changes))
	for i, c := range changes {
		at[i] = c.at
	}
	var refused map[int]int64
	return jw.lock(ctx, tx, j.m, j.k, at, func(i int, e *entityRecord) (err error) {
		if e == nil {
			return use(i, nil, nil)
		}
		if err := j.bytes.take(ctx, e.size); err != nil {
			return err
		}
		if j.deletes && j.k == nodes && refused == nil {
			if refused, err = refusedEdges(ctx, tx, elementIDsOf(at)); err != nil {
				return err
			}
		}
		l, err := jw.contents.readLocked(ctx, j.m, j.k, at[i], e)
		switch {
		case err != nil:
			return err
		case j.deletes:
			err = l.judgeDelete(ctx, changes[i].change.If, refused[i])
		default:
			err = l.judgeUpdate(ctx, j.types, changes[i].change)
		}
		return use(i, &l, err)
	})
}

// lock locks entities and then calls use with each, in their order, until it returns an error. The entity is nil if it does not exist, or
// no longer has its id.
func (jw *judgedWriter) lock(
	ctx context.Context, tx *bolt.Transaction, m *managedTypes, k kind, at []reference, use func(i int, e *entityRecord) error,
) error {
	text, params := jw.texts.lockStatement(ctx, k, elementIDsOf(at))
	return jw.readAt(ctx, tx, m, k, at, text, params, use)
}

// readAt is lock with another statement, which may take no locks.
func (jw *judgedWriter) readAt(
	ctx context.Context, tx *bolt.Transaction, m *managedTypes, k kind, at []reference, text cypher.Text, params map[string]any,
	use func(i int, e *entityRecord) error,
) error {
	tuples, err := runRows(ctx, tx, len(at), text, params)
	if err != nil {
		return err
	}
	for i, r := range at {
		var e *entityRecord
		if t := tuples[i]; t != nil {
			e = elementWithEnds(k, t)
			e.size = bolt.SizeOfRow(t)
			if m.referenceOf(k, e, jw.config.IDProperty) != r {
				e = nil
			}
		}
		if err := use(i, e); err != nil {
			return err
		}
	}
	return nil
}

func elementIDsOf(at []reference) []string {
	ids := make([]string, len(at))
	for i, r := range at {
		ids[i] = r.elementID
	}
	return ids
}

// attemptBytes are the bytes that one attempt of a transaction has reserved. A nil one reserves nothing.
type attemptBytes struct{ taken int64 }

// take reserves bytes until the next attempt, or the end of the request.
func (a *attemptBytes) take(ctx context.Context, n int64) error {
	if a == nil {
		return nil
	}
	if err := graph.TakeBytes(ctx, n); err != nil {
		return err
	}
	a.taken += n
	return nil
}

// release gives back what an earlier attempt has reserved.
func (a *attemptBytes) release(ctx context.Context) {
	if a != nil {
		_ = graph.TakeBytes(ctx, -a.taken)
		a.taken = 0
	}
}
