package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"graphrest/internal/graph"
)

func entityText(r graph.EntityRef) string {
	if r.Ref != "" {
		return `{"ref":` + quote(r.Ref) + `}`
	}
	return quote(r.ID)
}

func operationText(o graph.Operation) string {
	members := []string{`"op":` + quote(string(o.Op))}
	add := func(given bool, name, value string) {
		if given {
			members = append(members, quote(name)+":"+value)
		}
	}
	changes := !o.Op.Creates()
	deletes := o.Op == graph.OpDeleteNode || o.Op == graph.OpDeleteEdge
	add(o.Ref != "", "ref", quote(o.Ref))
	add(!changes, "type", quote(string(o.Type)))
	labels, _ := json.Marshal(o.Labels)
	add(o.Labels != nil, "labels", string(labels))
	add(o.Op == graph.OpCreateEdge, "source_id", entityText(o.Source))
	add(o.Op == graph.OpCreateEdge, "target_id", entityText(o.Target))
	add(changes, "id", entityText(o.Entity))
	add(!deletes, "properties", propertiesText(o.Properties))
	add(o.If.Present(), "if_match", quote(strings.Join(conditionHeader(o.If)["If-Match"], "")))
	if o.Detach != nil {
		add(true, "detach", strconv.FormatBool(*o.Detach))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Apply implements graph.BatchStore.
func (c *client) Apply(ctx context.Context, operations []graph.Operation, o graph.BatchOptions) (graph.BatchOutcome, error) {
	texts := make([]string, len(operations))
	for i := range operations {
		texts[i] = operationText(operations[i])
	}
	header, userID := keyHeader(o.Key)
	body := `{"operations":[` + strings.Join(texts, ",") + `]}`
	r := request{method: "POST", path: "/api/batch", body: []byte(body), header: header, userID: userID}
	if o.DryRun {
		r.query = url.Values{"dry_run": {"true"}}
	}
	a, err := c.do(ctx, r)
	if err != nil {
		return graph.BatchOutcome{}, err
	}
	var data struct {
		Applied bool `json:"applied"`
		Results []struct {
			Op   graph.OperationName `json:"op"`
			ID   string              `json:"id"`
			Ref  string              `json:"ref"`
			Data json.RawMessage     `json:"data"`
		} `json:"results"`
	}
	if err := json.Unmarshal(a.Data, &data); err != nil || data.Applied == o.DryRun {
		return graph.BatchOutcome{}, fmt.Errorf("applied %v: %w", data.Applied, err)
	}
	outcome := graph.BatchOutcome{Replayed: a.header.Get("Idempotent-Replayed") == "true"}
	for _, each := range data.Results {
		result := graph.OperationResult{Op: each.Op, ID: each.ID, Ref: each.Ref}
		if err := decodeResult(each.Data, &result); err != nil {
			return outcome, err
		}
		outcome.Results = append(outcome.Results, result)
	}
	return outcome, nil
}

func decodeResult(text []byte, r *graph.OperationResult) error {
	if string(text) == "null" {
		return nil
	}
	if r.Op == graph.OpDeleteNode || r.Op == graph.OpDeleteEdge {
		var d struct {
			Deleted      bool  `json:"deleted"`
			DeletedEdges int64 `json:"deleted_edges"`
		}
		err := json.Unmarshal(text, &d)
		if r.DeletedEdges = d.DeletedEdges; err == nil && !d.Deleted {
			return fmt.Errorf("not deleted: %s", text)
		}
		return err
	}
	var e entityJSON
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	if r.Op.Kind() == graph.EdgeKind {
		edge, err := e.edge()
		r.Edge = &edge
		return err
	}
	node, err := e.node()
	r.Node = &node
	return err
}
