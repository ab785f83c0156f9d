package benchlarge

import (
	"fmt"
	"math"
)

// MinSize is the size of the smallest graph that contains every kind of entity that the questions use.
const MinSize = 2000

// typeCount is the number of node types and of relationship types.
const typeCount = 30

// smallestType is the number of entities of the smallest node type and relationship type, at every size.
const smallestType = 10

var nodeTypes = [typeCount]string{
	"Person", "Account", "Product", "Order", "Device", "Address", "Event", "Message", "Company", "Document",
	"Invoice", "Ticket", "Session", "Article", "Store", "Project", "Team", "Skill", "Course", "School",
	"City", "Brand", "Category", "Warehouse", "Airport", "Region", "Currency", "Language", "Country", "Continent",
}

var edgeTypes = [typeCount]string{
	"KNOWS", "LIKES", "OWNS", "ORDERED", "USES", "LIVES_AT", "ATTENDED", "SENT", "WORKS_FOR", "WROTE",
	"PAID", "OPENED", "STARTED", "READ", "VISITED", "MEMBER_OF", "LEADS", "HAS_SKILL", "TOOK", "STUDIED_AT",
	"BORN_IN", "PREFERS", "IN_CATEGORY", "STORED_IN", "FLEW_FROM", "LOCATED_IN", "TRADES_IN", "SPEAKS", "CITIZEN_OF", "EXPLORED",
}

// shape contains the numbers of entities of each kind in a graph of a size.
type shape struct {
	size int
	// nodes and edges are the numbers of entities of each type, in the order of nodeTypes and edgeTypes: descending.
	// A node with a second label counts for its first.
	nodes, edges [typeCount]int
	// unlabelled nodes have no label.
	unlabelled int
	// doomedNodes and doomedEdges are imported in addition and then deleted, which leaves holes in the internal ids.
	doomedNodes, doomedEdges int
	// hubEdges is the number of relationships of the hub.
	hubEdges int
	// island is the number of nodes that relationships connect with each other, but with no other node.
	island int
}

// newShape returns the shape of a graph with size nodes and 3.55 times as many relationships.
func newShape(size int) (shape, error) {
	if size < MinSize {
		return shape{}, fmt.Errorf("a graph of %d nodes is too small: %d is the least", size, MinSize)
	}
	s := shape{size: size, unlabelled: size / 100, doomedNodes: size / 50, doomedEdges: size / 20, hubEdges: size / 10, island: 100}
	s.nodes = fallingCounts(size/2, size-s.unlabelled)
	s.edges = fallingCounts(size*8/5, size*71/20)
	return s, nil
}

// fallingCounts divides total among the types: the first has largest, the last smallestType, and between them the counts decrease
// by a constant factor.
func fallingCounts(largest, total int) [typeCount]int {
	rest := float64(total - largest)
	low, high := float64(smallestType), rest
	for range 100 { // bisection for the count of the second type
		middle := (low + high) / 2
		if sum(geometric(middle)) < rest {
			low = middle
		} else {
			high = middle
		}
	}
	counts := [typeCount]int{largest}
	left := total - largest
	for i, count := range geometric(low) {
		counts[i+1] = int(count)
		left -= int(count)
	}
	counts[1] += left // the rest from rounding
	return counts
}

// geometric returns a decreasing geometric series for all types except the first, from first to smallestType.
func geometric(first float64) []float64 {
	series := make([]float64, typeCount-1)
	factor := math.Pow(smallestType/first, 1/float64(len(series)-1))
	for i := range series {
		series[i] = first * math.Pow(factor, float64(i))
	}
	series[len(series)-1] = smallestType
	return series
}

func sum(values []float64) (total float64) {
	for _, value := range values {
		total += value
	}
	return total
}
