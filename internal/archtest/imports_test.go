package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// External modules that only one package may import.
const (
	driver = "github.com/neo4j/neo4j-go-driver/v5"
	gin    = "github.com/gin-gonic/gin"
	cors   = "github.com/gin-contrib/cors"
	jwt    = "github.com/golang-jwt/jwt/v5"

	goOIDC = "github.com/coreos/go-oidc/v3"
	oauth2 = "golang.org/x/oauth2"
	jose   = "github.com/go-jose/go-jose/v4"

	mcpSDK = "github.com/modelcontextprotocol/go-sdk"

	redis      = "github.com/redis/go-redis/v9"
	prometheus = "github.com/prometheus/client_golang"
	otel       = "go.opentelemetry.io/otel"
)

// rule lists what the production files of one package may import besides the standard library. An entry covers the
// packages below it too. Test files may import any package, except for the limits of the last test below.
type rule struct {
	pkg    string
	may    []string // packages of this module, or external modules
	reason string
}

// partOfStore lists what a package of the store on neo4jentity may import: what all of them need, and more.
func partOfStore(more ...string) []string {
	return append(more,
		"cypher", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jentity", "internal/neo4jschema", "internal/neo4jview",
	)
}

// rules is the layout. A package without a rule fails the test, and so does an unused entry.
var rules = []rule{
	{"cmd/graphrest", []string{
		"internal/app", "internal/audit", "internal/auth", "internal/clientgen", "internal/config", "internal/configfiles", "internal/fault",
		"internal/graph",
		"internal/transfer",
		"github.com/schollz/progressbar/v3", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
	}, "commands parse arguments and call app; all decisions are elsewhere"},
	{"cmd/graphrest-bench", []string{"internal/bench", "internal/benchlarge"}, "a command line for the benchmark, no logic"},
	{"cmd/neo4jrun", []string{"internal/neo4jdev"}, "it runs a command with a real Neo4j and is independent of the gateway"},
	{"cmd/oidcprovider", nil, "a command line for the provider of the web interface's tests, no logic"},
	{"cmd/openapi", []string{"internal/openapi"}, "a command line for the generator, no logic"},
	{"cypher", nil, "statements are text; the packages that run them depend on them"},
	{"docs/openapi", nil, "a generated file that the binary embeds"},
	{"docs", nil, "the guides, which the binary embeds"},
	{
		"internal/apidocs",
		[]string{"docs", "docs/openapi", "github.com/yuin/goldmark"},
		"files and the pages that show them; it does not depend on what they describe",
	},
	{
		"internal/openapi",
		[]string{
			"internal/audit", "internal/fault", "internal/graph", "internal/httpapi",
			"github.com/getkin/kin-openapi", "github.com/swaggo/swag",
		},
		"it runs at build time and reads the route table; the gateway never imports it",
	},
	{"internal/fault", nil, "every layer's errors are faults, so fault depends on no layer"},
	{"internal/audit", nil, "audit entries are the same for every layer, so it depends on none"},
	{"internal/graph", []string{"internal/fault", "github.com/google/uuid"}, "the domain depends on neither HTTP nor Neo4j"},
	{"internal/auth", []string{
		"internal/audit", "internal/fault", "internal/graph", "internal/rules", jwt, "github.com/google/uuid", "golang.org/x/crypto",
		"golang.org/x/sync", "golang.org/x/text",
	}, "authorisation depends on neither HTTP nor Neo4j"},
	{"internal/oidc", []string{
		"internal/auth", "internal/fault", "internal/snapshot", goOIDC, oauth2, jose,
	}, "the only package that speaks OpenID Connect; it neither stores users nor serves HTTP"},
	{
		"internal/declared",
		[]string{"internal/fault", "internal/graph", "internal/typedjson", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text"},
		"validation and description of declared types; it needs typedjson, because a JSON Schema describes the JSON form",
	},
	{"internal/coalesce", nil, "batching is independent of Neo4j, so it can be tested without one"},
	{"internal/snapshot", nil, "it does not depend on what is read, so that it serves the database and the identity provider"},
	{"internal/redistest", []string{redis}, "it starts a real Redis for tests and waits until it answers"},
	{
		"internal/sharedlimit",
		[]string{redis, "github.com/sethvargo/go-limiter"},
		"the only package that uses Redis; it does not depend on what is counted",
	},
	{
		"internal/telemetry",
		[]string{"internal/answer", "internal/coalesce", "internal/fault", "internal/graph", "internal/journal", prometheus, otel},
		"the only package that uses Prometheus and OpenTelemetry; it implements the observer interfaces of the other packages",
	},
	{"internal/typedjson", []string{"internal/fault", "internal/graph"}, "values to JSON and back, for every package that uses JSON"},
	{"internal/answer", []string{
		"internal/graph", "internal/typedjson",
	}, "the answer of a question depends on neither HTTP nor Neo4j"},
	{"internal/sample", []string{"internal/graph"}, "a graph in import form, independent of the importer"},
	{"internal/clientgen", nil, "it depends on the OpenAPI description only, so that it generates for every gateway of this version"},
	{
		"internal/configfiles",
		[]string{
			"internal/fault", "internal/graph", "internal/query", "internal/rules", "internal/transfer", "internal/typedjson",
			"github.com/goccy/go-yaml",
		},
		"it compares files with a gateway over HTTP, by the domain's own forms of what they contain",
	},
	{
		"internal/transfer",
		[]string{"internal/typedjson", "github.com/google/uuid", "golang.org/x/text"},
		"it is a client of the gateway and depends on the HTTP interface only",
	},
	{
		"internal/journal",
		[]string{"internal/fault", "internal/graph", "internal/typedjson"},
		"records of changes and their views depend on neither HTTP nor Neo4j",
	},
	{
		"internal/changeset",
		[]string{"internal/declared", "internal/fault", "internal/graph", "internal/rules", "internal/typedjson"},
		"proposals depend on neither HTTP nor Neo4j; a diff validates by declared types, and a check names the grants that decide",
	},
	{"internal/bolt", []string{
		"cypher", "internal/coalesce", "internal/fault", "internal/graph", "internal/snapshot", driver,
	}, "the only package that speaks Bolt; it does not know which statements it runs"},
	{"internal/keyset", []string{"internal/fault", "internal/graph"}, "paging by keys is tested without Neo4j"},
	{"internal/neo4jaudit", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/fault",
	}, "it stores the audit and does not know what is recorded"},
	{"internal/rules", []string{
		"internal/fault", "internal/graph", "internal/typedjson",
	}, "who sees and changes what depends on neither HTTP nor Neo4j; grants are JSON with typed values"},
	{"internal/neo4jauth", []string{
		"cypher", "internal/audit", "internal/auth", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jaudit",
		"internal/typedjson", driver,
	}, "it stores users on separate connections, with transactions that it retries itself, so it uses the driver's sessions"},
	{"internal/neo4jchangeset", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/changeset", "internal/declared", "internal/fault", "internal/graph",
		"internal/neo4jaudit", "internal/neo4jschema", "internal/neo4jview", "internal/rules", "internal/typedjson", "golang.org/x/sync",
	}, "it needs of the store the contracts of internal/graph, and that a batch applies a change set in its transaction"},
	{"internal/neo4jstore", []string{
		"cypher", "internal/bolt", "internal/graph", "internal/neo4jaudit", "internal/neo4jbatch", "internal/neo4jbulk",
		"internal/neo4jchangeset", "internal/neo4jentity", "internal/neo4jjournal", "internal/neo4jlist", "internal/neo4jmatch",
		"internal/neo4jschema", "internal/neo4jsearch", "internal/neo4jwalk",
	}, "it builds the parts of the store and runs what no request waits for"},
	{"internal/neo4jentity", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/coalesce", "internal/declared", "internal/fault", "internal/graph",
		"internal/journal", "internal/keyset", "internal/neo4jaudit", "internal/neo4jschema", "internal/neo4jview", "internal/rules",
		"internal/snapshot", "golang.org/x/sync",
	}, "how one entity is found, read, judged and written; it does not know which parts are built on it"},
	{"internal/neo4jlist", partOfStore(
		"internal/declared", "internal/keyset",
	), "pages and aggregates; how an entity is read is the business of neo4jentity"},
	{"internal/neo4jwalk", partOfStore(
		"internal/keyset", "golang.org/x/sync",
	), "degrees, neighbors and paths; they read entities by neo4jentity"},
	{"internal/neo4jmatch", partOfStore(
		"internal/answer", "internal/neo4jlist", "internal/neo4jwalk", "internal/pattern", "internal/rules", "golang.org/x/sync",
	), "questions over several hops, with the conditions of lists and the directions of walks"},
	{"internal/neo4jbulk", partOfStore(
		"internal/audit", "internal/declared", "internal/journal", "internal/keyset", "internal/neo4jaudit", "internal/rules",
	), "imports and exports; each line is judged and written by neo4jentity"},
	{"internal/neo4jbatch", partOfStore(
		"internal/audit", "internal/changeset", "internal/declared", "internal/journal", "internal/neo4jchangeset", "internal/rules",
		"golang.org/x/sync",
	), "batches of operations, also those of change sets; each is judged and written by neo4jentity"},
	{"internal/neo4jjournal", partOfStore(
		"internal/audit", "internal/changeset", "internal/declared", "internal/journal", "internal/neo4jaudit", "internal/neo4jchangeset",
		"internal/rules", "internal/snapshot",
	), "history, feed and undo; what an undo writes is judged and written by neo4jentity"},
	{"internal/neo4jsearch", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jaudit", "internal/neo4jschema",
		"internal/neo4jview", "internal/rules", "internal/snapshot",
		"golang.org/x/text",
	}, "it needs of the store which types are managed and the entities of its hits, by functions"},
	{"internal/neo4jview", []string{
		"cypher", "internal/bolt", "internal/declared", "internal/fault", "internal/graph", "internal/rules",
	}, "it writes and applies a view and runs no statement, so that every store of the graph can use it"},
	{"internal/maintenance", []string{
		"cypher", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jschema", "internal/queryguard", "internal/snapshot",
		"golang.org/x/sync",
	}, "it needs of the store which types are managed and which names there are, by an interface"},
	{"internal/neo4jschema", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/declared", "internal/fault", "internal/graph", "internal/neo4jaudit",
		"internal/neo4jview", "internal/rules", "internal/snapshot", "golang.org/x/sync",
	}, "it reads and changes the schema of the database and does not know who lists entities by it"},
	{"internal/pattern", []string{
		"internal/answer", "internal/fault", "internal/graph", "internal/typedjson",
	}, "what a question over several hops is depends on neither HTTP nor Neo4j"},
	{"internal/mcp", []string{
		"internal/audit", "internal/fault", mcpSDK,
	}, "the only package that speaks the Model Context Protocol; it uses the REST API by an interface, and neither a router nor Neo4j"},
	{"internal/webhook", []string{
		"internal/fault", "internal/graph", "internal/journal", "golang.org/x/sync",
	}, "which changes are delivered, when and in which order depends on neither the API nor Neo4j"},
	{"internal/queryguard", []string{
		"cypher", "internal/bolt", "internal/fault", "internal/graph", "internal/snapshot",
	}, "it judges the text and the plan of a query and reads no data; every door to queries calls it"},
	{"internal/neo4jwebhook", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/fault", "internal/graph", "internal/journal", "internal/neo4jaudit",
		"internal/webhook",
	}, "it stores webhooks and does not decide what is delivered"},
	{"internal/savedview", []string{
		"internal/fault", "internal/graph", "internal/typedjson",
	}, "what users save of a client's pages depends on neither HTTP nor Neo4j"},
	{"internal/query", []string{
		"internal/answer", "internal/declared", "internal/fault", "internal/graph", "internal/pattern", "internal/queryguard",
		"internal/rules", "internal/typedjson",
	}, "what a saved query is and who may run it depends on neither HTTP nor the driver; verdicts are those of the guard"},
	{"internal/neo4jquery", []string{
		"cypher", "internal/answer", "internal/audit", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jaudit",
		"internal/neo4jmatch", "internal/pattern", "internal/query", "internal/queryguard", "internal/rules", "internal/snapshot",
	}, "it stores saved queries, runs what the guard accepts, and bounds how many queries and patterns run"},
	{"internal/neo4jsavedview", []string{
		"cypher", "internal/audit", "internal/bolt", "internal/fault", "internal/graph", "internal/neo4jaudit", "internal/savedview",
	}, "it stores saved views and does not interpret them"},
	{"internal/httpapi", []string{
		"internal/answer", "internal/audit", "internal/auth", "internal/changeset", "internal/declared", "internal/fault", "internal/graph",
		"internal/journal", "internal/mcp",
		"internal/oidc", "internal/pattern", "internal/query", "internal/queryguard", "internal/rules", "internal/savedview",
		"internal/typedjson", "internal/webhook",
		gin, cors, "github.com/sethvargo/go-limiter", "golang.org/x/sync",
	}, "the only package that serves HTTP; never Bolt"},
	{"internal/config", []string{
		"internal/audit", "internal/auth", "internal/fault", "internal/graph", "internal/oidc", "internal/webhook",
		"github.com/goccy/go-yaml",
	}, "settings are loaded before any part is constructed"},
	{"internal/app", []string{
		"internal/apidocs", "internal/audit", "internal/auth", "internal/bolt", "internal/config", "internal/fault", "internal/graph",
		"internal/httpapi", "internal/maintenance", "internal/mcp", "internal/neo4jaudit", "internal/neo4jauth", "internal/neo4jdev",
		"internal/neo4jquery", "internal/neo4jsavedview", "internal/neo4jstore", "internal/neo4jwebhook", "internal/query",
		"internal/queryguard", "internal/oidc", "internal/sample",
		"internal/sharedlimit", "internal/telemetry", "internal/webhook", "internal/webui", "github.com/sethvargo/go-limiter",
		"golang.org/x/sync",
	}, "the only wiring"},
	{"internal/webui", nil, "built files and their HTTP headers; it does not depend on the API"},
	{
		"internal/bench",
		[]string{
			"internal/graph", "internal/neo4jdev", driver, "golang.org/x/sync", gin, "github.com/golang-jwt/jwt/v5",
			"github.com/sethvargo/go-limiter",
		},
		"it compares the gateway with the driver and with a service by hand, so it imports what that needs and not the gateway",
	},
	{
		"internal/benchlarge",
		[]string{"internal/bench", "internal/neo4jdev"},
		"it compares the gateway with an analyst's Cypher as a client, so it does not import the gateway",
	},
	{"internal/gatewaytest", nil, "it talks to a gateway that is running, so it imports none of its packages"},
	{"internal/graphgen", []string{"internal/graph"}, "random values of the domain for property tests"},
	{"internal/neo4jdev", nil, "it runs Neo4j as a process and uses Bolt for a handshake only"},
	{"internal/testmark", nil, "markers of tests, also of those without Neo4j"},
	{"internal/neo4jtest", []string{"internal/neo4jdev", "cypher", driver}, "a clean database for a test needs the driver to clean it"},
	{"internal/neo4jentitytest", []string{
		"internal/bolt", "internal/neo4jaudit", "internal/neo4jentity", "internal/neo4jtest",
	}, "it opens what the parts of the store are built on, for tests that the store itself would import in a circle"},
	{"internal/neo4jstoretest", []string{
		"internal/bolt", "internal/fault", "internal/neo4jaudit", "internal/neo4jauth", "internal/neo4jstore", "internal/neo4jtest",
	}, "it opens a gateway's store on the database of a test"},
	{
		"internal/oidctest",
		[]string{jose, "github.com/zitadel/oidc/v3"},
		"a provider whose tokens a test may forge signs them itself; another one is a library's",
	},
	{
		"internal/storetest",
		[]string{"internal/fault", "internal/graph", "internal/testmark"},
		"cases of the store contracts depend on the contracts only, so that they run on any store",
	},
}

