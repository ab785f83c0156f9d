package bolt

import (
	"net/netip"
	"net/url"
	"strings"
)

// TransportRisk describes what an attacker between the gateway and the database could do. It is empty if the connection is encrypted and
// the server's certificate verified, or if the connection is local.
func TransportRisk(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || isLoopback(u.Hostname()) {
		return ""
	}
	switch scheme := strings.ToLower(u.Scheme); {
	case strings.HasSuffix(scheme, "+s"):
		return ""
	case strings.HasSuffix(scheme, "+ssc"):
		return "the connection to " + u.Hostname() +
			" is encrypted, but its certificate is not verified: another server could pose as the database"
	default:
		return "the connection to " + u.Hostname() + " is not encrypted: the password and all data can be read and changed on the way"
	}
}

// TransportRisk is TransportRisk of the client's connections.
func (c *Client) TransportRisk() string { return TransportRisk(c.uri) }

// TransportRemedy is the remedy of every risk.
const TransportRemedy = "use bolt+s:// or neo4j+s:// with a certificate that this machine trusts, or keep both in one private network"

func isLoopback(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}
