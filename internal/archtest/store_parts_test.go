package archtest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// storePart is a part of internal/neo4jstore: the files whose names begin with one of some words. It may use what it declares, what the
// core declares, and the parts in may. See docs/adr/0018-store-in-packages.md.
type storePart struct {
	name  string
	words []string
	may   []string
	why   string
}

// core is all files that no part has.
const core = "core"

var storeParts = []storePart{
	{"lists", []string{"list"}, nil, "pages of nodes and edges"},
	{"aggregate", []string{"aggregate"}, []string{"lists"}, "aggregates of a list: with the same ends and the same types in use"},
	{"walk", []string{"around", "paths", "among", "subgraphs"}, nil, "degrees, neighbors, paths, edges among nodes"},
	{
		"match",
		[]string{"match"},
		[]string{"lists", "walk"},
		"questions over several hops: with the conditions of lists and the directions of walks",
	},
	{"bulk", []string{"bulk"}, nil, "imports and exports"},
	{"operations", []string{"operations"}, nil, "batches of operations, also those of change sets"},
	{"journal", []string{"journal"}, nil, "history, feed and undo"},
}

// assembled are the files that may use all parts: where the store is built, and where statements of all parts are planned ahead. Every part
// may use the constants and the configuration of store.go.
var assembled = []string{"store.go", planAhead}

// planAhead uses all parts, so that only the store itself may use it.
const planAhead = "plan_ahead.go"

func partOf(file string) string {
	for _, p := range storeParts {
		if slices.ContainsFunc(p.words, func(word string) bool { return strings.HasPrefix(file, word) }) {
			return p.name
		}
	}
	return core
}

func TestPartsOfTheStoreUseOnlyWhatTheyMay(t *testing.T) {
	may := map[string][]string{core: nil}
	for _, p := range storeParts {
		for _, other := range p.may {
			require.Contains(t, may, other, "%s uses %s, which is not before it in the table: there may be a circle", p.name, other)
		}
		may[p.name] = append(slices.Clone(p.may), core)
	}
	used, parts := map[string]map[string]bool{}, map[string]bool{}
	var wrong []string
	for _, u := range usesIn(t, "internal/neo4jstore") {
		from, to := partOf(u.file), partOf(u.declared)
		parts[from] = true
		if u.declared == planAhead && !slices.Contains(assembled, u.file) {
			wrong = append(wrong, fmt.Sprintf("%s uses %s of %s", u.file, u.name, planAhead))
		}
		if u.name == "Store" && u.declared == "store.go" && u.file != "store.go" {
			wrong = append(wrong, fmt.Sprintf("%s (%s) uses the whole Store", u.file, from))
		}
		if from == to || slices.Contains(assembled, u.file) || u.declared == "store.go" {
			continue
		}
		arrow := from + " uses " + to
		if used[arrow] == nil {
			used[arrow] = map[string]bool{}
		}
		used[arrow][u.declared+" "+u.name] = true
		if !slices.Contains(may[from], to) {
			wrong = append(wrong, fmt.Sprintf("%s (%s) uses %s of %s (%s)", u.file, from, u.name, u.declared, to))
		}
	}
	for _, arrow := range slices.Sorted(maps.Keys(used)) {
		t.Logf("%s: %d names", arrow, len(used[arrow]))
	}
	slices.Sort(wrong)
	require.Empty(t, slices.Compact(wrong), "move what several parts need to a file of the core")
	for _, p := range storeParts {
		require.True(t, parts[p.name], "%s has no file", p.name)
		for _, other := range p.may {
			require.NotEmpty(t, used[p.name+" uses "+other], "%s does not use %s any more: take it out of the table", p.name, other)
		}
	}
}

// use is the use of a name of the same package that another file declares.
type use struct{ file, name, declared string }

// usesIn lists the uses of a package's own names across its files, without its tests.
func usesIn(t *testing.T, pkg string) (uses []use) {
	t.Helper()
	c := checkTypes(t, pkg, exportsOf(t, pkg))
	for ident, object := range c.info.Uses {
		at, declared := c.fset.Position(ident.Pos()), c.fset.Position(object.Pos())
		if object.Pkg() == c.pkg && at.Filename != declared.Filename {
			uses = append(uses, use{filepath.Base(at.Filename), object.Name(), filepath.Base(declared.Filename)})
		}
	}
	require.NotEmpty(t, uses)
	return uses
}
