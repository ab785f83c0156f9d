package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"

	"graphrest/internal/journal"
)

// journalCollector reads the use of the journal at each scrape; it reports nothing until the use is known.
type journalCollector struct {
	read                             func() (journal.Use, bool)
	records, bytes, maxBytes, oldest *prometheus.Desc
}

func newJournalCollector(read func() (journal.Use, bool)) journalCollector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, nil)
	}
	return journalCollector{
		read:     read,
		records:  desc("journal_records", "Recorded changes that the database holds."),
		bytes:    desc("journal_bytes", "Size of the recorded changes in the database."),
		maxBytes: desc("journal_bytes_max", "Size beyond which the oldest recorded changes are removed."),
		oldest:   desc("journal_oldest_timestamp_seconds", "Time of the oldest recorded change."),
	}
}

// Describe implements prometheus.Collector.
func (j journalCollector) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{j.records, j.bytes, j.maxBytes, j.oldest} {
		to <- desc
	}
}

// Collect implements prometheus.Collector.
func (j journalCollector) Collect(to chan<- prometheus.Metric) {
	use, known := j.read()
	if !known {
		return
	}
	gauge := func(desc *prometheus.Desc, value float64) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value)
	}
	gauge(j.records, float64(use.Records))
	gauge(j.bytes, float64(use.Bytes))
	gauge(j.maxBytes, float64(use.MaxBytes))
	if !use.Oldest.IsZero() {
		gauge(j.oldest, float64(use.Oldest.UnixMilli())/1000)
	}
}
