package bolt

import (
	"errors"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// RuntimeError returns what a client's query did wrong when it ran, such as a division by zero, in the database's words. False for any
// other error.
func RuntimeError(err error) (message string, is bool) {
	var e *neo4j.Neo4jError
	if !errors.As(err, &e) {
		return "", false
	}
	ofClient := strings.HasPrefix(e.Code, "Neo.ClientError.Statement.") || strings.HasPrefix(e.Code, "Neo.ClientError.Procedure.")
	if !ofClient || IsTimeout(err) {
		return "", false
	}
	line, _, _ := strings.Cut(e.Msg, "\n") // what follows quotes the statement
	const longest = 300
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "..."
	}
	return "fails when it runs: " + line, true
}
