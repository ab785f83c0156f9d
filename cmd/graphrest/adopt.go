package main

import (
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

// adopt is one call of the command.
type adopt struct {
	p     *process
	graph *app.Graph
	types []string
	batch int
}

func newAdopt(p *process) *cobra.Command {
	c := &cobra.Command{
		Use: "adopt", Short: "Give nodes and edges that others made ids for life",
		Long: "Gives every node and edge that lacks the id property (GRAPHREST_ID_PROPERTY) an id for life: a UUID of version 7.\n" +
			"It makes the type's uniqueness constraint first and then works in small transactions, so that clients may go on\n" +
			"working. Ctrl-C stops it at any time; the next run goes on where it stopped. Nodes without a label have no type and\n" +
			"are left alone, and so is what holds something else in that property.\n\n" +
			"--undo takes back what adopt gave, and nothing else. Exit codes: 0 done, 1 failed or some type could not be adopted,\n" +
			"2 wrong usage or configuration.",
		Args: arguments(cobra.NoArgs),
	}
	types := c.Flags().StringArray("type", nil, "only this type of nodes and edges; may be repeated")
	undo := c.Flags().Bool("undo", false, "take back the ids that adopt gave, and the constraints it made where no id is left")
	watch := c.Flags().Bool("watch", false, "stay, and give ids to what others add later")
	every := c.Flags().Duration("every", 10*time.Second, "with --watch: how long to pause between two looks")
	batch := c.Flags().Int("batch", defaultAdoptBatch, "entities in one transaction")
	userSettings(c)
	addSetting(c, "id-property", "property that holds ids (GRAPHREST_ID_PROPERTY, default uuid)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *batch < 1 || *batch > maxAdoptBatch:
			return newUsageError("--batch is a number from 1 to %d", maxAdoptBatch)
		case *undo && *watch:
			return newUsageError("--undo and --watch exclude each other")
		case *every < minWatchPause:
			return newUsageError("--every is a time of %s at least", minWatchPause)
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

// explain says what a stop means.
func (a adopt) explainError(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; what was done stays, and the next run goes on from there")
	}
	return err
}

// once adopts everything there is. A type that cannot be adopted does not keep the others from it.
func (a adopt) adoptAll(ctx context.Context) error {
	found, err := a.graph.Adoptable(ctx, a.types)
	if err != nil {
		return err
	}
	refused := 0
	for _, each := range found {
		given, err := a.adopt(ctx, each, true)
		switch {
		case fault.CodeOf(err) == fault.Conflict:
			refused++
			fmt.Fprintf(a.p.stderr, "%s type %s was left alone: %s\n", each.Kind, printable(each.Type), fault.As(err).Message)
		case err != nil:
			return err
		case given > 0 || each.Missing > 0:
			fmt.Fprintf(a.p.stdout, "%s type %s: %d ids given\n", each.Kind, printable(each.Type), given)
		default:
			fmt.Fprintf(a.p.stdout, "%s type %s: nothing to do\n", each.Kind, printable(each.Type))
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d type(s) could not be adopted; graphrest doctor says more", refused)
	}
	return nil
}

func (a adopt) adopt(ctx context.Context, each graph.Adoption, show bool) (int64, error) {
	if !show {
		return a.graph.Adopt(ctx, each, a.batch, func(int64) {})
	}
	m := a.p.meter(printable(each.Type), string(each.Kind)+"s", each.Missing)
	defer m.end()
	return a.graph.Adopt(ctx, each, a.batch, m.update)
}

// watch looks again and again. Each look counts every type, which reads its nodes or edges once.
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
			fmt.Fprintln(a.p.stderr, "will be tried again:", describe(err))
		}
	}
}

// look adopts what came since.
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
		case fault.CodeOf(err) == fault.Conflict: // it was told at the start, or doctor tells
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
	for _, run := range runs {
		m := a.p.meter(printable(run.Type), string(run.Kind)+"s", 0)
		taken, err := a.graph.Undo(ctx, run, a.batch, m.update)
		m.end()
		if err != nil {
			return err
		}
		fmt.Fprintf(a.p.stdout, "%s type %s: %d ids taken back\n", run.Kind, printable(run.Type), taken)
	}
	return nil
}
