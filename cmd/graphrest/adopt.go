package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"graphrest/internal/app"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

const (
	defaultAdoptBatch = 1000
	maxAdoptBatch     = 10_000
	minWatchPause     = time.Second
)

// adopt is one run of the command.
type adopt struct {
	p     *process
	graph *app.Graph
	types []string
	batch int
}

func newAdopt(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "adopt", Short: "Give nodes and edges created by other programs permanent ids",
		Long: "Gives every node and edge without the id property (GRAPHREST_ID_PROPERTY) a permanent id, a UUID of version 7.\n" +
			"It first creates the type's uniqueness constraint and then works in small transactions, so that clients can continue\n" +
			"working. Ctrl-C stops it at any time; the next run continues there. Nodes without a label have no type and\n" +
			"are skipped, and so are entities with another value in that property.\n\n" +
			"--undo removes the ids that adopt gave, and no others. Exit codes: 0 done, 1 failed or some type could not be adopted,\n" +
			"2 wrong usage or configuration.",
		Args: arguments(cobra.NoArgs),
	}
	types := c.Flags().StringArray("type", nil, "only this type of nodes and edges; may be repeated")
	undo := c.Flags().Bool("undo", false, "remove the ids that adopt gave, and the constraints it created if no id is left")
	watch := c.Flags().Bool("watch", false, "keep running, and give ids to entities added later")
	every := c.Flags().Duration("every", 10*time.Second, "with --watch: pause between two checks")
	batch := c.Flags().Int("batch", defaultAdoptBatch, "entities in one transaction")
	userSettings(c)
	addSetting(c, "id-property", "property that holds ids (GRAPHREST_ID_PROPERTY, default uuid)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *batch < 1 || *batch > maxAdoptBatch:
			return newUsageError("--batch must be a number from 1 to %d", maxAdoptBatch)
		case *undo && *watch:
			return newUsageError("--undo and --watch exclude each other")
		case *every < minWatchPause:
			return newUsageError("--every must be at least %s", minWatchPause)
		}
		loaded, err := p.quietSettings(c)
		if err != nil {
			return err
		}
		ctx := p.releaseSignalsAfter(c.Context())
		g, err := app.OpenGraphToChange(ctx, loaded, p.logger(loaded))
		if err != nil {
			return err
		}
		a := adopt{p: p, graph: g, types: *types, batch: *batch}
		switch {
		case *undo:
			err = a.undo(ctx)
		case *watch:
			err = a.watch(ctx, *every)
		default:
			err = a.adoptAll(ctx)
		}
		return errors.Join(a.explainError(err), g.Close())
	}
	return c
}

// explainError explains an interruption.
func (a adopt) explainError(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; completed work is kept, and the next run continues there")
	}
	return err
}

// adoptAll adopts all types. A type that cannot be adopted does not stop the others; another error does, after those that have begun.
func (a adopt) adoptAll(ctx context.Context) error {
	found, err := a.graph.Adoptable(ctx, a.types)
	if err != nil {
		return err
	}
	refused := 0
	refuse := func(each graph.Adoption, cause error) {
		refused++
		fmt.Fprintf(a.p.stderr, "%s type %s was skipped: %s\n", each.Kind, printable(each.Type), fault.As(cause).Message)
	}
	a.announce(found)
	begun, failed := a.graph.Begin(ctx, found, refuse)
	if ctx.Err() != nil {
		return cmp.Or(failed, ctx.Err())
	}
	for _, each := range begun {
		given, err := a.adopt(ctx, each, true)
		switch {
		case fault.CodeOf(err) == fault.Conflict:
			refuse(each, err)
		case err != nil:
			return err
		case given > 0 || each.Missing > 0:
			fmt.Fprintf(a.p.stdout, "%s type %s: %d ids given\n", each.Kind, printable(each.Type), given)
		default:
			fmt.Fprintf(a.p.stdout, "%s type %s: nothing to do\n", each.Kind, printable(each.Type))
		}
	}
	if refused > 0 && failed == nil {
		return fmt.Errorf("%d type(s) could not be adopted; graphrest doctor says more", refused)
	}
	return failed
}

// announce says what begins before the first batch, since a constraint on a large type takes long to build.
func (a adopt) announce(found []graph.Adoption) {
	unmanaged := 0
	for _, each := range found {
		if !each.Managed {
			unmanaged++
		}
	}
	if unmanaged > 0 {
		fmt.Fprintf(a.p.stderr, "types whose id constraint is created first: %d\n", unmanaged)
	}
}

func (a adopt) adopt(ctx context.Context, each graph.Adoption, show bool) (int64, error) {
	if !show {
		return a.graph.Adopt(ctx, each, a.batch, func(int64) {})
	}
	m := a.p.meter(printable(each.Type), string(each.Kind)+"s", each.Missing)
	defer m.end()
	return a.graph.Adopt(ctx, each, a.batch, m.update)
}

// watch checks repeatedly for new entities. Each check counts every type, which reads its nodes or edges once.
func (a adopt) watch(ctx context.Context, every time.Duration) error {
	if err := a.adoptAll(ctx); err != nil {
		return err
	}
	fmt.Fprintln(a.p.stdout, "watching; Ctrl-C stops it")
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
		if err := a.adoptNew(ctx); err != nil {
			if errors.Is(err, context.Canceled) {
				return nil
			}
			fmt.Fprintln(a.p.stderr, "will be retried:", describe(err))
		}
	}
}

// adoptNew adopts the entities added since the last check.
func (a adopt) adoptNew(ctx context.Context) error {
	found, err := a.graph.Adoptable(ctx, a.types)
	if err != nil {
		return err
	}
	for _, each := range found {
		if each.Missing == 0 {
			continue
		}
		given, err := a.adopt(ctx, each, false)
		switch {
		case fault.CodeOf(err) == fault.Conflict: // reported at the start, or by doctor
		case err != nil:
			return err
		case given > 0:
			fmt.Fprintf(a.p.stdout, "%s type %s: %d ids given\n", each.Kind, printable(each.Type), given)
		}
	}
	return nil
}

func (a adopt) undo(ctx context.Context) error {
	runs, err := a.graph.Adopted(ctx, a.types)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		fmt.Fprintln(a.p.stdout, "nothing was adopted")
	}
	for _, adoption := range runs {
		m := a.p.meter(printable(adoption.Type), string(adoption.Kind)+"s", 0)
		taken, err := a.graph.Undo(ctx, adoption, a.batch, m.update)
		m.end()
		if err != nil {
			return err
		}
		fmt.Fprintf(a.p.stdout, "%s type %s: %d ids removed\n", adoption.Kind, printable(adoption.Type), taken)
	}
	for _, adoption := range runs {
		if err := a.graph.Forget(ctx, adoption); err != nil {
			return err
		}
	}
	return nil
}
