package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// lineInterval is how often a progress line is written without a terminal.
const lineInterval = 5 * time.Second

// meter shows the progress of a long operation on stderr: a bar with rate and remaining time on a terminal, otherwise a
// line at intervals. It is used by one goroutine.
type meter struct {
	out      io.Writer
	what     string
	unit     string
	total    int64 // 0 when it is not known
	bar      *progressbar.ProgressBar
	began    time.Time
	lastLine time.Time
}

// meter starts to show an operation of total units, or 0 if the total is unknown.
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
			progressbar.OptionShowBytes(unit == "bytes"), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth())
	}
	return m
}

// update sets the number of units done.
func (m *meter) update(n int64) {
	if m.bar != nil {
		_ = m.bar.Set64(n) // a failure to draw does not stop the work
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

// end removes the bar.
func (m *meter) end() {
	if m.bar != nil {
		_ = m.bar.Clear()
	}
}
