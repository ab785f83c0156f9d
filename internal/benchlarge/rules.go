package benchlarge

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// The users whose reads are compared with those of the user who may read everything: one with one role of few grants, one with many roles.
const (
	fewGrants  = "few grants"
	manyGrants = "fifty grants"
)

// roleCount is the number of roles of the user with fifty grants; each has grants for three node types and two edge types.
const roleCount = 10

// grant is a grant of a role, as in a request.
type grant struct {
	Kind    string         `json:"kind"`
	Type    string         `json:"type"`
	Actions []string       `json:"actions"`
	Where   map[string]any `json:"where,omitempty"`
	Hidden  []string       `json:"hidden,omitempty"`
}

func readGrant(kind, name string) grant {
	return grant{Kind: kind, Type: name, Actions: []string{"read"}}
}

// withStatus narrows a grant to entities of one status, which most have.
func (g grant) withStatus() grant {
	g.Where = map[string]any{"status": map[string]any{"eq": commonStatus}}
	return g
}

// rolesOf returns the roles of a user: the grants of each.
func rolesOf(user string) [][]grant {
	if user == fewGrants {
		return [][]grant{{
			readGrant("node", nodeTypes[0]).withStatus(), readGrant("node", "Company"),
			readGrant("edge", edgeTypes[0]), readGrant("edge", "WORKS_FOR"),
		}}
	}
	roles := make([][]grant, roleCount)
	for i := range roles {
		for _, name := range nodeTypes[i*typeCount/roleCount : (i+1)*typeCount/roleCount] {
			g := readGrant("node", name).withStatus()
			g.Hidden = []string{"tags"}
			roles[i] = append(roles[i], g)
		}
		for _, name := range edgeTypes[2*i : 2*i+2] {
			roles[i] = append(roles[i], readGrant("edge", name))
		}
	}
	return roles
}

// createRuledUsers creates the users with roles, and their roles.
func (g *gateway) createRuledUsers(ctx context.Context) error {
	g.ruledTokens = map[string]string{}
	for _, user := range []string{fewGrants, manyGrants} {
		name := g.ruledName(user)
		var roles []string
		for i, grants := range rolesOf(user) {
			role := fmt.Sprintf("%s-%d", name, i)
			if err := g.create(ctx, "/api/admin/roles", map[string]any{"name": role, "grants": grants}); err != nil {
				return err
			}
			roles = append(roles, role)
		}
		account := map[string]any{"username": name, "password": g.User, "roles": roles, "permissions": []string{}, "rate_limit": rateLimit}
		if err := g.create(ctx, "/api/admin/users", account); err != nil {
			return err
		}
		token, err := g.Login(ctx, name, g.User)
		if err != nil {
			return err
		}
		g.ruledTokens[user] = token
	}
	return nil
}

// ruledName is the name of the account of a user with roles.
func (a *access) ruledName(user string) string {
	return a.readerName + "-" + strings.ReplaceAll(user, " ", "-")
}

func (g *gateway) create(ctx context.Context, path string, body any) error {
	status, answer, err := g.Call(ctx, http.MethodPost, path, g.adminToken, body)
	if err != nil || status != http.StatusCreated {
		return fmt.Errorf("POST %s: status %d %.300s %w", path, status, answer, err)
	}
	return nil
}

// ruledQuestions are asked by a user with roles and, in turns, by the user who may read everything.
func ruledQuestions() []question {
	var all []question
	for _, q := range []struct{ name, path, index string }{
		{"a node by id", "/api/nodes/{ordinary}", ""},
		{"first page of the largest node type", nodesOf + "{largest}", ""},
		{"first page of the largest edge type", edgesOf + "{LARGEST}", ""},
		{"first page of all nodes", "/api/nodes", ""},
		{"filter on nodes, one in a hundred matches", nodesOf + "{largest}&filter[age]=33", ""},
		{"sort of nodes", nodesOf + "{largest}&sort=score", ""},
		{"count of nodes with a filter", nodesOf + "{largest}&limit=1&count=exact&filter[age]=33", ""},
		{"count of a node type", nodesOf + "{largest}&limit=1&count=exact", ""},
		{"edges of an ordinary node", "/api/nodes/{ordinary}/edges", ""},
		{"degree of an ordinary node", "/api/nodes/{ordinary}/degree", ""},
		{"neighbors of an ordinary node", "/api/nodes/{ordinary}/neighbors", ""},
		{"neighbors to depth 2", "/api/nodes/{ordinary}/neighbors?depth=2", ""},
		{"shortest path between ordinary nodes", "/api/paths?source_id={ordinary}&target_id={other}", ""},
		{"degree of the hub", "/api/nodes/{hub}/degree", ""},
		{"search for three words", "/api/search?q=ada+lovelace+north", ""},
		{"schema", schemaPath, ""},
		{"sort of nodes with a range index", nodesOf + "{largest}&sort=score", scoreIndex},
		{"filter with a range index", nodesOf + "{largest}&filter[score][gt]=999.9", scoreIndex},
	} {
		for _, user := range []string{fewGrants, manyGrants} {
			all = append(all, question{Name: user + ": " + q.name, Path: q.path, Index: q.index, As: user})
		}
	}
	return all
}
