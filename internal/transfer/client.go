// Package transfer is the client of imports, exports and descriptions: it calls a gateway over HTTP, as any client does, and converts CSV
// files to the lines of an import.
package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	ndjsonMediaType = "application/x-ndjson"
	loginTimeout    = 30 * time.Second
	// maxLine is the maximum length of a line of a response. Entities may be larger than an import allows.
	maxLine      = 64 << 20
	maxErrorBody = 1 << 20
)

// Client calls one gateway.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// NewClient creates a client of the gateway at a URL such as http://127.0.0.1:8080, with a token.
func NewClient(base, token string) *Client {
	return &Client{base: strings.TrimSuffix(base, "/"), token: token, http: &http.Client{}}
}

// LogIn creates a client with a token that it requests by user name and password.
func LogIn(ctx context.Context, base, username, password string) (*Client, error) {
	c := NewClient(base, "")
	body, err := json.Marshal(map[string]string{"username": username, "password": password})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	res, err := c.do(ctx, http.MethodPost, "/api/auth/login", "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxErrorBody)).Decode(&token); err != nil {
		return nil, fmt.Errorf("the gateway's answer to the login: %w", err)
	}
	c.token = token.AccessToken
	return c, nil
}

// Problem is an error response of the gateway.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"details"`
}

// Error returns the message with its code and details.
func (p *Problem) Error() string {
	text := p.Message + " (" + p.Code + ")"
	for _, d := range p.Details {
		text += "; " + d.Field + ": " + d.Message
	}
	return text
}

// do sends a request. A response with a status other than 200 or 201 is an error.
func (c *Client) do(ctx context.Context, method, path, media string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusCreated {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		Error *Problem `json:"error"`
	}
	if json.NewDecoder(io.LimitReader(res.Body, maxErrorBody)).Decode(&answer) != nil || answer.Error == nil {
		return nil, fmt.Errorf("the gateway answers %s", res.Status)
	}
	return nil, answer.Error
}

// Counts is the progress or the result of an import.
type Counts struct {
	Lines   int64 `json:"lines"`
	Created int64 `json:"created"`
	Updated int64 `json:"updated"`
	Skipped int64 `json:"skipped"`
	Failed  int64 `json:"failed"`
	Errors  []struct {
		Line int64 `json:"line"`
		Problem
	} `json:"errors"`
	// Final reports that these are the counts of the database; otherwise the connection broke off, and there may be more.
	Final bool `json:"-"`
}

// Import sends lines and returns the result. It calls progress about once a second. If the import stops early, the counts show how
// far it got.
func (c *Client) Import(ctx context.Context, lines io.Reader, onConflict string, progress func(Counts)) (Counts, error) {
	var counts Counts
	res, err := c.do(ctx, http.MethodPost, "/api/import?on_conflict="+url.QueryEscape(onConflict), ndjsonMediaType, lines)
	if err != nil {
		var problem *Problem
		counts.Final = errors.As(err, &problem) // the gateway refused the import
		return counts, err
	}
	defer func() { _ = res.Body.Close() }()
	answers := newLineScanner(res.Body)
	for answers.Scan() {
		var line struct {
			Progress *Counts  `json:"progress"`
			Data     *Counts  `json:"data"`
			Error    *Problem `json:"error"`
		}
		if err := json.Unmarshal(answers.Bytes(), &line); err != nil {
			return counts, fmt.Errorf("the gateway's answer: %w", err)
		}
		switch {
		case line.Error != nil:
			if line.Data != nil {
				counts = *line.Data
			}
			counts.Final = true
			return counts, line.Error
		case line.Data != nil:
			line.Data.Final = true
			return *line.Data, nil
		case line.Progress != nil:
			counts = *line.Progress
			progress(counts)
		}
	}
	return counts, errors.Join(errors.New("the connection broke off"), answers.Err())
}

func newLineScanner(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 64<<10), maxLine)
	return s
}

// Export writes the graph's lines. It fails if the stream does not end with its last line. It calls progress with the number of lines.
func (c *Client) Export(
	ctx context.Context, to io.Writer, nodeTypes, edgeTypes []string, progress func(lines int64),
) (lines int64, err error) {
	query := url.Values{}
	for name, types := range map[string][]string{"node_type": nodeTypes, "edge_type": edgeTypes} {
		if len(types) > 0 {
			list, err := json.Marshal(types)
			if err != nil {
				return 0, err
			}
			query.Set(name, string(list))
		}
	}
	res, err := c.do(ctx, http.MethodGet, "/api/export?"+query.Encode(), "", http.NoBody)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	out := bufio.NewWriterSize(to, 64<<10)
	in := newLineScanner(res.Body)
	whole := false
	for in.Scan() {
		line := in.Bytes()
		if bytes.HasPrefix(line, []byte(`{"kind":"error"`)) {
			return lines, parseExportError(line)
		}
		whole = bytes.HasPrefix(line, []byte(`{"kind":"end"`))
		if _, err := out.Write(append(line, '\n')); err != nil {
			return lines, err
		}
		lines++
		progress(lines)
	}
	if err := out.Flush(); err != nil {
		return lines, err
	}
	if !whole {
		return lines, errors.Join(errors.New("the connection broke off: the export is not whole"), in.Err())
	}
	return lines, nil
}

func parseExportError(line []byte) error {
	var answer struct {
		Error *Problem `json:"error"`
	}
	if json.Unmarshal(line, &answer) != nil || answer.Error == nil {
		return errors.New("the export broke off")
	}
	return fmt.Errorf("the export broke off: %w", answer.Error)
}

// Description returns the OpenAPI description of the graph that the caller may see. It asks for the caller first, because without a
// valid token the gateway answers the public description.
func (c *Client) Description(ctx context.Context) ([]byte, error) {
	me, err := c.do(ctx, http.MethodGet, "/api/auth/me", "", http.NoBody)
	if err != nil {
		return nil, err
	}
	_ = me.Body.Close()
	res, err := c.do(ctx, http.MethodGet, "/docs/openapi.json", "", http.NoBody)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("the connection broke off: %w", err)
	}
	return text, nil
}

// Token returns the token that the client sends.
func (c *Client) Token() string { return c.token }
