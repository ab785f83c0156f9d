package bench

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The diagram: on the left point reads against the number of clients, on the right the throughput of all operations at
// one number of clients, relative to the driver's. Both axes are linear and begin at zero. It is written as SVG here and not by a plotting
// library, which the module would need for this one picture.
const (
	plotWidth, plotHeight = 1120, 520
	plotTop, plotBottom   = 96.0, 440.0
	leftFrom, leftTo      = 76.0, 420.0
	rightFrom, rightTo    = 512.0, 1096.0
	plotClients           = 32
)

// Colours that people with impaired colour vision can distinguish (Okabe and Ito, 2008).
var plotColours = map[Target]string{Gateway: "#0072B2", Driver: "#E69F00", QueryAPI: "#999999", Uncoalesced: "#56B4E9"}

// Plot draws the report as an SVG document (SVG 1.1).
func (r *Report) Plot() string {
	p := &plot{}
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="Helvetica, Arial,`+
		` sans-serif" font-size="13" fill="#333">`,
		plotWidth, plotHeight, plotWidth, plotHeight)
	p.printf(`<rect width="%d" height="%d" fill="#fff"/>`, plotWidth, plotHeight)
	p.legend(r.targets())
	r.plotReads(p)
	r.plotOperations(p)
	m := r.Machine
	p.text(leftFrom, plotHeight-14, "start", `font-size="11" fill="#777"`,
		fmt.Sprintf("%d cores shared by clients, gateway and database; Neo4j %s; commit %s, %s",
			m.Cores, m.Neo4j, r.Commit, r.Date.Format("2006-01-02")))
	p.printf("</svg>")
	return p.String()
}

type plot struct{ strings.Builder }

func (p *plot) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format+"\n", args...) }

func (p *plot) text(x, y float64, anchor, extra, words string) {
	p.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>`, x, y, anchor, extra, escaped(words))
}

func escaped(words string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(words)) // writing to a Builder never fails
	return b.String()
}

func (p *plot) legend(targets []Target) {
	x := leftFrom
	for _, target := range targets {
		p.printf(`<rect x="%.1f" y="22" width="13" height="13" rx="2" fill="%s"/>`, x, plotColours[target])
		p.text(x+19, 33, "start", "", string(target))
		x += 44 + 7*float64(len(target))
	}
}

// scale maps values from 0 to most onto plotBottom to plotTop.
type scale struct{ step, most float64 }

// newScale returns a scale that ends at the first multiple of the step (1, 2 or 5 times a power of ten) that no value exceeds, with
// three to eight steps.
func newScale(values []float64) scale {
	values = slices.DeleteFunc(values, func(v float64) bool { return math.IsNaN(v) || v <= 0 })
	if len(values) == 0 {
		return scale{1, 1}
	}
	most := slices.Max(values)
	step := math.Pow(10, math.Floor(math.Log10(most)))
	switch share := most / step; {
	case share < 1.5:
		step /= 5
	case share < 4:
		step /= 2
	}
	return scale{step, step * math.Ceil(most/step)}
}

func (s scale) y(value float64) float64 { return plotBottom - value/s.most*(plotBottom-plotTop) }

func (p *plot) axes(s scale, from, to float64, title, unit string, label func(float64) string) {
	p.text(from, 66, "start", `font-size="15" font-weight="bold"`, title)
	p.text(from, 84, "start", `font-size="11" fill="#777"`, unit)
	for value := 0.0; value <= s.most*1.001; value += s.step {
		colour := "#e4e4e4"
		if value == 0 {
			colour = "#999"
		}
		p.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>`, from, s.y(value), to, s.y(value), colour)
		p.text(from-8, s.y(value)+4, "end", `font-size="12" fill="#777"`, label(value))
	}
}

func plain(v float64) string { return fmt.Sprintf("%.4g", v) }

func thousands(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.4gk", v/1000)
	}
	return plain(v)
}

func (r *Report) plotReads(p *plot) {
	clients, targets := r.clients(), r.targets()
	var values []float64
	for _, c := range r.Cells {
		if c.Operation == NodeByID {
			values = append(values, float64(c.OpsPerSecond))
		}
	}
	s := newScale(values)
	p.axes(s, leftFrom, leftTo, "Node by id, by number of clients", "operations per second", thousands)
	x := func(i int) float64 {
		return leftFrom + 24 + (leftTo-leftFrom-64)*float64(i)/float64(max(len(clients)-1, 1))
	}
	for i, count := range clients {
		p.text(x(i), plotBottom+20, "middle", "", fmt.Sprint(count))
	}
	p.text((leftFrom+leftTo)/2, plotBottom+42, "middle", `fill="#777" font-size="12"`, "clients")
	for _, target := range slices.Backward(targets) {
		var points []string
		last := ""
		for i, count := range clients {
			if c := r.cell(NodeByID, count, target); c != nil {
				y := s.y(float64(c.OpsPerSecond))
				points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y))
				p.printf(`<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`, x(i), y, plotColours[target])
				last = fmt.Sprintf(`<text x="%.1f" y="%.1f" font-size="12" fill="%s" stroke="#fff" stroke-width="3" paint-order="stroke">%s</text>`,
					x(i)+8, y+4, plotColours[target], Short(c.OpsPerSecond))
			}
		}
		p.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2.5"/>%s`, strings.Join(points, " "), plotColours[target], last)
	}
}

func (r *Report) plotOperations(p *plot) {
	clients := plotClients
	if counts := r.clients(); !slices.Contains(counts, clients) {
		clients = counts[len(counts)-1]
	}
	operations := slices.DeleteFunc(r.operations(), func(o Operation) bool { return o == FirstNode || o == FirstEdge })
	targets := r.targets()
	relative := func(operation Operation, target Target) float64 {
		return compare(r.cell(operation, clients, target), r.cell(operation, clients, Driver), func(c *Cell) Number { return c.OpsPerSecond })
	}
	var values []float64
	for _, operation := range operations {
		for _, target := range targets {
			values = append(values, relative(operation, target))
		}
	}
	s := newScale(values)
	p.axes(s, rightFrom, rightTo, fmt.Sprintf("All operations, %s", clientCount(clients)), "throughput, the driver's ExecuteQuery = 1", plain)
	group := (rightTo - rightFrom) / float64(len(operations))
	bar := min(group*0.8/float64(len(targets)), 26)
	for i, operation := range operations {
		middle := rightFrom + group*(float64(i)+0.5)
		left := middle - bar*float64(len(targets))/2
		for j, target := range targets {
			times := relative(operation, target)
			if math.IsNaN(times) {
				continue
			}
			x, y := left+bar*float64(j), s.y(times)
			p.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, x, y, bar-1, plotBottom-y, plotColours[target])
			if target == Gateway {
				p.text(x+bar/2, y-6, "middle", `font-size="12" font-weight="bold" fill="`+plotColours[Gateway]+`"`, fmt.Sprintf("%.1f", times))
			}
		}
		first, second, _ := strings.Cut(string(operation), ", ")
		if second == "" {
			first, second, _ = strings.Cut(string(operation), " ")
		}
		p.text(middle, plotBottom+18, "middle", `font-size="12"`, first)
		p.text(middle, plotBottom+33, "middle", `font-size="12"`, second)
	}
}
