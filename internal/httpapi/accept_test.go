package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/httpapi"
)

// TestAcceptedFormats: the format of an answer follows RFC 9110, section 12.5.1; of equal weights what is named first wins.
func TestAcceptedFormats(t *testing.T) {
	for accept, want := range map[string]string{
		"": "json", "*/*": "json", "text/html, */*;q=0.8": "json", "image/png": "json", "text/csv": "csv", "text/*": "csv",
		"application/jsonl": "ndjson", "TEXT/CSV; charset=utf-8": "csv",
		"text/csv;q=0, application/json": "json", "text/csv;q=0": "json", "text/csv;q=0, */*": "json", "application/json;q=0, */*": "csv",
		"application/json;q=0.9, */*":     "json",
		"application/json;q=0.1,text/csv": "csv", "text/csv;q=0.2, application/x-ndjson;q=0.3": "ndjson",
		"text/csv;q=0.9, */*;q=0.1": "csv", "text/csv;q=0.1, */*": "json",
		"text/csv, application/json": "csv", "application/json, text/csv": "json", "application/ndjson, text/csv": "ndjson",
		"*/*, text/csv": "csv", "text/*, application/json": "json", "text/*;q=1, text/csv;q=0": "json",
		"text/csv;q=2, application/json;q=0.1": "json", "text/csv;q=x": "json", "text/csv;q=NaN": "json", ",;": "json",
	} {
		require.Equal(t, want, httpapi.AcceptedFormat(http.Header{"Accept": {accept}}), accept)
	}
	require.Equal(t, "csv", httpapi.AcceptedFormat(http.Header{"Accept": {"application/json;q=0.1", "text/csv"}}), "two lines")
	for accept, want := range map[string]bool{
		"text/event-stream": true, "application/json, text/event-stream": true, "text/event-stream;q=0.5, */*;q=0.1": true,
		"text/event-stream;q=0": false, "text/event-stream;q=0.1, application/json": false, "*/*": false, "text/*": false, "": false,
	} {
		require.Equal(t, want, httpapi.AsksFor(http.Header{"Accept": {accept}}, "text/event-stream"), accept)
	}
}
