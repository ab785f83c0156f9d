package app

import (
	"log/slog"

	"graphrest/internal/audit"
	"graphrest/internal/config"
	"graphrest/internal/neo4jstore"
)

// openGraph opens the graph. It does not connect: the database may come later.
func openGraph(c *config.Config, told *telling, log *slog.Logger) (*neo4jstore.Store, error) {
	settings := neo4jstore.Config{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		IDProperty: c.IDProperty, QueryTimeout: c.QueryTimeout, PoolSize: c.Neo4j.PoolSize,
		MaxDetach: orNone(c.Limits.Detach), MaxNodeTypes: orNone(c.Limits.NodeTypes), MaxEdgeTypes: orNone(c.Limits.EdgeTypes),
		MaxPropertyKeys: orNone(c.Limits.PropertyKeys), MaxNewTypes: orNone(c.Limits.NewTypes), MaxNewKeys: orNone(c.Limits.NewKeys),
		OnlyDeclared: c.Limits.DeclaredOnly, MaxPageBytes: c.Limits.PageBytes, Uncoalesced: !c.Coalesce, Log: log,
		Statements: told.statements(), Audit: c.Audit.Mode, AuditKeep: c.Audit.Keep,
	}
	if told.metrics != nil {
		settings.Observer = told.metrics
	}
	if told.traces != nil {
		settings.Tracer = told.traces
	}
	return neo4jstore.Open(settings)
}

// openAccounts opens the users and revoked tokens, over connections of their own. It does not connect either.
func openAccounts(c *config.Config, told *telling) (*neo4jstore.Accounts, error) {
	return neo4jstore.OpenAccounts(neo4jstore.AccountsConfig{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		Statements: told.statements(), Audited: c.Audit.Mode != audit.Off,
	})
}

// orNone writes a configured zero as the store does, which takes its own zero for its default.
func orNone[T int | int64](limit T) T {
	if limit == 0 {
		return -1
	}
	return limit
}
