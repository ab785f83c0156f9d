package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// plainEvery is how often a line is written where there is no terminal to draw a bar on.
const lineInterval = 5 * time.Second

// meter shows how far a long piece of work is, on stderr: a bar with rate and remaining time on a terminal, a line now and
// then elsewhere. It is used by one goroutine.
type meter struct {
	out      io.Writer
	what     string
	unit     string
	total    int64 // 0 when it is not known
	bar      *progressbar.ProgressBar
	began    time.Time
	lastLine time.Time
}

// meter begins to show a piece of work: so many units of it, or 0 when that is not known.
func (p *process) meter(what, unit string, total int64) *meter {
	now := time.Now()
	m := &meter{out: p.stderr, what: what, unit: unit, total: total, began: now, lastLine: now}
	if p.terminal {
		limit := total
		if limit == 0 {
			limit = -1 // a spinner
		}
		m.bar = progressbar.NewOptions64(limit, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription(what),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(unit), progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowBytes(unit == "bytes"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())
	}
	return m
}

// at says how much is done.
func (m *meter) update(n int64) {
	if m.bar != nil {
		_ = m.bar.Set64(n) // a terminal that cannot be drawn on is no reason to stop
		return
	}
	if time.Since(m.lastLine) < lineInterval {
		return
	}
	m.lastLine = time.Now()
	rate := float64(n) / time.Since(m.began).Seconds()
	line := fmt.Sprintf("%s: %d %s", m.what, n, m.unit)
	if m.total > 0 {
		line = fmt.Sprintf("%s: %d of %d %s", m.what, n, m.total, m.unit)
	}
	line += fmt.Sprintf(", %.0f/s", rate)
	if m.total > n && rate > 0 {
		line += fmt.Sprintf(", %s left", (time.Duration(float64(m.total-n)/rate) * time.Second).Round(time.Second))
	}
	fmt.Fprintln(m.out, line)
}

// end takes the bar away.
func (m *meter) end() {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
}
