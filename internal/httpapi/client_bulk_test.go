package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/httpapi"
	"graphrest/internal/storetest"
)

// stream sends a request whose response is NDJSON.
func (c *client) stream(ctx context.Context, method, path string, query url.Values, body []byte) ([][]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token(""))
	req.Header.Set("Content-Type", "application/x-ndjson")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%d %s: %w", res.StatusCode, text, err)
	}
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")), nil
}

func bulkLineText(l graph.BulkLine) string {
	member := func(name, value string) string {
		if value == "" {
			return ""
		}
		return `,"` + name + `":` + quote(value)
	}
	if n := l.Node; n != nil {
		text := `{"kind":"node"` + member("id", n.ID) + member("ref", n.Ref) + `,"type":null,"labels":[`
		for i, label := range n.Labels {
			text += strings.Repeat(",", min(i, 1)) + quote(string(label))
		}
		return text + `],"properties":` + propertiesText(n.Properties) + "}\n"
	}
	e := l.Edge
	return `{"kind":"edge"` + member("id", e.ID) + member("type", string(e.Type)) + member("source_id", e.Source.ID) +
		member("source_ref", e.Source.Ref) +
		member("target_id", e.Target.ID) + member("target_ref", e.Target.Ref) + `,"properties":` + propertiesText(e.Properties) + "}\n"
}

func (c *client) bulk() *storetest.BulkHarness {
	return &storetest.BulkHarness{
		Import: func(on graph.OnConflict, lines []graph.BulkLine) (storetest.BulkTally, error) {
			tally := storetest.BulkTally{Faults: map[int64]*fault.Error{}}
			var body strings.Builder
			for _, l := range lines {
				body.WriteString(bulkLineText(l))
			}
			answers, err := c.stream(context.Background(), "POST", "/api/import", url.Values{"on_conflict": {string(on)}}, []byte(body.String()))
			if err != nil {
				return tally, err
			}
			var last httpapi.Answer[httpapi.ImportCounts]
			decoder := json.NewDecoder(bytes.NewReader(answers[len(answers)-1]))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&last); err != nil {
				return tally, fmt.Errorf("%s: %w", answers[len(answers)-1], err)
			}
			d := last.Data
			if d.Lines != int64(len(lines)) || d.Created+d.Updated+d.Skipped+d.Failed != d.Lines || int(d.Failed) != len(d.Errors) {
				return tally, fmt.Errorf("the counts do not add up: %+v", d)
			}
			tally.Created, tally.Updated, tally.Skipped = d.Created, d.Updated, d.Skipped
			for _, e := range d.Errors {
				var details []fault.Detail
				for _, detail := range e.Details {
					details = append(details, fault.Detail{Field: detail.Field, Message: detail.Message})
				}
				tally.Faults[e.Line] = fault.New(fault.Code(e.Code), e.Message, details...)
			}
			return tally, nil
		},
		Export: c.export,
	}
}

func (c *client) export(q graph.ExportQuery) (nodes []graph.Node, edges []graph.Edge, err error) {
	query := url.Values{}
	for name, types := range map[string][]graph.TypeName{"node_type": q.NodeTypes, "edge_type": q.EdgeTypes} {
		if len(types) > 0 {
			text, _ := json.Marshal(types)
			query.Set(name, string(text))
		}
	}
	answers, err := c.stream(context.Background(), "GET", "/api/export", query, nil)
	if err != nil {
		return nil, nil, err
	}
	for i, text := range answers {
		var line struct {
			Kind string
			entityJSON
		}
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", text, err)
		}
		switch line.Kind {
		case "node":
			n, err := line.node()
			if err != nil {
				return nil, nil, err
			}
			nodes = append(nodes, n)
		case "edge":
			e, err := line.edge()
			if err != nil {
				return nil, nil, err
			}
			edges = append(edges, e)
		case "types":
			if i != 0 {
				return nil, nil, fmt.Errorf("types on line %d", i)
			}
		case "end":
			if want := fmt.Sprintf(`{"kind":"end","nodes":%d,"edges":%d}`, len(nodes), len(edges)); i != len(answers)-1 || string(text) != want {
				return nil, nil, fmt.Errorf("line %d of %d is %s, not %s", i, len(answers), text, want)
			}
			return nodes, edges, nil
		default:
			return nil, nil, fmt.Errorf("%s", text)
		}
	}
	return nil, nil, fmt.Errorf("no last line")
}
