package neo4jstore_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/testmark"
)

// The model of one node: what each call may return, given the effects of the earlier calls. A history of concurrent calls is linearizable
// if some order of them, in which no call precedes one that ended before it began, has the results of the model (M. Herlihy and J. Wing,
// Linearizability, 1990). porcupine searches for that order.

// modelState is one node. Its id and type never change.
type modelState struct {
	exists     bool
	properties map[string]int64
}

type modelKind int

const (
	modelRead  modelKind = iota
	modelSet             // sets one property
	modelSetIf           // the same, with a revision that the client has read
	modelTake            // sets the property with a uniqueness constraint to a value that is taken
	modelDelete
	modelAsEnd // creates an edge to the node
)

func (k modelKind) String() string {
	return [...]string{"read", "set", "set if", "take", "delete", "as end"}[k]
}

type modelCall struct {
	kind  modelKind
	key   string
	value int64
	seen  map[string]int64 // the content of the revision of modelSetIf
}

type modelAnswer struct {
	code       fault.Code
	properties map[string]int64 // of a successful read or set
}

var nodeModel = porcupine.Model{
	Init: func() any { return modelState{exists: true, properties: map[string]int64{}} },
	Step: func(state, input, output any) (bool, any) {
		return stepNode(state.(modelState), input.(modelCall), output.(modelAnswer))
	},
	Equal: func(a, b any) bool {
		x, y := a.(modelState), b.(modelState)
		return x.exists == y.exists && maps.Equal(x.properties, y.properties)
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
}

// stepNode reports whether the answer is correct in the state, and returns the next state.
func stepNode(state modelState, call modelCall, answer modelAnswer) (bool, modelState) {
	if !state.exists {
		return answer.code == fault.NotFound, state
	}
	switch call.kind {
	case modelRead:
		return answer.code == "" && maps.Equal(answer.properties, state.properties), state
	case modelTake:
		return answer.code == fault.Conflict, state
	case modelAsEnd:
		return answer.code == "", state
	case modelDelete:
		return answer.code == "", modelState{}
	case modelSetIf:
		if !maps.Equal(call.seen, state.properties) {
			return answer.code == fault.PreconditionFailed, state
		}
	}
	after := maps.Clone(state.properties)
	after[call.key] = call.value
	return answer.code == "" && maps.Equal(answer.properties, after), modelState{exists: true, properties: after}
}

// modelStep is a call of one client, on one of the nodes.
type modelStep struct {
	kind modelKind
	node int
	key  string
}

func modelSteps(nodes int) *rapid.Generator[[]modelStep] {
	// Deletes are rare, so that most calls find an existing node.
	kinds := rapid.SampledFrom([]modelKind{
		modelRead, modelRead, modelRead, modelRead, modelSet, modelSet, modelSet, modelSet, modelSetIf, modelSetIf, modelSetIf,
		modelTake, modelAsEnd, modelAsEnd, modelAsEnd, modelDelete,
	})
	step := rapid.Custom(func(t *rapid.T) modelStep {
		return modelStep{kinds.Draw(t, "kind"), rapid.IntRange(0, nodes-1).Draw(t, "node"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")}
	})
	return rapid.SliceOfN(step, 1, 12)
}

// modelRun is one program on a store.
type modelRun struct {
	store *neo4jstore.Store
	hub   string // a node that is never deleted: one end of every edge
	ids   []string
	began time.Time

	mu        sync.Mutex
	histories [][]porcupine.Operation // by node
	edges     map[string]int          // acknowledged edges, and the node at their end
}

// client runs a client's steps one after another.
func (r *modelRun) client(number int, steps []modelStep) {
	seen := make([]*graph.Node, len(r.ids))
	for i, step := range steps {
		call := modelCall{kind: step.kind, key: step.key, value: int64(number*1000 + i)}
		if call.kind == modelSetIf && seen[step.node] == nil {
			call.kind = modelRead // there is no revision to send yet
		}
		if call.kind == modelSetIf {
			call.seen = modelProperties(*seen[step.node])
		}
		from := time.Since(r.began)
		node, edge, err := r.call(step.node, call, seen[step.node])
		answer := modelAnswer{code: fault.CodeOf(err)}
		if err == nil && node != nil {
			seen[step.node], answer.properties = node, modelProperties(*node)
		}
		r.mu.Lock()
		r.histories[step.node] = append(r.histories[step.node], porcupine.Operation{
			ClientId: number, Input: call, Call: from.Nanoseconds(), Output: answer, Return: time.Since(r.began).Nanoseconds(),
		})
		if edge != "" {
			r.edges[edge] = step.node
		}
		r.mu.Unlock()
	}
}

// call makes one call. node is nil if the result has none; edge is the id of a created edge.
func (r *modelRun) call(at int, call modelCall, seen *graph.Node) (node *graph.Node, edge string, err error) {
	ctx, id := context.Background(), r.ids[at]
	var answer graph.Node
	switch call.kind {
	case modelRead:
		answer, err = r.store.Node(ctx, id)
		return &answer, "", err
	case modelSet:
		answer, err = r.store.UpdateNode(ctx, id, graph.Change{Properties: graph.Properties{call.key: call.value}})
		return &answer, "", err
	case modelSetIf:
		answer, err = r.store.UpdateNode(ctx, id, graph.Change{
			Properties: graph.Properties{call.key: call.value}, If: graph.Precondition{Revisions: []graph.Revision{seen.Revision()}},
		})
		return &answer, "", err
	case modelTake:
		_, err = r.store.UpdateNode(ctx, id, graph.Change{Properties: graph.Properties{"mail": "taken", call.key: call.value}})
		return nil, "", err
	case modelDelete:
		_, err = r.store.DeleteNode(ctx, id, graph.Removal{})
		return nil, "", err
	default:
		created, err := r.store.CreateEdge(ctx, graph.NewEdge{Type: "ENDS", SourceID: r.hub, TargetID: id})
		if err != nil && fault.CodeOf(err) == fault.Validation && len(fault.As(err).Details) == 1 &&
			fault.As(err).Details[0].Field == "target_id" {
			err = fault.New(fault.NotFound, "the end is missing") // what it says about the node
		}
		return nil, created.Entity.ID, err
	}
}

func modelProperties(n graph.Node) map[string]int64 {
	out := map[string]int64{}
	for key, value := range n.Properties {
		out[key], _ = value.(int64)
	}
	return out
}

// TestConcurrentCallsAreLinearizable runs generated programs of several clients on a few shared nodes, and requires that one order of the
// calls explains every result; with coalesced and with uncoalesced calls.
func TestConcurrentCallsAreLinearizable(t *testing.T) {
	testmark.Concurrent(t)
	testmark.Long(t)
	for name, uncoalesced := range map[string]bool{"coalesced": false, "each call alone": true} {
		t.Run(name, func(t *testing.T) {
			s, db := open(t, func(c *settings) { c.Uncoalesced = uncoalesced })
			db.Exec(t, "CREATE CONSTRAINT contested_mail FOR (c:Contested) REQUIRE c.mail IS UNIQUE", nil)
			ctx := context.Background()
			_, err := s.CreateNode(ctx, graph.NewNode{Type: "Contested", Properties: graph.Properties{"mail": "taken"}})
			require.NoError(t, err)
			hub, err := s.CreateNode(ctx, graph.NewNode{Type: "Hub"})
			require.NoError(t, err)
			_, err = s.CreateEdge(ctx, graph.NewEdge{Type: "ENDS", SourceID: hub.Entity.ID, TargetID: hub.Entity.ID})
			require.NoError(t, err)
			rapid.Check(t, func(rt *rapid.T) {
				programs := rapid.SliceOfN(modelSteps(3), 2, 12).Draw(rt, "programs")
				r := modelRun{store: s, hub: hub.Entity.ID, began: time.Now(), histories: make([][]porcupine.Operation, 3), edges: map[string]int{}}
				for range r.histories {
					created, err := s.CreateNode(ctx, graph.NewNode{Type: "Contested"})
					require.NoError(rt, err)
					r.ids = append(r.ids, created.Entity.ID)
				}
				var clients sync.WaitGroup
				for number, steps := range programs {
					clients.Go(func() { r.client(number, steps) })
				}
				clients.Wait()
				r.check(rt)
			})
		})
	}
}

// check requires that the histories are linearizable, and that every acknowledged edge exists exactly as long as its node.
func (r *modelRun) check(rt *rapid.T) {
	for at, history := range r.histories {
		_, _, err := r.call(at, modelCall{kind: modelRead}, nil)
		exists := err == nil
		require.Equal(rt, porcupine.Ok, porcupine.CheckOperationsTimeout(nodeModel, history, time.Minute), "node %d: %v", at, history)
		for edge, node := range r.edges {
			if node != at {
				continue
			}
			_, err := r.store.Edge(context.Background(), edge)
			if exists {
				require.NoError(rt, err, "an edge was acknowledged and lost")
			} else {
				require.Equal(rt, fault.NotFound, fault.CodeOf(err), "an edge exists without its end")
			}
		}
	}
}
