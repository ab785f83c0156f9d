package neo4jchangeset

import (
	"context"
	"encoding/json"

	"graphrest/cypher"
	"graphrest/internal/bolt"
	"graphrest/internal/changeset"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
)

// maxChangeSetScan bounds the change sets that one page of a list reads the status and author of.
const maxChangeSetScan = 20_000

// ChangeSet reads a change set: see changeset.Store.
func (c *Store) ChangeSet(ctx context.Context, id string) (changeset.Set, error) {
	found, err := c.Client.Read(ctx, cypher.ChangeSetRead.Text(nil), map[string]any{"id": id})
	switch {
	case err != nil:
		return changeset.Set{}, bolt.Translate(err)
	case len(found) == 0:
		return changeset.Set{}, changeset.ErrNotFound()
	}
	if err := graph.TakeBytes(ctx, bolt.SizeOfRow(found[0].Values)); err != nil {
		return changeset.Set{}, err
	}
	return decodeSet(bolt.Column[map[string]any](found[0], "stored"))
}

// ChangeSets lists change sets: see changeset.Store.
func (c *Store) ChangeSets(ctx context.Context, q changeset.Query) (page changeset.Page, err error) {
	before := q.After
	if before == "" {
		before = "~" // after every id
	}
	params := map[string]any{
		"before": before, "status": string(q.Status), "author": q.Author, "limit": q.Limit + 1, "scan": maxChangeSetScan,
	}
	var seen int64
	var last string
	begin := func() { page.Sets = nil }
	each := func(r *bolt.Record) error {
		seen, last = bolt.Column[int64](r, "seen"), bolt.Column[string](r, "last")
		stored := bolt.Column[map[string]any](r, "stored")
		if stored == nil {
			return nil
		}
		set, err := decodeSet(stored)
		page.Sets = append(page.Sets, set)
		return err
	}
	full, err := c.ReadBounded(ctx, cypher.ChangeSetList, params, c.MaxPageBytes, begin, each)
	switch {
	case err != nil:
		return changeset.Page{}, err
	case len(page.Sets) > q.Limit:
		page.Sets = page.Sets[:q.Limit]
		page.Next = page.Sets[q.Limit-1].ID
	case full:
		page.Next = page.Sets[len(page.Sets)-1].ID
	case seen == maxChangeSetScan:
		page.Next = last
	}
	return page, nil
}

// encodeSet are the stored properties that a change of a change set writes.
func encodeSet(s changeset.Set) map[string]any {
	events := make([]string, len(s.Events))
	for i, e := range s.Events {
		events[i] = encodeJSON(e)
	}
	stored := map[string]any{
		"title": s.Title, "description": s.Description, "status": string(s.Status), "operations": s.Operations, "count": s.Count,
		"events": events, "bases": nonNilTexts(s.Bases), "updated_at": s.UpdatedAt.UnixMilli(), "bytes": sizeOf(s),
	}
	if len(s.Changes) > 0 {
		stored["changes"] = s.Changes
	}
	if s.Status.Final() {
		stored["closed_at"] = s.UpdatedAt.UnixMilli()
	}
	return stored
}

// nonNilTexts is an empty list for none, because null would keep what is stored.
func nonNilTexts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// encodeNewSet are the stored properties of a new change set.
func encodeNewSet(s changeset.Set) map[string]any {
	stored := encodeSet(s)
	stored["author"], stored["author_id"], stored["version"] = s.Author.Name, s.Author.ID, s.Version
	stored["author_maker_id"] = s.Author.MakerID
	stored["created_at"] = s.CreatedAt.UnixMilli()
	stored["comments"], stored["commenters"] = []string{}, []string{}
	return stored
}

// encodeJSON is the stored form of an event or a comment.
func encodeJSON(v any) string {
	text, _ := json.Marshal(v) // times and strings can always be encoded
	return string(text)
}

func decodeSet(stored map[string]any) (changeset.Set, error) {
	integer := func(name string) int64 {
		n, _ := stored[name].(int64)
		return n
	}
	texts := func(name string) []string { return bolt.AsTexts(bolt.AsList(stored[name])) }
	s := changeset.Set{
		ID: bolt.AsText(stored["id"]), Title: bolt.AsText(stored["title"]), Description: bolt.AsText(stored["description"]),
		Status: changeset.Status(bolt.AsText(stored["status"])), Version: integer("version"),
		Author: changeset.User{
			ID: bolt.AsText(stored["author_id"]), Name: bolt.AsText(stored["author"]), MakerID: bolt.AsText(stored["author_maker_id"]),
		},
		CreatedAt: bolt.AsTime(stored["created_at"]), UpdatedAt: bolt.AsTime(stored["updated_at"]),
		Operations: bolt.AsText(stored["operations"]), Count: int(integer("count")),
	}
	if bases := texts("bases"); len(bases) > 0 {
		s.Bases = bases
	}
	if changes := texts("changes"); len(changes) > 0 {
		s.Changes = changes
	}
	if err := decodeEach(texts("events"), &s.Events); err != nil {
		return s, err
	}
	return s, decodeEach(texts("comments"), &s.Comments)
}

func decodeEach[T any](texts []string, into *[]T) error {
	for _, text := range texts {
		var one T
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return fault.Wrap(err, fault.Internal, "Internal error")
		}
		*into = append(*into, one)
	}
	return nil
}
