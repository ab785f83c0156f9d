package httpapi

import (
	"net/http"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/typedjson"
)

// The response of a write to a user without the permission read reveals nothing that others have written:
//   - a create returns what the caller sent, also if it is replayed;
//   - an update returns id and type without an ETag, which is a hash of the content and would confirm a guess;
//   - If-Match with an ETag never matches, for the same reason. If-Match: * works.

// mayRead reports whether the request's user may see the result of a write.
func (c *call) mayRead() bool { return c.principal.May(auth.Read) }

// sendIDAndType answers an update of a user without the permission read.
func (c *call) sendIDAndType(id, typ string) {
	c.send(http.StatusOK, func(b []byte) []byte {
		b = typedjson.AppendString(append(b, `{"id":`...), id)
		b = append(b, `,"type":`...)
		if typ == "" {
			return append(b, "null}"...)
		}
		return append(typedjson.AppendString(b, typ), '}')
	})
}

// explainPrecondition replaces a PRECONDITION_FAILED by one that explains why If-Match cannot match without the permission read.
func (c *call) explainPrecondition(err error) error {
	if c.mayRead() || fault.CodeOf(err) != fault.PreconditionFailed {
		return err
	}
	return fault.New(fault.PreconditionFailed, "If-Match cannot be met without the permission read",
		fault.Detail{Field: "If-Match", Message: `an ETag compares contents, which needs the permission read; leave the header out, or send "*"`})
}
