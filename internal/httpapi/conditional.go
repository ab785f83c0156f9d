package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// setETag sets the ETag of the entity's current content (RFC 9110, section 8.8.3). It is always a strong tag.
func (c *call) setETag(r graph.Revision) {
	c.etag[0] = `"` + string(r) + `"`
	c.gin.Writer.Header()["Etag"] = c.etag[:]
}

// parseTags reads the lines of an If-Match or If-None-Match header: "*", or a comma-separated list of entity tags
// (RFC 9110, sections 8.8.3, 13.1.1 and 5.6.1; empty list members are allowed). Ok is false if it is neither.
func parseTags(lines []string) (star bool, tags []graph.Revision, ok bool) {
	text := strings.Join(lines, ",")
	if trimOWS(text) == "*" {
		return true, nil, true
	}
	for {
		text = strings.TrimLeft(text, " \t,")
		if text == "" {
			return false, tags, len(tags) > 0
		}
		text = strings.TrimPrefix(text, weakPrefix)
		if !strings.HasPrefix(text, `"`) {
			return false, nil, false
		}
		end := strings.IndexByte(text[1:], '"')
		if end < 0 {
			return false, nil, false
		}
		value := text[1 : 1+end]
		for i := range len(value) {
			if c := value[i]; c < 0x21 || c == 0x7f {
				return false, nil, false
			}
		}
		tags = append(tags, revisionOf(value))
		text = strings.TrimLeft(text[end+2:], " \t")
		if text != "" && text[0] != ',' {
			return false, nil, false
		}
	}
}

// A proxy that compresses an answer changes its entity tag: nginx and most others make it weak, others append the name of the coding
// (Apache, Caddy, Jetty). The content that the tag is a hash of is the same. Tags are therefore compared without either in If-None-Match
// and in If-Match, which would compare strongly otherwise (RFC 9110, section 13.1.1). No revision ends with one of the suffixes: its last
// character is one of A, Q, g and w.
const weakPrefix = "W/"

var codingSuffixes = []string{"--gzip", ";gzip", "-gzip", "-br", "-zstd", "-deflate", "-df"}

// revisionOf is the revision that the value of an entity tag names.
func revisionOf(value string) graph.Revision {
	for _, suffix := range codingSuffixes {
		if plain, found := strings.CutSuffix(value, suffix); found {
			return graph.Revision(plain)
		}
	}
	return graph.Revision(value)
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

// parseIfMatch reads the lines of an If-Match header; ok is false if it is malformed.
func parseIfMatch(lines []string) (p graph.Precondition, ok bool) {
	star, tags, ok := parseTags(lines)
	if !ok || star {
		return graph.Precondition{Any: star}, ok
	}
	return graph.Precondition{Revisions: tags}, true
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
	tags []graph.Revision
}

func (m ifNoneMatch) matches(r graph.Revision) bool { return m.any || slices.Contains(m.tags, r) }

// readIfNoneMatch reads If-None-Match; what is malformed is a problem of the input.
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
