package apidocs

import (
	"bytes"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"graphrest/docs"
)

const (
	guidesPath = "/docs/guides/"
	// contentsFile lists all guides in an order.
	contentsFile = "README.md"
	llmsPath     = "/llms.txt"
	searchPath   = guidesPath + "search"
)

// guidesPolicy lets a guide load its style and pictures and send the form of the search.
const guidesPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// guides are the pages of docs/*.md, rendered at the first request.
type guides struct {
	files    map[string]file
	contents []guideGroup
	sections []section
}

// guideGroup is a part of the contents.
type guideGroup struct {
	Title  string
	Guides []guide
}

// guide is an entry of the contents.
type guide struct{ Title, Name, About string }

var renderGuides = sync.OnceValues(func() (*guides, error) {
	g := &guides{files: map[string]file{}}
	index, err := docs.Files.ReadFile(contentsFile)
	if err != nil {
		return nil, err
	}
	g.contents = parseContents(string(index))
	names, err := fs.Glob(docs.Files, "*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := g.addGuide(name); err != nil {
			return nil, err
		}
	}
	pictures, err := fs.Glob(docs.Files, "images/*")
	if err != nil {
		return nil, err
	}
	for _, name := range pictures {
		content, err := docs.Files.ReadFile(name)
		if err == nil {
			err = g.add(guidesPath+name, content)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, g.add(llmsPath, g.llms())
})

func (g *guides) add(address string, content []byte) error {
	f, err := newFile(address, content)
	g.files[address] = f
	return err
}

var (
	groupHeading = regexp.MustCompile(`^## (.+)$`)
	contentsLine = regexp.MustCompile(`^- \[(.+)\]\(([\w-]+)\.md\)(?:: (.+))?$`)
)

// parseContents reads the groups and entries of the contents.
func parseContents(markdown string) []guideGroup {
	var groups []guideGroup
	for line := range strings.SplitSeq(markdown, "\n") {
		if found := groupHeading.FindStringSubmatch(line); found != nil {
			groups = append(groups, guideGroup{Title: found[1]})
		} else if found := contentsLine.FindStringSubmatch(line); found != nil && len(groups) > 0 {
			last := &groups[len(groups)-1]
			last.Guides = append(last.Guides, guide{Title: found[1], Name: found[2], About: found[3]})
		}
	}
	return groups
}

// markdownRenderer renders GitHub's Markdown. It aligns cells by attributes, because guidesPolicy forbids inline styles.
var markdownRenderer = goldmark.New(goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithExtensions(
	extension.Linkify, extension.Strikethrough, extension.TaskList,
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))))

// addGuide renders a file, and adds its text as it is for programs that read Markdown.
func (g *guides) addGuide(name string) error {
	source, err := docs.Files.ReadFile(name)
	if err != nil {
		return err
	}
	tree := markdownRenderer.Parser().Parse(text.NewReader(source))
	relink(tree)
	var body bytes.Buffer
	if err := markdownRenderer.Renderer().Render(&body, source, tree); err != nil {
		return err
	}
	short, title := strings.TrimSuffix(name, ".md"), titleOf(source)
	if name == contentsFile {
		short = ""
	} else {
		g.sections = append(g.sections, sectionsOf(short, title, source, tree)...)
	}
	//nolint:gosec // the renderer escapes what the binary's own guides have
	page, err := g.page(pageData{Title: title, Name: short, Body: template.HTML(body.String())})
	if err != nil {
		return err
	}
	if err := g.add(guidesPath+name, source); err != nil {
		return err
	}
	f, err := newFile(".html", page)
	g.files[guidesPath+short] = f
	if short == "" {
		g.files[guidesPath+"index"] = f
	}
	return err
}

func titleOf(source []byte) string {
	for line := range strings.Lines(string(source)) {
		if title, isTitle := strings.CutPrefix(line, "# "); isTitle {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// relink makes links to other guides lead to their pages. A link to a file of the repository that is not served becomes its text.
func relink(tree ast.Node) {
	var links []*ast.Link
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, isLink := n.(*ast.Link); isLink && entering {
			links = append(links, link)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range links {
		to, fragment, _ := strings.Cut(string(link.Destination), "#")
		switch {
		case strings.Contains(to, "://"), to == "", strings.HasPrefix(to, "mailto:"):
		case !strings.Contains(to, "/") && path.Ext(to) == ".md":
			to = strings.TrimSuffix(to, ".md")
			if fragment != "" {
				to += "#" + fragment
			}
			link.Destination = []byte(to)
		default:
			parent := link.Parent()
			for child := link.FirstChild(); child != nil; {
				next := child.NextSibling()
				parent.InsertBefore(parent, link, child)
				child = next
			}
			parent.RemoveChild(parent, link)
		}
	}
}

// llms is the list of the guides for language models: https://llmstxt.org.
func (g *guides) llms() []byte {
	var b strings.Builder
	b.WriteString("# Graph Data Service\n\n> A REST gateway in front of Neo4j: nodes and edges as JSON, with logins, rights, " +
		"history and change sets.\n\n" +
		"The API is described at docs/openapi.json (OpenAPI); agents use /mcp.\n")
	for _, group := range g.contents {
		b.WriteString("\n## " + group.Title + "\n\n")
		for _, entry := range group.Guides {
			b.WriteString("- [" + entry.Title + "](docs/guides/" + entry.Name + ".md)")
			if entry.About != "" {
				b.WriteString(": " + entry.About)
			}
			b.WriteString("\n")
		}
	}
	return []byte(b.String())
}

// serveGuides answers a path of the guides. It writes nothing and returns false if there is no such page.
func serveGuides(w http.ResponseWriter, r *http.Request) bool {
	g, err := renderGuides()
	if err != nil {
		return false
	}
	if r.URL.Path == searchPath {
		return g.serveSearch(w, r)
	}
	if r.URL.Path+"/" == guidesPath {
		w.Header().Set("Location", "guides/") // relative, as every address here, because a proxy may have taken a path away
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	f, found := g.files[r.URL.Path]
	return found && f.serve(w, r, guidesPolicy)
}
