package bench

import (
	"fmt"
	"math"
	"strings"
)

// figureClients is the number of clients of the figures on the first page of the report.
const figureClients = 32

// figureTargets are the targets of the first page, in colors that people with impaired color vision can distinguish (Okabe and Ito, 2008).
var figureTargets = []struct {
	target Target
	color  string
}{{Gateway, "#0072B2"}, {Service, "#E69F00"}, {QueryAPI, "#999999"}}

// figures are the operations of the first page.
func (r *Report) figures() (operations []Operation) {
	for _, o := range r.operations() {
		if o != FirstEdge && r.cell(o, figureClients, Gateway) != nil {
			operations = append(operations, o)
		}
	}
	return operations
}

func (r *Report) writeFigures(b *strings.Builder) {
	operations := r.figures()
	if len(operations) == 0 {
		return
	}
	fmt.Fprintf(b, "With %d clients, how many requests a second the gateway answers, and how many times as many as a service by hand and "+
		"Neo4j's Query API; the share of what HTTP alone reaches; and how long one client alone waits (median).\n\n"+
		"![Throughput as a share of what HTTP alone reaches](latest.svg)\n\n"+
		"| operation | requests/s | service | Query API | share of HTTP alone | one client | service by hand |\n|---|--:|--:|--:|--:|--:|--:|\n",
		figureClients)
	for _, o := range operations {
		alone := func(target Target) string {
			if c := r.cell(o, 1, target); c != nil {
				return Short(c.P50) + " ms"
			}
			return "–"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", o, Short(r.cell(o, figureClients, Gateway).OpsPerSecond),
			formatRatio(r.advantage(o, figureClients, Service)), formatRatio(r.advantage(o, figureClients, QueryAPI)),
			formatShare(r.share(o, Gateway)), alone(Gateway), alone(Service))
	}
	b.WriteString("\n")
}

// share is the throughput of a target as a part of the limit's.
func (r *Report) share(o Operation, target Target) float64 {
	return Ratio(r.advantage(o, figureClients, Limit), r.advantage(o, figureClients, target))
}

func formatShare(share float64) string {
	if math.IsNaN(share) {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// Picture draws the figures as an SVG document (SVG 1.1): a group of bars for each operation. A plotting library would be a module for this
// one picture.
func (r *Report) Picture() string {
	const width, left, right, bar, gap, top = 860, 190, 60, 14, 14, 56
	operations := r.figures()
	group := bar*len(figureTargets) + gap
	height := top + group*len(operations) + 30
	most := 0.0
	for _, o := range operations {
		for _, t := range figureTargets {
			most = math.Max(most, r.share(o, t.target))
		}
	}
	var b strings.Builder
	text := func(x, y int, anchor, extra, words string) {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\"%s>%s</text>\n", x, y, anchor, extra, words)
	}
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "+
		"font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#333\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
		width, height, width, height, width, height)
	text(left, 20, "start", ` font-weight="bold"`,
		fmt.Sprintf("Requests a second with %d clients, as a share of what HTTP alone reaches", figureClients))
	for i, t := range figureTargets {
		x := left + 110*i
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"30\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, t.color)
		text(x+17, 41, "start", "", string(t.target))
	}
	for i, o := range operations {
		y := top + group*i
		text(left-10, y+bar*len(figureTargets)/2+5, "end", "", string(o))
		for j, t := range figureTargets {
			share := r.share(o, t.target)
			if math.IsNaN(share) {
				continue
			}
			length := int(share / most * (width - left - right))
			fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", left, y+bar*j, length, bar-2, t.color)
			text(left+length+5, y+bar*j+bar-3, "start", ` font-size="11"`, formatShare(share))
		}
	}
	text(left, height-10, "start", ` font-size="11" fill="#666"`,
		fmt.Sprintf("%d cores shared by clients, servers and database; Neo4j %s; commit %s, %s", r.Machine.Cores, r.Machine.Neo4j, r.Commit,
			r.Date.Format("2006-01-02")))
	b.WriteString("</svg>\n")
	return b.String()
}
