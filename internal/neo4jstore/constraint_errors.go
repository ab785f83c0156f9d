package neo4jstore

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

// told is the text that came with a status code, or empty. It may hold names and values: it is read, never shown.
func serverMessage(err error) string {
	var e *neo4j.Neo4jError
	if errors.As(err, &e) {
		return e.Msg
	}
	return ""
}

// tooLargeToIndex recognises a value over the limit of a range index (Neo4j manual, "Index limitations and caveats"), which
// has no status code of its own.
func tooLargeToIndex(err error) bool {
	return strings.Contains(serverMessage(err), "too large to index")
}

// unknownZone recognises a named zone that Go has and this server's release has not.
func unknownZone(err error) bool {
	return code(err) == "Neo.ClientError.Request.Invalid" && strings.Contains(serverMessage(err), "Illegal zone identifier")
}

// blame names the property that a failed write failed for, where the database's text and the request tell it.
func (s *Store) attributeError(err error, k kind, p graph.Properties) error {
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
	case constraintViolated(err):
		return s.attributeConstraintError(err, k, p)
	}
	return err
}

// inZone says whether a value is in a zone that a text names.
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

// heldAlready is how Neo4j tells of a uniqueness constraint on one property.
var uniquenessViolation = regexp.MustCompile("^(?:Node|Relationship)\\(\\d+\\) already exists with (?:label|type) `([^`]+)` and property `([^`]+)` = ")

// blameConstraint says which type and property are in the way, where both are the client's own to see.
func (s *Store) attributeConstraintError(err error, k kind, p graph.Properties) error {
	names := uniquenessViolation.FindStringSubmatch(serverMessage(err))
	if names == nil || graph.Reserved(names[1]) {
		return err
	}
	if _, given := p[names[2]]; !given || names[2] == s.config.IDProperty {
		return err
	}
	return fault.Wrap(err, fault.Conflict, "A constraint in the database does not allow this", fault.Detail{
		Field: graph.FieldPath("properties", names[2]), Message: "another " + string(k) + " of type " + names[1] + " has this value already",
	})
}
