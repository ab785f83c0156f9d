// Package configfiles is configuration as code: it reads roles, rights of users, declared types, indexes, webhooks, saved queries, views
// and styles from files, compares them with those of a gateway, and makes the gateway's equal to them, over HTTP as any client does.
package configfiles

import (
	"math"
	"net/url"
	"slices"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/query"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

// kind is a kind of objects that have files.
type kind struct {
	name   string // of one object, in messages
	folder string
	path   string // of the list in the API
	query  string // of the list
	// identity has the members that name an object; members the others, in the order of a file.
	identity []string
	members  []member
	put      bool // a PUT creates one
	whole    bool // a PUT replaces the whole object
	fixed    bool // it cannot be changed, but deleted and created
	kept     bool // objects are neither created nor deleted
	byID     bool // its path has an id instead of the identity, and its list has no state
	managed  bool // only those that the gateway manages are compared
	// canonical replaces what the gateway stores in another form than it accepts; it also reports what is invalid.
	canonical func(object) error
}

// member is a member of an object. A file may leave it out if it has the usual value.
type member struct {
	name    string
	usual   any
	set     bool // a list whose order has no meaning
	needed  bool
	loose   bool // if a file leaves it out, it stays as it is
	cleared bool // null removes it from an object that has it
	inFiles bool // only files have it
}

// secretVariable is the member of a webhook's file that names the environment variable with the secret of a new webhook.
const secretVariable = "secret_env"

const queriesFolder = "queries"

// kinds are in the order in which objects are made: each may name those before it.
var kinds = []*kind{
	{
		name: "type", folder: "types", path: "/api/admin/types", identity: []string{"kind", "type"}, put: true, whole: true,
		members: []member{
			{name: "level", needed: true},
			{name: "schema", needed: true},
			{name: "unique", usual: []any{}},
			{name: "source_types", usual: []any{}},
			{name: "target_types", usual: []any{}},
		},
	},
	{
		name: "index", folder: "indexes", path: "/api/admin/indexes", identity: []string{"name"}, fixed: true, managed: true,
		members: []member{
			{name: "entity", needed: true},
			{name: "kind", needed: true},
			{name: "type", needed: true},
			{name: "properties", needed: true},
		},
	},
	{
		name: "search index", folder: "search-indexes", path: "/api/admin/search-indexes", identity: []string{"name"},
		fixed: true, managed: true,
		members: []member{
			{name: "kind", needed: true},
			{name: "types", needed: true, set: true},
			{name: "properties", needed: true, set: true},
			{name: "analyzer", loose: true},
		},
	},
	{
		name: "style", folder: "styles", path: "/api/admin/type-styles", identity: []string{"kind", "type"}, put: true,
		members: []member{
			{name: "color", cleared: true},
			{name: "size", cleared: true},
			{name: "width", cleared: true},
			{name: "caption", cleared: true},
			{name: "icon", cleared: true},
		},
	},
	{
		name: "query", folder: queriesFolder, path: "/api/admin/queries", identity: []string{"name"}, canonical: canonicalQuery,
		members: []member{
			{name: "description", usual: ""},
			{name: "cypher"},
			{name: "pattern"},
			{name: "parameters", usual: map[string]any{}},
			{name: "timeout", cleared: true},
			{name: "max_rows", usual: int64(query.DefaultRows)},
			{name: "max_bytes", usual: int64(query.DefaultBytes)},
			{name: "cache_seconds", usual: int64(0)},
			{name: "allow", usual: []any{}, set: true},
		},
	},
	{
		name: "role", folder: "roles", path: "/api/admin/roles", identity: []string{"name"}, canonical: canonicalRole,
		members: []member{
			{name: "description", usual: ""},
			{name: "grants", usual: []any{}},
			{name: "queries", usual: []any{}, set: true},
		},
	},
	{
		name: "user", folder: "users", path: "/api/admin/users", identity: []string{"username"}, kept: true, canonical: canonicalUser,
		members: []member{
			{name: "permissions", set: true, loose: true},
			{name: "roles", set: true, loose: true},
			{name: "admin", loose: true},
			{name: "disabled", loose: true},
			{name: "rate_limit", loose: true, cleared: true},
			{name: "attributes", loose: true},
		},
	},
	{
		name: "webhook", folder: "webhooks", path: "/api/admin/webhooks", identity: []string{"name"},
		members: []member{
			{name: "url", needed: true},
			{name: "kinds", usual: []any{}, set: true},
			{name: "types", usual: []any{}, set: true},
			{name: "actions", usual: []any{}, set: true},
			{name: "enabled", usual: true},
			{name: secretVariable, inFiles: true},
		},
	},
	{
		name: "view", folder: "views", path: "/api/views", query: "owner=me", identity: []string{"name"}, byID: true,
		members: []member{
			{name: "description", usual: ""},
			{name: "page", needed: true},
			{name: "state", needed: true},
			{name: "roles", usual: []any{}, set: true},
			{name: "everyone", usual: false},
		},
	},
}

// Folders are the names of the folders that a directory may have.
func Folders() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.folder
	}
	return names
}

