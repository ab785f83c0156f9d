package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"graphrest/internal/graph"
)

// nameCollector reads the use of names at each scrape; it reports nothing until the use is known.
type nameCollector struct {
	read        func() []graph.NameUse
	used, limit *prometheus.Desc
}

func newNameCollector(read func() []graph.NameUse) nameCollector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, []string{"kind"}, nil)
	}
	return nameCollector{
		read:  read,
		used:  desc("names_used", "Names that the database holds and never gives back, by kind."),
		limit: desc("names_limit", "Names beyond which the gateway adds none, by kind."),
	}
}

// Describe implements prometheus.Collector.
func (n nameCollector) Describe(to chan<- *prometheus.Desc) {
	to <- n.used
	to <- n.limit
}

// Collect implements prometheus.Collector.
func (n nameCollector) Collect(to chan<- prometheus.Metric) {
	for _, use := range n.read() {
		to <- prometheus.MustNewConstMetric(n.used, prometheus.GaugeValue, float64(use.Used), use.Kind)
		to <- prometheus.MustNewConstMetric(n.limit, prometheus.GaugeValue, float64(use.Limit), use.Kind)
	}
}
