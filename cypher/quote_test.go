package cypher_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/cypher"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// hostileNames end quotes, start statements, or mean something else to one of the server's two readers: the one that replaces \uXXXX
// anywhere in a text, and the one that reads the backticks.
var hostileNames = []string{
	"`", "``", "```", "a`b", "`a", "a`", "a`) CREATE (m:Pwned) //", "a`]->() CREATE (m:Pwned) //", "a`}) DETACH DELETE n //",
	`\u0060`, `\\u0060`, `\\\u0060`, `\u0060\u0060`, `\u005C\u00750060`, `\u005Cu0060`, `\u005c`, `\uu0060`, `\U0060`, `\u006`, `\u`,
	`x\u0060) CREATE (m:Pwned) //`, `\`, `\\`, `\\\`, "\\`", "\\``", "`\\", `\n`, `\t`, `\'`, `\"`, `\x60`, `\060`, `a\`,
	"'", `"`, " ", " a ", "a b", "a.b", "a:b", "a|b", "a&b", "!a", "%", "$x", "$(x)", "$($t)", "{{type}}", "{x}", "}", ")",
	"//", "/* */", "*/",
	";", "; MATCH (n) DETACH DELETE n", "\n", "\r\n", "\t", "\x01", "\x1b[31m", "\x7f", "\u0085", "\u00a0", "\u200b",
	"\u2028", "\u202e", "\ufeff",
	"\ufffd", "é", "e\u0301", "日本語", "🎬", "\U0010ffff", "＼u0060", "｀", "0", "-1", "null", "true", "MATCH", "CYPHER 5", "EXPLAIN",
	strings.Repeat("`", 255), strings.Repeat(`\`, 255), strings.Repeat("é", 127) + "x", strings.Repeat(`\u0060`, 42),
}

// names generates strings that are likely to break quoting: short strings of special characters, and any text.
func names() *rapid.Generator[string] {
	parts := rapid.SampledFrom([]string{
		"`", `\`, "u", "U", "0060", "005C", "0075", "00", "{", "}", "$", "(", ")", "\n", "'", `"`, "/", "*",
		"a", "é", "🎬", "\x02",
	})
	pieced := rapid.Map(rapid.SliceOfN(parts, 1, 12), func(p []string) string { return strings.Join(p, "") })
	return rapid.OneOf(pieced, pieced, rapid.String()).Filter(func(s string) bool {
		return s != "" && len(s) <= 255 && utf8.ValidString(s) && !strings.Contains(s, "\x00")
	})
}

func TestQuotedNamesMatchTheirNameOnTheServer(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	db.Exec(t, "CREATE (:Witness), (:Pwnable)-[:PWNABLE]->(:Pwnable)", nil)
	before := databaseContents(t, db)
	check := func(t require.TestingT, name string) {
		for _, position := range quotedNameStatements {
			text := fmt.Sprintf(position, cypher.Quote(name))
			require.Equal(t, []any{true}, queryColumn(t, db, text, name), "%q is not found by %s", name, text)
		}
		require.Equal(t, before, databaseContents(t, db), "the name changed the database: %q", name)
	}
	for _, name := range hostileNames {
		t.Run(fmt.Sprintf("%.40q", name), func(t *testing.T) { check(t, name) })
	}
	t.Run("generated", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { check(t, names().Draw(t, "name")) })
	})
}

// quotedNameStatements have a quoted name in each possible position. Each creates something with the name as a parameter, where no quoting
// is involved, finds it by the quoted name, and removes it.
var quotedNameStatements = []string{
	"CREATE (n:$($name)) WITH elementId(n) AS made MATCH (n:%s) WITH made, n, elementId(n) AS found DELETE n RETURN made = found",
	"MATCH (w:Witness) CREATE (w)-[r:$($name)]->(w) WITH elementId(r) AS made MATCH ()-[r:%s]->() WITH made, r, " +
		"elementId(r) AS found DELETE r RETURN made = found",
	"CREATE (n:Keyed) SET n[$name] = 1 WITH n, elementId(n) AS made MATCH (m:Keyed {%[1]s: 1}) WHERE m.%[1]s = 1 WITH made, m, elementId(m) " +
		"AS found DELETE m RETURN made = found",
}

func TestQuotedNamesInConstraints(t *testing.T) {
	testmark.EveryRelease(t)
	db := neo4jtest.Open(t)
	for i, name := range hostileNames {
		quoted := cypher.Quote(name).String()
		label, relationship := fmt.Sprintf("`_GraphrestL%d`", i), fmt.Sprintf("`_GraphrestR%d`", i)
		queryColumn(t, db, "CREATE CONSTRAINT "+label+" IF NOT EXISTS FOR (n:"+quoted+") REQUIRE n."+quoted+" IS UNIQUE", name)
		queryColumn(t, db, "CREATE CONSTRAINT "+relationship+" IF NOT EXISTS FOR ()-[r:"+quoted+"]-() REQUIRE r."+quoted+" IS UNIQUE", name)
		rows := db.Query(t, "SHOW CONSTRAINTS YIELD labelsOrTypes, properties RETURN labelsOrTypes AS types, properties", nil)
		require.Len(t, rows, 2, name)
		for _, row := range rows {
			require.Equal(t, []any{name}, row["types"])
			require.Equal(t, []any{name}, row["properties"])
		}
		require.EqualValues(t, 0, db.Count(t, "MATCH (n) RETURN count(n)", nil), name)
		queryColumn(t, db, "DROP CONSTRAINT "+label, name)
		queryColumn(t, db, "DROP CONSTRAINT "+relationship, name)
	}
}

// queryColumn runs a statement with $name and returns the values of its only column.
func queryColumn(t require.TestingT, db *neo4jtest.DB, text, name string) []any {
	ctx := context.Background()
	session := db.Driver.NewSession(ctx, neo4j.SessionConfig{DatabaseName: db.Database})
	defer session.Close(ctx)
	result, err := session.Run(ctx, text, map[string]any{"name": name})
	require.NoError(t, err, text)
	records, err := result.Collect(ctx)
	require.NoError(t, err, text)
	values := make([]any, len(records))
	for i, record := range records {
		values[i] = record.Values[0]
	}
	return values
}

// databaseContents is the content of the database.
func databaseContents(t require.TestingT, db *neo4jtest.DB) []any {
	return queryColumn(t, db, `MATCH (n) OPTIONAL MATCH (n)-[r]->() WITH n, r ORDER BY elementId(n), elementId(r)
		RETURN collect([elementId(n), labels(n), properties(n), elementId(r), type(r), properties(r)])`, "")
}
