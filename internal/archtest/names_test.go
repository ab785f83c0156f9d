package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names that do not describe the content, so that unrelated code collects there.
var meaninglessNames = []string{
	"util", "utils", "common", "helper", "helpers", "manager", "managers", "model", "models", "types", "misc", "pkg", "base",
	"shared", "lib", "stuff",
}

func TestNamesSayWhatIsInside(t *testing.T) {
	for _, s := range tree(t) {
		for element := range strings.SplitSeq(s.pkg, "/") {
			require.NotContains(t, meaninglessNames, element, "directory of %s", s.path)
		}
		bare := strings.TrimSuffix(strings.TrimSuffix(s.name(), ".go"), "_test")
		require.NotContains(t, meaninglessNames, bare, s.path)
	}
}

func TestInternalIsOneLevelDeep(t *testing.T) {
	for _, s := range tree(t) {
		if strings.HasPrefix(s.pkg, "internal/") {
			require.Equal(t, 2, len(strings.Split(s.pkg, "/")), "%s: packages under internal have no subpackages", s.path)
		}
		require.NotEqual(t, "internal", s.pkg, s.path)
	}
}

// A comment that begins with a name is found by that name, so it must be the name of what it describes.
func TestCommentsNameWhatTheyDescribe(t *testing.T) {
	for _, s := range tree(t) {
		if s.generated {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", filepath.FromSlash(s.path)), nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if described, wrong := misnamed(d); wrong != "" {
				t.Errorf("%s: the comment of %s begins with %q", s.path, described, wrong)
			}
		}
	}
}

// misnamed gives the name of a declared function or type, and the first word of its comment if that is the name of something else. A
// comment may also begin with prose, which has a capital letter; those of tests do not name the test.
func misnamed(d ast.Decl) (described, wrong string) {
	var comment *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		described, comment = d.Name.Name, d.Doc
	case *ast.GenDecl:
		if d.Tok != token.TYPE || len(d.Specs) != 1 {
			return "", ""
		}
		described, comment = d.Specs[0].(*ast.TypeSpec).Name.Name, d.Doc
	}
	isTest := slices.ContainsFunc([]string{"Test", "Fuzz", "Benchmark"}, func(p string) bool { return strings.HasPrefix(described, p) })
	if comment == nil || isTest {
		return described, ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(comment.Text()), " ")
	if first = strings.TrimRight(first, ".,:"); first == described || ast.IsExported(first) || !token.IsIdentifier(first) {
		return described, ""
	}
	return described, first
}

func TestMisnamingCommentsAreFound(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"its own name":    {"// f runs.\nfunc f() {}", ""},
		"another name":    {"// run runs.\nfunc f() {}", "run"},
		"prose":           {"// Parallel calls run.\nfunc f() {}", ""},
		"no comment":      {"func f() {}", ""},
		"a test":          {"// f runs.\nfunc TestF() {}", ""},
		"another type":    {"// u is a thing.\ntype t int", "u"},
		"what is no name": {"// `x` runs it.\nfunc f() {}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\n"+test.source+"\n", parser.ParseComments)
			require.NoError(t, err)
			_, wrong := misnamed(file.Decls[0])
			require.Equal(t, test.want, wrong)
		})
	}
}

// subjectLayers are the packages in which a subject has a file of its name.
var subjectLayers = map[string][]string{
	"nodes":          {"internal/graph", "internal/httpapi", "internal/neo4jentity", "internal/storetest"},
	"edges":          {"internal/graph", "internal/httpapi", "internal/neo4jentity", "internal/storetest"},
	"around":         {"internal/graph", "internal/httpapi", "internal/neo4jwalk", "internal/storetest", "cypher"},
	"aggregate":      {"internal/graph", "internal/httpapi", "internal/neo4jlist", "internal/storetest", "cypher"},
	"operations":     {"internal/graph", "internal/httpapi", "internal/neo4jbatch", "internal/storetest", "cypher"},
	"bulk":           {"internal/graph", "internal/httpapi", "internal/neo4jbulk", "internal/storetest", "cypher"},
	"schema":         {"internal/graph", "internal/httpapi", "internal/neo4jschema", "internal/storetest", "cypher"},
	"indexes":        {"internal/graph", "internal/httpapi", "internal/neo4jschema", "internal/storetest", "cypher"},
	"declarations":   {"internal/graph", "internal/httpapi", "internal/neo4jschema", "internal/storetest", "cypher"},
	"search":         {"internal/graph", "internal/httpapi", "internal/neo4jsearch", "internal/storetest", "cypher"},
	"undo":           {"internal/journal", "internal/httpapi", "internal/neo4jjournal"},
	"trash":          {"internal/journal", "internal/httpapi", "internal/neo4jjournal"},
	"feed":           {"internal/journal", "internal/httpapi", "internal/neo4jjournal"},
	"users":          {"internal/auth", "internal/httpapi", "internal/neo4jauth"},
	"roles":          {"internal/auth", "internal/httpapi", "internal/neo4jauth"},
	"service_tokens": {"internal/auth", "internal/httpapi", "internal/neo4jauth"},
	"doctor":         {"cmd/graphrest", "internal/graph", "internal/maintenance", "cypher"},
	"adopt":          {"cmd/graphrest", "internal/graph", "internal/maintenance", "cypher"},
}

// What belongs together has the same file name in every layer, so that one name finds all of it: nodes.go, or several nodes_ where
// one file would be too long.
func TestLayersShareFileNames(t *testing.T) {
	files := map[string][]string{}
	for _, s := range tree(t) {
		if !s.test {
			files[s.pkg] = append(files[s.pkg], strings.TrimSuffix(s.name(), ".go"))
		}
	}
	for subject, layers := range subjectLayers {
		for _, layer := range layers {
			if !slices.ContainsFunc(files[layer], func(name string) bool { return name == subject || strings.HasPrefix(name, subject+"_") }) {
				t.Errorf("%s has no %s.go", layer, subject)
			}
		}
	}
}
