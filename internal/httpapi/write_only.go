package httpapi

import (
	"net/http"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// The response of a write to a user without the permission read reveals nothing that others have written:
//   - a create returns what the caller sent, also if it is replayed;
//   - an update returns id and type without an ETag, which is a hash of the content and would confirm a guess;
//   - If-Match with an ETag never matches, for the same reason. If-Match: * works.

// mayRead reports whether the request's user may see the result of a write.
func (c *call) mayRead() bool { return c.principal.May(auth.Read) }

// authorizesByContent reports whether If-Match with an ETag can match for the request's user: the store compares it with what the user
// sees.
func (c *call) authorizesByContent() bool { return c.mayRead() || rules.ViewOf(c.ctx()).HasGrants() }

// sendCreatedIDAndType answers a create whose result no grant of the user shows.
func (c *call) sendCreatedIDAndType(collection, id, typ string, replayed bool) {
	c.setLocation(collection, id)
	if replayed {
		c.gin.Header("Idempotent-Replayed", "true")
	}
	c.send(http.StatusCreated, func(b []byte) []byte { return appendIDAndType(b, id, typ) })
}

// sendIDAndType answers an update of a user without the permission read.
func (c *call) sendIDAndType(id, typ string) {
	c.send(http.StatusOK, func(b []byte) []byte { return appendIDAndType(b, id, typ) })
}

func appendIDAndType(b []byte, id, typ string) []byte {
	b = typedjson.AppendString(append(b, `{"id":`...), id)
	b = append(b, `,"type":`...)
	if typ == "" {
		return append(b, "null}"...)
	}
	return append(typedjson.AppendString(b, typ), '}')
}

// explainPrecondition replaces a PRECONDITION_FAILED by one that explains why If-Match cannot match without the permission read.
func (c *call) explainPrecondition(err error) error {
	if c.authorizesByContent() || fault.CodeOf(err) != fault.PreconditionFailed {
		return err
	}
	return fault.New(fault.PreconditionFailed, "If-Match cannot be met without the permission read",
		fault.Detail{Field: "If-Match", Message: `an ETag compares contents, which needs the permission read; leave the header out, or send "*"`})
}
