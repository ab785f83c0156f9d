package queryguard

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
)

// Field is the field of the details of a refused query.
const Field = "cypher"

// rejected is QUERY_REJECTED with a detail for each reason.
func rejected(reasons []Reason) *fault.Error {
	details := make([]fault.Detail, 0, len(reasons))
	for _, reason := range reasons {
		details = append(details, fault.Detail{Field: Field, Message: reason.String()})
	}
	return fault.New(fault.QueryRejected, "The query is not allowed", details...)
}

// String is the text of a detail: the place, the operator, what is wrong and what to do.
func (r Reason) String() string {
	var b strings.Builder
	if r.Line > 0 {
		fmt.Fprintf(&b, "line %d, column %d: ", r.Line, r.Column)
	}
	if r.Operator != "" {
		fmt.Fprintf(&b, "operator %s: ", r.Operator)
	}
	b.WriteString(r.Message)
	return b.String()
}

var (
	positionInMessage = regexp.MustCompile(`\(line (\d+), column (\d+) \(offset: \d+\)\)`)
	controlCharacters = regexp.MustCompile(`[\x00-\x1f\x7f-\x9f]+`)
)

// isQueryError reports whether the server rejected a query for what is in it.
func isQueryError(err error) bool {
	code := bolt.Code(err)
	return (strings.HasPrefix(code, "Neo.ClientError.Statement.") || strings.HasPrefix(code, "Neo.ClientError.Procedure.") ||
		strings.HasPrefix(code, "Neo.ClientError.Schema.") || strings.HasPrefix(code, "Neo.ClientError.General.") || seeksItself(err)) &&
		!bolt.IsTimeout(err) && !bolt.IsEntityDeleted(err) && !bolt.IsOutOfMemory(err)
}

// seeksItself reports whether a shortest path begins and ends at one node, which the server reports as a failure.
func seeksItself(err error) bool {
	return bolt.Code(err) == "Neo.DatabaseError.Statement.ExecutionFailed" &&
		strings.Contains(bolt.ServerMessage(err), "start and end nodes are the same")
}

// maxMessage is the maximum length of the message of a query that failed, in bytes.
const maxMessage = 300

// Translate converts an error of a query that runs to a fault: what the query itself caused, such as a division by zero, is a
// VALIDATION_ERROR without a place, because the text that runs is not the client's.
func Translate(err error) error { return queryFault(err, false) }

// queryFault is Translate; withPlace is for a text that is the client's own below its first line.
func queryFault(err error, withPlace bool) error {
	if err == nil || !isQueryError(err) {
		return bolt.Translate(err)
	}
	message := bolt.ServerMessage(err)
	found := positionInMessage.FindStringSubmatchIndex(message)
	at := ""
	if found != nil {
		line, _ := strconv.Atoi(message[found[2]:found[3]])
		if withPlace {
			at = fmt.Sprintf("line %d, column %s: ", max(line-1, 1), message[found[4]:found[5]])
		}
		message = message[:found[0]] // what follows repeats the text
	}
	message = strings.TrimSpace(controlCharacters.ReplaceAllString(message, " "))
	if !withPlace && len(message) > maxMessage { // it may quote a value
		message = strings.ToValidUTF8(message[:maxMessage], "") + "..."
	}
	if hasReservedName(message) {
		message = "the query failed"
	}
	return fault.New(fault.Validation, "Invalid input", fault.Detail{Field: Field, Message: at + message})
}
