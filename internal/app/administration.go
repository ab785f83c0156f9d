package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"graphrest/internal/config"
	"graphrest/internal/graph"
	"graphrest/internal/maintenance"
)

// commandQueryTimeout is the timeout of one statement of a command: commands scan whole types, which takes longer than a
// request may.
const commandQueryTimeout = 10 * time.Minute

// Graph is the graph in a database, for administration without a gateway.
type Graph struct {
	graph.Adopter
	graph.Doctor
	stores *stores
}

// OpenGraph opens the graph in the configured database for reading. It writes nothing. DATABASE_UNAVAILABLE if the
// database does not answer.
func OpenGraph(ctx context.Context, c *config.Config, log *slog.Logger) (*Graph, error) {
	settings := *c
	settings.QueryTimeout = commandQueryTimeout
	opened, err := openStores(&settings, &observability{}, log)
	if err != nil {
		return nil, err
	}
	upkeep := opened.newMaintenance(settings.IDProperty)
	g := &Graph{Adopter: upkeep, Doctor: upkeep, stores: opened}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := opened.client.Ready(ctx); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// newMaintenance creates the maintenance of the graph.
func (s *stores) newMaintenance(idProperty string) *maintenance.Store {
	return maintenance.New(s.client, s.graph.Constraints, s.graph.Names, idProperty)
}

// OpenGraphToChange is OpenGraph for commands that write: it first creates the gateway's own constraints and state if
// they are missing.
func OpenGraphToChange(ctx context.Context, c *config.Config, log *slog.Logger) (*Graph, error) {
	accounts, err := openAccounts(c, &observability{})
	if err != nil {
		return nil, err
	}
	prepare, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	err = accounts.Prepare(prepare)
	if err = errors.Join(err, accounts.Close(prepare)); err != nil {
		return nil, err
	}
	return OpenGraph(ctx, c, log)
}

// Close closes the connections.
func (g *Graph) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return g.stores.close(ctx)
}