// kindOf is the kind that has a folder; nil if none has.
func kindOf(folder string) *kind {
	i := slices.IndexFunc(kinds, func(k *kind) bool { return k.folder == folder })
	if i < 0 {
		return nil
	}
	return kinds[i]
}

func (k *kind) member(name string) *member {
	i := slices.IndexFunc(k.members, func(m member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &k.members[i]
}

// object has the members of an object as trees of typedjson.
type object map[string]any

// key identifies an object among those of its kind.
func (k *kind) key(o object) string {
	parts := make([]string, len(k.identity))
	for i, name := range k.identity {
		parts[i], _ = o[name].(string)
	}
	return strings.Join(parts, " ")
}

// address is the path of an object.
func (k *kind) address(o object) string {
	names := k.identity
	if k.byID {
		names = []string{"id"}
	}
	path := k.path
	for _, name := range names {
		text, _ := o[name].(string)
		path += "/" + url.PathEscape(text)
	}
	return path
}

func canonicalRole(o object) error {
	grants, f := rules.ParseGrants("grants", string(typedjson.AppendTree(nil, o["grants"])))
	if f != nil {
		return f
	}
	tree, f := typedjson.ParseTree("grants", string(rules.AppendGrants(nil, grants)))
	if f != nil {
		return f
	}
	o["grants"] = tree
	return nil
}

func canonicalUser(o object) error {
	if _, given := o["attributes"]; !given {
		return nil
	}
	body, f := typedjson.ParseObject(typedjson.AppendTree(nil, map[string]any{"attributes": o["attributes"]}))
	if f != nil {
		return f
	}
	attributes := body.NewProperties("attributes", true, graph.DefaultLimits)
	if f := body.Finish(); f != nil {
		return f
	}
	tree, f := typedjson.ParseTree("attributes", string(typedjson.AppendProperties(nil, attributes)))
	if f != nil {
		return f
	}
	o["attributes"] = tree
	return nil
}

// canonicalQuery gives a query the form in which it is saved, such as a timeout of 2 for "2s".
func canonicalQuery(o object) error {
	given := map[string]any{}
	for name, value := range o {
		if value != nil {
			given[name] = value
		}
	}
	body, f := typedjson.ParseObject(typedjson.AppendTree(nil, given))
	if f != nil {
		return f
	}
	d := query.ParseDefinition(body, query.NewDefinition(), math.MaxInt64)
	if f := body.Finish(); f != nil {
		return f
	}
	tree, f := typedjson.ParseTree("", "{"+string(query.AppendDefinition(nil, &d))+"}")
	if f != nil {
		return f
	}
	saved, _ := tree.(map[string]any)
	for name := range o {
		o[name] = saved[name]
	}
	return nil
}
