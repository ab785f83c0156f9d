package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"graphrest/internal/fault"
)

const (
	urlField = "url"
	maxURL   = 2048
	// lookupTimeout bounds the resolution of a host name when a webhook is saved.
	lookupTimeout  = 2 * time.Second
	connectTimeout = 5 * time.Second
)

// errRefused means that an address is not one that deliveries may go to.
var errRefused = errors.New("the address is loopback, link-local, private or reserved")

// globalIPv6 has all addresses that are routed on the internet (IANA, "IPv6 Global Unicast Address Assignments").
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// wellKnownNAT64 holds an IPv4 address in its last four bytes (RFC 6052).
var wellKnownNAT64 = netip.MustParsePrefix("64:ff9b::/96")

// special are the networks of the IANA special-purpose address registries that are not reached on the internet, or that hold another
// address (6to4, Teredo), besides those that netip knows.
var special = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// isPublic reports whether an address is one of the internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if wellKnownNAT64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Zone() != "" || !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Addresses decides where deliveries may go: to the internet, and to what the operator allows. Its zero value allows the internet only.
type Addresses struct {
	networks []netip.Prefix
	hosts    []string // in lower case, without a final dot
}

// ParseAddresses reads what the operator allows: addresses, networks and host names.
func ParseAddresses(texts []string) (Addresses, error) {
	var a Addresses
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if address, single := netip.ParseAddr(text); single == nil {
			prefix, err = netip.PrefixFrom(address.Unmap(), address.Unmap().BitLen()), nil
		}
		switch {
		case err == nil && prefix != prefix.Masked():
			return a, fmt.Errorf("%q names an address inside a network; the network is %s", text, prefix.Masked())
		case err == nil:
			a.networks = append(a.networks, prefix)
		case isHostName(canonicalHost(text)):
			a.hosts = append(a.hosts, canonicalHost(text))
		default:
			return a, fmt.Errorf("%q is not an address, a network or a host name", text)
		}
	}
	return a, nil
}

func canonicalHost(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

// isHostName accepts host names in ASCII (RFC 1123). A name whose last label is a number is none: some resolvers read 2130706433, 0x7f.1
// and 127.1 as addresses.
func isHostName(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		odd := func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' }
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, odd) {
			return false
		}
	}
	_, err := strconv.ParseUint(labels[len(labels)-1], 0, 64)
	return len(host) <= 253 && errors.Is(err, strconv.ErrSyntax)
}

func (a Addresses) allowsHost(host string) bool { return slices.Contains(a.hosts, canonicalHost(host)) }

func (a Addresses) allows(address netip.Addr) bool {
	return isPublic(address) ||
		slices.ContainsFunc(a.networks, func(p netip.Prefix) bool { return p.Contains(address.Unmap().WithZone("")) })
}

// CheckURL accepts http and https addresses without a user name, a password or a fragment.
func CheckURL(field, text string) *fault.Error {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxURL:
		return fault.Invalid(field, "must be at most %d bytes long", maxURL)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return fault.Invalid(field, "must be an address that begins with https:// or http://")
	case u.User != nil:
		return fault.Invalid(field, "must not contain a user name or a password")
	case u.Fragment != "":
		return fault.Invalid(field, "must not have a fragment")
	}
	host := u.Hostname()
	if _, err := netip.ParseAddr(host); err != nil && !isHostName(canonicalHost(host)) {
		return fault.Invalid(field, "must have a host name in ASCII or an IP address in its usual form")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fault.Invalid(field, "must have a port from 1 to 65535")
		}
	}
	return nil
}

// checkTarget rejects a URL that CheckURL accepts if its host is, or resolves to, an address that is not allowed. A name that cannot be
// resolved now is accepted: each delivery checks the address that it connects to.
func (a Addresses) checkTarget(ctx context.Context, text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return CheckURL(urlField, text)
	}
	host := canonicalHost(u.Hostname())
	if a.allowsHost(host) {
		return nil
	}
	addresses := []netip.Addr{}
	if address, err := netip.ParseAddr(host); err == nil {
		addresses = append(addresses, address)
	} else {
		ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
		defer cancel()
		addresses, _ = net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	for _, address := range addresses {
		if !a.allows(address) {
			return fault.Invalid(urlField, "must not lead to a loopback, link-local, private or reserved address, "+
				"unless the operator allows it by GRAPHREST_WEBHOOK_ALLOW")
		}
	}
	return nil
}

// dial connects like a net.Dialer. It checks each address right before the connection is opened, after the host name was resolved, so
// that a name that resolves differently the second time gains nothing.
func (a Addresses) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTimeout}
	if host, _, err := net.SplitHostPort(hostPort); err != nil || !a.allowsHost(host) {
		dialer.ControlContext = a.checkConnection
	}
	return dialer.DialContext(ctx, network, hostPort)
}

func (a Addresses) checkConnection(_ context.Context, network, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") || !a.allows(target.Addr()) {
		return errRefused
	}
	return nil
}
