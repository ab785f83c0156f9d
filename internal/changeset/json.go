package changeset

import (
	"strconv"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// TimeFormat is RFC 3339 with milliseconds, for times in UTC.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// AppendSet appends the JSON of a change set.
func AppendSet(dst []byte, s *Set) []byte {
	dst = appendText(dst, `{"id":`, s.ID)
	dst = appendText(dst, `,"title":`, s.Title)
	dst = appendText(dst, `,"description":`, s.Description)
	dst = appendText(dst, `,"status":`, string(s.Status))
	dst = strconv.AppendInt(append(dst, `,"version":`...), s.Version, 10)
	dst = appendText(dst, `,"author":`, s.Author.Name)
	dst = appendText(dst, `,"author_id":`, s.Author.ID)
	dst = appendTime(dst, `,"created_at":`, s.CreatedAt)
	dst = appendTime(dst, `,"updated_at":`, s.UpdatedAt)
	dst = append(append(dst, `,"operations":`...), s.Operations...)
	dst = typedjson.AppendList(append(dst, `,"events":`...), s.Events, appendEvent)
	dst = typedjson.AppendList(append(dst, `,"comments":`...), s.Comments, AppendComment)
	dst = typedjson.AppendList(append(dst, `,"changes":`...), s.Changes, appendString)
	return append(dst, '}')
}

func appendEvent(dst []byte, e *Event) []byte {
	dst = appendTime(dst, `{"at":`, e.At)
	dst = appendUser(dst, e.User)
	return append(appendText(dst, `,"action":`, string(e.Action)), '}')
}

// AppendComment appends the JSON of a comment.
func AppendComment(dst []byte, c *Comment) []byte {
	dst = appendText(dst, `{"id":`, c.ID)
	dst = appendTime(dst, `,"at":`, c.At)
	dst = appendUser(dst, c.User)
	return append(appendText(dst, `,"text":`, c.Text), '}')
}

func appendUser(dst []byte, u User) []byte {
	return appendText(appendText(dst, `,"user":`, u.Name), `,"user_id":`, u.ID)
}

// AppendDiff appends the JSON of a diff.
func AppendDiff(dst []byte, d *Diff) []byte {
	dst = typedjson.AppendList(append(dst, `{"entities":`...), d.Entities, appendEntity)
	return append(typedjson.AppendList(append(dst, `,"violations":`...), d.Violations, appendViolation), '}')
}

func appendViolation(dst []byte, v *Violation) []byte {
	return append(appendText(appendText(dst, `{"field":`, v.Field), `,"message":`, v.Message), '}')
}

func appendEntity(dst []byte, of **Entity) []byte {
	e := *of
	dst = appendText(dst, `{"kind":`, string(e.Kind))
	if e.ID != "" {
		dst = appendText(dst, `,"id":`, e.ID)
	} else {
		dst = appendOptional(dst, `,"ref":`, e.Ref)
	}
	dst = strconv.AppendInt(append(dst, `,"operation":`...), int64(e.Operation), 10)
	dst = appendOptional(dst, `,"type":`, e.Type())
	dst = appendText(dst, `,"status":`, e.Status())
	dst = appendState(append(dst, `,"before":`...), e, e.Before)
	dst = appendState(append(dst, `,"after":`...), e, e.After)
	dst = append(dst, `,"conflict":`...)
	if e.Conflict == nil {
		return append(dst, "null}"...)
	}
	dst = appendText(dst, `{"field":`, e.Conflict.Field())
	dst = appendOptional(dst, `,"id":`, e.Conflict.ID)
	dst = appendOptional(dst, `,"expected":`, e.Conflict.Expected)
	dst = appendOptional(dst, `,"found":`, e.Conflict.Found)
	return append(appendText(dst, `,"message":`, e.Conflict.Message), "}}"...)
}

// appendState appends a whole entity in the form of the API; null for none. A new one has no id, and an end that is new is a ref.
func appendState(dst []byte, e *Entity, s *State) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	if e.ID != "" {
		dst = append(appendText(dst, `"id":`, e.ID), ',')
	}
	dst = appendOptional(dst, `"type":`, s.Type)
	if e.Kind == graph.EdgeKind {
		dst = typedjson.AppendEntityRef(append(dst, `,"source_id":`...), s.Source)
		dst = typedjson.AppendEntityRef(append(dst, `,"target_id":`...), s.Target)
	} else {
		dst = typedjson.AppendList(append(dst, `,"labels":`...), s.Labels, appendString)
	}
	return append(typedjson.AppendProperties(append(dst, `,"properties":`...), s.Properties), '}')
}

func appendString(dst []byte, text *string) []byte { return typedjson.AppendString(dst, *text) }

func appendText(dst []byte, name, text string) []byte {
	return typedjson.AppendString(append(dst, name...), text)
}

// appendOptional appends null for an empty text.
func appendOptional(dst []byte, name, text string) []byte {
	return typedjson.AppendNullable(append(dst, name...), text)
}

func appendTime(dst []byte, name string, t time.Time) []byte {
	return appendText(dst, name, t.UTC().Format(TimeFormat))
}
