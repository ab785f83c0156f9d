package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/rules"
)

// object is a JSON object of an answer.
type object = map[string]any

// journalOracle knows from the answers to an administrator what a user of journalRole must get.
type journalOracle struct {
	changes []object          // of the feed
	before  map[string]object // states by change id: {kind, id, type, source_id, target_id, properties}
	after   map[string]object
	last    map[string]object // the last recorded state of each node that has one
	live    map[string]object // of each entity that exists
}

// journalRole shows blue people without their salaries and those of level 1 with them, all cities, and parts of the edges.
const journalRole = `[
	{"kind":"node","type":"Person","actions":["read"],"where":{"team":{"eq":"blue"}},"hidden":["salary"]},
	{"kind":"node","type":"Person","actions":["read"],"where":{"level":{"eq":"one"}}},
	{"kind":"node","type":"City","actions":["read"]},
	{"kind":"edge","type":"KNOWS","actions":["read"],"where":{"secret":{"exists":false}},"hidden":["note"]},
	{"kind":"edge","type":"LIVES_IN","actions":["read"]}]`

// shows reports whether an entity is visible in a state, without the ends of an edge, and whether a property of it is hidden.
func (journalOracle) shows(s object) (visible bool, hides func(string) bool) {
	p := s["properties"].(object)
	nothing := func(string) bool { return false }
	switch s["type"] {
	case "Person":
		if p["level"] == "one" {
			return true, nothing
		}
		return p["team"] == "blue", func(key string) bool { return key == "salary" }
	case "KNOWS":
		return p["secret"] == nil, func(key string) bool { return key == "note" }
	}
	return true, nothing
}

// sees is shows with the ends of an edge: a node that exists as it is, one that does not as its last record has it.
func (o journalOracle) sees(s object) (visible bool, hides func(string) bool) {
	if s == nil {
		return false, nil
	}
	visible, hides = o.shows(s)
	if s["source_id"] == nil || !visible {
		return visible, hides
	}
	for _, member := range []string{"source_id", "target_id"} {
		end := o.live[s[member].(string)]
		if end == nil {
			end = o.last[s[member].(string)]
		}
		if end == nil {
			return false, nil
		}
		if visible, _ := o.shows(end); !visible {
			return false, nil
		}
	}
	return true, hides
}

// seen is what the user sees of a state; nil if it is not visible.
func (o journalOracle) seen(s object) object {
	visible, hides := o.sees(s)
	if !visible {
		return nil
	}
	seen := maps.Clone(s)
	p := maps.Clone(s["properties"].(object))
	maps.DeleteFunc(p, func(key string, _ any) bool { return hides(key) })
	seen["properties"] = p
	return seen
}

// expect is what the user sees of a change; nil if it is not visible.
func (o journalOracle) expect(change object) object {
	id := change["id"].(string)
	states := []object{o.seen(o.before[id]), o.seen(o.after[id])}
	if states[0] == nil && states[1] == nil {
		return nil
	}
	want := maps.Clone(change)
	if change["action"] != "update" {
		for i, side := range []string{"before", "after"} {
			if want[side] = any(nil); states[i] != nil {
				want[side] = states[i]
			}
		}
		return want
	}
	sides := []object{{}, {}}
	touched := false
	for key := range change["before"].(object)["properties"].(object) {
		for _, s := range []object{o.before[id], o.after[id]} {
			if visible, hides := o.sees(s); visible && !hides(key) {
				touched = true
			}
		}
		var values [2]any
		for i := range values {
			if states[i] != nil {
				values[i] = states[i]["properties"].(object)[key]
			}
		}
		if values[0] != values[1] {
			sides[0][key], sides[1][key] = values[0], values[1]
		}
	}
	for i, side := range []string{"before", "after"} {
		if want[side] = any(nil); states[i] != nil {
			want[side] = object{"properties": sides[i]}
		}
	}
	if states[0] != nil && states[1] != nil {
		touched = len(sides[0]) > 0
	}
	if !touched {
		return nil
	}
	return want
}

