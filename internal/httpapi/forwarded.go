package httpapi

import (
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"
)

// addressHeaders name the headers from which gin reads a client's address, when the connection is that of a trusted proxy.
var addressHeaders = []string{"X-Forwarded-For", "X-Real-Ip"}

// normalizeAddresses removes from forwarded addresses what gin does not read: the ports that some load balancers add (Azure's send
// "203.0.113.7:5555"), the brackets of IPv6 addresses and their zones. Otherwise the address of all clients is the proxy's, and they share
// its throttle.
func normalizeAddresses(gc *gin.Context) {
	for _, name := range addressHeaders {
		for i, value := range gc.Request.Header[name] {
			addresses := strings.Split(value, ",")
			for j, address := range addresses {
				addresses[j] = bareAddress(strings.TrimSpace(address))
			}
			gc.Request.Header[name][i] = strings.Join(addresses, ", ")
		}
	}
}

// bareAddress returns the IP address in "address", "address:port", "[address]" or "[address]:port", also in quotes; any other text
// unchanged.
func bareAddress(text string) string {
	inside := text
	if len(text) > 1 && strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) {
		inside = text[1 : len(text)-1]
	}
	if withPort, err := netip.ParseAddrPort(inside); err == nil {
		return withPort.Addr().Unmap().WithZone("").String()
	}
	if strings.HasPrefix(inside, "[") && strings.HasSuffix(inside, "]") {
		inside = inside[1 : len(inside)-1]
	}
	if address, err := netip.ParseAddr(inside); err == nil {
		return address.Unmap().WithZone("").String()
	}
	return text
}
