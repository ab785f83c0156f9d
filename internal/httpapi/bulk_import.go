package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

const (
	maxLineErrors = 100 // maximum number of errors in the response to an import
	// An import reports its progress every second, and every five seconds after a minute: a client that reads the response only after
	// it has sent everything must not be blocked by unread progress lines.
	progressInterval     = time.Second
	slowProgressInterval = 5 * time.Second
	slowProgressAfter    = time.Minute
	// maxHeldErrors are the errors of some 100,000 lines.
	maxHeldErrors = 16 << 20
)

// importGraph answers POST /api/import.
//
//	@Summary		Import nodes and edges
//	@Description	Each line is a JSON object (NDJSON): {"kind":"node"} with type, properties and optionally labels, id and ref, or {"kind":"edge"} with
//	@Description	type, optionally properties and id, and its ends: source_id or source_ref, target_id or target_ref. A ref is a name by which later lines
//	@Description	refer to the node; ids may also be those of nodes in the database. An id given to a new entity must be a UUID in lower case; any other id
//	@Description	that is valid in a path needs the permission **edit**. The lines of an export have this format.
//	@Description	Lines succeed or fail independently and are written in batches; batches that were written stay if the import stops early. A line is
//	@Description	limited to the size of a request body.
//	@Description
//	@Description	The answer is also a stream of lines: {"progress":{...}} about once a second, and finally {"data":{...},"meta":{...}} with the counts
//	@Description	and up to 100 errors. With errors=all lines {"errors":[...]} name all that failed; after 16 MiB of
//	@Description	them, read the answer while you send. An import that stops early ends with {"error":{...},"data":{...}} instead; data.lines is the number of processed lines.
//	@Description	It ends within a second after the user's rights end, with the code that a request would get (403 also if the user loses the permission
//	@Description	**edit** or the administrator role that it started with), and when a line is incomplete after 60 seconds. A user may have one import in progress (GRAPHREST_STREAMS_PER_USER).
//	@Description	With on_conflict=merge it needs the permission **edit** as well. A user with roles needs a grant for each line, as its
//	@Description	single request does; a line that none allows fails with PERMISSION_DENIED. An id of an entity that the user does not see
//	@Description	is a CONFLICT.
//	@Tags			Whole graphs
//	@Accept			application/x-ndjson
//	@Produce		application/x-ndjson
//	@Param			on_conflict	query		string	false	"What happens to a line whose id already exists: it fails, is skipped, or sets its properties on the entity"	Enums(error, skip, merge)	default(error)
//	@Param			errors		query		string	false	"first: the answer ends with the first 100 errors. all: it has a line with the errors of each batch as well"	Enums(first, all)	default(first)
//	@Param			body		body		string	true	"The lines"
//	@Success		200			{object}	Answer[ImportCounts]	"The last line"
//	@Failure		429			"RATE_LIMITED, also while another import of the user is in progress"
//	@Failure		503			"DATABASE_UNAVAILABLE, also while there are too many imports and exports"
//	@Router			/api/import [post]
func (a *API) importGraph(c *call) error {
	on := c.readEnum("on_conflict", string(graph.OnConflictError), string(graph.OnConflictSkip), string(graph.OnConflictMerge))
	allErrors := c.readEnum("errors", "first", "all") == "all"
	if err := c.validate(); err != nil {
		return err
	}
	st, err := a.streams.open(c)
	if err != nil {
		return err
	}
	defer st.end()
	run := importRun{stream: st, importer: a.options.Bulk.Import(graph.OnConflict(on)), allErrors: allErrors}
	return run.run(st.ctx)
}

// editIfMerge returns the permission edit if lines may change existing entities.
func editIfMerge(r *http.Request) auth.Permission {
	if r.URL.Query().Get("on_conflict") == string(graph.OnConflictMerge) {
		return auth.Edit
	}
	return ""
}

// checkImportPrivileges ends an import whose user has lost a privilege since it began: the permission edit, which allows any id, or
// the administrator role, which has no name budget.
func checkImportPrivileges(began, now auth.Principal) error {
	switch {
	case began.May(auth.Edit) && !now.May(auth.Edit):
		return fault.New(fault.PermissionDenied, "Permission denied: the import began with the permission edit, which the user no longer has")
	case began.Admin && !now.Admin:
		return fault.New(fault.PermissionDenied, "Permission denied: the import began as an administrator's, which the user no longer is")
	}
	return nil
}

// importRun is one import in progress.
type importRun struct {
	stream    *stream
	importer  graph.Importer
	allErrors bool
	// held are the lines of errors that are not written yet: a browser reads nothing until it has sent everything, and would wait for a
	// service that waits for it.
	held []byte

	mu     sync.Mutex
	counts ImportCounts
}

