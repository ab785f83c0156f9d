package bolt

import (
	"context"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/cypher"
)

// ChangeSchema runs a statement that creates or drops a constraint or an index, without a time limit and without a slot of the connection
// semaphore: building a constraint takes longer than a request.
func (c *Client) ChangeSchema(ctx context.Context, text cypher.Text) error {
	return c.runWithoutSlot(ctx, neo4j.AccessModeWrite, text)
}

// IsIndexOfSameName reports whether a constraint was not created because an index has its name: that of a constraint that another replica
// creates at the same time, or whose creation was cut off.
func IsIndexOfSameName(err error) bool {
	return Code(err) == "Neo.ClientError.Schema.IndexWithNameAlreadyExists"
}

// UnfinishedAfter is how long the creation of a constraint waits for another replica to finish the index of its name. After that, an index
// that is not being built is what was left when a creation was cut off, by a time limit or a failure of the database: it is dropped.
const UnfinishedAfter = 3 * time.Second

// UnfinishedIndexes are the names of the indexes among the rows of unfinished_constraints that belong to no creation under way. After a
// failure of the database such an index can be POPULATING for ever, at 100 %, which is also the state of one whose constraint is about to
// be created: it is unfinished if no transaction creates a constraint. readCreators reads the rows of constraint_creators; if that fails,
// the index is left alone.
func UnfinishedIndexes(rows []*Record, readCreators func() ([]*Record, error)) []string {
	var names, populating []string
	for _, row := range rows {
		if name := Column[string](row, "name"); Column[bool](row, "populating") {
			populating = append(populating, name)
		} else {
			names = append(names, name)
		}
	}
	if len(populating) == 0 {
		return names
	}
	found, err := readCreators()
	if err != nil || len(found) != 1 || Column[int64](found[0], "creators") > 0 {
		return names
	}
	return append(names, populating...)
}

// IsNoSuchIndex reports whether an index could not be dropped because it does not exist: another client was faster.
func IsNoSuchIndex(err error) bool {
	return strings.HasSuffix(Code(err), "IndexDropFailed") || strings.HasSuffix(Code(err), "IndexNotFound")
}

// IsConcurrentSchemaChange reports whether a change of the schema failed because of another one at the same time: it may succeed the next
// time.
func IsConcurrentSchemaChange(err error) bool {
	return neo4j.IsRetryable(unnamed(err)) || Code(err) == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
}
