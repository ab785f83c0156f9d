package bolt

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// ChangeSchema runs a statement that creates or drops a constraint or an index, without a time limit and without a slot of the connection
// semaphore: building a constraint takes longer than a request.
func (c *Client) ChangeSchema(ctx context.Context, text cypher.Text) error {
	session := c.driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: c.database, AccessMode: neo4j.AccessModeWrite})
	defer c.closeSession(ctx, session)
	result, err := session.Run(ctx, text.String(), nil)
	if err != nil {
		return err
	}
	_, err = result.Consume(ctx)
	return err
}

// IsConcurrentSchemaChange says whether a change of the schema failed because of another one at the same time: it may succeed the next
// time.
func IsConcurrentSchemaChange(err error) bool {
	return neo4j.IsRetryable(err) || Code(err) == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
}
