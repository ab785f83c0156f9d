package httpapi

import (
	"net/http"
	"net/url"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// What a write answers to a user without the permission read reveals nothing that others have written:
//   - a create answers what the caller sent, also when it is replayed;
//   - an update answers id and type, and no ETag: that is a hash of the content, which would confirm a guess;
//   - If-Match with an ETag is met by nothing, for the same reason. If-Match: * works.

// mayRead says whether the request's user may see what a write left.
func (c *call) mayRead() bool { return c.principal.May(auth.Read) }

// sendCreated answers 201. A replayed create answers as the first one did.
func (c *call) sendCreated(collection, id string, r graph.Revision, replayed bool, data appender) {
	c.gin.Header("Location", collection+url.PathEscape(id))
	c.setETag(r)
	if replayed {
		c.gin.Header("Idempotent-Replayed", "true")
	}
	c.send(http.StatusCreated, data)
}

// sendIDAndType answers an update to a user who may not read.
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

// explainPrecondition explains why If-Match failed to a user who may not read.
func (c *call) explainPrecondition(err error) error {
	if c.mayRead() || fault.CodeOf(err) != fault.PreconditionFailed {
		return err
	}
	return fault.New(fault.PreconditionFailed, "If-Match cannot be met without the permission read",
		fault.Detail{Field: "If-Match", Message: `an ETag compares contents, which needs the permission read; leave the header out, or send "*"`})
}
