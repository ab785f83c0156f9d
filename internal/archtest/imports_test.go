package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// External modules that only one place may know.
const (
	driver = "github.com/neo4j/neo4j-go-driver/v5"
	gin    = "github.com/gin-gonic/gin"
	cors   = "github.com/gin-contrib/cors"
	jwt    = "github.com/golang-jwt/jwt/v5"

	redis      = "github.com/redis/go-redis/v9"
	prometheus = "github.com/prometheus/client_golang"
	otel       = "go.opentelemetry.io/otel"
)

// rule says what the production files of one package may import besides the standard library. An entry covers the
// packages below it as well. Test files may import anything but what forbiddenInTests names.
type rule struct {
	pkg    string
	may    []string // packages of this module, or external modules
	reason string
}

// rules is the layout. A package without a rule fails the test, and so does an entry that nothing uses any more.
var rules = []rule{
	{"cmd/graphrest", []string{"internal/app", "internal/audit", "internal/auth", "internal/config", "internal/fault", "internal/graph", "internal/transfer", "github.com/schollz/progressbar/v3", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}, "commands turn words into calls; everything that decides is elsewhere"},
	{"cmd/graphrest-bench", []string{"internal/bench", "internal/benchlarge"}, "a command line for the benchmark, no logic"},
	{"cmd/neo4jrun", []string{"internal/neo4jdev"}, "it runs a command beside a real Neo4j and knows nothing of the gateway"},
	{"cmd/openapi", []string{"internal/openapi"}, "a command line for the generator, no logic"},
	{"cypher", nil, "statements are text; whoever runs them depends on them"},
	{"docs/openapi", nil, "a generated file that the binary carries"},
	{"internal/apidocs", []string{"docs/openapi"}, "files and the page that shows them; it knows nothing of what they describe"},
	{"internal/openapi", []string{"internal/fault", "internal/graph", "internal/httpapi", "github.com/getkin/kin-openapi", "github.com/swaggo/swag"}, "it runs at build time and reads the table of routes; the product never imports it"},
	{"internal/fault", nil, "every layer's errors are faults, so a fault knows no layer"},
	{"internal/audit", nil, "who did what is the same for every layer, so it knows none"},
	{"internal/graph", []string{"internal/fault", "github.com/google/uuid"}, "the domain knows neither HTTP nor Neo4j"},
	{"internal/auth", []string{"internal/audit", "internal/fault", jwt, "github.com/google/uuid", "golang.org/x/crypto", "golang.org/x/text"}, "who may do what is decided without knowing HTTP or Neo4j"},
	{"internal/declared", []string{"internal/fault", "internal/graph", "internal/typedjson", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/text"}, "the domain's judgement of entities of declared types; it needs their wire form, because a JSON Schema speaks of that"},
	{"internal/coalesce", nil, "rows in, one call for many: it knows no Neo4j, so it can be tested without one"},
	{"internal/redistest", []string{redis}, "it starts a real Redis for tests and asks whether it answers"},
	{"internal/sharedlimit", []string{redis, "github.com/sethvargo/go-limiter"}, "the one place that knows Redis; what it counts is not its business"},
	{"internal/telemetry", []string{"internal/coalesce", "internal/fault", prometheus, otel}, "the one place that knows Prometheus and OpenTelemetry; it hears of the parts through their own interfaces"},
	{"internal/typedjson", []string{"internal/fault", "internal/graph"}, "values to JSON and back, for whoever speaks JSON"},
	{"internal/sample", []string{"internal/graph"}, "a graph as an import takes it, whoever imports it"},
	{"internal/transfer", []string{"internal/typedjson"}, "it is a client of the gateway like any other, and knows no more of it than its interface"},
	{"internal/neo4jstore", []string{"cypher", "internal/audit", "internal/auth", "internal/coalesce", "internal/declared", "internal/fault", "internal/graph", driver, "golang.org/x/sync"}, "the one place that speaks Bolt; never HTTP"},
	{"internal/httpapi", []string{"internal/audit", "internal/auth", "internal/fault", "internal/graph", "internal/typedjson", gin, cors, "github.com/sethvargo/go-limiter"}, "the one place that speaks HTTP; never Bolt"},
	{"internal/config", []string{"internal/audit", "internal/auth", "internal/fault", "internal/graph", "github.com/knadh/koanf/v2", "github.com/goccy/go-yaml"}, "settings are read before anything is built"},
	{"internal/app", []string{"internal/apidocs", "internal/audit", "internal/auth", "internal/config", "internal/fault", "internal/graph", "internal/httpapi", "internal/neo4jdev", "internal/neo4jstore", "internal/sample", "internal/sharedlimit", "internal/telemetry", "internal/webui", "github.com/sethvargo/go-limiter", "golang.org/x/sync"}, "the only wiring"},
	{"internal/webui", nil, "built files and how a browser may use them; it knows nothing of the API"},
	{"internal/bench", []string{"internal/graph", "internal/neo4jdev", driver, "github.com/google/uuid"}, "it compares the gateway from outside with the bare driver, so it knows the driver and not the gateway"},
	{"internal/benchlarge", []string{"internal/bench", "internal/neo4jdev", driver}, "it compares the gateway from outside with an analyst's Cypher, so it knows the driver and not the gateway"},
	{"internal/graphgen", []string{"internal/graph"}, "random values of the domain for property tests"},
	{"internal/neo4jdev", nil, "it runs Neo4j as a process and speaks no more Bolt than a handshake"},
	{"internal/neo4jtest", []string{"internal/neo4jdev", "cypher", driver}, "a clean database for a test needs the driver to clean it"},
	{"internal/storetest", []string{"internal/fault", "internal/graph"}, "cases of the store contracts know the contracts only, so that they run on any store"},
}

// testOnly packages and modules never become part of the product.
var testOnly = []string{
	"internal/neo4jtest", "internal/redistest", "internal/storetest", "internal/archtest", "internal/graphgen", "testing", "github.com/stretchr/testify", "github.com/google/go-cmp",
	"github.com/anishathalye/porcupine", "pgregory.net/rapid", "go.uber.org/goleak", "github.com/Shopify/toxiproxy/v2", "github.com/rogpeppe/go-internal",
}

// mayTest packages exist for tests and may import what tests import.
var mayTest = []string{"internal/neo4jtest", "internal/redistest", "internal/storetest", "internal/archtest", "internal/graphgen"}

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

// The checker itself must bite: each of these is the kind of import it is there for.
func TestTheRulesBite(t *testing.T) {
	for _, test := range []struct{ pkg, imports, says string }{
		{"internal/graph", driver + "/neo4j", "internal/graph may not"},
		{"internal/auth", gin, "internal/auth may not"},
		{"internal/httpapi", module + "/internal/neo4jstore", "internal/httpapi may not"},
		{"internal/neo4jstore", module + "/internal/httpapi", "internal/neo4jstore may not"},
		{"internal/fault", module + "/internal/graph", "internal/fault may not"},
		{"internal/app", module + "/internal/neo4jtest", "for tests"},
		{"internal/graph", "testing", "for tests"},
		{"internal/nobody", "fmt", "has no rule"},
	} {
		found := violations([]source{{path: test.pkg + "/x.go", pkg: test.pkg, imports: []string{test.imports}}})
		require.Len(t, found, 1, test.imports)
		require.Contains(t, found[0], test.says)
	}
}

// A rule that nothing uses any more hides the next violation.
func TestNoRuleIsStale(t *testing.T) {
	all := tree(t)
	exist := packages(all)
	for _, r := range rules {
		if !slices.Contains(exist, r.pkg) {
			t.Errorf("there is no package %s: take its rule out", r.pkg)
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
				t.Errorf("%s does not import %s: take it out of the rule", r.pkg, entry)
			}
		}
	}
}

// Tests may import much, but the driver and gin stay where they belong: a test that needs them elsewhere tests an
// implementation instead of a contract.
func TestTestsKeepToTheBorders(t *testing.T) {
	for _, s := range tree(t) {
		for _, imported := range s.imports {
			if covers(gin, imported) {
				require.Equal(t, "internal/httpapi", s.pkg, "%s imports gin", s.path)
			}
			if covers(driver, imported) && !s.test {
				require.Contains(t, []string{"internal/neo4jstore", "internal/neo4jtest", "internal/bench", "internal/benchlarge"}, s.pkg, "%s imports the driver", s.path)
			}
		}
	}
}
