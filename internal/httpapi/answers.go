package httpapi

import (
	"net/http"

	"graphrest/internal/answer"
	"graphrest/internal/typedjson"
)

const csvMediaType = "text/csv; charset=utf-8"

// truncatedHeader says why an answer that has no meta is not whole.
const truncatedHeader = "Graphrest-Truncated"

// answerFormat is the format of an answer.
type answerFormat string

const (
	jsonFormat   answerFormat = "json"
	csvFormat    answerFormat = "csv"
	ndjsonFormat answerFormat = "ndjson"
)

// readAnswerFormat reads the parameter format; without it, the header Accept decides.
func (c *call) readAnswerFormat() answerFormat {
	if _, given := c.query.get("format"); given {
		return answerFormat(c.readEnum("format", string(jsonFormat), string(csvFormat), string(ndjsonFormat)))
	}
	return acceptedFormat(c.gin.Request.Header)
}

// sendAnswer sends the answer of a question.
func (c *call) sendAnswer(a *answer.Answer, format answerFormat) {
	switch format {
	case csvFormat:
		c.sendRows(a, csvMediaType, func(b []byte) []byte { return answer.AppendHeader(b, a.Columns) }, answer.AppendRecord)
	case ndjsonFormat:
		c.sendRows(a, ndjsonMediaType, func(b []byte) []byte { return b }, func(b []byte, row answer.Row) []byte {
			return answer.AppendLine(b, a.Columns, row)
		})
	default:
		c.write(http.StatusOK, answerData(a), func(b []byte) []byte { return answer.AppendMeta(b, &a.Meta) })
	}
}

// answerData writes {"columns","rows","nodes","edges"}.
func answerData(a *answer.Answer) func(*output) {
	return func(o *output) {
		text := func(s string) { o.append(func(dst []byte) []byte { return append(dst, s...) }) }
		o.append(func(dst []byte) []byte { return answer.AppendColumns(append(dst, `{"columns":`...), a.Columns) })
		text(`,"rows":`)
		listData(a.Rows, answer.AppendRow)(o)
		text(`,"nodes":`)
		listData(a.Nodes, typedjson.AppendNode)(o)
		text(`,"edges":`)
		listData(a.Edges, typedjson.AppendEdge)(o)
		text("}")
	}
}

// sendRows sends the rows of an answer as lines, after a first one that may be empty. The headers say what meta says in JSON.
func (c *call) sendRows(a *answer.Answer, mediaType string, first appender, line func([]byte, answer.Row) []byte) {
	c.sendBookmark()
	truncated := a.Meta.Truncated
	if truncated == answer.Whole && a.Meta.Page != nil && a.Meta.Page.HasMore {
		truncated = answer.RowLimit
	}
	if truncated != answer.Whole {
		c.gin.Header(truncatedHeader, string(truncated))
	}
	o := output{w: c.gin.Writer, status: http.StatusOK, contentType: []string{mediaType}}
	o.append(first)
	for _, row := range a.Rows {
		if !o.append(func(b []byte) []byte { return line(b, row) }) {
			break
		}
	}
	o.end()
}
