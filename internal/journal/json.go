package journal

import (
	"strconv"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// TimeFormat is RFC 3339 with microseconds, for times of changes, which are in UTC.
const TimeFormat = "2006-01-02T15:04:05.000000Z07:00"

// AppendChange appends the JSON of a change as the API and its feed show it. Before and after are the whole entity for a create and a
// delete, and the changed properties for an update; null for a state that the user does not see.
func AppendChange(dst []byte, r *Record) []byte {
	dst = appendMember(dst, `{"id":`, r.ID)
	dst = append(append(dst, `,"at":"`...), FormatTime(r.At)...)
	dst = appendMember(dst, `","user":`, r.User)
	dst = appendMember(dst, `,"user_id":`, r.UserID)
	dst = appendMember(dst, `,"request_id":`, r.RequestID)
	dst = appendMember(dst, `,"action":`, string(r.Action))
	dst = appendMember(dst, `,"kind":`, string(r.Kind))
	dst = appendMember(dst, `,"entity":`, r.Entity)
	dst = appendMember(dst, `,"type":`, r.Type)
	if r.Action == Update {
		before, after := r.Changed()
		dst = appendChanged(append(dst, `,"before":`...), r.Before(), before)
		dst = appendChanged(append(dst, `,"after":`...), r.After(), after)
	} else {
		dst = appendState(append(dst, `,"before":`...), r, r.Before())
		dst = appendState(append(dst, `,"after":`...), r, r.After())
	}
	dst = appendCause(append(dst, `,"cause":`...), r.Cause)
	return append(strconv.AppendBool(append(dst, `,"gap":`...), r.HasGap()), '}')
}

// appendChanged appends what an update changed on one side; null if the user does not see that state.
func appendChanged(dst []byte, s *State, changed graph.Properties) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return append(typedjson.AppendProperties(append(dst, `{"properties":`...), changed), '}')
}

// FormatTime returns the text of a change's time.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeFormat) }

// appendMember appends a text after its name; null if it is empty.
func appendMember(dst []byte, name, text string) []byte {
	return typedjson.AppendNullable(append(dst, name...), text)
}

// appendState appends the whole entity; null if it does not exist.
func appendState(dst []byte, r *Record, s *State) []byte {
	switch {
	case s == nil:
		return append(dst, "null"...)
	case r.Kind == graph.EdgeKind:
		return typedjson.AppendEdge(
			dst,
			&graph.Edge{ID: s.ID, Type: r.Type, SourceID: s.SourceID, TargetID: s.TargetID, Properties: s.Properties},
		)
	}
	return typedjson.AppendNode(dst, &graph.Node{ID: s.ID, Type: r.Type, Labels: s.Labels, Properties: s.Properties})
}

func appendCause(dst []byte, c Cause) []byte {
	switch {
	case c.Undo != "":
		dst = appendMember(dst, `{"undo":`, c.Undo)
	case c.ChangeSet != "":
		dst = appendMember(dst, `{"changeset":`, c.ChangeSet)
	case c.Import != "":
		dst = appendMember(dst, `{"import":`, c.Import)
	case c.DeletedWith != "":
		dst = appendMember(dst, `{"deleted_with":`, c.DeletedWith)
	default:
		return append(dst, "null"...)
	}
	return append(dst, '}')
}
