// Package sample is a small graph to try the service with: airports of the world, their cities and countries, and the
// great circles between them. Distances are computed; routes are not real flights. The list of airports was compiled for
// this project.
package sample

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"time"

	"graphrest/internal/graph"
)

//go:embed airports.csv
var airportsCSV []byte

const (
	// maxRouteDistance is the distance up to which two airports have a route, in kilometres. Hubs have one to every
	// other hub.
	maxRouteDistance = 2500
	// earth is the mean radius of the Earth in kilometres (IUGG).
	earthRadius = 6371.0088
)

type airport struct {
	code, name, city, country string
	latitude, longitude       float64
	elevation                 int64
	opened                    *graph.Date
	hub                       bool
}

// Lines returns the whole graph as import lines, always identical, ids included: importing it again finds it.
func Lines() ([]graph.BulkLine, error) {
	airports, err := readAirports()
	if err != nil {
		return nil, err
	}
	g := &builder{seen: map[string]bool{}}
	for _, a := range airports {
		g.addAirport(a)
	}
	for i, a := range airports {
		for j, b := range airports {
			km := distance(a, b)
			if i != j && (km <= maxRouteDistance || a.hub && b.hub) {
				g.edge("ROUTE", fixedID("Airport", a.code), fixedID("Airport", b.code), graph.Properties{"distance_km": int64(math.Round(km))})
			}
		}
	}
	return g.lines, nil
}

// builder collects lines.
type builder struct {
	lines []graph.BulkLine
	seen  map[string]bool
}

func (g *builder) addAirport(a airport) {
	country, city := fixedID("Country", a.country), fixedID("City", a.city)
	g.node("Country", country, graph.Properties{"name": a.country})
	if g.node("City", city, graph.Properties{"name": a.city}) {
		g.edge("IN_COUNTRY", city, country, nil)
	}
	p := graph.Properties{
		"code": a.code, "name": a.name, "elevation_m": a.elevation, "hub": a.hub,
		"position": graph.Point{SRID: graph.SRIDWGS84, X: a.longitude, Y: a.latitude},
	}
	if a.opened != nil {
		p["opened"] = *a.opened
	}
	g.node("Airport", fixedID("Airport", a.code), p)
	g.edge("SERVES", fixedID("Airport", a.code), city, nil)
}

func (g *builder) node(typ graph.TypeName, id string, p graph.Properties) (added bool) {
	if g.seen[id] {
		return false
	}
	g.seen[id] = true
	g.add(graph.BulkLine{Node: &graph.BulkNode{ID: id, Labels: []graph.TypeName{typ}, Properties: p}})
	return true
}

func (g *builder) edge(typ graph.TypeName, source, target string, p graph.Properties) {
	g.add(graph.BulkLine{Edge: &graph.BulkEdge{
		ID: fixedID(typ, source+target), Type: typ, Source: graph.BulkEnd{ID: source}, Target: graph.BulkEnd{ID: target}, Properties: p,
	}})
}

func (g *builder) add(l graph.BulkLine) {
	l.Number = int64(len(g.lines)) + 1
	g.lines = append(g.lines, l)
}

// idTime is the time in every id of the sample.
var idTime = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

// fixedID returns a deterministic id for a name, in the form of the ids of the service (graph.NewID).
func fixedID(typ graph.TypeName, name string) string {
	sum := sha256.Sum256([]byte(string(typ) + "\x00" + name))
	binary.BigEndian.PutUint64(sum[:8], uint64(idTime.UnixMilli())<<16|0x7000|uint64(graph.TypeHint(string(typ))))
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// distance is the great-circle distance by the haversine formula, in kilometres.
func distance(a, b airport) float64 {
	const degree = math.Pi / 180
	dLat, dLon := (b.latitude-a.latitude)*degree, (b.longitude-a.longitude)*degree
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(a.latitude*degree)*math.Cos(b.latitude*degree)*math.Pow(math.Sin(dLon/2), 2)
	return 2 * earthRadius * math.Asin(math.Sqrt(h))
}

func readAirports() ([]airport, error) {
	records, err := csv.NewReader(bytes.NewReader(airportsCSV)).ReadAll()
	if err != nil {
		return nil, err
	}
	airports := make([]airport, 0, len(records)-1)
	for _, r := range records[1:] {
		a := airport{code: r[0], name: r[1], city: r[2], country: r[3], hub: r[8] == "true"}
		var err1, err2, err3 error
		a.latitude, err1 = strconv.ParseFloat(r[4], 64)
		a.longitude, err2 = strconv.ParseFloat(r[5], 64)
		a.elevation, err3 = strconv.ParseInt(r[6], 10, 64)
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, fmt.Errorf("sample: a number of %s cannot be read", a.code)
		}
		if r[7] != "" {
			day, err := time.Parse(time.DateOnly, r[7])
			if err != nil {
				return nil, fmt.Errorf("sample: %s: %w", a.code, err)
			}
			opened := graph.DateOf(day)
			a.opened = &opened
		}
		airports = append(airports, a)
	}
	return airports, nil
}
