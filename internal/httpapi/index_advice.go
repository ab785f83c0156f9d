package httpapi

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"graphrest/internal/graph"
)

func indexAdviceDocument(a graph.IndexAdvice) IndexAdviceDocument {
	asked := func(l graph.AskedList) AskedListDocument { return askedListDocument(a.Index.Entity, l) }
	return IndexAdviceDocument{
		WouldBe: NewIndexBody{
			Name: a.Index.Name, Entity: string(a.Index.Entity), Kind: string(a.Index.Kind), Type: string(a.Index.Type),
			Properties: a.Index.Properties,
		},
		Count: a.Count, ElapsedMS: milliseconds(a.Elapsed), SavedMS: milliseconds(a.Saved), Asked: mapSlice(a.Asked, asked),
	}
}

// askedListDocument has the parameters of the request, which has another name for some properties of edges.
func askedListDocument(entity graph.Kind, l graph.AskedList) AskedListDocument {
	name := func(property string) string {
		if entity == graph.EdgeKind {
			return graph.EdgePropertyName("", property)
		}
		return property
	}
	return AskedListDocument{
		Filter: mapSlice(l.Filter, func(c [2]string) string { return "filter[" + name(c[0]) + "][" + c[1] + "]" }),
		Sort:   sortText(mapSlice(l.Sort, func(key string) string { return key[:1] + name(key[1:]) })),
		Count:  l.Count, ElapsedMS: milliseconds(l.Elapsed), SavedMS: milliseconds(l.Saved),
	}
}

// sortText returns a sort in the format of the query parameter.
func sortText(keys []string) string {
	needsJSON := func(key string) bool {
		return strings.ContainsAny(key, `,["`) || strings.HasPrefix(key[1:], "+") || strings.HasPrefix(key[1:], "-") ||
			strings.TrimSpace(key) != key
	}
	if slices.ContainsFunc(keys, needsJSON) {
		text, _ := json.Marshal(keys) // strings can always be encoded
		return string(text)
	}
	plain := make([]string, len(keys))
	for i, key := range keys {
		plain[i] = strings.TrimPrefix(key, "+")
	}
	return strings.Join(plain, ",")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// adviseIndexes answers GET /api/admin/index-advice.
//
//	@Summary		Advise on indexes
//	@Description	Which indexes would have helped the lists of one type that were requested with a filter or a sort in the last 30 days, the one that saves most
//	@Description	first. would_be can be sent to POST /api/admin/indexes unchanged. Lists that an existing index serves are left out.
//	@Tags			Indexes
//	@Success		200	{object}	Answer[[]IndexAdviceDocument]
//	@Router			/api/admin/index-advice [get]
func (a *API) adviseIndexes(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	advice, err := a.options.Indexes.IndexAdvice(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(mapSlice(advice, indexAdviceDocument)))
	return nil
}
