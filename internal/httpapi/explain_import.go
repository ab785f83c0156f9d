package httpapi

import (
	"errors"
	"fmt"
	"slices"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

const importPath = "/api/import"

// readLines reads the member "lines" of an explained import. Lines with other problems than rights are left out.
func (e *explanation) readLines(body *typedjson.Object) {
	objects := body.Objects("lines")
	if len(objects) > batchLines {
		body.Invalid("lines", "must be at most %d lines", batchLines)
		return
	}
	r := lineReader{api: e.call.api, anyID: true}
	for n, o := range objects {
		r.current.lastLine = int64(n) + 1
		if o != nil {
			r.parseObject(o)
		}
	}
	e.body.lines = r.current.lines
}

// checkImport checks the lines of an import by an importer that writes nothing. The code is that of the first line that its user may not
// import.
func (e *explanation) checkImport() error {
	if len(e.body.lines) == 0 {
		e.pass("lines", "the body has no lines to check")
		return nil
	}
	on := graph.OnConflict(e.target.Query().Get("on_conflict"))
	results, err := e.call.api.options.Bulk.CheckImport(on).Write(e.ctx(), e.body.lines)
	if err != nil {
		return err
	}
	created := map[string]bool{} // refs of nodes
	for n, r := range results {
		line := e.body.lines[n]
		if r.Fault == nil {
			if line.Node != nil {
				created[line.Node.Ref] = true
			}
			continue
		}
		if err := e.noteLine(on, line, r.Fault, created); err != nil {
			return err
		}
	}
	if e.code == "" {
		e.decided = nil
		e.pass("lines", "the user may import each of the lines")
	}
	return nil
}

// noteLine adds a check of a line that fails because of its user's grants.
func (e *explanation) noteLine(on graph.OnConflict, line graph.BulkLine, f *fault.Error, created map[string]bool) error {
	check := fmt.Sprintf("lines[%d]", line.Number-1)
	var refusal rules.Refusal
	switch {
	case f.Code == fault.PermissionDenied:
		errors.As(f, &refusal)
		e.failLine(check, detailOf(f), f.Code, refusal.Decided...)
		return nil
	case f.Code == fault.Validation && line.Edge != nil:
		byRef := func(d fault.Detail) bool {
			return d.Field == "source_ref" && created[line.Edge.Source.Ref] || d.Field == "target_ref" && created[line.Edge.Target.Ref]
		}
		if slices.ContainsFunc(f.Details, byRef) {
			e.failLine(check, "names a new node that the user would not see", f.Code)
			return nil
		}
		return e.noteUnseen(check, f.Code, graph.NodeKind, line.Edge.Source.ID, line.Edge.Target.ID)
	case f.Code == fault.Conflict && on != graph.OnConflictError && line.Node != nil:
		return e.noteUnseen(check, f.Code, graph.NodeKind, line.Node.ID)
	case f.Code == fault.Conflict && on != graph.OnConflictError:
		return e.noteUnseen(check, f.Code, graph.EdgeKind, line.Edge.ID)
	}
	return nil
}

// noteUnseen fails a line that names an entity which the user does not see or, if it is an end of an edge, which does not exist.
func (e *explanation) noteUnseen(check string, code fault.Code, kind graph.Kind, ids ...string) error {
	for _, id := range ids {
		if id == "" {
			continue
		}
		one, err := e.read(kind, id)
		if fault.CodeOf(err) == fault.NotFound {
			if code == fault.Validation {
				e.failLine(check, "names a "+string(kind)+" that does not exist", code)
				return nil
			}
			continue
		}
		if err != nil {
			return err
		}
		if visible, decided := e.sees(one); !visible {
			e.failLine(check, "names a "+string(kind)+" that the user does not see", code, decided...)
			return nil
		}
	}
	return nil
}

// failLine fails the request by its first line that fails; of others only the check is added.
func (e *explanation) failLine(check, detail string, code fault.Code, decided ...rules.Decision) {
	if e.code == "" {
		e.fail(check, detail, code, decided...)
		return
	}
	e.checks = append(e.checks, CheckDocument{Check: check, Detail: detail})
}
