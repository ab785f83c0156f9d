package queryguard

import "strings"

// is reports whether a token is an unquoted keyword, in any letter case.
func (t token) is(keywords ...string) bool {
	if t.kind != word {
		return false
	}
	for _, keyword := range keywords {
		if strings.EqualFold(t.value, keyword) {
			return true
		}
	}
	return false
}

// isSymbol reports whether a token is one of some characters.
func (t token) isSymbol(characters string) bool {
	return t.kind == symbol && strings.Contains(characters, t.value)
}

// isName reports whether a token can be a name.
func (t token) isName() bool { return t.kind == word || t.kind == quotedName }

// refusedClauses are what a clause or a statement that a query must not have begins with, each with what is wrong with it.
var refusedClauses = map[string]string{
	"CREATE": writes, "MERGE": writes, "SET": writes, "DELETE": writes, "DETACH": writes, "NODETACH": writes, "REMOVE": writes,
	"FOREACH": writes, "INSERT": writes, "COPY": writes,
	"LOAD": "reads files and addresses; import the data with POST /api/import",
	"USE":  "chooses another graph; queries run on the gateway's database",
	"SHOW": administers, "TERMINATE": administers, "DROP": administers, "ALTER": administers, "RENAME": administers, "GRANT": administers,
	"DENY": administers, "REVOKE": administers, "START": administers, "STOP": administers, "ENABLE": administers, "DRYRUN": administers,
	"DEALLOCATE": administers, "REALLOCATE": administers, "DEFINE": "defines functions; write the expression itself",
	"EXPLAIN": "is a prefix; ask for the plan with \"explain\": true", "PROFILE": "is a prefix; ask for the plan with \"explain\": true",
	"CYPHER": "has options; only CYPHER 5 or CYPHER 25 without options is allowed, at the beginning",
}

const (
	writes      = "changes data; queries only read, use /api/nodes, /api/edges or /api/batch"
	administers = "administers the database; queries only read data"
)

// selectors are the words before a path that say which paths match and how they may repeat.
var selectors = []string{
	"ANY", "ALL", "SHORTEST", "PATH", "PATHS", "GROUP", "GROUPS", "WALK", "TRAIL", "ACYCLIC", "SIMPLE",
}

// typeWords are the words of the types that :: tests.
var typeWords = []string{
	"BOOL", "BOOLEAN", "STRING", "VARCHAR", "INT", "INTEGER", "SIGNED", "INT8", "INT16", "INT32", "INT64", "INTEGER8", "INTEGER16",
	"INTEGER32", "INTEGER64", "FLOAT", "FLOAT32", "FLOAT64", "DATE", "LOCAL", "ZONED", "TIME", "DATETIME", "TIMESTAMP", "TIMEZONE",
	"WITH", "WITHOUT", "DURATION", "POINT", "NODE", "VERTEX", "RELATIONSHIP", "EDGE", "MAP", "LIST", "ARRAY", "PATH", "PROPERTY",
	"VALUE", "ANY", "NOTHING", "NULL", "VECTOR", "UUID", "TYPED",
}
