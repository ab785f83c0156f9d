package bolt

import (
	"errors"
	"regexp"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

const (
	tooLargeMessage    = "is too large for the index on this property; about 8,000 bytes fit"
	unknownZoneMessage = "is in a time zone that the database does not know"
)

// serverMessage is the message that came with a status code, or empty. It may contain names and values: it is parsed, never returned to
// clients.
func serverMessage(err error) string {
	var e *neo4j.Neo4jError
	if errors.As(err, &e) {
		return e.Msg
	}
	return ""
}

// tooLargeToIndex recognizes a value over the limit of a range index (Neo4j manual, "Index limitations and caveats"), which has no status
// separate code.
func tooLargeToIndex(err error) bool {
	return strings.Contains(serverMessage(err), "too large to index")
}

// unknownZone recognizes a named time zone that Go has and this server's release does not.
func unknownZone(err error) bool {
	return Code(err) == "Neo.ClientError.Request.Invalid" && strings.Contains(serverMessage(err), "Illegal zone identifier")
}

// AttributeError names the property that caused a failed write, if the database's message and the request identify it.
func AttributeError(err error, k graph.Kind, idProperty string, p graph.Properties) error {
	field := func(key, message string) error {
		return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: graph.FieldPath("properties", key), Message: message})
	}
	switch {
	case err == nil:
		return nil
	case tooLargeToIndex(err):
		for key := range p {
			if strings.Contains(serverMessage(err), "{"+key+"}") {
				return field(key, tooLargeMessage)
			}
		}
	case unknownZone(err):
		for key, value := range p {
			if hasZone(value, serverMessage(err)) {
				return field(key, unknownZoneMessage)
			}
		}
	case IsConstraintViolation(err):
		return attributeConstraintError(err, k, idProperty, p)
	}
	return err
}

// ZoneFault is the fault of a statement that failed because of a field's value in a time zone that the database does not know; nil if it
// failed for another reason.
func ZoneFault(err error, field string, v graph.Value) error {
	if !unknownZone(err) || !hasZone(v, serverMessage(err)) {
		return nil
	}
	return fault.Wrap(err, fault.Validation, "Invalid input", fault.Detail{Field: field, Message: unknownZoneMessage})
}

// hasZone reports whether a value is in a time zone that a message names.
func hasZone(v graph.Value, text string) bool {
	switch v := v.(type) {
	case graph.DateTime:
		return v.Zone != "" && strings.HasSuffix(text, `"`+v.Zone+`"`)
	case []any:
		for _, e := range v {
			if hasZone(e, text) {
				return true
			}
		}
	}
	return false
}

// uniquenessViolation matches Neo4j's message for a uniqueness constraint on one property.
var uniquenessViolation = regexp.MustCompile("^(?:Node|Relationship)\\(\\d+\\) already exists with (?:label|type) `([^`]+)` and " +
	"property `([^`]+)` = ")

// attributeConstraintError names the type and the property of a violated constraint, if both are visible to the client.
func attributeConstraintError(err error, k graph.Kind, idProperty string, p graph.Properties) error {
	names := uniquenessViolation.FindStringSubmatch(serverMessage(err))
	if names == nil || graph.Reserved(names[1]) {
		return err
	}
	if _, given := p[names[2]]; !given || names[2] == idProperty {
		return err
	}
	return fault.Wrap(err, fault.Conflict, "A constraint in the database does not allow this", fault.Detail{
		Field: graph.FieldPath("properties", names[2]), Message: "another " + string(k) + " of type " + names[1] + " has this value already",
	})
}
