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

// batch are lines on their way into the store, with the mistakes of those that could not be read.
type batch struct {
	lines    []graph.BulkLine
	errors   []LineError
	types    []graph.TypeName // what the stream says of types, ahead of the lines
	lastLine int64            // the number of the last line read
	bytes    int
	readErr  error // why the stream ended; io.EOF is a good end
}

// lineReader reads lines into batches, in a goroutine of its own. While a batch is written the next one grows; when the writer waits,
// it gets what there is.
type lineReader struct {
	batches chan batch // holds one; see hand
	stopped chan struct{}

	beforeLine func() // is called before each line
	in         *bufio.Reader
	limits     graph.Limits
	maxLine    int64 // bytes of a line
	anyID      bool  // ids may have any form
	current    batch
	counts     [2]int64 // lines of nodes and of edges
	hasTypes   bool     // the stream began with a line on types, so that it must have a last line
	ended      bool     // the last line was read
}

func newLineReader(from io.Reader, expect func(), most int64, limits graph.Limits, anyID bool) *lineReader {
	r := &lineReader{
		beforeLine: expect,
		batches:    make(chan batch, 1), stopped: make(chan struct{}), in: bufio.NewReaderSize(from, streamBuffer), limits: limits, maxLine: most, anyID: anyID,
	}
	go r.run()
	return r
}

// stop ends the goroutine: interrupt ends a read that waits.
func (r *lineReader) stop(interrupt func()) {
	close(r.stopped)
	for {
		select {
		case _, more := <-r.batches:
			if !more {
				return
			}
		default:
			interrupt()
			for left := range r.batches {
				_ = left // of no use to anybody
			}
			return
		}
	}
}

func (r *lineReader) run() {
	defer close(r.batches)
	for {
		line, tooLong, err := r.readLine()
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
		if !empty || full { // the time that the writer took is not the client's
			r.beforeLine()
		}
	}
}

// deliver gives the batch to the writer: at once, together with one that it has not taken yet, so that no line waits for the lines
// behind it. Only where that would be too much does it wait for the writer.
func (r *lineReader) deliver(must bool) (goOn bool) {
	if r.current.lastLine == 0 && !must {
		return true
	}
	if !must {
		select {
		case waiting := <-r.batches:
			if waiting.full() {
				r.batches <- waiting // there is room: nobody else sends
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

// merge is a batch and the lines behind it.
func (b *batch) merge(next batch) batch {
	next.lines = append(b.lines, next.lines...)
	next.errors = append(b.errors, next.errors...)
	next.types = append(b.types, next.types...)
	next.bytes += b.bytes
	return next
}

// readLine reads a line. One that is too long is read to its end and told.
func (r *lineReader) readLine() (line []byte, tooLong bool, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		if int64(len(line)+len(part)) > r.maxLine+2 { // its end is not counted
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

// finish is the stream's end. One that was cut is told from one that is whole where its first line says that it has a last one.
func (r *lineReader) finish(err error) {
	r.current.readErr = err
	if errors.Is(err, io.EOF) && r.hasTypes && !r.ended {
		r.addError(fault.Invalid("line", "the stream is cut: its last line, of kind end, is missing"))
	}
}

func (r *lineReader) addError(f *fault.Error) {
	r.current.errors = append(r.current.errors, newLineError(r.current.lastLine, f))
}

// parseLine parses a line into the batch.
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
	if r.ended {
		r.addError(fault.Invalid("line", "comes after the last line, of kind end"))
		return
	}
	switch kind := o.String("kind"); kind {
	case "node":
		r.counts[0]++
		r.add(graph.BulkLine{Node: r.node(o)}, o)
	case "edge":
		r.counts[1]++
		r.add(graph.BulkLine{Edge: r.edge(o)}, o)
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
	n := &graph.BulkNode{ID: r.id(o, graph.NodeKind), Ref: r.identifier(o, "ref"), Properties: o.NewProperties("properties", false, r.limits)}
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
	if !typed && !given && !o.Has("type") {
		o.Invalid("type", "is required; null makes a node without a type")
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
		ID: r.id(o, graph.EdgeKind), Type: typeMember(o), Source: r.bulkEnd(o, "source"), Target: r.bulkEnd(o, "target"),
		Properties: o.NewProperties("properties", false, r.limits),
	}
}

func (r *lineReader) bulkEnd(o *typedjson.Object, which string) graph.BulkEnd {
	end := graph.BulkEnd{ID: r.identifier(o, which+"_id"), Ref: r.identifier(o, which+"_ref")}
	switch {
	case end.ID == "" && end.Ref == "":
		o.Invalid(which+"_id", "is required, or %s_ref in its place", which)
	case end.ID != "" && end.Ref != "":
		o.Invalid(which+"_id", "must not be given besides %s_ref", which)
	}
	return end
}

// identifier reads an id or a ref; absent and null give the empty text.
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

// id reads the id that an entity of a kind is to have.
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

// types reads what the first line of an export says.
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

// end reads the last line of an export and holds it to what was read.
func (r *lineReader) end(o *typedjson.Object) {
	r.ended = true
	for i, kind := range []string{"nodes", "edges"} {
		if want, given := o.OptionalInteger(kind); given && want != r.counts[i] {
			o.Invalid(kind, "says %d, but there were %d: the stream is not whole", want, r.counts[i])
		}
	}
	if f := o.Finish(); f != nil {
		r.addError(f)
	}
}
