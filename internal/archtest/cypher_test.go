package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Cypher is composed of parsed parts only. That follows from three facts, each checked here in the source: package cypher creates
// fragments from its own constants and quoted names, in one file; only the reader of the embedded files converts text to a constant; and
// only a cypher.Text is sent to the database.
func TestCypherIsComposedOfParsedPartsOnly(t *testing.T) {
	require.Empty(t, composedCypher(t, "../.."))
}

func TestCheckOfComposedCypherReportsViolations(t *testing.T) {
	for name, source := range map[string]string{
		"cypher/evil.go":  "package cypher\nfunc f(s string) Fragment { return Fragment{s} }",
		"cypher/evil2.go": "package cypher\nfunc f(s string) Fragment { return literal(constant(s)) }",
		"cypher/evil3.go": "package cypher\nimport \"fmt\"\nfunc f(s string) string { return fmt.Sprintf(\"MATCH (n:%s) RETURN n\", s) }",
		"cypher/evil4.go": "package cypher\nimport \"strings\"\nfunc f(s, n string) string { return strings.ReplaceAll(s, \"x\", n) }",
		"cypher/evil5.go": "package cypher\nfunc f(s string) Text { return Text{text: s} }",
		"cypher/evil6.go": "package cypher\nfunc f(s string) Fragment { var x Fragment; x.text = s; return x }",
		"cypher/evil7.go": "package cypher\nfunc f(t Text, s string) Text { t.text += s; return t }",
		"cypher/evil8.go": "package cypher\nfunc f(s string) Fragment { return template{{literal: s}}.fill(nil) }",
		"cypher/evil9.go": "package cypher\ntype other = constant\nfunc f(s string) Fragment { return literal(other(s)) }",
		"internal/neo4jstore/evil4.go": "package neo4jstore\nimport \"x/neo4j-go-driver/v5/neo4j\"\n" +
			"func f(q string) { neo4j.ExecuteQuery(ctx, driver, q, nil, nil) }",
		"internal/neo4jstore/evil5.go": "package neo4jstore\nimport \"x/neo4j-go-driver/v5/neo4j\"\n" +
			"func f(a neo4j.Any, q string) { a.Run(ctx, q, nil) }",
		"internal/neo4jstore/evil.go":  "package neo4jstore\nfunc f(t string) string { return \"MATCH (n:\" + t + \") RETURN n\" }",
		"internal/neo4jstore/evil2.go": "package neo4jstore\nfunc f() { session.Run(ctx, query, nil) }",
		"internal/neo4jstore/evil3.go": "package neo4jstore\nfunc f() { tx.Run(ctx, query.String(), nil) }",
		"internal/neo4jstore/evil7.go": "package neo4jstore\nfunc f(s string) Text { return cypher.Guarded(s) }",
		"internal/neo4jstore/evil6.go": "package neo4jstore\nfunc f() { tx.Run(ctx, text.String(), nil) }",
		"internal/bolt/send.go": "package bolt\nimport \"x/neo4j-go-driver/v5/neo4j\"\n" +
			"func f(a neo4j.Any, q string) { a.Run(ctx, q, nil) }",
		"internal/neo4jschema/evil.go":   "package neo4jschema\nfunc f(t string) string { return \"DROP INDEX \" + t }",
		"internal/httpapi/evil_query.go": "package httpapi\nconst q = `CALL { UNWIND $rows AS row RETURN row }`",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
			require.NotEmpty(t, composedCypher(t, root))
		})
	}
}

// Packages that may contain Cypher text: tests, the tools that run a database, and the benchmarks, which compare the gateway with Cypher.
var mayContainCypher = regexp.MustCompile(
	`^(internal/(neo4jtest|neo4jdev|bench\w*|faulttest|storetest|doctest|archtest|webui)|cmd/(neo4jrun|graphrest-bench))/`)

// sender is the only file that calls the driver's methods Run.
const sender = "internal/bolt/send.go"

// clauses and schemaCommand match what looks like a statement: two of its clauses, or a schema command.
var (
	clauses       = regexp.MustCompile(`\b(MATCH|CREATE|MERGE|UNWIND|RETURN|SET|DELETE|REMOVE|CALL|YIELD)\b[\s({]`)
	schemaCommand = regexp.MustCompile(`\b(CREATE|DROP|SHOW) (\w+ )?(INDEX|CONSTRAINT|INDEXES|CONSTRAINTS)\b`)
)

// composedCypher lists the places in production code where Cypher text is written or composed outside package cypher. It skips the remedies
// in internal/maintenance/doctor.go, which are shown to administrators and never run.
func composedCypher(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			if strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || mayContainCypher.MatchString(name) {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		check := cypherCheck{name: name, set: set, inCypher: strings.HasPrefix(name, "cypher/")}
		for _, imported := range file.Imports {
			check.hasDriver = check.hasDriver || strings.Contains(imported.Path.Value, "/neo4j-go-driver/")
		}
		ast.Inspect(file, check.visit)
		found = append(found, check.found...)
		return nil
	})
	require.NoError(t, err)
	return found
}

