package maintenance

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jschema"
)

// adoptStatements are the statements that adopt nodes or edges.
type adoptStatements struct{ count, scan, assign, remove, duplicates cypher.Statement }

var adoptStatementsOf = map[graph.Kind]adoptStatements{
	graph.NodeKind: {cypher.AdoptCountNodes, cypher.AdoptScanNodes, cypher.AdoptNodes, cypher.AdoptUndoNodes, cypher.DoctorDuplicateNodes},
	graph.EdgeKind: {cypher.AdoptCountEdges, cypher.AdoptScanEdges, cypher.AdoptEdges, cypher.AdoptUndoEdges, cypher.DoctorDuplicateEdges},
}

// typeKey identifies a type: its kind and its name.
type typeKey struct {
	kind graph.Kind
	name string
}

// typesInUse are the visible types in use, nodes before edges, by name.
func (s *Store) typesInUse(ctx context.Context) ([]typeKey, error) {
	labels, err := neo4jschema.LabelsInUse(ctx, s.client)
	if err != nil {
		return nil, err
	}
	types, err := neo4jschema.RelationshipTypesInUse(ctx, s.client)
	if err != nil {
		return nil, err
	}
	var all []typeKey
	for _, name := range labels.Visible {
		all = append(all, typeKey{graph.NodeKind, name})
	}
	for _, name := range types.Visible {
		all = append(all, typeKey{graph.EdgeKind, name})
	}
	return all, nil
}