// objects returns the objects of a list, and follows its cursors.
func (srv *testServer) objects(t *testing.T, user, target, cursor string) (all []object) {
	t.Helper()
	at := target
	for {
		r := srv.send(t, user, http.MethodGet, at, "")
		require.Equal(t, http.StatusOK, r.status, "%s %s", at, r.body)
		var page struct {
			Data []object
			Meta struct {
				Page struct {
					HasMore    bool   `json:"has_more"`
					NextCursor string `json:"next_cursor"`
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(r.body), &page))
		if user != "root" {
			raw, _ := base64.RawURLEncoding.DecodeString(page.Meta.Page.NextCursor)
			require.NotRegexp(t, `\d{16}-\d`, page.Meta.Page.NextCursor+string(raw), "a cursor names no change")
		}
		if all = append(all, page.Data...); !page.Meta.Page.HasMore {
			return all
		}
		require.NotEmpty(t, page.Meta.Page.NextCursor)
		next, err := url.Parse(at)
		require.NoError(t, err)
		query := next.Query()
		query.Set(cursor, page.Meta.Page.NextCursor)
		at = next.Path + "?" + query.Encode()
	}
}

// newJournalOracle replays the feed of the administrator.
func newJournalOracle(t *testing.T, srv *testServer) journalOracle {
	o := journalOracle{
		changes: srv.objects(t, "root", "/api/changes?limit=1000&since=0", "since"),
		before:  map[string]object{}, after: map[string]object{}, last: map[string]object{}, live: map[string]object{},
	}
	current := map[string]object{}
	for _, change := range o.changes {
		id, entity := change["id"].(string), change["entity"].(string)
		before := current[entity]
		var after object
		switch change["action"] {
		case "create":
			after = change["after"].(object)
		case "update":
			after = maps.Clone(before)
			p := maps.Clone(before["properties"].(object))
			for key, value := range change["after"].(object)["properties"].(object) {
				if p[key] = value; value == nil {
					delete(p, key)
				}
			}
			after["properties"] = p
		}
		o.before[id], o.after[id], current[entity] = before, after, after
		if change["kind"] == "node" {
			if o.last[entity] = after; after == nil {
				o.last[entity] = before
			}
		}
		path := "/api/" + change["kind"].(string) + "s/" + entity
		if r := srv.send(t, "root", http.MethodGet, path, ""); r.status == http.StatusOK {
			o.live[entity] = jsonAt(t, r.body, "data").(object)
		}
	}
	return o
}

// TestJournalObeysRules: whatever is changed, history, trash, feed and reads of the past show a user with a role what an administrator
// sees, filtered by the role, page by page, and no answer has a text that only hidden entities or properties have.
func TestJournalObeysRules(t *testing.T) {
	srv := newTestServer(t, nil)
	srv.withRole(t, "bob", journalRole)
	c := &randomChanges{srv: srv, random: rand.New(rand.NewPCG(7, 1))}
	for range 3 {
		for range 70 {
			c.change(t)
		}
		o := newJournalOracle(t, srv)
		var want []object
		allowed := ""
		for _, change := range o.changes {
			if one := o.expect(change); one != nil {
				want = append(want, one)
			}
			for _, s := range []object{o.before[change["id"].(string)], o.after[change["id"].(string)]} {
				text, _ := json.Marshal(o.seen(s))
				allowed += string(text)
			}
		}
		require.NotEmpty(t, want)
		require.Less(t, len(want), len(o.changes))
		answers := ""
		check := func(want, got any, what string) {
			t.Helper()
			wanted, err := json.Marshal(want)
			require.NoError(t, err)
			found, err := json.Marshal(got)
			require.NoError(t, err)
			require.JSONEq(t, string(wanted), string(found), what)
			answers += string(found)
		}
		for _, limit := range []int{1, 7, 1000} {
			check(want, srv.objects(t, "bob", fmt.Sprintf("/api/changes?limit=%d&since=0", limit), "since"), "feed")
		}
		o.checkHistories(t, srv, check)
		o.checkTrash(t, srv, check)
		answers += o.checkPast(t, srv)
		for _, text := range regexp.MustCompile(`(name|salary|note|team|secret|level)\d{4}x`).FindAllString(answers, -1) {
			require.Contains(t, allowed, text, "a hidden text")
		}
	}
}

// withRole creates a user with a role, and permissions if any.
func (srv *testServer) withRole(t *testing.T, user, grants string, permissions ...auth.Permission) {
	t.Helper()
	parsed, f := rules.ParseGrants("grants", grants)
	require.Nil(t, f)
	_, err := srv.users.CreateRole(t.Context(), rules.Role{Name: "role of " + user, Grants: parsed})
	require.NoError(t, err)
	_, err = srv.users.CreateUser(t.Context(), auth.NewUser{
		Username: user, Password: password, Roles: []string{"role of " + user}, Permissions: permissions,
		Attributes: graph.Properties{"team": "blue"},
	})
	require.NoError(t, err)
}

func (o journalOracle) checkHistories(t *testing.T, srv *testServer, check func(want, got any, what string)) {
	want, paths := map[string][]object{}, map[string]string{}
	for _, change := range o.changes {
		entity := change["entity"].(string)
		paths[entity] = "/api/" + change["kind"].(string) + "s/" + entity
		if one := o.expect(change); one != nil {
			want[entity] = append([]object{one}, want[entity]...)
		}
	}
	for entity, path := range paths {
		visible, _ := o.sees(o.live[entity])
		if !visible && len(want[entity]) == 0 {
			r := srv.send(t, "bob", http.MethodGet, path+"/history", "")
			require.Equal(t, http.StatusNotFound, r.status, r.body)
			continue
		}
		for _, limit := range []int{1, 100} {
			check(want[entity], nonEmpty(srv.objects(t, "bob", fmt.Sprintf("%s/history?limit=%d", path, limit), "cursor")), path)
		}
	}
}

// nonEmpty returns nil for an empty list.
func nonEmpty(list []object) []object {
	if len(list) == 0 {
		return nil
	}
	return list
}

func (o journalOracle) checkTrash(t *testing.T, srv *testServer, check func(want, got any, what string)) {
	var want []object
	for _, entry := range srv.objects(t, "root", "/api/trash?limit=1000", "cursor") {
		if o.seen(o.before[entry["change"].(string)]) == nil {
			continue
		}
		entry["edges"] = 0
		created := ""
		for _, change := range o.changes {
			if change["entity"] == entry["id"] && change["action"] == "create" {
				created = change["id"].(string)
			}
		}
		for _, change := range o.changes {
			cause, _ := change["cause"].(object)
			if cause["deleted_with"] == entry["id"] && change["id"].(string) > created && o.seen(o.before[change["id"].(string)]) != nil {
				entry["edges"] = entry["edges"].(int) + 1
			}
		}
		want = append(want, entry)
	}
	for _, limit := range []int{1, 1000} {
		check(want, nonEmpty(srv.objects(t, "bob", fmt.Sprintf("/api/trash?limit=%d", limit), "cursor")), "trash")
	}
}

// checkPast reads each entity right after each change, by the change and by its time, and returns the answers.
func (o journalOracle) checkPast(t *testing.T, srv *testServer) string {
	var answers strings.Builder
	for _, change := range o.changes {
		id := change["id"].(string)
		path := "/api/" + change["kind"].(string) + "s/" + change["entity"].(string) + "?at="
		state := o.seen(o.after[id])
		for _, at := range []string{id, change["at"].(string)} {
			r := srv.send(t, "bob", http.MethodGet, path+at, "")
			answers.WriteString(r.body + fmt.Sprint(r.header))
			switch {
			case at == id && o.expect(change) == nil:
				require.Equal(t, http.StatusBadRequest, r.status, r.body)
			case state == nil:
				require.Equal(t, http.StatusNotFound, r.status, r.body)
			default:
				require.Equal(t, http.StatusOK, r.status, r.body)
				require.Equal(t, state["properties"], jsonAt(t, r.body, "data.properties"))
				require.False(t, slices.Contains(r.header.Values("ETag"), ""), "an entity tag")
			}
		}
	}
	return answers.String()
}