// run reads and writes lines and reports progress until the lines end or an error stops it. Lines are read and parsed while the
// previous batch is written.
func (r *importRun) run(ctx context.Context) error {
	reader := newLineReader(r.stream, r.stream.resetLineDeadline, r.stream.c.api, r.stream.c.principal.May(auth.Edit))
	stopProgress := r.reportProgress()
	failure := r.write(ctx, reader)
	reader.stop(r.stream.abortRead)
	stopProgress()
	if failure == nil {
		return r.finish(func(b []byte, data appender) []byte {
			b = data(append(b, `{"data":`...))
			b = append(b, `,"meta":{"status":"success","timestamp":"`...)
			return append(time.Now().UTC().AppendFormat(b, timestampFormat), `"}}`...)
		})
	}
	if r.counts.Lines == 0 && !r.stream.hasStarted() {
		return failure
	}
	f := r.stream.logFault(failure)
	return r.finish(func(b []byte, data appender) []byte {
		member := encodeErrorMember(f)
		b = append(append(b, '{'), member[:len(member)-1]...)
		return append(data(append(b, `,"data":`...)), '}')
	})
}

// write writes batches of lines until there are no more, or until an error stops the import.
func (r *importRun) write(ctx context.Context, reader *lineReader) error {
	defer r.writeHeld()
	for b := range reader.batches {
		if err := r.stream.confirm(); err != nil {
			return err
		}
		if len(b.types) > 0 {
			if err := r.importer.Types(ctx, b.types); err != nil {
				return cmp.Or(r.stream.endReason(), err)
			}
		}
		results, err := r.importer.Write(ctx, b.lines)
		r.hold(r.count(b, results, err))
		if err != nil {
			return cmp.Or(r.stream.endReason(), err) // the error of a canceled statement has no information
		}
		if b.readErr != nil {
			if f := r.stream.readError(b.readErr); f != nil {
				return f
			}
		}
	}
	return nil
}

// hold keeps the errors of a batch until all lines are read, or until they are maxHeldErrors bytes.
func (r *importRun) hold(errs []LineError) {
	if !r.allErrors || len(errs) == 0 {
		return
	}
	r.held = append(appendJSON(errs)(append(r.held, `{"errors":`...)), "}\n"...)
	if len(r.held) > maxHeldErrors {
		r.writeHeld()
	}
}

func (r *importRun) writeHeld() {
	if len(r.held) > 0 {
		_ = r.stream.writeLine(func(b []byte) []byte { return append(b, r.held[:len(r.held)-1]...) })
		r.held = nil
	}
}

// count adds the results of a batch and returns its errors. Lines of a failed batch without a result are not counted.
func (r *importRun) count(b batch, results []graph.BulkResult, failure error) []LineError {
	r.mu.Lock()
	defer r.mu.Unlock()
	if failure == nil {
		r.counts.Lines = b.lastLine
	}
	errs := b.errors
	for i, result := range results {
		counts := &r.counts.Nodes
		if b.lines[i].Edge != nil {
			counts = &r.counts.Edges
		}
		switch {
		case result.Fault != nil:
			counts.Failed++
			errs = append(errs, newLineError(b.lines[i].Number, result.Fault))
		case result.Done == graph.BulkCreated:
			r.counts.Created++
			counts.Created++
		case result.Done == graph.BulkUpdated:
			r.counts.Updated++
			counts.Updated++
		case result.Done == graph.BulkSkipped:
			r.counts.Skipped++
			counts.Skipped++
		}
	}
	r.counts.Failed += int64(len(errs))
	room := maxLineErrors - len(r.counts.Errors)
	r.counts.Errors = append(r.counts.Errors, errs[:min(len(errs), room)]...)
	return errs
}

func newLineError(line int64, f *fault.Error) LineError {
	m := LineError{Line: line, Code: string(f.Code), Message: f.Message, Details: []ErrorDetail{}}
	for _, d := range f.Details[:min(len(f.Details), fault.MaxDetails)] {
		m.Details = append(m.Details, ErrorDetail{Field: d.Field, Message: d.Message})
	}
	return m
}

// reportProgress writes progress lines until stop is called.
func (r *importRun) reportProgress() (stop func()) {
	done := make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		began := time.Now()
		for every := progressInterval; ; {
			select {
			case <-done:
				return
			case <-time.After(every):
			}
			if time.Since(began) > slowProgressAfter {
				every = slowProgressInterval
			}
			r.mu.Lock()
			p := r.counts.ImportProgress
			r.mu.Unlock()
			data := appendJSON(p)
			_ = r.stream.writeLine(func(b []byte) []byte { return append(data(append(b, `{"progress":`...)), '}') })
			_ = r.stream.flush() // reading the lines detects a disconnected client
		}
	})
	return func() {
		close(done)
		reporter.Wait()
	}
}

// finish writes the last line.
func (r *importRun) finish(line func(b []byte, data appender) []byte) error {
	if r.counts.Errors == nil {
		r.counts.Errors = []LineError{}
	}
	slices.SortStableFunc(r.counts.Errors, func(a, b LineError) int { return cmp.Compare(a.Line, b.Line) })
	r.stream.writeLastLine(func(b []byte) []byte { return line(b, appendJSON(r.counts)) })
	return nil
}
