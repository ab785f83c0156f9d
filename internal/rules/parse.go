package rules

import (
	"maps"
	"slices"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

// ParseGrants reads the JSON array of a role's grants: see docs/permissions.md. Faults name paths below field, such as
// grants[0].where.status.
func ParseGrants(field, text string) ([]Grant, *fault.Error) {
	tree, f := typedjson.ParseTree(field, text)
	if f != nil {
		return nil, f
	}
	list, isList := tree.([]any)
	if !isList || len(list) > MaxGrants {
		return nil, fault.Invalid(field, "must be an array of at most %d grants", MaxGrants)
	}
	var p parser
	grants := make([]Grant, 0, len(list))
	for i, e := range list {
		grants = append(grants, p.grant(graph.ElementPath(field, i), e))
	}
	if f := p.Err(); f != nil {
		return nil, f
	}
	return grants, nil
}

// parser collects the faults of a role.
type parser struct{ typedjson.Faults }

func (p *parser) grant(path string, tree any) Grant {
	members, isObject := tree.(map[string]any)
	if !isObject {
		p.Invalid(path, "must be an object")
		return Grant{}
	}
	g := Grant{Kind: p.kind(path+".kind", members["kind"]), Type: p.typeName(path+".type", members["type"])}
	g.Actions = p.actions(path+".actions", members["actions"])
	g.Where = p.where(path+".where", members["where"])
	g.Hidden = p.properties(path+".hidden", members["hidden"])
	g.ReadOnly = p.properties(path+".read_only", members["read_only"])
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains([]string{"kind", "type", "actions", "where", "hidden", "read_only"}, name) {
			p.Invalid(graph.FieldPath(path, name), "is not a member of a grant")
		}
	}
	return g
}

func (p *parser) kind(path string, tree any) graph.Kind {
	kind, _ := tree.(string)
	if kind != string(graph.NodeKind) && kind != string(graph.EdgeKind) {
		p.Invalid(path, "must be node or edge")
	}
	return graph.Kind(kind)
}

func (p *parser) typeName(path string, tree any) string {
	name, isText := tree.(string)
	if !isText {
		p.Invalid(path, "must be the name of a type, or *")
		return ""
	}
	if name == AnyType {
		return name
	}
	if _, f := graph.ParseTypeName(path, name); f != nil {
		p.Add(f)
	}
	return name
}

func (p *parser) actions(path string, tree any) []Action {
	list, isList := tree.([]any)
	if !isList || len(list) == 0 {
		p.Invalid(path, "must be an array of read, create, edit and delete, at least one of them")
		return nil
	}
	named := map[Action]bool{}
	for i, e := range list {
		text, _ := e.(string)
		if !slices.Contains(Actions(), Action(text)) {
			p.Invalid(graph.ElementPath(path, i), "must be read, create, edit or delete")
		}
		named[Action(text)] = true
	}
	return slices.DeleteFunc(Actions(), func(a Action) bool { return !named[a] })
}

func (p *parser) properties(path string, tree any) []string {
	if tree == nil {
		return nil
	}
	list, isList := tree.([]any)
	if !isList || len(list) > MaxHidden {
		p.Invalid(path, "must be an array of at most %d property names", MaxHidden)
		return nil
	}
	var names []string
	for i, e := range list {
		name, isText := e.(string)
		if !isText || name == "" {
			p.Invalid(graph.ElementPath(path, i), "must be the name of a property")
		} else if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (p *parser) where(path string, tree any) []Condition {
	if tree == nil {
		return nil
	}
	references := map[int]string{}
	refer := func(i int, c graph.Condition, literal any) (bool, *fault.Error) {
		members, isObject := literal.(map[string]any)
		reference, given := members["$user"]
		if !isObject || !given || len(members) != 1 {
			return false, nil
		}
		references[i] = p.user(c.Field, c.Operator, reference)
		return true, nil
	}
	parsed, faults := typedjson.ParseConditions(path, tree, typedjson.ConditionsOf{Refer: refer})
	p.Add(faults...)
	conditions := make([]Condition, len(parsed))
	for i, c := range parsed {
		conditions[i] = Condition{Condition: c, User: references[i]}
	}
	return conditions
}

func (p *parser) user(path string, operator graph.Operator, tree any) string {
	reference, _ := tree.(string)
	name, isAttribute := strings.CutPrefix(reference, attributePrefix)
	if reference != "id" && reference != "username" && (!isAttribute || name == "") {
		p.Invalid(path, "must refer to username, id, or attributes. and a name")
	}
	if operator == graph.Exists {
		p.Invalid(path, "must be true or false")
	}
	return reference
}

// AppendGrants appends the JSON of grants, which ParseGrants reads.
func AppendGrants(dst []byte, grants []Grant) []byte {
	return typedjson.AppendList(dst, grants, appendGrant)
}

func appendGrant(dst []byte, g *Grant) []byte {
	dst = append(dst, `{"kind":`...)
	dst = typedjson.AppendString(dst, string(g.Kind))
	dst = append(dst, `,"type":`...)
	dst = typedjson.AppendString(dst, g.Type)
	dst = append(dst, `,"actions":`...)
	dst = typedjson.AppendList(dst, g.Actions, func(dst []byte, a *Action) []byte { return typedjson.AppendString(dst, string(*a)) })
	if len(g.Where) > 0 {
		dst = appendWhere(append(dst, `,"where":`...), g.Where)
	}
	if len(g.Hidden) > 0 {
		dst = appendNames(append(dst, `,"hidden":`...), g.Hidden)
	}
	if len(g.ReadOnly) > 0 {
		dst = appendNames(append(dst, `,"read_only":`...), g.ReadOnly)
	}
	return append(dst, '}')
}

func appendNames(dst []byte, names []string) []byte {
	return typedjson.AppendList(dst, names, func(dst []byte, name *string) []byte { return typedjson.AppendString(dst, *name) })
}

// appendWhere appends conditions, which are in the order of their properties.
func appendWhere(dst []byte, where []Condition) []byte {
	dst = append(dst, '{')
	for i := range where {
		c := &where[i]
		switch {
		case i == 0 || where[i-1].Property != c.Property:
			if i > 0 {
				dst = append(dst, "},"...)
			}
			dst = append(typedjson.AppendString(dst, c.Property), `:{`...)
		default:
			dst = append(dst, ',')
		}
		dst = append(typedjson.AppendString(dst, string(c.Operator)), ':')
		if c.User != "" {
			dst = append(typedjson.AppendString(append(dst, `{"$user":`...), c.User), '}')
		} else {
			dst = typedjson.AppendValue(dst, c.Value)
		}
	}
	return append(dst, "}}"...)
}
