package benchlarge

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The files that generate writes and neo4j-admin imports.
const (
	nodesFile = "nodes.csv"
	edgesFile = "relationships.csv"
)

// Values that the questions search for.
const (
	hubCode      = "HUB"
	commonStatus = "active"
	rareStatus   = "frozen"
	noStatus     = "unheard-of"
	// rareEvery is the number of entities of a type per entity with the rare status; at least eight of a type have it.
	rareEvery = 20_000
	// doomedLabel and doomedWeight mark what is deleted after the import.
	doomedLabel  = "Obsolete"
	doomedWeight = -1
)

// generator writes one graph. The same size gives the same graph.
type generator struct {
	shape
	random *rand.Rand
	// ends are the node numbers of each type that ordinary relationships may connect.
	ends [typeCount][]int32
	// islandNumbers are the node numbers of the island.
	islandNumbers []int32
	out           *bufio.Writer
	line          []byte
}

// generate writes the CSV files of a graph into directory.
func generate(size int, directory string) error {
	s, err := newShape(size)
	if err != nil {
		return err
	}
	g := &generator{shape: s, random: rand.New(rand.NewPCG(13, uint64(size)))} //nolint:gosec // the same graph each time
	if err := g.write(filepath.Join(directory, nodesFile), g.writeNodes); err != nil {
		return err
	}
	return g.write(filepath.Join(directory, edgesFile), g.writeEdges)
}

func (g *generator) write(path string, content func() error) (err error) {
	file, err := os.Create(path) //nolint:gosec // in the benchmark's own directory
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	g.out = bufio.NewWriterSize(file, 1<<20)
	if err := content(); err != nil {
		return err
	}
	return g.out.Flush()
}

// mixed returns the type of each entity in the order of their creation: half of every type consecutively, as after a bulk load,
// the other half in random order, as in a live system. extra are the numbers of entities of further types, scattered among that half.
func (g *generator) mixed(counts [typeCount]int, extra ...int) []uint8 {
	var order []uint8
	all := append(counts[:], extra...)
	for kind, count := range all[:typeCount] {
		for range count / 2 {
			order = append(order, uint8(kind))
		}
	}
	bulk := len(order)
	for kind, count := range all {
		if kind < typeCount {
			count -= count / 2
		}
		for range count {
			order = append(order, uint8(kind))
		}
	}
	live := order[bulk:]
	g.random.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	return order
}

const (
	kindUnlabelled = typeCount
	kindDoomed     = typeCount + 1
)

// hubNumber is the node number of the hub, which is the first Person.
const hubNumber = 0

func (g *generator) writeNodes() error {
	header := ":ID,:LABEL,name:string,code:string,status:string,score:double,age:long,born:date,tags:string[],home:point{crs:WGS-84}\n"
	if _, err := g.out.WriteString(header); err != nil {
		return err
	}
	var ofType [typeCount]int
	for number, kind := range g.mixed(g.nodes, g.unlabelled, g.doomedNodes) {
		index := 0
		if kind < typeCount {
			index = ofType[kind]
			ofType[kind]++
			// The last Persons form the island, and one node in a hundred has no relationship.
			if g.inIsland(kind, index) {
				g.islandNumbers = append(g.islandNumbers, int32(number))
			} else if number%100 != 99 || number == hubNumber || g.nodes[kind] < 1000 {
				g.ends[kind] = append(g.ends[kind], int32(number))
			}
		}
		g.node(number, kind, index)
		if _, err := g.out.Write(g.line); err != nil {
			return err
		}
	}
	return nil
}

func (g *generator) inIsland(kind uint8, index int) bool {
	return kind == 0 && index >= g.nodes[0]-g.island
}

// node writes the line of a node. Every property except name, code and status is absent from some types.
func (g *generator) node(number int, kind uint8, index int) {
	r := g.random
	labels, code := "", fmt.Sprintf("N%08d", number)
	switch {
	case kind == kindDoomed:
		labels = doomedLabel
	case kind < typeCount:
		labels = nodeTypes[kind] + secondLabel(kind, index)
	}
	switch {
	case number == hubNumber:
		code = hubCode
	case g.inIsland(kind, index):
		code = fmt.Sprintf("ISLAND%d", index-(g.nodes[0]-g.island))
	}
	name := firstNames[r.IntN(len(firstNames))] + " " + lastNames[r.IntN(len(lastNames))] + " " + quarters[r.IntN(len(quarters))]
	g.line = fmt.Appendf(g.line[:0], "%d,%s,%s,%s,%s,%.4f,", number, labels, name, code, g.status(kind, index), r.Float64()*1000)
	if kind%2 == 0 {
		g.line = fmt.Appendf(g.line, "%d,%s,%s,\"{latitude: %.4f, longitude: %.4f}\"\n", r.IntN(100), date(r),
			tags[r.IntN(len(tags))]+";"+tags[r.IntN(len(tags))], r.Float64()*180-90, r.Float64()*360-180)
	} else {
		g.line = append(g.line, ",,,\n"...)
	}
}

