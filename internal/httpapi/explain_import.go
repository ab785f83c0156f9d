package httpapi

import (
	"errors"
	"fmt"

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
	created := map[graph.BulkEnd]*graph.BulkNode{} // nodes by ref and by id
	for n, r := range results {
		line := e.body.lines[n]
		if r.Fault == nil {
			if node := line.Node; node != nil {
				created[graph.BulkEnd{Ref: node.Ref}], created[graph.BulkEnd{ID: node.ID}] = node, node
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
func (e *explanation) noteLine(on graph.OnConflict, line graph.BulkLine, f *fault.Error, created map[graph.BulkEnd]*graph.BulkNode) error {
	check := fmt.Sprintf("lines[%d]", line.Number-1)
	var refusal rules.Refusal
	switch {
	case f.Code == fault.PermissionDenied:
		errors.As(f, &refusal)
		e.failLine(check, detailOf(f), f.Code, refusal.Decided...)
		return nil
	case f.Code == fault.Validation && line.Edge != nil:
		return e.noteEnds(check, f, line.Edge, created)
	case f.Code == fault.Conflict && on != graph.OnConflictError && line.Node != nil:
		_, err := e.noteUnseen(check, f.Code, graph.NodeKind, line.Node.ID)
		return err
	case f.Code == fault.Conflict && on != graph.OnConflictError:
		_, err := e.noteUnseen(check, f.Code, graph.EdgeKind, line.Edge.ID)
		return err
	}
	return nil
}

// noteEnds fails an edge by the first end at fault, unless the user sees this end: then the fault is not about rights.
func (e *explanation) noteEnds(check string, f *fault.Error, edge *graph.BulkEdge, created map[graph.BulkEnd]*graph.BulkNode) error {
	ends := map[string]graph.BulkEnd{
		"source_id": edge.Source, "source_ref": edge.Source, "target_id": edge.Target, "target_ref": edge.Target,
	}
	for _, d := range f.Details {
		end, isEnd := ends[d.Field]
		if !isEnd {
			continue
		}
		node := created[end]
		if node != nil && node.ID != "" {
			end = graph.BulkEnd{ID: node.ID}
		}
		exists, err := e.noteUnseen(check, f.Code, graph.NodeKind, end.ID)
		switch {
		case err != nil || exists:
			return err
		case node == nil && end.Ref != "":
			e.failLine(check, "names a ref that no earlier line has created", f.Code)
			return nil
		case node == nil:
			e.failLine(check, "names a node that does not exist", f.Code)
			return nil
		}
		labels := mapSlice(node.Labels, func(t graph.TypeName) string { return string(t) })
		made := explainedEntity{kind: graph.NodeKind, names: labels, properties: graph.Stored(node.Properties)}
		if visible, decided := e.sees(made); !visible {
			e.failLine(check, "names a new node that the user would not see", f.Code, decided...)
			return nil
		}
	}
	return nil
}

// noteUnseen fails a line that names an entity which the user does not see. exists is false if there is none with this id.
func (e *explanation) noteUnseen(check string, code fault.Code, kind graph.Kind, id string) (exists bool, err error) {
	if id == "" {
		return false, nil
	}
	one, err := e.read(kind, id)
	if err != nil {
		return false, fault.Ignore(err, fault.NotFound)
	}
	if visible, decided := e.sees(one); !visible {
		e.failLine(check, "names a "+string(kind)+" that the user does not see", code, decided...)
	}
	return true, nil
}

// failLine fails the request by its first line that fails; of others only the check is added.
func (e *explanation) failLine(check, detail string, code fault.Code, decided ...rules.Decision) {
	if e.code == "" {
		e.fail(check, detail, code, decided...)
		return
	}
	e.checks = append(e.checks, CheckDocument{Check: check, Detail: detail})
}
