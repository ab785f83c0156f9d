package apidocs_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/docs"
	"graphrest/internal/neo4jtest"
	"graphrest/internal/testmark"
)

// TestGuidesInANarrowWindow opens the guides as a reader with a telephone does: from the front page, each is served by the gateway, is not
// wider than the window, begins with its title, and keeps to its policy.
func TestGuidesInANarrowWindow(t *testing.T) {
	testmark.Long(t)
	base := serve(t, neo4jtest.OpenPrepared(t))
	b := openBrowser(t)
	b.call(t, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false}, nil)
	paths := []string{"/docs/guides", "/docs/guides/", "/docs/guides/search?q=rotation"}
	names, err := fs.Glob(docs.Files, "*.md")
	require.NoError(t, err)
	for _, name := range names {
		if name != "README.md" {
			paths = append(paths, "/docs/guides/"+strings.TrimSuffix(name, ".md"))
		}
	}
	for _, path := range paths {
		b.call(t, "Page.navigate", map[string]any{"url": base + path}, nil)
		shown := strings.TrimSuffix(base+path, "/")
		b.eventually(t, `document.readyState === "complete" && location.href.replace(/\/$/, "") === `+quoted(shown), isTrue)
		text := b.run(t, `document.body.innerText.slice(0, 200)`)
		require.Equal(t, "true", b.run(t, `document.querySelector("h1") !== null`), "%s: %s", path, text)
		fits := b.run(t, `document.documentElement.scrollWidth <= document.documentElement.clientWidth`)
		require.Equal(t, "true", fits, "%s is wider than the window", path)
		require.Equal(t, "true", b.run(t, `document.querySelector("h1").getBoundingClientRect().top < 300`), "%s begins with the contents", path)
	}
	for _, l := range heard[struct {
		Entry struct{ Level, Text, URL string }
	}](t, b, "Log.entryAdded") {
		require.NotEqual(t, "error", l.Entry.Level, "%+v", l.Entry)
	}
	require.Empty(t, heard[json.RawMessage](t, b, "Runtime.exceptionThrown"))
}
