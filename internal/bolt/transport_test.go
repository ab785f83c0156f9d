package bolt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"graphrest/internal/bolt"
)

func TestTransportRisk(t *testing.T) {
	for uri, risk := range map[string]string{
		"bolt://127.0.0.1:7687":        "",
		"neo4j://localhost:7687":       "",
		"bolt://[::1]:7687":            "",
		"bolt+ssc://127.1.2.3":         "",
		"bolt+s://db.example.com:7687": "",
		"neo4j+s://db.example.com":     "",
		"bolt://db.example.com:7687":   "the connection to db.example.com is not encrypted",
		"neo4j://10.0.0.7:7687":        "the connection to 10.0.0.7 is not encrypted",
		"bolt://localhost.example.com": "the connection to localhost.example.com is not encrypted",
		"neo4j+ssc://db:7687":          "the connection to db is encrypted, but its certificate is not verified",
	} {
		if risk == "" {
			require.Empty(t, bolt.TransportRisk(uri), uri)
		} else {
			require.Contains(t, bolt.TransportRisk(uri), risk, uri)
		}
	}
}
