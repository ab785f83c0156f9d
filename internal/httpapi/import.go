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
	maxLineErrors = 100 // mistakes that the answer to an import lists
	// An import tells its progress every second, and after a minute every few: a client that reads the answer only once it has
	// sent everything must not be blocked by what it has not read.
	progressInterval     = time.Second
	slowProgressInterval = 5 * time.Second
	slowProgressAfter    = time.Minute
)

// importGraph answers POST /api/import.
//
//	@Summary		Import nodes and edges
//	@Description	Each line is a JSON object (NDJSON): {"kind":"node"} with type, properties and optionally labels, id and ref, or {"kind":"edge"} with
//	@Description	type, optionally properties and id, and its ends: source_id or source_ref, target_id or target_ref. A ref is a name that lines
//	@Description	after the node may call it by; ids may be those of nodes in the database as well. An id that a line gives its entity must be a UUID in lower case; any other that can stand in a
//	@Description	path needs the permission **edit**. The lines of an export are such lines.
//	@Description	Lines succeed or fail apart, in transactions of many; what was written stays when the import breaks off. A line is at most
//	@Description	as long as the body of a request.
//	@Description
//	@Description	The answer is a stream of lines too: {"progress":{...}} about once a second, and last {"data":{...},"meta":{...}} with the counts
//	@Description	and up to 100 mistakes. An import that broke off ends with {"error":{...},"data":{...}} instead; data.lines is how many lines were handled.
//	@Description	It ends within a second when the user's rights end, with the code that a request would get (403 also when the permission **edit** or the
//	@Description	rights of an administrator end that it began with), and when a line is not whole after 60 seconds. One user may have one import under way (GRAPHREST_STREAMS_PER_USER).
//	@Description	With on_conflict=merge it needs the permission **edit** as well.
//	@Tags			Whole graphs
//	@Accept			application/x-ndjson
//	@Produce		application/x-ndjson
//	@Security		BearerAuth
//	@Param			on_conflict	query		string	false	"A line whose id exists already fails, is skipped, or sets the properties it has"	Enums(error, skip, merge)	default(error)
//	@Param			body		body		string	true	"The lines"
//	@Success		200			{object}	ImportAnswer	"The last line"
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: needs the permission create"
//	@Failure		415			{object}	ErrorAnswer	"UNSUPPORTED_MEDIA_TYPE"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED, also while the user has another import under way"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE, also while there are too many imports and exports"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/import [post]
func (a *API) importGraph(c *call) error {
	on := c.enum("on_conflict", string(graph.OnConflictError), string(graph.OnConflictSkip), string(graph.OnConflictMerge))
	if err := c.validate(); err != nil {
		return err
	}
	st, err := a.streams.open(c)
	if err != nil {
		return err
	}
	defer st.end()
	run := importRun{stream: st, importer: a.options.Bulk.Import(graph.OnConflict(on))}
	return run.run(st.ctx)
}

// editIfMerge asks for the permission to edit where lines may change what is there.
func editIfMerge(r *http.Request) auth.Permission {
	if r.URL.Query().Get("on_conflict") == string(graph.OnConflictMerge) {
		return auth.Edit
	}
	return ""
}

// checkImportPrivileges ends an import whose user had more freedom when it began: the ids of its lines were read with the permission to edit, and
// its names count against no budget as an administrator's.
func checkImportPrivileges(began, now auth.Principal) error {
	switch {
	case began.May(auth.Edit) && !now.May(auth.Edit):
		return fault.New(fault.PermissionDenied, "Permission denied: the import began with the permission edit, which the user no longer has")
	case began.Admin && !now.Admin:
		return fault.New(fault.PermissionDenied, "Permission denied: the import began as an administrator's, which the user no longer is")
	}
	return nil
}

// importRun is one import under way.
type importRun struct {
	stream   *stream
	importer graph.Importer

	mu     sync.Mutex
	counts ImportCounts
}

