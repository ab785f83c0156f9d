package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

const (
	batchLines = 1000
	batchBytes = 1 << 20
)

// batch is a batch of lines for the store, and the errors of lines that could not be parsed.
type batch struct {
	lines    []graph.BulkLine
	errors   []LineError
	types    []graph.TypeName // node types that the first line of the stream declares
	lastLine int64            // the number of the last line read
	bytes    int
	readErr  error // why the stream ended; io.EOF is the regular end
}

// lineReader reads lines into batches in a separate goroutine. While a batch is written the next one grows; a waiting writer gets
// the current batch, even if it is small.
type lineReader struct {
	batches chan batch // has capacity 1; see deliver
	stopped chan struct{}

	beforeLine func() // called before each line
	in         *bufio.Reader
	api        *API
	maxLine    int64 // maximum bytes of a line
	anyID      bool  // ids may have any format
	current    batch
	counts     [2]int64 // number of node lines and of edge lines
	hasTypes   bool     // the stream began with a line of kind types, so it must have a line of kind end
	ended      bool     // the line of kind end was read
}

func newLineReader(from io.Reader, beforeLine func(), api *API, anyID bool) *lineReader {
	r := &lineReader{
		beforeLine: beforeLine,
		batches:    make(chan batch, 1), stopped: make(chan struct{}), in: bufio.NewReaderSize(from, streamBuffer),
		api: api, maxLine: api.options.MaxBody, anyID: anyID,
	}
	go r.run()
	return r
}

// stop ends the goroutine; abortRead ends a read that waits for the client.
func (r *lineReader) stop(abortRead func()) {
	close(r.stopped)
	for {
		select {
		case _, more := <-r.batches:
			if !more {
				return
			}
		default:
			abortRead()
			for left := range r.batches {
				_ = left // unused
			}
			return
		}
	}
}

func (r *lineReader) run() {
	defer close(r.batches)
	for {
		line, tooLong, err := r.readLine()
		if r.current.lastLine == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark, which some programs write at the start of a file
		}
		empty := len(bytes.TrimSpace(line)) == 0 && !tooLong
		if !empty {
			r.parseLine(line, tooLong)
		}
		if err != nil {
			r.finish(err)
			r.deliver(true)
			return
		}
		full := r.current.full()
		if (full || r.in.Buffered() == 0) && !r.deliver(full) {
			return
		}
		if !empty || full { // the time of the writer does not count against the client
			r.beforeLine()
		}
	}
}

// deliver sends the batch to the writer, merged with one that the writer has not received yet, so that no line waits for later lines.
// It blocks only if the merged batch would be too large. It returns false if the reader was stopped.
func (r *lineReader) deliver(must bool) (goOn bool) {
	if r.current.lastLine == 0 && !must {
		return true
	}
	if !must {
		select {
		case waiting := <-r.batches:
			if waiting.full() {
				r.batches <- waiting // does not block: there is no other sender
			} else {
				r.current = waiting.merge(r.current)
			}
		default:
		}
	}
	select {
	case r.batches <- r.current:
		r.current = batch{lastLine: r.current.lastLine}
		return true
	case <-r.stopped:
		return false
	}
}

func (b *batch) full() bool {
	return len(b.lines)+len(b.errors) >= batchLines || b.bytes >= batchBytes
}

// merge returns the batch followed by the lines of next.
func (b *batch) merge(next batch) batch {
	next.lines = append(b.lines, next.lines...)
	next.errors = append(b.errors, next.errors...)
	next.types = append(b.types, next.types...)
	next.bytes += b.bytes
	return next
}

// readLine reads a line. A line that is too long is skipped and reported.
func (r *lineReader) readLine() (line []byte, tooLong bool, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if int64(len(line)+len(part)) > r.maxLine+2 { // the line break is not counted
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if len(line) > 0 || len(part) > 0 || tooLong {
				r.current.lastLine++
			}
			return line, tooLong, err
		}
	}
}

// finish handles the end of the stream. A stream that began with a line of kind types is truncated if it lacks the line of kind end.
func (r *lineReader) finish(err error) {
	r.current.readErr = err
	if errors.Is(err, io.EOF) && r.hasTypes && !r.ended {
		r.addError(fault.Invalid("line", "the stream is truncated: its last line, of kind end, is missing"))
	}
}

func (r *lineReader) addError(f *fault.Error) {
	r.current.errors = append(r.current.errors, newLineError(r.current.lastLine, f))
}

// parseLine parses a line and adds it to the batch.
func (r *lineReader) parseLine(line []byte, tooLong bool) {
	if tooLong {
		r.addError(fault.New(fault.PayloadTooLarge, "The line is too long",
			fault.Detail{Field: "line", Message: "must be at most " + strconv.FormatInt(r.maxLine, 10) + " bytes long"}))
		return
	}
	r.current.bytes += len(line)
	o, f := typedjson.ParseObject(bytes.TrimSpace(line))
	if f != nil {
		r.addError(f)
		return
	}
	r.parseObject(o)
}

