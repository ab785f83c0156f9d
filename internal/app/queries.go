package app

import (
	"log/slog"

	"graphrest/internal/bolt"
	"graphrest/internal/config"
	"graphrest/internal/neo4jquery"
	"graphrest/internal/query"
	"graphrest/internal/queryguard"
)

// queries is the door to queries, with the connections that they run on: they take none of those of other requests.
type queries struct {
	client  *bolt.Client
	engine  *neo4jquery.Engine
	matcher *neo4jquery.Matcher
	service *query.Service
}

func openQueries(c *config.Config, s *stores, o *observability, log *slog.Logger) (*queries, error) {
	client, err := bolt.Open(bolt.Config{
		URI: c.Neo4j.URI, Username: c.Neo4j.Username, Password: c.Neo4j.Password.Reveal(), Database: c.Neo4j.Database,
		QueryTimeout: c.QueryTimeout, PoolSize: c.Queries.Concurrency + neo4jquery.ConnectionsToJudge,
		Statements: o.statementObservers(), Log: log,
	})
	if err != nil {
		return nil, err
	}
	engine := neo4jquery.NewEngine(neo4jquery.EngineConfig{
		Client: client, Guard: queryguard.New(queryguard.Config{Client: client, Procedures: c.Queries.Procedures}), Answers: s.graph.Answers,
		Concurrency: c.Queries.Concurrency, Timeout: c.QueryTimeout,
	})
	matcher := engine.NewMatcher(s.graph.Matches)
	var observer query.Observer
	if o.metrics != nil {
		observer = o.metrics
	}
	return &queries{
		client: client, engine: engine, matcher: matcher,
		service: query.NewService(neo4jquery.NewStore(s.client, s.audit, log), engine, matcher, observer),
	}, nil
}
