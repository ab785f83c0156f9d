package webhook

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"graphrest/internal/fault"
)

func TestPublicAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:2800:220:1::1": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,

		"127.0.0.1": false, "127.8.8.8": false, "0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "172.16.0.1": false,
		"172.31.255.255": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.100.100.200": false,
		"192.0.0.192": false, "192.0.2.1": false, "198.18.0.1": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"192.88.99.1": false,

		"::": false, "::1": false, "::127.0.0.1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:0.0.0.0": false,
		"::ffff:169.254.169.254": false, "::ffff:0:127.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false,
		"64:ff9b:1::1": false, "2002:7f00:1::": false, "2002:808:808::1": false, "2001::1": false, "2001:db8::1": false, "fe80::1": false,
		"fe80::1%eth0": false, "2606:2800:220:1::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "fec0::1": false,
		"ff02::1": false, "100::1": false, "5f00::1": false, "3fff::1": false, "4000::1": false,
	} {
		require.Equal(t, want, isPublic(netip.MustParseAddr(address)), address)
	}
}

func TestURLsOfWebhooks(t *testing.T) {
	for _, text := range []string{
		"https://hooks.example/graph?token=x", "http://hooks.example:8080", "https://1.2.3.4/", "https://[2606:2800:220:1::1]:8443/x",
		"HTTPS://Hooks.Example./", "https://xn--bcher-kva.example/",
	} {
		require.Nil(t, CheckURL("url", text), text)
	}
	for _, text := range []string{
		"", "hooks.example", "ftp://hooks.example/", "file:///etc/passwd", "gopher://127.0.0.1/", "https:///x", "https://", "https:hooks.example",
		"https://ann:secret@hooks.example/", "https://hooks.example/#x", "https://hooks.example:0/",
		"https://hooks.example:99999/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/", "https://0177.0.0.1/", "https://127.0.0.0x1/",
		"https://a..b/", "https://ⓛocalhost/", "https://bücher.example/", "https://hooks.example\n/", "https://" + strings.Repeat("a", 2048),
		"https://-/\x00", "https://[::1", "https://[fe80::1%25eth0]x/", "https://a b/",
	} {
		require.Equal(t, fault.Validation, CheckURL("url", text).Code, text)
	}
}

func TestAllowedAddresses(t *testing.T) {
	allowed, err := ParseAddresses([]string{"127.0.0.1", "10.1.0.0/16", "fd00::/8", "Hooks.Internal"})
	require.NoError(t, err)
	for text, want := range map[string]bool{
		"http://127.0.0.1:9/": true, "http://[::ffff:127.0.0.1]/": true, "http://127.0.0.2/": false, "http://10.1.2.3/": true,
		"http://10.2.0.1/": false, "http://[fd12::1]/": true, "http://[::1]/": false, "http://hooks.internal/": true,
		"http://HOOKS.INTERNAL./": true, "http://0.0.0.0/": false, "http://[::]/": false,
	} {
		require.Nil(t, CheckURL("url", text), text)
		err := allowed.checkTarget(t.Context(), text)
		require.Equal(t, want, err == nil, text)
		if !want {
			require.Equal(t, fault.Validation, fault.CodeOf(err), text)
		}
	}
	for _, text := range []string{"10.1.2.3/16", "a b", "http://x", "1.2.3", "*", "10.0.0.0/99", "hooks.internal:80"} {
		_, err := ParseAddresses([]string{text})
		require.ErrorContains(t, err, text)
	}
}

// resolve makes a name server, which a test controls, the only one of this process. The addresses are sent
// as A and AAAA records, which a look-up asks for by two queries or more.
func resolve(t *testing.T, answer func() []netip.Addr) {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan struct{})
	go func() {
		defer close(served)
		buffer := make([]byte, 512)
		for {
			n, client, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response = true
			m.Additionals = nil
			q := m.Questions[0]
			for _, a := range answer() {
				header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
				if a.Is4() && q.Type == dnsmessage.TypeA {
					m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
				} else if a.Is6() && q.Type == dnsmessage.TypeAAAA {
					m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
				}
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(packed, client)
			}
		}
	}()
	standard := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = standard
		_ = server.Close()
		<-served
	})
}

// A name that resolves to a public address when the webhook is saved, and to this machine when it delivers, reaches nothing, whatever the
// form of the address, and although a public address is among the answers.
func TestRebindingIsRefused(t *testing.T) {
	var reached atomic.Int64
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer endpoint.Close()
	u, err := url.Parse(endpoint.URL)
	require.NoError(t, err)
	for _, inside := range []string{"127.0.0.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fe80::1", "169.254.169.254"} {
		t.Run(inside, func(t *testing.T) {
			var saved atomic.Bool
			var delivering atomic.Int64 // queries
			resolve(t, func() []netip.Addr {
				if !saved.Load() {
					return []netip.Addr{netip.MustParseAddr("93.184.216.34")}
				}
				delivering.Add(1)
				return []netip.Addr{netip.MustParseAddr(inside)}
			})
			w := &Webhook{URL: "http://rebind.example:" + u.Port() + "/", Secret: NewSecret()}
			require.NoError(t, Addresses{}.checkTarget(t.Context(), w.URL))
			saved.Store(true)
			require.EqualError(t, newSender(Addresses{}, time.Minute).send(t.Context(), w, "msg_1", []byte("{}")),
				"not sent: the address is loopback, link-local, private or reserved")
			require.NotZero(t, delivering.Load(), "the name is resolved again")
			require.Error(t, Addresses{}.checkTarget(t.Context(), w.URL), "the name now leads inside")
		})
	}
	require.Zero(t, reached.Load())
	resolve(t, func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
	w := &Webhook{URL: "http://rebind.example:" + u.Port() + "/", Secret: NewSecret()}
	allowed, err := ParseAddresses([]string{"rebind.example"})
	require.NoError(t, err)
	require.NoError(t, newSender(allowed, time.Minute).send(t.Context(), w, "msg_1", []byte("{}")), "the operator allowed the name")
	require.Equal(t, int64(1), reached.Load())
}

// One address inside among others is enough for a name to be refused when the webhook is saved.
func TestOneAddressInsideIsRefused(t *testing.T) {
	for _, inside := range []string{"10.0.0.1", "::1", "::ffff:10.0.0.1", "fd00:ec2::254"} {
		resolve(t, func() []netip.Addr {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("2606:2800:220:1::1"), netip.MustParseAddr(inside)}
		})
		require.Error(t, Addresses{}.checkTarget(t.Context(), "https://mixed.example/"), inside)
	}
}

// Every spelling of this machine is refused at the connection.
func TestConnectionsInsideAreRefused(t *testing.T) {
	var reached atomic.Int64
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer endpoint.Close()
	_, port, err := net.SplitHostPort(endpoint.Listener.Addr().String())
	require.NoError(t, err)
	s := newSender(Addresses{}, time.Minute)
	for _, host := range []string{
		"127.0.0.1", "localhost", "0.0.0.0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1.",
	} {
		w := &Webhook{URL: "http://" + host + ":" + port + "/", Secret: NewSecret()}
		require.Error(t, s.send(t.Context(), w, "msg_1", nil), host)
	}
	require.Zero(t, reached.Load())
}
