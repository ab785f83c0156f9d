package bolt

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/notifications"

	"graphrest/cypher"
)

// ExplainedQuery is what the database says of a client's query without running it.
type ExplainedQuery struct {
	Columns  []string
	Language string // the version of Cypher that it was read as, such as "5"
	Release  string // of the database's planner, such as "5.26.30"
	Plan     Plan
	Notices  []Notice
}

// Notice is a notification of the database on a query.
type Notice struct {
	Code         string
	Line, Column int // from 1, in the text that was sent; 0 if it is about no place
	Message      string
}

// ExplainQuery asks for the plan of a client's query, whose text cypher.Text.Explain returned. Its errors are the driver's.
func (c *Client) ExplainQuery(ctx context.Context, text cypher.Text, params map[string]any) (ExplainedQuery, error) {
	ctx, cancel := c.WithQueryTimeout(ctx)
	defer cancel()
	config := c.sessionConfig(ctx, neo4j.AccessModeRead)
	config.NotificationsMinSeverity = notifications.InformationLevel
	var explained ExplainedQuery
	err := c.Retry(ctx, func() error {
		var err error
		explained, err = withConfiguredSession(ctx, c, config, func(session neo4j.SessionWithContext) (ExplainedQuery, error) {
			return explainIn(ctx, session, text, params)
		})
		return err
	})
	return explained, err
}

func explainIn(
	ctx context.Context, session neo4j.SessionWithContext, text cypher.Text, params map[string]any,
) (e ExplainedQuery, err error) {
	result, err := SendStatement(ctx, session, text, params, neo4j.WithTxTimeout(txTimeout(ctx)))
	if err != nil {
		return e, err
	}
	if e.Columns, err = result.Keys(); err != nil {
		return e, err
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return e, err
	}
	if summary.Plan() == nil {
		return e, fmt.Errorf("the database returned no plan for %s", text.Statement())
	}
	e.Language, _ = summary.Plan().Arguments()["version"].(string)
	e.Release, _ = summary.Plan().Arguments()["planner-version"].(string)
	for _, n := range summary.Notifications() {
		notice := Notice{Code: n.Code(), Message: n.Description()}
		if at := n.Position(); at != nil {
			notice.Line, notice.Column = at.Line(), at.Column()
		}
		e.Notices = append(e.Notices, notice)
	}
	e.Plan, err = ReadPlan(summary.Plan())
	return e, err
}

// ServerMessage is the server's own text of an error, "" if the error is not the server's.
func ServerMessage(err error) string {
	var server *neo4j.Neo4jError
	if errors.As(err, &server) {
		return server.Msg
	}
	return ""
}
