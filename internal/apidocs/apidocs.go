// Package apidocs serves the interactive documentation: Swagger UI 5.35.0 in a page with a login form, the OpenAPI description, and the
// guides of docs/ as pages with a search. All files are in the binary; the page sends no request to any other address.
package apidocs

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"graphrest/docs/openapi"
)

// Swagger UI is stored compressed, which keeps the repository and the binary small: swagger-ui-dist 5.35.0, Apache-2.0, with its
// licence and notice.
//
//go:embed assets
var assets embed.FS

// contentSecurityPolicy lets the page load files from, and send requests and forms to, this service only. Swagger UI needs inline
// styles; inline scripts are forbidden. Other pages must not frame this one.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// mediaTypes are the media types of the files, independent of the operating system's table.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".md":   "text/markdown; charset=utf-8",
	".png":  "image/png",
}

// file is one file, plain and compressed.
type file struct {
	mediaType         string
	plain, compressed []byte
	etag              string // of the plain form; the compressed form has a different one
}

// Documentation is the page with its files. Create it with New.
type Documentation struct {
	files       map[string]file
	description []byte
}

// New prepares the files. The description names the base path, and the address that clients use if there is one. An error means that the
// binary contains invalid files.
func New(basePath, publicURL string) (*Documentation, error) {
	d := &Documentation{files: map[string]file{}, description: setServers(openapi.Document, basePath, publicURL)}
	entries, err := assets.ReadDir("assets")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		content, err := assets.ReadFile("assets/" + entry.Name())
		if err != nil {
			return nil, err
		}
		if err := d.add(entry.Name(), content); err != nil {
			return nil, err
		}
	}
	return d, d.add("openapi.json", d.description)
}

// Description returns the OpenAPI description that is served.
func (d *Documentation) Description() []byte { return d.description }

// rootServer is the only server of the generated description.
const rootServer = `"servers": [
    {
      "url": "/"
    }
  ]`

// setServers replaces it. A relative reference is correct whatever address the document was read from.
func setServers(document []byte, basePath, publicURL string) []byte {
	var servers []map[string]string
	if publicURL != "" {
		servers = append(servers, map[string]string{"url": publicURL})
	}
	servers = append(servers, map[string]string{"url": cmp.Or(basePath, "/")})
	text, err := json.MarshalIndent(servers, "  ", "  ")
	if err != nil {
		panic(err) // texts can be encoded
	}
	return bytes.Replace(document, []byte(rootServer), append([]byte(`"servers": `), text...), 1)
}

func (d *Documentation) add(name string, content []byte) error {
	address := "/docs/" + strings.TrimSuffix(name, ".gz")
	if name == "index.html" {
		address = "/docs"
	}
	f, err := newFile(name, content)
	d.files[address] = f
	return err
}

// newFile prepares a file. The end of its name says what it is; .gz is compressed already.
func newFile(name string, content []byte) (file, error) {
	var f file
	var err error
	if plain, zipped := strings.CutSuffix(name, ".gz"); zipped {
		name = plain
		f.compressed = content
		f.plain, err = decompress(content)
	} else {
		f.plain = content
		f.compressed, err = compress(content)
	}
	if err != nil {
		return f, fmt.Errorf("apidocs: %s: %w", name, err)
	}
	f.mediaType = mediaTypes[path.Ext(name)]
	if f.mediaType == "" {
		return f, fmt.Errorf("apidocs: %s: no media type is known", name)
	}
	sum := sha256.Sum256(f.plain)
	f.etag = hex.EncodeToString(sum[:16])
	return f, nil
}

func decompress(content []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// Serve answers a GET or HEAD of /docs or of a file below it. It writes nothing and returns false if there is no such file.
func (d *Documentation) Serve(w http.ResponseWriter, r *http.Request) bool {
	f, found := d.files[r.URL.Path]
	if !found {
		return serveGuides(w, r)
	}
	return f.serve(w, r, contentSecurityPolicy)
}

// serve answers with the file.
func (f *file) serve(w http.ResponseWriter, r *http.Request, policy string) bool {
	h := w.Header()
	body, tag := f.plain, `"`+f.etag+`"`
	if acceptsGzip(r.Header["Accept-Encoding"]) {
		body, tag = f.compressed, `"`+f.etag+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-cache") // cached, but revalidated: a new binary has new files
	h.Set("ETag", tag)
	if matchesETag(r.Header["If-None-Match"], tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	h.Set("Content-Type", f.mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the access log shows a disconnected client
	}
	return true
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3). A coding with any weight but zero is accepted.
func acceptsGzip(lines []string) bool {
	for member := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		coding, weight, weighted := strings.Cut(member, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		if !weighted {
			return true
		}
		_, number, _ := strings.Cut(weight, "=")
		q, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		return err == nil && q > 0
	}
	return false
}

// matchesETag reports whether If-None-Match contains the tag. It compares weakly (RFC 9110, section 13.1.2); the tags of this
// package contain no comma.
func matchesETag(lines []string, tag string) bool {
	for member := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		member = strings.TrimSpace(member)
		if member == "*" || strings.TrimPrefix(member, "W/") == tag {
			return true
		}
	}
	return false
}