// testOnly packages and modules are never imported by production code.
var testOnly = []string{
	"internal/gatewaytest", "internal/neo4jentitytest", "internal/neo4jstoretest", "internal/neo4jtest", "internal/oidctest",
	"internal/redistest", "internal/storetest", "internal/testmark",
	"internal/archtest", "internal/graphgen",
	"testing", "github.com/stretchr/testify", "github.com/google/go-cmp",
	"github.com/anishathalye/porcupine", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/standard-webhooks/standard-webhooks",
	"github.com/rogpeppe/go-internal",
}

// mayTest packages exist for tests and may import what tests import.
var mayTest = []string{
	"cmd/oidcprovider", "internal/gatewaytest", "internal/neo4jentitytest", "internal/neo4jstoretest", "internal/neo4jtest",
	"internal/oidctest", "internal/redistest", "internal/storetest", "internal/testmark",
	"internal/archtest", "internal/graphgen",
}

func covers(entry, imported string) bool {
	return imported == entry || strings.HasPrefix(imported, entry+"/")
}

// relative names an import as the rules do.
func relative(imported string) string {
	if name, ok := own(imported); ok {
		return name
	}
	return imported
}

func ruleOf(pkg string) (rule, bool) {
	for _, r := range rules {
		if r.pkg == pkg {
			return r, true
		}
	}
	return rule{}, false
}

