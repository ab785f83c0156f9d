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
	"graphrest/internal/typedjson"
)

// readBody checks what a body says it is (415) and reads all of it (413), so that nothing behind the JSON goes unseen.
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
	most := c.api.options.MaxBody
	if r.ContentLength > most {
		return c.rejectTooLarge(most)
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.gin.Writer, r.Body, most))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return c.rejectTooLarge(most)
	case err != nil:
		c.gin.Header("Connection", "close") // where the next request would begin is unknown
		return fault.Wrap(err, fault.Validation, "Invalid input",
			fault.Detail{Field: "body", Message: "could not be read to its end"})
	case len(body) == 0:
		c.invalid("body", "must not be empty")
	}
	c.body = body
	return nil
}

func (c *call) rejectTooLarge(most int64) error {
	c.gin.Header("Connection", "close") // the rest is not read
	return fault.New(fault.PayloadTooLarge, "The request body is too large",
		fault.Detail{Field: "body", Message: "must be at most " + strconv.FormatInt(most, 10) + " bytes long"})
}

// checkMedia accepts some media types, with no parameter but charset=utf-8, and no content coding.
func checkMedia(h http.Header, accepted ...string) error {
	kind := "JSON"
	if len(accepted) > 1 {
		kind = "NDJSON"
	}
	refuse := func(field, message string) error {
		return fault.New(fault.UnsupportedMediaType, "The request body must be "+kind, fault.Detail{Field: field, Message: message})
	}
	if len(h["Content-Type"]) != 1 {
		return refuse("Content-Type", "must be given once, as "+accepted[0])
	}
	media, parameters, err := mime.ParseMediaType(h["Content-Type"][0])
	if err != nil || !slices.Contains(accepted, media) {
		return refuse("Content-Type", "must be "+accepted[0])
	}
	for name, value := range parameters {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return refuse("Content-Type", "must be "+accepted[0]+" with no parameter but charset=utf-8")
		}
	}
	for _, coding := range h["Content-Encoding"] {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return refuse("Content-Encoding", "must be identity or absent")
		}
	}
	return nil
}

// parseObject parses the body as a JSON object. When it is none, the mistake is noted and nil returned.
func (c *call) parseObject() *typedjson.Object {
	if len(c.body) == 0 {
		return nil // noted by readBody
	}
	o, f := typedjson.ParseObject(c.body)
	c.addProblem(f)
	if f != nil {
		return nil
	}
	return o
}

// finish adds the object's mistakes to the others.
func (c *call) finish(o *typedjson.Object) error {
	if o != nil {
		c.addProblem(o.Finish())
	}
	return c.validate()
}
