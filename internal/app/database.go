package app

import (
	"log/slog"

	"graphrest/internal/audit"
	"graphrest/internal/config"
	"graphrest/internal/neo4jstore"
)

// openGraph opens the graph. It does not connect: the database may become available later.
func openGraph(c *config.Config, o *observability, log *slog.Logger) (*neo4jstore.Store, error) {
	settings := neo4jstore.Config{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		IDProperty: c.IDProperty, QueryTimeout: c.QueryTimeout, PoolSize: c.Neo4j.PoolSize,
		MaxDetach: zeroToUnlimited(c.Limits.Detach), MaxNodeTypes: zeroToUnlimited(c.Limits.NodeTypes), MaxEdgeTypes: zeroToUnlimited(c.Limits.EdgeTypes),
		MaxPropertyKeys: zeroToUnlimited(c.Limits.PropertyKeys), MaxNewTypes: zeroToUnlimited(c.Limits.NewTypes), MaxNewKeys: zeroToUnlimited(c.Limits.NewKeys),
		OnlyDeclared: c.Limits.DeclaredOnly, MaxPageBytes: c.Limits.PageBytes, Uncoalesced: !c.Coalesce, Log: log,
		Statements: o.statementObservers(), Audit: c.Audit.Mode, AuditKeep: c.Audit.Keep,
	}
	if o.metrics != nil {
		settings.Observer = o.metrics
	}
	if o.traces != nil {
		settings.Tracer = o.traces
	}
	return neo4jstore.Open(settings)
}

// openAccounts opens the store of users and revoked tokens, with separate connections. It does not connect.
func openAccounts(c *config.Config, o *observability) (*neo4jstore.Accounts, error) {
	return neo4jstore.OpenAccounts(neo4jstore.AccountsConfig{
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
