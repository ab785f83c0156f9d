package neo4jstore

import (
	"context"

	"graphrest/internal/bolt"
)

// entityLocker locks entities for writes that depend on their content.
type entityLocker struct {
	client *bolt.Client
	config *Config
	texts  *statementTexts
}

// withLock runs work on an entity under its write lock, in one transaction. found is false if the entity does not exist or no longer has
// the id.
func (el *entityLocker) withLock(
	ctx context.Context, m *managedTypes, k kind, at reference, work func(context.Context, *bolt.Transaction, *entityRecord) error,
) (found bool, err error) {
	ends := endsForView(ctx, k, 1)
	text := el.texts.textWithEnds(statementsOf[k].lock, ends, nil)
	attempt := func() error {
		return el.client.RunTransaction(ctx, func(ctx context.Context, tx *bolt.Transaction) error {
			found = false
			tuples, err := bolt.CollectTuples(tx.RunStatement(ctx, text, ends.addParams(map[string]any{"element": at.elementID})))
			if err != nil || len(tuples) == 0 {
				return err
			}
			e := elementWithEnds(k, tuples[0])
			e.size = bolt.SizeOfRow(tuples[0])
			if own := m.ownID(k, e.names, e.properties[el.config.IDProperty]); own != at.own {
				return nil
			}
			found = true
			return work(ctx, tx, e)
		})
	}
	if err = attempt(); bolt.IsEntityDeleted(err) {
		err = attempt()
	}
	return found, err
}
