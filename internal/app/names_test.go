package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// Users have a budget of new names; administrators have no limit. Neo4j never releases a name, so each run uses new names.
func TestBudgetOfNewNamesBindsUsersAndNotAdministrators(t *testing.T) {
	testmark.Concurrent(t)
	db := neo4jtest.OpenPrepared(t)
	g := start(t, db.URI, db.Username, db.Password, "GRAPHREST_NEW_TYPES_PER_DAY=0", "GRAPHREST_NEW_PROPERTY_KEYS_PER_DAY=1")
	g.waitReady(t)
	admin := g.login(t)
	status, body := g.ask(http.MethodPost, "/api/admin/users", admin,
		fmt.Sprintf(`{"username":"ann","password":%q,"permissions":["create"]}`, testPassword))
	require.Equal(t, http.StatusCreated, status, body)
	ann := g.clientOf("").Login(t, "ann", testPassword)
	run := fmt.Sprintf("%x", time.Now().UnixNano())
	create := func(token, typ, key string) (int, string) {
		return g.ask(http.MethodPost, "/api/nodes", token, fmt.Sprintf(`{"type":"%s%s","properties":{"%s%s":1}}`, typ, run, key, run))
	}
	status, body = create(ann, "A", "k")
	require.Equal(t, http.StatusBadRequest, status, body)
	require.Contains(t, body, `"code":"VALIDATION_ERROR"`)
	require.Contains(t, body, `"field":"type"`)
	require.Contains(t, body,
		"is a new type: the request adds 1, and you have added 0 of the 0 new types that a user may add on one day. The budget is renewed at ")
	status, body = create(admin, "A", "k")
	require.Equal(t, http.StatusCreated, status, body)
	status, body = create(admin, "B", "l")
	require.Equal(t, http.StatusCreated, status, body)
	status, body = create(ann, "B", "own")
	require.Equal(t, http.StatusCreated, status, body)
	status, body = create(ann, "B", "more")
	require.Equal(t, http.StatusBadRequest, status, body)
	require.Contains(t, body, `"field":"properties.more`+run)
	require.NotContains(t, g.log.String(), "is not encrypted", "the database is on this machine")
}

func TestStartWarnsOfAConnectionThatIsNotEncrypted(t *testing.T) {
	testmark.Concurrent(t)
	g := start(t, "bolt://database.invalid:7687", "neo4j", "of-the-database")
	require.Eventually(t, func() bool {
		return strings.Contains(g.log.String(), `"level":"WARN","msg":"the connection to database.invalid is not encrypted`)
	}, eventTimeout, 20*time.Millisecond)
}
