// Package savedview keeps what users saved of the pages of a client: filters, columns, the content of a canvas. A saved view belongs to a
// user, who may share it with roles or with everyone. The state is the client's: it is stored and never interpreted here. A saved view
// grants nothing: whoever opens one reads the graph with the own rights.
package savedview

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

const (
	// MaxPerUser bounds the saved views of one user.
	MaxPerUser = 100
	// MaxState is the maximum size of a state, in bytes of JSON without spaces: a canvas of 2,000 nodes with their positions.
	MaxState = 256 << 10
	// MaxName is the maximum length of a name, in characters.
	MaxName = 64
	// MaxDescription is the maximum length of a description, in characters.
	MaxDescription = 1000
	// MaxRoles bounds the roles that a saved view is shared with.
	MaxRoles = 20
)

// Page is the page of the client that a saved view is about.
type Page string

// The pages.
const (
	Nodes   Page = "nodes"
	Edges   Page = "edges"
	Explore Page = "explore"
)

// Pages lists every page.
func Pages() []string { return []string{string(Nodes), string(Edges), string(Explore)} }

// User is who reads or changes saved views.
type User struct {
	ID    string
	Roles []string // names
	Admin bool
}

// SavedView is a saved view as its reader sees it.
type SavedView struct {
	ID          string
	Name        string
	Description string
	Page        Page
	State       string // a JSON object; empty in lists
	OwnerID     string
	Owner       string   // name; empty if the owner was just deleted
	Own         bool     // the reader is the owner
	Roles       []string // names, sorted; nil for others than the owner
	Everyone    bool     // shared with every user
	Version     int64    // grows with every change, and when a role that it is shared with is deleted

	CreatedAt, UpdatedAt time.Time // by the database's clock
}

// Revision is the ETag.
func (v *SavedView) Revision() graph.Revision {
	return graph.Revision(strconv.FormatInt(v.Version, 10))
}

// New is the input of a creation.
type New struct {
	Name        string
	Description string
	Page        Page
	State       string
	Roles       []string
	Everyone    bool
}

// Change is an update; a nil member stays as it is.
type Change struct {
	Name        *string
	Description *string
	Page        *Page
	State       *string
	Roles       *[]string // replaced as a whole
	Everyone    *bool
}

// Query selects saved views that a user may read. Empty members select all.
type Query struct {
	Page  Page
	Own   *bool  // only those of the user, or only those of others
	After string // id at which the previous page ended
	Limit int
}

// List is a page of saved views, newest first.
type List struct {
	Views []SavedView
	Next  string // id at which the next page begins; empty on the last
}

// Store stores saved views. A view that a user may not read does not exist for this user. Changes write their entries in the audit in
// their own transaction. Besides the codes named, every method may return DATABASE_UNAVAILABLE, DATABASE_TIMEOUT and INTERNAL.
type Store interface {
	// SavedViews lists what a user may read, without states.
	SavedViews(ctx context.Context, u User, q Query) (List, error)
	// SavedView reads one. NOT_FOUND.
	SavedView(ctx context.Context, u User, id string) (SavedView, error)
	// CreateSavedView adds one that belongs to the user. VALIDATION_ERROR (field roles): a role does not exist, or the user does not have
	// it and is no administrator. CONFLICT: the user has MaxPerUser. TOKEN_REVOKED: the user was deleted.
	CreateSavedView(ctx context.Context, u User, v New) (SavedView, error)
	// UpdateSavedView changes one. NOT_FOUND. PERMISSION_DENIED: it belongs to somebody else. PRECONDITION_FAILED. VALIDATION_ERROR as for
	// CreateSavedView; roles that it is shared with already may stay.
	UpdateSavedView(ctx context.Context, u User, id string, c Change, when graph.Precondition) (SavedView, error)
	// DeleteSavedView removes one; an administrator may remove any. NOT_FOUND, PERMISSION_DENIED, PRECONDITION_FAILED.
	DeleteSavedView(ctx context.Context, u User, id string, when graph.Precondition) error
}

// CheckName returns a fault that names the field if a text cannot be the name of a saved view, or nil.
func CheckName(field, name string) *fault.Error { return graph.CheckName(field, name, MaxName) }

// CheckDescription accepts up to MaxDescription characters.
func CheckDescription(field, text string) *fault.Error {
	switch {
	case utf8.RuneCountInString(text) > MaxDescription:
		return fault.Invalid(field, "must be at most %d characters long", MaxDescription)
	case strings.ContainsRune(text, 0):
		return fault.Invalid(field, "must not contain a NUL character")
	}
	return nil
}

// EncodeState returns the stored form of a state: a JSON object of at most MaxState bytes.
func EncodeState(field string, tree any) (string, *fault.Error) {
	if _, isObject := tree.(map[string]any); !isObject {
		return "", fault.Invalid(field, "must be an object")
	}
	text := string(typedjson.AppendTree(nil, tree))
	if len(text) > MaxState {
		return "", fault.Invalid(field, "must be at most %d bytes long", MaxState)
	}
	return text, nil
}
