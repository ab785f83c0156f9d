package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/config"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/neo4jauth"
	"graphrest/internal/neo4jsavedview"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/neo4jwebhook"
)

// stores are the stores of the graph's database, and the client that runs their statements.
type stores struct {
	client *bolt.Client
	audit  *neo4jaudit.Store
	graph  *neo4jstore.Store

	webhooks   *neo4jwebhook.Store
	savedViews *neo4jsavedview.Store
	queries    *queries
}

// openStores opens the graph. It does not connect: the database may become available later.
func openStores(c *config.Config, o *observability, log *slog.Logger) (*stores, error) {
	client, err := bolt.Open(bolt.Config{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		QueryTimeout: c.QueryTimeout, PoolSize: c.Neo4j.PoolSize, Statements: o.statementObservers(), Log: log,
	})
	if err != nil {
		return nil, err
	}
	settings := neo4jstore.Config{
		IDProperty: c.IDProperty,
		MaxDetach:  zeroToUnlimited(c.Limits.Detach), MaxNodeTypes: zeroToUnlimited(c.Limits.NodeTypes),
		MaxEdgeTypes: zeroToUnlimited(c.Limits.EdgeTypes), MaxPropertyKeys: zeroToUnlimited(c.Limits.PropertyKeys),
		MaxNewTypes: zeroToUnlimited(c.Limits.NewTypes), MaxNewKeys: zeroToUnlimited(c.Limits.NewKeys),
		OnlyDeclared: c.Limits.DeclaredOnly, MaxPageBytes: c.Limits.PageBytes, PlanAhead: true, Uncoalesced: !c.Coalesce, Log: log,
		Journal: c.History.On, JournalExclude: c.History.Exclude, JournalKeep: c.History.Keep, JournalMaxBytes: c.History.MaxBytes,
		ChangeSetsMaxBytes: c.ChangeSets.MaxBytes, ChangeSetsKeep: c.ChangeSets.Keep,
	}
	if o.metrics != nil {
		settings.Observer = o.metrics
	}
	if o.traces != nil {
		settings.Tracer = o.traces
	}
	trail := neo4jaudit.New(client, neo4jaudit.Config{Mode: c.Audit.Mode, Keep: c.Audit.Keep, Log: log})
	opened := &stores{
		client: client, audit: trail, graph: neo4jstore.New(client, trail, settings), webhooks: neo4jwebhook.New(client, trail),
		savedViews: neo4jsavedview.New(client, trail),
	}
	if opened.queries, err = openQueries(c, opened, o, log); err != nil {
		return nil, err
	}
	return opened, nil
}

// receivePoll passes the versions of internal data to each store that keeps a copy of some in memory: see auth.Config.Polled.
func (s *stores) receivePoll(began time.Time, versions map[string]int64) {
	s.graph.TypeStore.Polled(began, versions)
	s.webhooks.Polled(began, versions)
}

// close finishes the running calls, ends the background work and closes the connections.
func (s *stores) close(ctx context.Context) error {
	s.graph.Close(ctx)
	return errors.Join(s.queries.client.Close(ctx), s.client.Close(ctx))
}

// openAccounts opens the store of users and revoked tokens, with separate connections. It does not connect.
func openAccounts(c *config.Config, o *observability) (*neo4jauth.Store, error) {
	return neo4jauth.Open(neo4jauth.Config{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		Statements: o.statementObservers(), Audited: c.Audit.Mode != audit.Off,
	})
}

// zeroToUnlimited maps a configured zero to -1, because the store uses zero for its default.
func zeroToUnlimited[T int | int64](limit T) T {
	if limit == 0 {
		return -1
	}
	return limit
}