// secondLabel returns for one Person in twenty and one Company in three another label, which is the first label of other nodes.
func secondLabel(kind uint8, index int) string {
	switch {
	case nodeTypes[kind] == "Person" && index%20 == 7:
		return ";Account"
	case nodeTypes[kind] == "Company" && index%3 == 1:
		return ";Store;Brand"
	}
	return ""
}

// status is common for nine entities in ten, and rare for one in rareEvery, spread over the type.
func (g *generator) status(kind uint8, index int) string {
	every := rareEvery
	if kind < typeCount {
		every = max(1, min(rareEvery, g.nodes[kind]/8))
	}
	switch {
	case index%every == every/2:
		return rareStatus
	case index%10 == 3:
		return "closed"
	}
	return commonStatus
}

func date(r *rand.Rand) string {
	return fmt.Sprintf("%d-%02d-%02d", 1930+r.IntN(90), 1+r.IntN(12), 1+r.IntN(28))
}

func (g *generator) writeEdges() error {
	if _, err := g.out.WriteString(":START_ID,:END_ID,:TYPE,since:date,weight:long,status:string\n"); err != nil {
		return err
	}
	hub := g.spread(g.hubEdges)
	var source, target int32
	var ofType [typeCount]int
	for number, kind := range g.mixed(g.edges, g.doomedEdges) {
		weight := g.random.IntN(1000)
		if kind == typeCount {
			kind, weight = 0, doomedWeight
		}
		index := ofType[kind]
		ofType[kind]++
		switch {
		case number%hub == 0 && number/hub < g.hubEdges && weight != doomedWeight:
			source, target = g.hubEnds(number/hub, kind)
		case number%100 == 1: // parallel to the previous one
		case number%200 == 3:
			source = g.end(g.sourceType(kind))
			target = source
		default:
			source, target = g.end(g.sourceType(kind)), g.end(targetType(kind))
		}
		status := g.edgeStatus(kind, index)
		g.line = fmt.Appendf(g.line[:0], "%d,%d,%s,%s,%d,%s\n", source, target, edgeTypes[kind], date(g.random), weight, status)
		if _, err := g.out.Write(g.line); err != nil {
			return err
		}
	}
	return g.writeIsland()
}

// spread returns the distance between two of count relationships that are spread over all.
func (g *generator) spread(count int) int {
	total := g.doomedEdges
	for _, n := range g.edges {
		total += n
	}
	return total / count
}

// hubEnds connects the hub with another node: two relationships in three begin at the hub.
func (g *generator) hubEnds(index int, kind uint8) (source, target int32) {
	other := g.end(targetType(kind))
	if index%3 == 2 {
		return other, hubNumber
	}
	return hubNumber, other
}

// sourceType returns Person for two relationships in three, otherwise any of the ten largest types.
func (g *generator) sourceType(kind uint8) int {
	if kind == 0 || g.random.IntN(3) > 0 {
		return 0
	}
	return g.random.IntN(10)
}

// targetType returns the node type at the end of relationships of a type: that of the same rank.
func targetType(kind uint8) int { return int(kind) }

func (g *generator) end(kind int) int32 { return g.ends[kind][g.random.IntN(len(g.ends[kind]))] }

func (g *generator) edgeStatus(kind uint8, index int) string {
	every := max(1, min(rareEvery, g.edges[kind]/8))
	switch {
	case index%every == every/2:
		return rareStatus
	case index%10 == 3:
		return "closed"
	}
	return commonStatus
}

// writeIsland connects the nodes of the island in a ring.
func (g *generator) writeIsland() error {
	for i, number := range g.islandNumbers {
		next := g.islandNumbers[(i+1)%len(g.islandNumbers)]
		if _, err := fmt.Fprintf(g.out, "%d,%d,KNOWS,2020-01-01,1,%s\n", number, next, commonStatus); err != nil {
			return err
		}
	}
	return nil
}

var (
	firstNames = strings.Fields(`Ada Alan Barbara Bela Chen Clara Dana Dennis Edsger Elif Fatima Frances Grace Guido Hedy Hiro Ines Ivan Jean
		John Karen Ken Lena Linus Margaret Mira Niklaus Noor Olga Omar Priya Quentin Radia Rosa Sofia Tim Uma Vint Wei Xenia Yuki Zoe`)
	lastNames = strings.Fields(`Abbott Backus Codd Dahl Eich Floyd Goldberg Hopper Iverson Jones Kay Lovelace Liskov McCarthy Naur Ousterhout
		Perlman Quine Ritchie Shannon Thompson Ullman Vixie Wirth Xu Yao Zuse Adleman Boehm Cerf Diffie Engelbart Fagin Gosling Hamming`)
	quarters = strings.Fields("north south east west upper lower old new inner outer")
	tags     = strings.Fields("red green blue black white gold silver large small round")
)
