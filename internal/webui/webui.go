// Package webui serves the web interface: a single-page application whose source is in app/ and whose built files, created by
// `make webui`, are in dist/ and in the binary. It knows nothing of the API that the application calls.
package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// all: includes files that begin with an underscore.
//
//go:embed all:dist
var built embed.FS

// policy lets the application load files from, and send requests to, this service only. Scripts are files only;
// the style elements that the component library makes need 'unsafe-inline' (docs/adr/0004-web-session.md). Pictures are data or
// blobs where the canvas makes them. The worker policy keeps a page from starting any.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// mediaTypes are the types of the built files, independent of the machine's table.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// hashed is the directory of files whose names contain a hash of their content: they never change.
const hashed = "/assets/"

type file struct {
	mediaType string
	plain     []byte
	tag       string
	// zipped is computed at the first request that accepts gzip, to keep startup fast.
	zipped func() []byte
}

// Interface is the web interface. Create it with New.
type Interface struct{ files map[string]file }

// New prepares the files, whose addresses begin with a base path; an error means that the binary was built with invalid files.
func New(basePath string) (*Interface, error) {
	root, err := fs.Sub(built, "dist")
	if err != nil {
		return nil, err
	}
	ui := &Interface{files: map[string]file{}}
	err = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		mediaType := mediaTypes[path.Ext(name)]
		if mediaType == "" {
			return fmt.Errorf("webui: %s: no media type is known", name)
		}
		if "/"+name == start {
			content = setBasePath(content, basePath)
		}
		sum := sha256.Sum256(content)
		ui.files["/"+name] = file{
			mediaType: mediaType, plain: content, tag: hex.EncodeToString(sum[:16]),
			zipped: sync.OnceValue(func() []byte { return zip(content) }),
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if _, found := ui.files[start]; !found {
		return nil, fmt.Errorf("webui: dist has no %s; run make webui", start)
	}
	return ui, nil
}

// start is the page that is served at all of the application's paths.
const start = "/index.html"

// setBasePath makes the addresses in the page, which the build leaves relative to the page, those of the base path, and names it to the
// scripts. An element base would do that too, but the policy forbids it, since it would redirect every address of an injected page.
func setBasePath(page []byte, basePath string) []byte {
	page = bytes.ReplaceAll(page, []byte(`="./`), []byte(`="`+basePath+`/`))
	return bytes.Replace(page, []byte(`<meta name="base-path" content="">`),
		[]byte(`<meta name="base-path" content="`+html.EscapeString(basePath)+`">`), 1)
}

// zip compresses content with gzip; writing to memory does not fail.
func zip(content []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}

// Serve answers a GET or HEAD of a built file, and of any address without a dot with the application's page: which of
// those are the application's own is the caller's table of routes. It returns false and writes nothing if there is no
// such file.
func (ui *Interface) Serve(w http.ResponseWriter, r *http.Request) bool {
	name := r.URL.Path
	if name == start {
		return false // it is served at other paths; this one would be cached separately
	}
	if !strings.HasPrefix(name, hashed) && path.Ext(name) == "" {
		name = start
	}
	f, found := ui.files[name]
	if !found {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept-Encoding")
	if strings.HasPrefix(name, hashed) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache") // cached, but revalidated: a new binary has new files
	}
	body, tag := f.plain, f.tag
	if acceptsGzip(r.Header["Accept-Encoding"]) {
		body, tag = f.zipped(), f.tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", `"`+tag+`"`)
	r.Header.Del("Range") // ranges of a compressed file are useless
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	return true
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3). Every browser sends gzip without a weight; with any weight
// the plain form is never wrong.
func acceptsGzip(lines []string) bool {
	for coding := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			return true
		}
	}
	return false
}
