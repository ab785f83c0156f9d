package neo4jjournal

import (
	"context"
	"slices"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jchangeset"
	"graphrest/internal/neo4jentity"
)

// undoClaim is values of a unique key that an undo gives to an entity.
type undoClaim struct {
	reversal *journal.Reversal
	changeset.Claim
	holders []string // element ids of the entities that have the values in the graph
}

// readClaims finds what a plan claims, and who has it, in the transaction of the undo.
func (u *undoer) readClaims(ctx context.Context, tx *bolt.Transaction, plan *undoPlan) (claims []undoClaim, err error) {
	keys, err := neo4jchangeset.ReadUniqueKeys(ctx, u.client)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		var some []undoClaim
		for _, v := range plan.Kept() {
			if claim, claims := claimOf(key, v); claims {
				some = append(some, undoClaim{reversal: v, Claim: claim})
			}
		}
		for part := range slices.Chunk(some, undoRows) {
			if err := readClaimHolders(ctx, tx, key, part); err != nil {
				return nil, err
			}
		}
		claims = append(claims, some...)
	}
	return claims, nil
}

// claimOf is what the reversal of an entity claims of a unique key; claims is false if it is nothing that the entity does not have already.
func claimOf(key changeset.UniqueKey, v *journal.Reversal) (claim changeset.Claim, claims bool) {
	if v.Target == nil || v.Entity.Kind != key.Kind || !slices.Contains(v.Target.Labels, key.Type) {
		return claim, false
	}
	claim.UniqueKey = key
	for _, name := range key.Properties {
		value, exists := v.Target.Properties[name]
		if !exists {
			return claim, false
		}
		claim.Values = append(claim.Values, value)
	}
	return claim, v.Live == nil || !claim.HeldBy(v.Live.Properties)
}

func readClaimHolders(ctx context.Context, tx *bolt.Transaction, key changeset.UniqueKey, claims []undoClaim) error {
	statement, slots := cypher.HoldersOfNodes, cypher.Slots{"label": cypher.Quote(key.Type)}
	variable := cypher.NodeVariable
	if key.Kind == graph.EdgeKind {
		statement, slots, variable = cypher.HoldersOfEdges, cypher.Slots{"type": cypher.Quote(key.Type)}, cypher.EdgeVariable
	}
	slots["held"] = cypher.Held(variable, key.Properties)
	rows := make([]any, len(claims))
	for i, c := range claims {
		values := make([]any, len(c.Values))
		for n, v := range c.Values {
			values[n] = bolt.ToDriver(v)
		}
		rows[i] = values
	}
	tuples, err := bolt.CollectTuples(tx.RunStatement(ctx, statement.Text(slots), map[string]any{"rows": rows}))
	for _, t := range tuples {
		c := &claims[t.Integer(neo4jentity.RowColumn)]
		c.holders = append(c.holders, t.Text(neo4jentity.ElementIDColumn))
	}
	return err
}

// dropTaken drops entities whose values of a unique key another one has: one in the graph that the undo does not change, or one to which
// the undo gives or leaves them.
func (p *undoPlan) dropTaken(claims []undoClaim) {
	if len(claims) == 0 {
		return
	}
	concerned := map[string]journal.Entity{} // by element id
	for _, v := range p.Kept() {
		concerned[p.locked.elements[v.Entity]] = v.Entity
	}
	given := map[changeset.ClaimKey]bool{}
	for _, c := range claims {
		v := c.reversal
		if _, kept := p.Final(v.Entity); !kept {
			continue
		}
		taken := given[c.Key()] || slices.ContainsFunc(c.holders, func(element string) bool {
			holder, changes := concerned[element]
			if !changes {
				return true
			}
			final, known := p.Final(holder)
			return holder != v.Entity && (!known || final != nil && c.HeldBy(final.Properties))
		})
		given[c.Key()] = true
		if taken {
			etag := p.entities.revision(v.Entity.Kind, p.selected.visibleState(v.Newest, v.Live))
			p.Drop(v.Entity, journal.Conflict{ID: v.Entity.ID, Expected: etag, Found: etag, Message: c.Message()})
		}
	}
}
