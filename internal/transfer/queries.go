package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// SavedQuery is the definition of a saved query. Members are JSON texts, as the API has them; those that are absent have their defaults.
type SavedQuery struct {
	Name    string
	Cypher  string
	Members map[string]json.RawMessage // besides name and cypher
}

// queryDefaults are the members of a definition with their defaults, in the order of a file's header.
var queryDefaults = []struct{ name, value string }{
	{"description", `""`},
	{"pattern", `null`},
	{"parameters", `{}`},
	{"timeout", `null`},
	{"max_rows", `1000`},
	{"max_bytes", `16777216`},
	{"cache_seconds", `0`},
	{"allow", `[]`},
}

func isQueryMember(name string) bool {
	return slices.ContainsFunc(queryDefaults, func(m struct{ name, value string }) bool { return m.name == name })
}

var headerLine = regexp.MustCompile(`^// ?([a-z_]+):(.*)$`)

// ParseQueryFile reads a file with a saved query: a header of comments, // member: value, then the Cypher. A value is JSON or a text; lines
// of the header that begin with three blanks after // continue it. The name of the query is that of the file without its suffix, unless the
// header has a name.
func ParseQueryFile(name, text string) (SavedQuery, error) {
	q := SavedQuery{Name: name, Members: map[string]json.RawMessage{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	used := 0
	values, order := map[string]string{}, ""
	for ; used < len(lines); used++ {
		if found := headerLine.FindStringSubmatch(lines[used]); found != nil {
			order = found[1]
			if order != "name" && !isQueryMember(order) {
				return q, fmt.Errorf("line %d: %s is no member of a saved query", used+1, order)
			}
			values[order] = strings.TrimSpace(found[2])
			continue
		}
		if more, continued := strings.CutPrefix(lines[used], "//   "); continued && order != "" {
			values[order] += " " + strings.TrimSpace(more)
			continue
		}
		break
	}
	for member, value := range values {
		if member == "name" {
			q.Name = value
			continue
		}
		q.Members[member] = jsonOrText(member, value)
	}
	q.Cypher = strings.TrimSpace(strings.Join(lines[used:], "\n"))
	if _, hasPattern := q.Members["pattern"]; hasPattern == (q.Cypher != "") {
		return q, fmt.Errorf("the file must have Cypher after its header, or a pattern in it")
	}
	return q, nil
}

// jsonOrText is a header's value as JSON. Names of allow may be separated by commas.
func jsonOrText(member, value string) json.RawMessage {
	if json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	var encoded any = value
	if member == "allow" {
		names := []string{}
		for name := range strings.SplitSeq(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		encoded = names
	}
	text, _ := json.Marshal(encoded) // texts and lists of them can be encoded
	return text
}

// FormatQueryFile returns the file of a saved query, which ParseQueryFile reads. Members that have their defaults are left out.
func FormatQueryFile(q SavedQuery) string {
	var text strings.Builder
	fmt.Fprintf(&text, "// name: %s\n", q.Name)
	for _, m := range queryDefaults {
		if value := q.member(m.name, m.value); !equalJSON(value, json.RawMessage(m.value)) {
			fmt.Fprintf(&text, "// %s: %s\n", m.name, value)
		}
	}
	if q.Cypher != "" {
		if strings.HasPrefix(q.Cypher, "//") { // a comment of the query is no line of the header
			text.WriteByte('\n')
		}
		text.WriteString(q.Cypher + "\n")
	}
	return text.String()
}

// member is the value of a member, or its default.
func (q SavedQuery) member(name, usual string) json.RawMessage {
	if value, given := q.Members[name]; given {
		return value
	}
	return json.RawMessage(usual)
}

// JSON is the definition with the members that it has, as the API takes it.
func (q SavedQuery) JSON() []byte {
	body := map[string]any{"name": q.Name}
	if q.Cypher != "" {
		body["cypher"] = q.Cypher
	}
	for name, value := range q.Members {
		body[name] = value
	}
	text, _ := json.Marshal(body) // its values are JSON and texts
	return text
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	read := func(text json.RawMessage, to *any) error {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return d.Decode(to)
	}
	return read(a, &x) == nil && read(b, &y) == nil && reflect.DeepEqual(x, y)
}

const savedQueriesPath = "/api/admin/queries"

// SavedQueries returns all saved queries by name, for administrators.
func (c *Client) SavedQueries(ctx context.Context) ([]SavedQuery, error) {
	listed, err := c.List(ctx, savedQueriesPath, "")
	all := make([]SavedQuery, 0, len(listed))
	for _, text := range listed {
		q, err := savedQueryOf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, q)
	}
	return all, err
}

// SavedQuery returns one saved query, for administrators.
func (c *Client) SavedQuery(ctx context.Context, name string) (SavedQuery, error) {
	text, err := c.Read(ctx, savedQueriesPath+"/"+url.PathEscape(name))
	if err != nil {
		return SavedQuery{}, err
	}
	return savedQueryOf(text)
}

func savedQueryOf(text json.RawMessage) (SavedQuery, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return SavedQuery{}, fmt.Errorf("the gateway's answer: %w", err)
	}
	q := SavedQuery{Members: map[string]json.RawMessage{}}
	_ = json.Unmarshal(members["name"], &q.Name)
	_ = json.Unmarshal(members["cypher"], &q.Cypher)
	for name, value := range members {
		if isQueryMember(name) {
			q.Members[name] = value
		}
	}
	return q, nil
}

// SaveQuery saves a definition: a new query, or another version. Members that are absent have their defaults.
func (c *Client) SaveQuery(ctx context.Context, q SavedQuery, create bool) error {
	whole := SavedQuery{Name: q.Name, Cypher: q.Cypher, Members: map[string]json.RawMessage{}}
	for _, m := range queryDefaults {
		if value := q.member(m.name, m.value); m.name != "pattern" || string(value) != "null" {
			whole.Members[m.name] = value
		}
	}
	if create {
		return c.Send(ctx, http.MethodPost, savedQueriesPath, whole.JSON())
	}
	return c.Send(ctx, http.MethodPut, savedQueriesPath+"/"+url.PathEscape(q.Name), whole.JSON())
}

// RunQuery writes the answer of a saved query in a format. It returns why the answer is not whole: rows or bytes; empty if it is whole, and
// for JSON, which says so itself.
func (c *Client) RunQuery(
	ctx context.Context, name string, parameters url.Values, format string, to io.Writer,
) (truncated string, err error) {
	asked := url.Values{"format": {format}}
	for key, values := range parameters {
		asked[key] = values
	}
	res, err := c.do(ctx, http.MethodGet, "/api/queries/"+url.PathEscape(name)+"/run?"+asked.Encode(), "", nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	_, err = io.Copy(to, res.Body)
	return res.Header.Get("Graphrest-Truncated"), err
}
