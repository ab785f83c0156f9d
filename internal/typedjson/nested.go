package typedjson

import (
	"graphrest/internal/fault"
)

// Objects reads a required array of objects. An element that is not an object is a problem, and nil in the result. Each object is finished
// by FinishNested.
func (o *Object) Objects(name string) []*Object {
	i, given := o.given(name)
	o.require(name, given)
	if !given {
		return nil
	}
	if o.tokens[i].kind != tokenArray {
		o.Invalid(name, "must be an array of objects")
		return nil
	}
	objects := make([]*Object, 0, o.tokens[i].end)
	for n, e := range o.elements(i) {
		path := elementPath(name, n)
		if o.tokens[e].kind != tokenObject {
			addDetail(&o.details, path, "must be an object")
			objects = append(objects, nil)
			continue
		}
		objects = append(objects, o.nested(path, e))
	}
	return objects
}

// Object reads a member that is an object; nil if it is something else or absent. Only then it is not marked as known, so that the caller
// can read it as another type. The object is finished by FinishNested.
func (o *Object) Object(name string) *Object {
	i := o.find(name)
	if i < 0 || o.tokens[i].kind != tokenObject {
		return nil
	}
	o.member(name)
	return o.nested(name, i)
}

func (o *Object) nested(path string, root int) *Object {
	n := &Object{document: o.document, root: root, path: path}
	n.knownMembers = n.knownBuffer[:0]
	return n
}

// FinishNested adds the problems of a nested object to those of this one, with the nested object's path. Unknown members are problems.
func (o *Object) FinishNested(nested *Object) {
	f := nested.Finish()
	if f == nil {
		return
	}
	for _, d := range f.Details {
		o.Add(fault.New(f.Code, f.Message, fault.Detail{Field: nested.path + "." + d.Field, Message: d.Message}))
	}
}
