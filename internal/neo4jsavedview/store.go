// Package neo4jsavedview stores saved views.
package neo4jsavedview

import (
	"context"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"

	"graphrest/cypher"
	"graphrest/internal/audit"
	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jaudit"
	"graphrest/internal/savedview"
)

// maxID is greater than every id.
const maxID = "~"

// Store is a savedview.Store. It is safe for concurrent use.
type Store struct {
	client *bolt.Client
	audit  *neo4jaudit.Store
}

var _ savedview.Store = (*Store)(nil)

// New creates the store. Changes are recorded in the audit.
func New(client *bolt.Client, trail *neo4jaudit.Store) *Store {
	return &Store{client: client, audit: trail}
}

// SavedViews lists saved views: see savedview.Store.
func (s *Store) SavedViews(ctx context.Context, u savedview.User, q savedview.Query) (list savedview.List, err error) {
	before := q.After
	if before == "" {
		before = maxID
	}
	params := readerParams(u)
	params["page"], params["before"], params["limit"], params["own"] = string(q.Page), before, q.Limit+1, nil
	if q.Own != nil {
		params["own"] = *q.Own
	}
	rows, err := s.client.ReadLatest(ctx, cypher.SavedViewList.Text(nil), params)
	if err != nil {
		return list, bolt.Translate(err)
	}
	for _, row := range rows[:min(len(rows), q.Limit)] {
		list.Views = append(list.Views, decodeView(row, u))
	}
	if len(rows) > q.Limit {
		list.Next = list.Views[q.Limit-1].ID
	}
	return list, nil
}

// SavedView reads a saved view: see savedview.Store.
func (s *Store) SavedView(ctx context.Context, u savedview.User, id string) (savedview.SavedView, error) {
	params := readerParams(u)
	params["id"] = id
	rows, err := s.client.ReadLatest(ctx, cypher.SavedViewRead.Text(nil), params)
	row, err := bolt.OnlyRow(rows, err, errNoView())
	if err == nil {
		err = graph.TakeBytes(ctx, bolt.SizeOfRow(row.Values))
	}
	return viewUnless(err, row, u)
}

// CreateSavedView adds a saved view: see savedview.Store.
func (s *Store) CreateSavedView(ctx context.Context, u savedview.User, v savedview.New) (savedview.SavedView, error) {
	if !u.Admin && !containsAll(u.Roles, v.Roles) {
		return savedview.SavedView{}, errUnknownRole(u)
	}
	id, err := graph.NewID("SavedView")
	if err != nil {
		return savedview.SavedView{}, fault.Wrap(err, fault.Internal, "Internal error")
	}
	params := s.audit.AdminParameters(ctx, audit.Create, audit.SavedView, id, v.Name)
	params["id"], params["user"], params["max"], params["shared"] = id, u.ID, savedview.MaxPerUser, distinct(v.Roles)
	params["row"] = map[string]any{
		"name": v.Name, "description": v.Description, "page": string(v.Page), "state": v.State, "everyone": v.Everyone,
	}
	rows, err := s.client.RepeatWrite(ctx, cypher.SavedViewCreate.Text(nil), params) // it recognizes what it has written
	row, err := bolt.OnlyRow(rows, err, fault.New(fault.TokenRevoked, "The user was deleted"), bolt.If("unknown", errUnknownRole(u)))
	if err == nil && bolt.Column[map[string]any](row, "view") == nil {
		err = fault.New(fault.Conflict, "You have "+strconv.Itoa(savedview.MaxPerUser)+" saved views, which is the maximum; delete one first")
	}
	return viewUnless(err, row, u)
}

// UpdateSavedView changes a saved view: see savedview.Store.
func (s *Store) UpdateSavedView(
	ctx context.Context, u savedview.User, id string, c savedview.Change, when graph.Precondition,
) (savedview.SavedView, error) {
	name := ""
	if c.Name != nil {
		name = *c.Name
	}
	changes := encodeChange(c)
	params := s.audit.AdminParameters(ctx, audit.Update, audit.SavedView, id, name, changes.Names...)
	params["id"], params["user"], params["roles"], params["versions"] = id, u.ID, nonNil(u.Roles), bolt.VersionsOf(when)
	params["set"], params["share"], params["shared"], params["write"] = changes.Set, c.Roles != nil, []string{}, rand.Text()
	if c.Roles != nil {
		params["shared"] = distinct(*c.Roles)
	}
	params["allowed"] = nonNil(u.Roles)
	if u.Admin {
		params["allowed"] = nil
	}
	rows, err := s.client.RepeatWrite(ctx, cypher.SavedViewUpdate.Text(nil), params)
	row, err := bolt.OnlyRow(rows, err, errNoView(),
		bolt.Unless("own", errNotOwner("change")), bolt.Unless("matches", errDiffers()), bolt.If("unknown", errUnknownRole(u)))
	return viewUnless(err, row, u)
}