// violations lists what production files import against the rules.
func violations(all []source) []string {
	var found []string
	for _, s := range all {
		r, ruled := ruleOf(s.pkg)
		if s.test || s.generated {
			continue
		}
		if !ruled {
			found = append(found, fmt.Sprintf("%s: package %s has no rule; add one with its reason", s.path, s.pkg))
			continue
		}
		for _, imported := range s.imports {
			name := relative(imported)
			if slices.ContainsFunc(testOnly, func(entry string) bool { return covers(entry, name) }) {
				if !slices.Contains(mayTest, s.pkg) {
					found = append(found, fmt.Sprintf("%s imports %s, which is for tests", s.path, name))
				}
				continue
			}
			if standard(imported) || slices.ContainsFunc(r.may, func(entry string) bool { return covers(entry, name) }) {
				continue
			}
			found = append(found, fmt.Sprintf("%s imports %s; %s may not: %s", s.path, name, r.pkg, r.reason))
		}
	}
	return found
}

func TestImportsFollowTheRules(t *testing.T) {
	for _, found := range violations(tree(t)) {
		t.Error(found)
	}
}

// The checker itself must report violations: each of these imports violates a rule.
func TestImportRulesReportViolations(t *testing.T) {
	for _, test := range []struct{ pkg, imports, want string }{
		{"internal/graph", driver + "/neo4j", "internal/graph may not"},
		{"internal/auth", gin, "internal/auth may not"},
		{"internal/httpapi", module + "/internal/neo4jstore", "internal/httpapi may not"},
		{"internal/neo4jstore", module + "/internal/httpapi", "internal/neo4jstore may not"},
		{"internal/bolt", module + "/internal/neo4jstore", "internal/bolt may not"},
		{"internal/fault", module + "/internal/graph", "internal/fault may not"},
		{"internal/app", module + "/internal/neo4jtest", "for tests"},
		{"internal/graph", "testing", "for tests"},
		{"internal/unknown", "fmt", "has no rule"},
	} {
		found := violations([]source{{path: test.pkg + "/x.go", pkg: test.pkg, imports: []string{test.imports}}})
		require.Len(t, found, 1, test.imports)
		require.Contains(t, found[0], test.want)
	}
}

// An unused rule hides the next violation.
func TestNoRuleIsStale(t *testing.T) {
	all := tree(t)
	exist := packages(all)
	for _, r := range rules {
		if !slices.Contains(exist, r.pkg) {
			t.Errorf("there is no package %s: remove its rule", r.pkg)
			continue
		}
		require.NotEmpty(t, r.reason, r.pkg)
		for _, entry := range r.may {
			used := slices.ContainsFunc(all, func(s source) bool {
				return s.pkg == r.pkg && !s.test && slices.ContainsFunc(s.imports, func(imported string) bool {
					return covers(entry, relative(imported))
				})
			})
			if !used {
				t.Errorf("%s does not import %s: remove it from the rule", r.pkg, entry)
			}
		}
	}
}
