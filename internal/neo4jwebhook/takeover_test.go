package neo4jwebhook_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/webhook"
)

// replica is a deliverer in another process.
type replica struct {
	command *exec.Cmd
	ended   chan struct{}
}

// startReplica starts a deliverer with the times of production, which announces on the channel that it delivers.
func (f *fixture) startReplica(t *testing.T, delivers chan<- *replica) *replica {
	t.Helper()
	r := &replica{command: exec.Command(os.Args[0]), ended: make(chan struct{})}
	r.command.Env = append(os.Environ(), deliverFor+"="+f.db.URI, deliverFor+"_USERNAME="+f.db.Username,
		deliverFor+"_PASSWORD="+f.db.Password, deliverFor+"_DATABASE="+f.db.Database)
	output, err := r.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.command.Start())
	go func() {
		defer close(r.ended)
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "this replica delivers the webhooks now") {
				delivers <- r
			}
		}
		_ = r.command.Wait()
	}()
	t.Cleanup(r.kill)
	return r
}

func (r *replica) kill() {
	_ = r.command.Process.Kill()
	<-r.ended
}

// Of several replicas one delivers. When it is killed another takes over within 5 seconds; nothing is missed and the order holds.
func TestAnotherReplicaTakesOver(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.register(t, e, nil)
	delivers := make(chan *replica, 10)
	f.startReplica(t, delivers)
	f.startReplica(t, delivers)
	await := func() *replica {
		select {
		case r := <-delivers:
			return r
		case <-time.After(eventTimeout):
			require.FailNow(t, "no replica delivers")
			return nil
		}
	}
	ann := f.create(t, "ann")
	holder := await()
	last := -1.0
	accept := func(upTo float64) {
		for last < upTo {
			got := e.next(t)
			require.NotContains(t, got.Type, "signature")
			n, updated := got.Data.After.Properties["n"].(float64)
			if !updated {
				continue // the create
			}
			require.LessOrEqual(t, n, last+1, "missed or overtaken")
			last = max(last, n)
		}
	}
	for i := range int64(20) {
		f.update(t, ann.ID, i)
	}
	accept(5)
	holder.kill()
	killed := time.Now()
	for i := int64(20); i < 40; i++ {
		f.update(t, ann.ID, i)
	}
	require.NotSame(t, holder, await())
	accept(39)
	took := time.Since(killed)
	t.Logf("the last change was delivered %s after the kill", took)
	require.Less(t, took, 5*time.Second)
	require.Empty(t, f.deliveries(t, webhook.DeliveryQuery{}))
}

// A deliverer that lost its lease without noticing can store nothing.
func TestALostLeaseStoresNothing(t *testing.T) {
	f := newFixture(t)
	w := f.register(t, newEndpoint(t), nil)
	hold := func(holder string, d time.Duration) bool {
		lease, err := f.hooks.Hold(t.Context(), holder, d)
		require.NoError(t, err)
		return lease.Held
	}
	require.True(t, hold("one", time.Millisecond))
	require.Eventually(t, func() bool { return hold("two", time.Minute) }, eventTimeout, time.Millisecond)
	require.False(t, hold("one", time.Minute))
	require.True(t, hold("two", time.Minute))
	progress := webhook.Progress{Cursor: "0", Remaining: []*webhook.Delivery{{ID: "msg_1", Change: "1", Position: 1, State: webhook.Failed}}}
	require.ErrorIs(t, f.hooks.Record(t.Context(), "one", w.UID, progress), webhook.ErrLeaseLost)
	require.NoError(t, f.hooks.Release(t.Context(), "one"))
	require.False(t, hold("one", time.Minute), "a release by another holder has no effect")
	require.Empty(t, f.deliveries(t, webhook.DeliveryQuery{}))
	require.NoError(t, f.hooks.Record(t.Context(), "two", w.UID, progress))
	require.Len(t, f.deliveries(t, webhook.DeliveryQuery{}), 1)
	require.ErrorIs(t, f.hooks.Record(t.Context(), "two", "another", progress), webhook.ErrLeaseLost)
	require.NoError(t, f.hooks.Release(t.Context(), "two"))
	require.True(t, hold("one", time.Minute))
}
