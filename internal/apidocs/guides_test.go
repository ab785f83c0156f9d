package apidocs

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/docs"
)

func get(t *testing.T, path string) (int, http.Header, string) {
	t.Helper()
	w := httptest.NewRecorder()
	if !serveGuides(w, httptest.NewRequest(http.MethodGet, path, http.NoBody)) {
		return http.StatusNotFound, nil, ""
	}
	return w.Code, w.Header(), w.Body.String()
}

func TestContentsListEveryGuideOnce(t *testing.T) {
	g, err := renderGuides()
	require.NoError(t, err)
	var listed []string
	for _, group := range g.contents {
		for _, entry := range group.Guides {
			listed = append(listed, entry.Name+".md")
		}
	}
	names, err := fs.Glob(docs.Files, "*.md")
	require.NoError(t, err)
	require.ElementsMatch(t, names, append(listed, contentsFile), "docs/README.md lists each guide of docs/ once")
}

// Every link of a guide to another one leads to a page and, with a fragment, to a heading there.
func TestLinksOfGuidesLead(t *testing.T) {
	g, err := renderGuides()
	require.NoError(t, err)
	links := regexp.MustCompile(`(?:href|src)="([^":]+)"`)
	checked := 0
	for address, f := range g.files {
		if f.mediaType != mediaTypes[".html"] {
			continue
		}
		for _, found := range links.FindAllStringSubmatch(string(f.plain), -1) {
			to, fragment, _ := strings.Cut(found[1], "#")
			if strings.HasPrefix(to, "../") {
				continue // the frame of the page
			}
			target := guidesPath + strings.TrimPrefix(to, "./")
			if to == "" {
				target = address
			}
			page, exists := g.files[target]
			require.True(t, exists, "%s: %s", address, found[1])
			if fragment != "" {
				require.Contains(t, string(page.plain), `id="`+fragment+`"`, "%s: %s", address, found[1])
			}
			checked++
		}
	}
	require.Greater(t, checked, 1000)
}

func TestGuidesAreServed(t *testing.T) {
	code, header, body := get(t, "/docs/guides/")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, "<h1")
	require.NotContains(t, header.Get("Content-Security-Policy"), "script")
	code, header, _ = get(t, "/docs/guides")
	require.Equal(t, http.StatusTemporaryRedirect, code)
	require.Equal(t, "guides/", header.Get("Location"))
	_, header, body = get(t, "/docs/guides/lists")
	require.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"))
	require.Contains(t, body, `<a href="lists" aria-current="page">`)
	_, header, body = get(t, "/docs/guides/lists.md")
	require.Equal(t, "text/markdown; charset=utf-8", header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(body, "# "))
	_, _, body = get(t, "/llms.txt")
	require.Contains(t, body, "](docs/guides/tutorial.md)")
	for _, path := range []string{"/docs/guides/none", "/docs/guides/docs.go", "/docs/guides/../lists"} {
		code, _, _ = get(t, path)
		require.Equal(t, http.StatusNotFound, code, path)
	}
}

func TestSearchOfGuides(t *testing.T) {
	_, _, body := get(t, "/docs/guides/search?q=Rotation+secrets")
	first := strings.Index(body, `<a href="operations#rotation-of-secrets">`)
	require.Positive(t, first)
	require.Equal(t, first, strings.Index(body, `<a href="`+firstHit(body)), "the heading comes first")
	_, _, body = get(t, "/docs/guides/search?q=no-such-word-anywhere")
	require.Contains(t, body, "Nothing has all of these words")
	_, _, body = get(t, "/docs/guides/search?q=%22%3E%3Cscript%3E")
	require.NotContains(t, body, "<script")
	_, _, body = get(t, "/docs/guides/search?q="+strings.Repeat("a", 300)+"%FF")
	require.Contains(t, body, "Type one or more words")
}

// firstHit is the address of the first hit of a page.
func firstHit(body string) string {
	_, hits, _ := strings.Cut(body, `<ul class="hits">`)
	_, hit, _ := strings.Cut(hits, `<a href="`)
	address, _, _ := strings.Cut(hit, `"`)
	return address
}