type cypherCheck struct {
	name      string
	set       *token.FileSet
	inCypher  bool
	hasDriver bool // the file imports the database's driver
	found     []string
}

func (c *cypherCheck) add(at ast.Node, what string) {
	c.found = append(c.found, c.name+":"+strconv.Itoa(c.set.Position(at.Pos()).Line)+": "+what)
}

func (c *cypherCheck) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		isStatement := len(clauses.FindAllString(text, 2)) == 2 || schemaCommand.MatchString(text) ||
			clauses.MatchString(text) && strings.ContainsAny(text, "(:")
		if err == nil && n.Kind == token.STRING && !c.inCypher && c.name != "internal/maintenance/doctor.go" && isStatement {
			c.add(n, "a statement stands in a .cypher file")
		}
	case *ast.CompositeLit:
		kind, named := n.Type.(*ast.Ident)
		if c.inCypher && named && len(n.Elts) > 0 && (kind.Name == "Fragment" && c.name != "cypher/template.go" ||
			kind.Name == "Text" && c.name != "cypher/cypher.go" ||
			(kind.Name == "template" || kind.Name == "part") && c.name != "cypher/template.go") {
			c.add(n, "a "+kind.Name+" is made by the package's own functions only")
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if field, isField := left.(*ast.SelectorExpr); c.inCypher && isField && slices.Contains([]string{"text", "literal"}, field.Sel.Name) {
				c.add(n, "a fragment, a text and a part of a template do not change")
			}
		}
	case *ast.TypeSpec:
		if of, isName := n.Type.(*ast.Ident); c.inCypher && isName &&
			slices.Contains([]string{"constant", "Fragment", "Text", "template", "part"}, of.Name) {
			c.add(n, of.Name+" has one name")
		}
	case *ast.CallExpr:
		c.call(n)
	}
	return true
}

func (c *cypherCheck) call(n *ast.CallExpr) {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		if c.inCypher && fun.Name == "constant" && c.name != "cypher/cypher.go" {
			c.add(n, "only the embedded files are turned into constants")
		}
	case *ast.SelectorExpr:
		of, _ := fun.X.(*ast.Ident)
		if field, nested := fun.X.(*ast.SelectorExpr); nested { // c.tx
			of = field.Sel
		}
		switch {
		case fun.Sel.Name == "Run" && c.hasDriver && len(n.Args) > 1 && c.name != sender:
			c.add(n, "statements are sent by the functions of "+sender+", which wrap their lists")
		case fun.Sel.Name == "Run" && c.hasDriver && len(n.Args) > 1 && !runsCypherText(n):
			c.add(n, "what is sent is text.String() of a cypher.Text")
		case of == nil:
		case of.Name == "cypher" && fun.Sel.Name == "Guarded" && !strings.HasPrefix(c.name, "internal/queryguard/"):
			c.add(n, "only package queryguard accepts the text of a client")
		case c.inCypher && of.Name == "strings" && strings.HasPrefix(fun.Sel.Name, "Replace") && c.name != "cypher/cypher.go":
			c.add(n, "slots are filled by template.fill, not by replacing text")
		case c.inCypher && of.Name == "fmt" && fun.Sel.Name == "Sprintf":
			if format, isText := n.Args[0].(*ast.BasicLit); isText && !strings.HasPrefix(format.Value, `"cypher`) {
				c.add(n, "Cypher is not formatted")
			}
		case of.Name == "neo4j" && fun.Sel.Name == "ExecuteQuery":
			c.add(n, "what is sent is text.String() of a cypher.Text")
		case fun.Sel.Name == "Run" && (of.Name == "session" || of.Name == "tx") && c.name != sender:
			c.add(n, "statements are sent by the functions of "+sender+", which wrap their lists")
		}
	}
}

// runsCypherText reports whether a call of Run sends text.String(), or a statement's Text(...).String().
func runsCypherText(n *ast.CallExpr) bool {
	if len(n.Args) < 2 {
		return false
	}
	call, isCall := n.Args[1].(*ast.CallExpr)
	if !isCall {
		return false
	}
	method, isMethod := call.Fun.(*ast.SelectorExpr)
	if !isMethod || method.Sel.Name != "String" {
		return false
	}
	if of, named := method.X.(*ast.Ident); named {
		return of.Name == "text"
	}
	made, isCall := method.X.(*ast.CallExpr)
	if !isCall {
		return false
	}
	maker, isMethod := made.Fun.(*ast.SelectorExpr)
	return isMethod && maker.Sel.Name == "Text"
}
