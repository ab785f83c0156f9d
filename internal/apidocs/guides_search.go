package apidocs

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

const (
	maxHits        = 30
	maxSearchBytes = 200
)

//go:embed guide.html
var guideTemplateText string

var guideTemplate = template.Must(template.New("guide").Parse(guideTemplateText))

// pageData is what the template of a page shows: a guide, or the hits of a search.
type pageData struct {
	Title, Name string
	Body        template.HTML
	Contents    []guideGroup
	Searched    bool
	Question    string
	Hits        []section
}

func (g *guides) page(data pageData) ([]byte, error) {
	data.Contents = g.contents
	var page bytes.Buffer
	err := guideTemplate.Execute(&page, data)
	return page.Bytes(), err
}

// section is a heading of a guide with the text below it, which the search finds.
type section struct {
	Address, Guide, Heading string
	text                    string // in lower case
	score                   int
}

// sectionsOf splits a guide at its headings.
func sectionsOf(name, title string, source []byte, tree ast.Node) []section {
	var found []section
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, isHeading := n.(*ast.Heading); isHeading {
			address := name
			if id, given := heading.AttributeString("id"); given && heading.Level > 1 {
				if text, isText := id.([]byte); isText {
					address += "#" + string(text)
				}
			}
			found = append(found, section{Address: address, Guide: title, Heading: plainText(heading, source)})
		} else if len(found) > 0 {
			found[len(found)-1].text += strings.ToLower(plainText(n, source)) + "\n"
		}
	}
	return found
}

// plainText is the text of a node and all below it.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock:
			b.Write(n.Lines().Value(source))
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// search returns the sections that contain all words, those with the words in their heading first.
func (g *guides) search(question string) []section {
	words := strings.Fields(strings.ToLower(question))
	if len(words) == 0 {
		return nil
	}
	var hits []section
	for _, s := range g.sections {
		heading := strings.ToLower(s.Guide + " " + s.Heading)
		for _, word := range words {
			inHeading, count := strings.Contains(heading, word), strings.Count(s.text, word)
			if !inHeading && count == 0 {
				s.score = -1
				break
			}
			s.score += min(count, 5)
			if inHeading {
				s.score += 10
			}
		}
		if s.score > 0 {
			hits = append(hits, s)
		}
	}
	slices.SortStableFunc(hits, func(a, b section) int { return cmp.Compare(b.score, a.score) })
	return hits[:min(len(hits), maxHits)]
}

func (g *guides) serveSearch(w http.ResponseWriter, r *http.Request) bool {
	question := r.URL.Query().Get("q")
	if len(question) > maxSearchBytes {
		question = ""
	}
	question = strings.ToValidUTF8(question, "")
	page, err := g.page(pageData{Title: "Search", Searched: true, Question: question, Hits: g.search(question)})
	if err != nil {
		return false
	}
	f, err := newFile(".html", page)
	return err == nil && f.serve(w, r, guidesPolicy)
}
