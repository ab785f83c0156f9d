package httpapi

import (
	"net/http"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// setETag sets the ETag of the entity's current content (RFC 9110, section 8.8.3). It is always a strong tag.
func (c *call) setETag(r graph.Revision) {
	c.etag[0] = `"` + string(r) + `"`
	c.gin.Writer.Header()["Etag"] = c.etag[:]
}

// entityTag is one member of an If-Match or If-None-Match list.
type entityTag struct {
	value string
	weak  bool
}

// parseTags reads the lines of an If-Match or If-None-Match header: "*", or a comma-separated list of entity tags
// (RFC 9110, sections 8.8.3, 13.1.1 and 5.6.1; empty list members are allowed). Ok is false if it is neither.
func parseTags(lines []string) (star bool, tags []entityTag, ok bool) {
	text := strings.Join(lines, ",")
	if trimOWS(text) == "*" {
		return true, nil, true
	}
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			return false, tags, len(tags) > 0
		}
		var tag entityTag
		text, tag.weak = strings.CutPrefix(text, "W/")
		if !strings.HasPrefix(text, `"`) {
			return false, nil, false
		}
		end := strings.IndexByte(text[1:], '"')
		if end < 0 {
			return false, nil, false
		}
		tag.value = text[1 : 1+end]
		for i := range len(tag.value) {
			if c := tag.value[i]; c < 0x21 || c == 0x7f {
				return false, nil, false
			}
		}
		tags = append(tags, tag)
		text = strings.TrimLeft(text[end+2:], " \t")
		if text != "" && text[0] != ',' {
			return false, nil, false
		}
	}
}

func trimOWS(s string) string { return strings.Trim(s, " \t") }

// readPrecondition reads If-Match for a write. If-None-Match is not supported on writes; it is rejected, since ignoring a condition
// would be wrong.
func (c *call) readPrecondition() graph.Precondition {
	if len(c.gin.Request.Header["If-None-Match"]) > 0 {
		c.invalid("If-None-Match", "is not supported with this method; use If-Match")
	}
	return c.hidePrecondition(c.readIfMatch())
}

// hidePrecondition makes a precondition with revisions impossible to meet for a user without the permission read: see write_only.go.
func (c *call) hidePrecondition(p graph.Precondition) graph.Precondition {
	if p.Revisions != nil && !c.authorizesByContent() {
		p.Revisions = []graph.Revision{}
	}
	return p
}

// readIfMatch reads If-Match; absent if it is malformed, which is a problem of the input.
func (c *call) readIfMatch() graph.Precondition {
	lines := c.gin.Request.Header["If-Match"]
	if len(lines) == 0 {
		return graph.Precondition{}
	}
	p, ok := parseIfMatch(lines)
	if !ok {
		c.invalid("If-Match", `must be "*" or a list of entity tags in double quotes, as in the ETag header`)
	}
	return p
}

// parseIfMatch reads the lines of an If-Match header; ok is false if it is malformed. A list of only weak tags never matches, since
// If-Match uses the strong comparison (RFC 9110, section 13.1.1).
func parseIfMatch(lines []string) (p graph.Precondition, ok bool) {
	star, tags, ok := parseTags(lines)
	if !ok || star {
		return graph.Precondition{Any: star}, ok
	}
	revisions := []graph.Revision{}
	for _, t := range tags {
		if !t.weak {
			revisions = append(revisions, graph.Revision(t.value))
		}
	}
	return graph.Precondition{Revisions: revisions}, true
}

// conditions are the headers that make a read conditional.
type conditions struct {
	match     graph.Precondition
	noneMatch ifNoneMatch
}

func (c *call) readConditions() conditions { return conditions{c.readIfMatch(), c.readIfNoneMatch()} }

// sendEntity answers a read: the entity, 304 if If-None-Match has its ETag, or 412 if If-Match does not (RFC 9110,
// section 13.2.2).
func (c *call) sendEntity(r graph.Revision, when conditions, data appender) error {
	return c.sendEntityWithMeta(r, when, data, nil)
}

// sendEntityWithMeta is sendEntity with further members of meta: see write.
func (c *call) sendEntityWithMeta(r graph.Revision, when conditions, data, meta appender) error {
	if !when.match.Allows(r) {
		return fault.New(fault.PreconditionFailed, "The content of the entity does not match If-Match")
	}
	c.setETag(r)
	if when.noneMatch.matches(r) {
		c.gin.Status(http.StatusNotModified)
		c.gin.Writer.WriteHeaderNow()
		return nil
	}
	c.write(http.StatusOK, func(o *output) { o.append(data) }, meta)
	return nil
}

// ifNoneMatch is a parsed If-None-Match header; the zero value matches nothing.
type ifNoneMatch struct {
	any  bool
	tags []entityTag
}

func (m ifNoneMatch) matches(r graph.Revision) bool {
	if m.any {
		return true
	}
	for _, t := range m.tags {
		if t.value == string(r) {
			return true
		}
	}
	return false
}

// readIfNoneMatch reads If-None-Match, which compares weakly (RFC 9110, section 13.1.2).
func (c *call) readIfNoneMatch() ifNoneMatch {
	lines := c.gin.Request.Header["If-None-Match"]
	if len(lines) == 0 {
		return ifNoneMatch{}
	}
	star, tags, ok := parseTags(lines)
	if !ok {
		c.invalid("If-None-Match", `must be "*" or a list of entity tags in double quotes`)
	}
	return ifNoneMatch{any: star, tags: tags}
}
