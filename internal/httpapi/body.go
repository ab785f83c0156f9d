package httpapi

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// readBody checks the media type (415) and reads the whole body (413), so that text after the JSON is detected.
func (c *call) readBody() error {
	if c.route.body == noBody {
		return nil
	}
	r := c.gin.Request
	if c.route.body == ndjsonBody {
		return checkMedia(r.Header, ndjsonMediaTypes...)
	}
	if err := checkMedia(r.Header, "application/json"); err != nil {
		return err
	}
	maxBody := c.api.options.MaxBody
	if r.ContentLength > maxBody {
		return c.rejectTooLarge(maxBody)
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.gin.Writer, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return c.rejectTooLarge(maxBody)
	case err != nil:
		c.gin.Header("Connection", "close") // the start of the next request is unknown
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: "body", Message: "could not be read to its end"})
	case len(body) == 0:
		c.invalid("body", "must not be empty")
	}
	c.body = body
	return nil
}

func (c *call) rejectTooLarge(maxBody int64) error {
	c.gin.Header("Connection", "close") // the rest is not read
	return fault.New(fault.PayloadTooLarge, "The request body is too large",
		fault.Detail{Field: "body", Message: "must be at most " + strconv.FormatInt(maxBody, 10) + " bytes long"})
}

// checkMedia accepts the given media types with no parameter except charset=utf-8, and without a content coding.
func checkMedia(h http.Header, accepted ...string) error {
	kind := "JSON"
	if len(accepted) > 1 {
		kind = "NDJSON"
	}
	reject := func(field, message string) error {
		return fault.New(fault.UnsupportedMediaType, "The request body must be "+kind, fault.Detail{Field: field, Message: message})
	}
	if len(h["Content-Type"]) != 1 {
		return reject("Content-Type", "must be given once, as "+accepted[0])
	}
	media, parameters, err := mime.ParseMediaType(h["Content-Type"][0])
	if err != nil || !slices.Contains(accepted, media) {
		return reject("Content-Type", "must be "+accepted[0])
	}
	for name, value := range parameters {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return reject("Content-Type", "must be "+accepted[0]+" with no parameter but charset=utf-8")
		}
	}
	for _, coding := range h["Content-Encoding"] {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return reject("Content-Encoding", "must be identity or absent")
		}
	}
	return nil
}

// parseObject parses the body as a JSON object. If the body is not one, it records the problem and returns nil.
func (c *call) parseObject() *typedjson.Object {
	if len(c.body) == 0 {
		return nil // readBody has recorded the problem
	}
	o, f := typedjson.ParseObject(c.body)
	c.addProblem(f)
	if f != nil {
		return nil
	}
	return o
}

// finish adds the object's problems to the others and validates the input.
func (c *call) finish(o *typedjson.Object) error {
	if o != nil {
		c.addProblem(o.Finish())
	}
	return c.validate()
}

// readTypeMember reads the member "type" of a create.
func readTypeMember(o *typedjson.Object) graph.TypeName {
	name, f := graph.ParseTypeName("type", o.String("type"))
	o.Add(f)
	return name
}

// distinctNames reads a list of 1 to maxNames distinct names.
func distinctNames(o *typedjson.Object, member string, maxNames int) []string {
	names := o.Strings(member)
	switch {
	case len(names) == 0:
		o.Invalid(member, "must have 1 to %d names", maxNames)
	case len(names) > maxNames:
		o.Invalid(member, "must have 1 to %d names", maxNames)
		return nil
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			o.Invalid(member, "must have each name once")
		}
	}
	return names
}

// readNewProperties reads the properties of a create, of which the id property is none.
func (a *API) readNewProperties(o *typedjson.Object, required bool) graph.Properties {
	p := o.NewProperties("properties", required, a.options.Limits)
	o.Add(graph.CheckNoID(p, a.options.IDProperty))
	return p
}

// readChange reads the id and body of an update of a node or an edge.
func (c *call) readChange(what, parameter string) (string, graph.Change, error) {
	id := c.readPathValue(parameter)
	change := graph.Change{If: c.readPrecondition()}
	o := c.parseObject()
	if o != nil {
		change.Properties, change.Unchanged = o.ChangedProperties("properties", c.api.options.Limits)
		c.addProblem(o.Finish())
	}
	return id, change, c.validateWithID(what, id)
}
