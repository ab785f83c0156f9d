package bench

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// latencyProxy is a proxy before Neo4j that delays what is sent to it.
type latencyProxy struct {
	proxy   *toxiproxy.Proxy
	delayed bool
}

const latencyToxic = "latency"

func startLatencyProxy(uri string) (*latencyProxy, error) {
	upstream, err := url.Parse(uri)
	if err != nil {
		return nil, err
	}
	proxies := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	p := &latencyProxy{proxy: toxiproxy.NewProxy(proxies, "neo4j", "127.0.0.1:0", upstream.Host)}
	return p, p.proxy.Start()
}

func (p *latencyProxy) uri() string { return "bolt://" + p.proxy.Listen }

// setLatency sets how much longer a round trip takes, also on connections that are open. Zero passes data on as it comes.
func (p *latencyProxy) setLatency(ctx context.Context, latency time.Duration) error {
	if p.delayed {
		if err := p.proxy.Toxics.RemoveToxic(ctx, latencyToxic); err != nil {
			return err
		}
		p.delayed = false
	}
	if latency == 0 {
		return nil
	}
	_, err := p.proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
		`{"name":%q,"type":"latency","stream":"upstream","attributes":{"latency":%d}}`, latencyToxic, latency.Milliseconds())))
	p.delayed = err == nil
	return err
}

func (p *latencyProxy) stop() { p.proxy.Stop() }