// DeleteSavedView removes a saved view: see savedview.Store.
func (s *Store) DeleteSavedView(ctx context.Context, u savedview.User, id string, when graph.Precondition) error {
	params := s.audit.AdminParameters(ctx, audit.Delete, audit.SavedView, id, "")
	params["id"], params["user"], params["roles"], params["admin"] = id, u.ID, nonNil(u.Roles), u.Admin
	params["versions"] = bolt.VersionsOf(when)
	rows, err := s.client.Write(ctx, cypher.SavedViewDelete.Text(nil), params)
	_, err = bolt.OnlyRow(rows, err, errNoView(), bolt.Unless("allowed", errNotOwner("delete")), bolt.Unless("matches", errDiffers()))
	return err
}

func errNoView() error { return fault.New(fault.NotFound, "There is no such saved view") }

func errNotOwner(what string) error {
	return fault.New(fault.PermissionDenied, "Permission denied: only its owner may "+what+" a saved view; save a copy instead")
}

func errDiffers() error {
	return fault.New(fault.PreconditionFailed, "The saved view was changed since; its ETag does not match If-Match")
}

func errUnknownRole(u savedview.User) error {
	if u.Admin {
		return fault.Invalid("roles", "must be names of roles that exist")
	}
	return fault.Invalid("roles", "must be names of roles that you have")
}

// readerParams are the parameters that say what a user may read.
func readerParams(u savedview.User) map[string]any {
	return map[string]any{"user": u.ID, "roles": nonNil(u.Roles)}
}

func encodeChange(c savedview.Change) bolt.Changes {
	changes := bolt.Changes{Set: map[string]any{}}
	bolt.Give(&changes, "name", c.Name)
	bolt.Give(&changes, "description", c.Description)
	bolt.GiveAs(&changes, "page", c.Page, func(p savedview.Page) string { return string(p) })
	bolt.Give(&changes, "state", c.State)
	if c.Roles != nil { // which are relationships
		changes.Names = append(changes.Names, "roles")
	}
	bolt.Give(&changes, "everyone", c.Everyone)
	return changes
}

// viewUnless is the saved view of a row, if there is no error.
func viewUnless(err error, row *bolt.Record, u savedview.User) (savedview.SavedView, error) {
	if err != nil {
		return savedview.SavedView{}, err
	}
	return decodeView(row, u), nil
}

// decodeView returns the saved view of a row as a user sees it.
func decodeView(row *bolt.Record, u savedview.User) savedview.SavedView {
	stored := bolt.Column[map[string]any](row, "view")
	v := savedview.SavedView{
		ID: bolt.AsText(stored["id"]), Name: bolt.AsText(stored["name"]), Description: bolt.AsText(stored["description"]),
		Page: savedview.Page(bolt.AsText(stored["page"])), State: bolt.AsText(stored["state"]), OwnerID: bolt.AsText(stored["owner_id"]),
		Owner: bolt.Column[string](row, "owner"), CreatedAt: bolt.AsTime(stored["created_at"]), UpdatedAt: bolt.AsTime(stored["updated_at"]),
	}
	v.Everyone, _ = stored["everyone"].(bool)
	v.Version, _ = stored["version"].(int64)
	if v.Own = v.OwnerID == u.ID; v.Own {
		v.Roles = []string{}
		for _, name := range bolt.Column[[]any](row, "shared") {
			v.Roles = append(v.Roles, bolt.AsText(name))
		}
		slices.Sort(v.Roles)
	}
	return v
}

func containsAll(have, want []string) bool {
	return !slices.ContainsFunc(want, func(name string) bool { return !slices.Contains(have, name) })
}

// distinct returns each name once.
func distinct(names []string) []string {
	sorted := slices.SortedFunc(slices.Values(names), strings.Compare)
	return nonNil(slices.Compact(sorted))
}

// nonNil returns an empty list for nil, which would be null in a statement.
func nonNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