// run reads, writes and tells until the lines end or something breaks. Lines are read and parsed while those before them are written.
func (r *importRun) run(ctx context.Context) error {
	limits, most := r.stream.c.api.options.Limits, r.stream.c.api.options.MaxBody
	reader := newLineReader(r.stream, r.stream.resetLineDeadline, most, limits, r.stream.c.principal.May(auth.Edit))
	stopTelling := r.reportProgress()
	broken := r.write(ctx, reader)
	reader.stop(r.stream.abortRead)
	stopTelling()
	if broken == nil {
		return r.finish(func(b []byte, data appender) []byte {
			b = data(append(b, `{"data":`...))
			b = append(b, `,"meta":{"status":"success","timestamp":"`...)
			return append(time.Now().UTC().AppendFormat(b, timestampFormat), `"}}`...)
		})
	}
	if r.counts.Lines == 0 && !r.stream.hasStarted() {
		return broken
	}
	f := r.stream.logFault(broken)
	return r.finish(func(b []byte, data appender) []byte {
		member := errorMember(f)
		b = append(append(b, '{'), member[:len(member)-1]...)
		return append(data(append(b, `,"data":`...)), '}')
	})
}

// write takes batches of lines until there are no more. The error is what broke the import off.
func (r *importRun) write(ctx context.Context, reader *lineReader) error {
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
		r.count(b, results, err)
		if err != nil {
			return cmp.Or(r.stream.endReason(), err) // a statement that was cut says nothing of use
		}
		if b.readErr != nil {
			if f := r.stream.readError(b.readErr); f != nil {
				return f
			}
		}
	}
	return nil
}

// count adds what became of a batch. Lines of a batch that broke off and have no result are not counted.
func (r *importRun) count(b batch, results []graph.BulkResult, broken error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if broken == nil {
		r.counts.Lines = b.lastLine
	}
	for _, m := range b.errors {
		r.counts.Failed++
		r.addError(m)
	}
	for i, result := range results {
		each := &r.counts.Nodes
		if b.lines[i].Edge != nil {
			each = &r.counts.Edges
		}
		switch {
		case result.Fault != nil:
			r.counts.Failed++
			each.Failed++
			r.addError(newLineError(b.lines[i].Number, result.Fault))
		case result.Done == graph.BulkCreated:
			r.counts.Created++
			each.Created++
		case result.Done == graph.BulkUpdated:
			r.counts.Updated++
			each.Updated++
		case result.Done == graph.BulkSkipped:
			r.counts.Skipped++
			each.Skipped++
		}
	}
}

func (r *importRun) addError(m LineError) {
	if len(r.counts.Errors) < maxLineErrors {
		r.counts.Errors = append(r.counts.Errors, m)
	}
}

func newLineError(line int64, f *fault.Error) LineError {
	m := LineError{Line: line, Code: string(f.Code), Message: f.Message, Details: []ErrorDetail{}}
	for _, d := range f.Details[:min(len(f.Details), maxDetails)] {
		m.Details = append(m.Details, ErrorDetail{Field: d.Field, Message: d.Message})
	}
	return m
}

// reportProgress writes a line now and then, until it is stopped.
func (r *importRun) reportProgress() (stop func()) {
	done := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
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
			_ = r.stream.flush() // a client that has left shows when its lines are read
		}
	})
	return func() {
		close(done)
		telling.Wait()
	}
}

// finish writes the last line.
func (r *importRun) finish(line func(b []byte, data appender) []byte) error {
	if r.counts.Errors == nil {
		r.counts.Errors = []LineError{}
	}
	slices.SortStableFunc(r.counts.Errors, func(a, b LineError) int { return cmp.Compare(a.Line, b.Line) })
	_ = r.stream.writeLine(func(b []byte) []byte { return line(b, appendJSON(r.counts)) })
	_ = r.stream.flush()
	return nil
}
