package queryguard

import (
	"fmt"
	"strings"

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
	var text strings.Builder
	if r.Line > 0 {
		fmt.Fprintf(&text, "line %d, column %d: ", r.Line, r.Column)
	}
	if r.Operator != "" {
		fmt.Fprintf(&text, "operator %s: ", r.Operator)
	}
	text.WriteString(r.Message)
	return text.String()
}