// Adoptable lists the types that can be adopted: see graph.Adopter.
func (s *Store) Adoptable(ctx context.Context, types []string) ([]graph.Adoption, error) {
	all, err := s.typesInUse(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range types {
		if !slices.ContainsFunc(all, func(t typeKey) bool { return t.name == name }) {
			return nil, fault.Invalid("type", "no node and no edge has the type %q", name)
		}
	}
	managed, err := s.managedTypes(ctx)
	if err != nil {
		return nil, err
	}
	var found []graph.Adoption
	for _, t := range all {
		if len(types) > 0 && !slices.Contains(types, t.name) {
			continue
		}
		c, err := s.idCounts(ctx, t)
		if err != nil {
			return nil, err
		}
		if c.total > 0 { // 0: only internal entities have it
			found = append(found, graph.Adoption{
				Kind: t.kind, Type: t.name, Count: c.total, Missing: c.total - c.held, Managed: managed[t],
			})
		}
	}
	return found, nil
}

func (s *Store) managedTypes(ctx context.Context) (map[typeKey]bool, error) {
	labels, types, err := s.types.ManagedNames(ctx)
	managed := make(map[typeKey]bool, len(labels)+len(types))
	for _, name := range labels {
		managed[typeKey{graph.NodeKind, name}] = true
	}
	for _, name := range types {
		managed[typeKey{graph.EdgeKind, name}] = true
	}
	return managed, err
}

// idCounts says how many entities a type has, how many have the id property, and how many have a string in it.
type idCounts struct{ total, held, texts int64 }

func (s *Store) idCounts(ctx context.Context, t typeKey) (idCounts, error) {
	text := adoptStatementsOf[t.kind].count.Text(cypher.Slots{"type": cypher.Quote(t.name), "id": s.idName})
	records, err := s.client.ReadRows(ctx, text, nil)
	if err != nil || len(records) == 0 {
		return idCounts{}, bolt.Translate(err)
	}
	return idCounts{bolt.Column[int64](records[0], "total"), bolt.Column[int64](records[0], "held"), bolt.Column[int64](records[0],
		"texts")}, nil
}

// maxConcurrentBuilds is how many constraints are created at a time: the sooner the last one exists, the fewer reads wait for new plans.
const maxConcurrentBuilds = 8

// Begin begins runs: see graph.Adopter.
func (s *Store) Begin(ctx context.Context, all []graph.Adoption, refused func(graph.Adoption, error)) ([]graph.Adoption, error) {
	results, errs := slices.Clone(all), make([]error, len(all))
	managed, err := s.managedTypes(ctx)
	if err != nil {
		return nil, err
	}
	working, beginning := errgroup.WithContext(ctx)
	working.SetLimit(maxConcurrentBuilds)
	for i := range all {
		working.Go(func() error {
			if errs[i] = beginning.Err(); errs[i] == nil {
				results[i].Managed = managed[typeKey{all[i].Kind, all[i].Type}]
				results[i], errs[i] = s.begin(ctx, results[i])
			}
			if fault.CodeOf(errs[i]) == fault.Conflict {
				return nil
			}
			return errs[i]
		})
	}
	err = working.Wait()
	var begun []graph.Adoption
	for i, each := range results {
		if errs[i] == nil {
			begun = append(begun, each)
		} else if fault.CodeOf(errs[i]) == fault.Conflict {
			refused(each, errs[i])
		}
	}
	return begun, err
}

// begin records a run and creates the constraint. It writes the record first, so that undo knows every id at any time.
func (s *Store) begin(ctx context.Context, a graph.Adoption) (graph.Adoption, error) {
	if a.Managed {
		return a, nil
	}
	run, err := s.recordRun(ctx, a)
	if err != nil {
		return a, err
	}
	if err := s.types.Manage(ctx, a.Kind, a.Type); err != nil {
		if fault.CodeOf(err) == fault.Conflict { // otherwise the constraint may exist
			err = errors.Join(err, s.deleteRun(ctx, run.Tag()))
		}
		return a, err
	}
	a.Run = run
	return a, nil
}

func (s *Store) recordRun(ctx context.Context, a graph.Adoption) (*graph.AdoptionIDs, error) {
	ids := graph.NewAdoptionIDs(a.Type)
	_, err := s.client.Write(ctx, cypher.AdoptRecord.Text(nil), map[string]any{
		"tag": ids.Tag(), "kind": string(a.Kind), "type": a.Type, "id_property": s.idProperty, "constraint": !a.Managed,
	})
	return ids, bolt.Translate(err)
}

// Adopt assigns ids: see graph.Adopter.
func (s *Store) Adopt(ctx context.Context, a graph.Adoption, batch int, progress func(int64)) (assigned int64, err error) {
	if a.Run == nil {
		managed, err := s.managedTypes(ctx)
		if err != nil {
			return 0, err
		}
		a.Managed = managed[typeKey{a.Kind, a.Type}]
		switch {
		case !a.Managed:
			a, err = s.begin(ctx, a)
		case a.Missing == 0:
			return 0, nil
		default:
			a.Run, err = s.recordRun(ctx, a)
		}
		if err != nil {
			return 0, err
		}
	}
	assigned, err = s.assignIDs(ctx, typeKey{a.Kind, a.Type}, a.Run, batch, progress)
	if assigned == 0 && a.Managed && err == nil {
		err = s.deleteRun(ctx, a.Run.Tag())
	}
	return assigned, err
}

func (s *Store) deleteRun(ctx context.Context, tag string) error {
	_, err := s.client.Write(context.WithoutCancel(ctx), cypher.AdoptForget.Text(nil), map[string]any{"tag": tag})
	return bolt.Translate(err)
}

// assignIDs reads the type as a stream and assigns ids in batches. If the stream breaks, it is read again: entities that have an id by then
// are not in it.
func (s *Store) assignIDs(ctx context.Context, t typeKey, ids *graph.AdoptionIDs, batch int, progress func(int64)) (int64, error) {
	var assigned int64
	for {
		before := assigned
		err := s.assignIDsOnce(ctx, t, ids, batch, &assigned, progress)
		if err == nil || ctx.Err() != nil || assigned == before || fault.CodeOf(bolt.Translate(err)) != fault.DatabaseUnavailable {
			return assigned, bolt.Translate(firstError(ctx.Err(), err))
		}
	}
}

// firstError returns the context's error, if any, before the result's.
func firstError(left, err error) error {
	if left != nil {
		return left
	}
	return err
}

// assignIDsOnce reads one batch ahead of what it writes, so that neither waits for the other.
func (s *Store) assignIDsOnce(
	ctx context.Context, t typeKey, ids *graph.AdoptionIDs, batch int, assigned *int64, progress func(int64),
) error {
	slots := cypher.Slots{"type": cypher.Quote(t.name), "id": s.idName}
	scan, assign := adoptStatementsOf[t.kind].scan.Text(slots), adoptStatementsOf[t.kind].assign.Text(slots)
	batches := make(chan []string)
	working, reading := errgroup.WithContext(ctx)
	working.Go(func() error {
		defer close(batches)
		return s.readBatches(reading, scan, batch, batches)
	})
	working.Go(func() error {
		for elements := range batches {
			if err := ctx.Err(); err != nil {
				return err
			}
			slices.Sort(elements) // two concurrent runs of adopt take their locks in the same order
			all := make([]map[string]any, len(elements))
			for i, element := range elements {
				all[i] = map[string]any{"element": element, "id": ids.Next()}
			}
			n, err := s.writeWithRetry(ctx, assign, map[string]any{"rows": all, "tag": ids.Tag()})
			if n > 0 {
				*assigned += n
				progress(*assigned)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return working.Wait()
}

// readBatches reads element ids as a stream and sends them in batches, until the context ends.
func (s *Store) readBatches(ctx context.Context, scan cypher.Text, batch int, batches chan<- []string) error {
	elements := make([]string, 0, batch)
	send := func() error {
		select {
		case batches <- elements:
			elements = make([]string, 0, batch)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := s.client.Stream(ctx, scan, nil, func(r *bolt.Record) error {
		elements = append(elements, bolt.Column[string](r, "element"))
		if len(elements) < batch {
			return nil
		}
		return send()
	})
	if err != nil || len(elements) == 0 {
		return err
	}
	return send()
}

// errUndone is the CONFLICT of a run that was undone while it assigned ids.
var errUndone = fault.New(fault.Conflict, "This run of adopt was undone meanwhile; start it again to give ids")

// writeWithRetry assigns the ids of a batch and returns how many entities have them. A repetition changes nothing. It waits for an
// unreachable database. It checks for cancellation between two attempts only; a batch that has started is finished.
func (s *Store) writeWithRetry(ctx context.Context, text cypher.Text, params map[string]any) (int64, error) {
	for retries := bolt.ThroughOutage.Begin(); ; {
		records, err := s.client.Write(ctx, text, params)
		switch {
		case err == nil && bolt.Column[bool](records[0], "undone"):
			return 0, errUndone
		case err == nil:
			return bolt.Column[int64](records[0], "total"), ctx.Err()
		case fault.CodeOf(bolt.Translate(err)) != fault.DatabaseUnavailable:
			return 0, err
		case !retries.Again(ctx):
			return 0, firstError(ctx.Err(), err)
		}
	}
}

// Adopted lists the runs that can be undone: see graph.Adopter.
func (s *Store) Adopted(ctx context.Context, types []string) ([]graph.AdoptionRun, error) {
	records, err := s.client.ReadRows(ctx, cypher.AdoptRuns.Text(nil), map[string]any{"id_property": s.idProperty})
	if err != nil {
		return nil, bolt.Translate(err)
	}
	var runs []graph.AdoptionRun
	for _, r := range records {
		run := graph.AdoptionRun{
			Tag: bolt.Column[string](r, "tag"), Kind: graph.Kind(bolt.Column[string](r, "kind")), Type: bolt.Column[string](r, "type"),
			Constraint: bolt.Column[bool](r, "constraint"), Undone: bolt.Column[bool](r, "undone"),
		}
		if len(types) == 0 || slices.Contains(types, run.Type) {
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// Undo removes the ids of a run: see graph.Adopter.
func (s *Store) Undo(ctx context.Context, r graph.AdoptionRun, batch int, progress func(int64)) (int64, error) {
	if _, err := s.client.RepeatWrite(ctx, cypher.AdoptClose.Text(nil), map[string]any{"tag": r.Tag}); err != nil {
		return 0, bolt.Translate(err)
	}
	text := adoptStatementsOf[r.Kind].remove.Text(cypher.Slots{"type": cypher.Quote(r.Type), "id": s.idName})
	var removed int64
	for after := ""; ; {
		records, err := s.removeIDBatch(ctx, text, map[string]any{"tag": r.Tag, "after": after, "limit": batch})
		if err != nil {
			return removed, bolt.Translate(err)
		}
		n := bolt.Column[int64](records[0], "total")
		if n == 0 {
			return removed, nil
		}
		removed, after = removed+n, bolt.Column[string](records[0], "last")
		progress(removed)
	}
}

// Forget drops the constraint of a run and deletes its record: see graph.Adopter.
func (s *Store) Forget(ctx context.Context, r graph.AdoptionRun) error {
	if r.Constraint {
		idsRemain, err := s.unmanage(ctx, typeKey{r.Kind, r.Type})
		if err != nil {
			return err
		}
		runs, err := s.Adopted(ctx, nil)
		if err != nil {
			return err
		}
		if idsRemain && slices.ContainsFunc(runs, func(other graph.AdoptionRun) bool { return !other.Undone }) {
			return nil
		}
	}
	return s.deleteRun(ctx, r.Tag)
}

func (s *Store) removeIDBatch(ctx context.Context, text cypher.Text, params map[string]any) ([]*bolt.Record, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.client.RepeatWrite(ctx, text, params) // the statement is idempotent
}

// unmanage drops the constraint that a run of adopt created, unless ids that depend on it remain. A gateway may create an entity between
// the check and the drop: then the constraint is created again.
func (s *Store) unmanage(ctx context.Context, t typeKey) (idsRemain bool, err error) {
	c, err := s.idCounts(ctx, t)
	if err != nil || c.held > 0 {
		return c.held > 0, err
	}
	drop := cypher.UnmanageType.Text(cypher.Slots{"name": cypher.Quote(s.types.ConstraintName(t.kind, t.name))})
	if err := s.client.ChangeSchema(ctx, drop); err != nil {
		return false, bolt.Translate(err)
	}
	if c, err = s.idCounts(ctx, t); err == nil && c.held > 0 {
		err = s.types.Manage(ctx, t.kind, t.name)
	}
	return c.held > 0, err
}