// parseObject adds a line to the batch.
func (r *lineReader) parseObject(o *typedjson.Object) {
	if r.ended {
		r.addError(fault.Invalid("line", "comes after the last line, of kind end"))
		return
	}
	switch kind := o.String("kind"); kind {
	case "node":
		r.counts[0]++
		r.add(graph.BulkLine{Node: r.node(o), UnusedID: !r.anyID}, o)
	case "edge":
		r.counts[1]++
		r.add(graph.BulkLine{Edge: r.edge(o), UnusedID: !r.anyID}, o)
	case "types":
		r.types(o)
	case "end":
		r.end(o)
	default:
		if o.Has("kind") {
			o.Invalid("kind", "must be node, edge, types or end")
		}
		r.addError(o.Finish())
	}
}

func (r *lineReader) add(line graph.BulkLine, o *typedjson.Object) {
	if f := o.Finish(); f != nil {
		r.addError(f)
		return
	}
	line.Number = r.current.lastLine
	r.current.lines = append(r.current.lines, line)
}

func (r *lineReader) node(o *typedjson.Object) *graph.BulkNode {
	n := &graph.BulkNode{ID: r.id(o, graph.NodeKind), Ref: r.identifier(o, "ref"), Properties: r.api.readNewProperties(o, false)}
	typ, typed := o.OptionalString("type")
	if typed {
		n.Labels = append(n.Labels, r.typeName(o, "type", typ))
	}
	labels, given := o.OptionalStrings("labels")
	for _, label := range labels {
		if label != typ || !typed {
			n.Labels = append(n.Labels, r.typeName(o, "labels", label))
		}
	}
	checkLabels(o, len(n.Labels))
	if !typed && !given && !o.Has("type") {
		o.Invalid("type", "is required; null creates a node without a type")
	}
	return n
}

func (r *lineReader) typeName(o *typedjson.Object, field, text string) graph.TypeName {
	name, f := graph.ParseTypeName(field, text)
	o.Add(f)
	return name
}

func (r *lineReader) edge(o *typedjson.Object) *graph.BulkEdge {
	return &graph.BulkEdge{
		ID: r.id(o, graph.EdgeKind), Type: readTypeMember(o), Source: r.bulkEnd(o, "source"), Target: r.bulkEnd(o, "target"),
		Properties: r.api.readNewProperties(o, false),
	}
}

func (r *lineReader) bulkEnd(o *typedjson.Object, which string) graph.BulkEnd {
	end := graph.BulkEnd{ID: r.identifier(o, which+"_id"), Ref: r.identifier(o, which+"_ref")}
	switch {
	case end.ID == "" && end.Ref == "":
		o.Invalid(which+"_id", "is required, or %s_ref instead", which)
	case end.ID != "" && end.Ref != "":
		o.Invalid(which+"_id", "must not be given together with %s_ref", which)
	}
	return end
}

// identifier reads an id or a ref; empty if it is absent or null.
func (r *lineReader) identifier(o *typedjson.Object, member string) string {
	text, given := o.OptionalString(member)
	switch {
	case !given:
	case text == "":
		o.Invalid(member, "must not be empty")
	case len(text) > graph.MaxBulkID:
		o.Invalid(member, "must be at most %d bytes long", graph.MaxBulkID)
	case cannotBeID(text):
		o.Invalid(member, "must not contain a NUL character")
	}
	return text
}

// id reads the id of a new entity.
func (r *lineReader) id(o *typedjson.Object, k graph.Kind) string {
	id := r.identifier(o, "id")
	if id == "" {
		return ""
	}
	if problem := graph.GivenIDProblem(k, id, r.anyID); problem != "" {
		o.Invalid("id", "%s", problem)
	}
	return id
}

// types reads the first line of an export.
func (r *lineReader) types(o *typedjson.Object) {
	labels := o.Strings("labels")
	for _, label := range labels {
		r.current.types = append(r.current.types, r.typeName(o, "labels", label))
	}
	if r.counts != [2]int64{} || r.hasTypes {
		o.Invalid("kind", "types must be the first line")
	} else {
		r.hasTypes = true
	}
	if f := o.Finish(); f != nil {
		r.current.types = nil
		r.addError(f)
	}
}

// end reads the last line of an export and compares its counts with the lines read.
func (r *lineReader) end(o *typedjson.Object) {
	r.ended = true
	for i, kind := range []string{"nodes", "edges"} {
		if want, given := o.OptionalInteger(kind); given && want != r.counts[i] {
			o.Invalid(kind, "is %d, but the stream has %d: it is incomplete", want, r.counts[i])
		}
	}
	if f := o.Finish(); f != nil {
		r.addError(f)
	}
}
