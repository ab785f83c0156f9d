package neo4jwebhook_test

import (
	"log/slog"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/neo4jstore"
	"graphrest/internal/webhook"
)

// Each selected change after the webhook's creation arrives, signed, in order, and once while nothing fails; others do not.
func TestChangesAreDelivered(t *testing.T) {
	f := newFixture(t)
	f.create(t, "before")
	all, some := newEndpoint(t), newEndpoint(t)
	f.register(t, all, nil)
	f.register(t, some, func(w *webhook.Webhook) {
		w.Name, w.Kinds, w.Types = "some", []graph.Kind{graph.NodeKind}, []graph.TypeName{"Person"}
		w.Actions = []journal.Action{journal.Delete, journal.Update}
	})
	f.deliver(t, webhook.Options{})
	n := f.create(t, "ann")
	edge, err := f.graph.CreateEdge(t.Context(), graph.NewEdge{Type: "KNOWS", SourceID: n.ID, TargetID: n.ID})
	require.NoError(t, err)
	const updates = 110
	for i := range int64(updates) { // more than one page of the feed
		f.update(t, n.ID, i)
	}
	detach := true
	_, err = f.graph.DeleteNode(t.Context(), n.ID, graph.Removal{Detach: &detach})
	require.NoError(t, err)

	ids := map[string]bool{}
	var node, edges, selected []string
	for range 1 + 1 + updates + 2 {
		got := all.next(t)
		require.False(t, ids[got.ID], "delivered twice")
		ids[got.ID] = true
		if got.Data.Entity == edge.Entity.ID {
			edges = append(edges, got.Type)
			continue
		}
		if got.Type == "node.update" {
			require.InDelta(t, len(node)-1, got.Data.After.Properties["n"], 0)
		}
		node = append(node, got.Type)
	}
	require.Equal(t, []string{"edge.create", "edge.delete"}, edges)
	require.Equal(t, "node.create", node[0])
	require.Equal(t, "node.delete", node[len(node)-1])
	for range updates + 1 {
		selected = append(selected, some.next(t).Type)
	}
	require.Equal(t, node[1:], selected)
	require.Empty(t, f.deliveries(t, webhook.DeliveryQuery{}))
}

// While one entity's delivery fails, the others' arrive, and its own later changes wait; then all arrive in order, with the same id at each
// attempt.
func TestFailuresKeepTheOrderOfAnEntity(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.register(t, e, nil)
	ann, bob := f.create(t, "ann"), f.create(t, "bob")
	e.refuse(func(got received) bool { return got.Data.Entity == ann.ID })
	stop := f.deliver(t, webhook.Options{})
	first := e.next(t)
	for i := range int64(3) {
		f.update(t, ann.ID, i)
		f.update(t, bob.ID, i)
	}
	ofBob, repeated := 0, 0
	for got := first; ofBob < 4 || repeated < 3; got = e.next(t) {
		if got.Data.Entity == bob.ID {
			ofBob++
			continue
		}
		require.Equal(t, "node.create", got.Type, "a later change overtook a failed one")
		if ofBob == 4 { // the later changes are known by now
			repeated++
		}
	}
	stop()
	listed := slices.DeleteFunc(f.deliveries(t, webhook.DeliveryQuery{}), func(d webhook.Delivery) bool {
		return d.Entity == bob.ID // its last delivery may have been cut off
	})
	require.Len(t, listed, 4)
	for i, want := range []webhook.State{webhook.Pending, webhook.Pending, webhook.Pending, webhook.Failed} {
		require.Equal(t, want, listed[i].State)
		require.Equal(t, ann.ID, listed[i].Entity)
	}
	require.Equal(t, "node.create", listed[3].Event())
	require.Equal(t, "the endpoint answered with status 500", listed[3].Problem)
	require.Positive(t, listed[3].Attempts)
	require.Zero(t, listed[0].Attempts)
	if first.Data.Entity == ann.ID {
		require.Equal(t, first.ID, listed[3].ID)
	}
	page, err := f.admin.Deliveries(t.Context(), "hook", webhook.DeliveryQuery{Limit: 2, Before: listed[1].Position + 1})
	require.NoError(t, err)
	require.Equal(t, listed[1], page.Deliveries[0])
	require.Len(t, page.Deliveries, 2)
	require.True(t, page.More)

	e.refuse(nil)
	f.deliver(t, webhook.Options{}) // another replica
	nextOfAnn := func() received {
		for {
			if got := e.nextAccepted(t); got.Data.Entity == ann.ID {
				return got
			}
		}
	}
	require.Equal(t, listed[3].ID, nextOfAnn().ID)
	for i := range 3 {
		got := nextOfAnn()
		require.Equal(t, listed[2-i].ID, got.ID)
		require.InDelta(t, i, got.Data.After.Properties["n"], 0)
	}
	require.Eventually(t, func() bool { return len(f.deliveries(t, webhook.DeliveryQuery{})) == 0 }, eventTimeout, 10*time.Millisecond)
}

// A delivery that failed for too long is dead, the entity's next change is delivered, and the dead one can be replayed.
func TestDeadLettersAreReplayed(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.register(t, e, nil)
	e.refuse(func(got received) bool { return got.Type == "node.create" })
	f.deliver(t, webhook.Options{GiveUp: 200 * time.Millisecond})
	ann := f.create(t, "ann")
	f.update(t, ann.ID, 1)
	require.Equal(t, "node.update", e.nextAccepted(t).Type)
	dead := f.deliveries(t, webhook.DeliveryQuery{State: webhook.Dead})
	require.Len(t, dead, 1)
	require.Equal(t, journal.Create, dead[0].Action)
	require.Greater(t, dead[0].Attempts, int64(1))
	require.Empty(t, f.deliveries(t, webhook.DeliveryQuery{State: webhook.Failed}))

	e.refuse(nil)
	require.NoError(t, f.admin.RetryDelivery(t.Context(), "hook", dead[0].ID))
	require.Equal(t, dead[0].ID, e.nextAccepted(t).ID)
	require.Eventually(t, func() bool { return len(f.deliveries(t, webhook.DeliveryQuery{})) == 0 }, eventTimeout, 10*time.Millisecond)
	require.Equal(t, fault.NotFound, fault.CodeOf(f.admin.RetryDelivery(t.Context(), "hook", dead[0].ID)))
	require.Equal(t, fault.NotFound, fault.CodeOf(f.admin.RetryDelivery(t.Context(), "other", dead[0].ID)))
}

// An endpoint that answers 410 gets nothing more: the webhook is disabled, for everybody to see, and goes on where it was if it is enabled.
func TestGoneEndpointsDisableTheirWebhook(t *testing.T) {
	f := newFixture(t)
	e, other := newEndpoint(t), newEndpoint(t)
	f.register(t, e, nil)
	f.register(t, other, func(w *webhook.Webhook) { w.Name = "other" })
	e.refusal = http.StatusGone
	e.refuse(func(received) bool { return true })
	ann := f.create(t, "ann")
	f.update(t, ann.ID, 1)
	f.deliver(t, webhook.Options{FirstDelay: time.Millisecond, MaxDelay: time.Millisecond})
	gone := e.next(t)
	require.Eventually(t, func() bool {
		w, err := f.admin.Webhook(t.Context(), "hook")
		return err == nil && !w.Enabled
	}, eventTimeout, 10*time.Millisecond)
	for _, want := range []string{"node.create", "node.update"} {
		require.Equal(t, want, other.next(t).Type)
	}
	listed := f.deliveries(t, webhook.DeliveryQuery{State: webhook.Failed})
	require.Len(t, listed, 1)
	require.Equal(t, gone.ID, listed[0].ID)
	require.Equal(t, int64(1), listed[0].Attempts)
	require.Equal(t, "the endpoint answered with status 410, which disables the webhook", listed[0].Problem)
	bob := f.create(t, "bob")
	require.Equal(t, bob.ID, other.next(t).Data.Entity, "others go on")
	require.Empty(t, e.all, "it was sent something more")
	require.Equal(t, int64(1), f.db.Count(t, `
		MATCH (a:_GraphrestAudit {kind: 'webhook', action: 'update'}) WHERE a.lines[0] CONTAINS 'hook' AND a.lines[0] CONTAINS 'enabled'
		RETURN count(a)`, nil))

	e.refuse(nil)
	on := true
	_, err := f.admin.UpdateWebhook(t.Context(), "hook", webhook.Change{Enabled: &on})
	require.NoError(t, err)
	of := map[string][]string{}
	for range 3 {
		got := e.next(t)
		of[got.Data.Entity] = append(of[got.Data.Entity], got.Type)
	}
	require.Equal(t, map[string][]string{ann.ID: {"node.create", "node.update"}, bob.ID: {"node.create"}}, of)
}

// A webhook that an administrator has changed meanwhile is not disabled by what its former endpoint answered.
func TestChangedWebhooksAreNotDisabled(t *testing.T) {
	f := newFixture(t)
	e, next := newEndpoint(t), newEndpoint(t)
	w := f.register(t, e, nil)
	next.use(w.Secret)
	changed, err := f.admin.UpdateWebhook(t.Context(), "hook", webhook.Change{URL: &next.URL})
	require.NoError(t, err)
	require.NoError(t, f.hooks.Disable(t.Context(), w))
	read, err := f.admin.Webhook(t.Context(), "hook")
	require.NoError(t, err)
	require.True(t, read.Enabled)
	require.NoError(t, f.hooks.Disable(t.Context(), changed))
	read, err = f.admin.Webhook(t.Context(), "hook")
	require.NoError(t, err)
	require.False(t, read.Enabled)
}

// A webhook with many undelivered changes stops reading the feed, and loses none of them.
func TestFullListsWaitInTheFeed(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.register(t, e, nil)
	e.refuse(func(received) bool { return true })
	f.deliver(t, webhook.Options{Window: 1})
	waiting := map[string]bool{f.create(t, "first").ID: true}
	e.next(t)
	for range 10 {
		waiting[f.create(t, "x").ID] = true
	}
	e.next(t) // the first once more
	require.Len(t, f.deliveries(t, webhook.DeliveryQuery{}), 1)
	e.refuse(nil)
	for len(waiting) > 0 {
		delete(waiting, e.nextAccepted(t).Data.Entity)
	}
}

// Erased history is not delivered any more: its delivery is given up.
func TestErasedChangesAreNotDelivered(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.register(t, e, nil)
	e.refuse(func(received) bool { return true })
	stop := f.deliver(t, webhook.Options{})
	ann := f.create(t, "ann")
	e.next(t)
	stop()
	_, err := f.journal.Erase(t.Context(), graph.NodeKind, ann.ID)
	require.NoError(t, err)
	f.deliver(t, webhook.Options{})
	require.Eventually(t, func() bool {
		listed := f.deliveries(t, webhook.DeliveryQuery{State: webhook.Dead})
		return len(listed) == 1 && listed[0].Problem == "the change is not recorded any more"
	}, eventTimeout, 10*time.Millisecond)
}

// A webhook that is behind the oldest kept change goes on with that one.
func TestRemovedHistoryIsSkipped(t *testing.T) {
	f := newFixture(t)
	e := newEndpoint(t)
	f.create(t, "before")
	f.register(t, e, nil)
	f.create(t, "removed")
	small, err := openParts(f.db, func(c *neo4jstore.Config) { c.JournalMaxBytes = 1 }, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NoError(t, small.journal.Purge(t.Context()))
	require.NoError(t, small.close())
	require.Zero(t, f.db.Count(t, "MATCH (c:_GraphrestChange) RETURN count(c)", nil))
	f.deliver(t, webhook.Options{})
	kept := f.create(t, "kept")
	require.Equal(t, kept.ID, e.next(t).Data.Entity)
}

// What an administrator changes has effect on a running deliverer, and a disabled webhook keeps its position.
func TestChangesOfAWebhookHaveEffect(t *testing.T) {
	f := newFixture(t)
	e, other := newEndpoint(t), newEndpoint(t)
	w := f.register(t, e, nil)
	other.use(w.Secret)
	f.deliver(t, webhook.Options{Lease: 300 * time.Millisecond})
	ann := f.create(t, "ann")
	require.Equal(t, ann.ID, e.next(t).Data.Entity)

	off, on := false, true
	changed, err := f.admin.UpdateWebhook(t.Context(), "hook", webhook.Change{Enabled: &off, URL: &other.URL})
	require.NoError(t, err)
	require.False(t, changed.Enabled)
	require.Equal(t, w.Secret.Reveal(), changed.Secret.Reveal())
	require.Eventually(t, func() bool { // the deliverer has nothing to do
		wanted, err := f.hooks.Wanted(t.Context())
		return err == nil && !wanted && f.db.Count(t, "MATCH (s:_GraphrestState {name: 'webhooks'}) RETURN s.until", nil) == 0
	}, eventTimeout, 10*time.Millisecond)
	f.update(t, ann.ID, 1)
	_, err = f.admin.UpdateWebhook(t.Context(), "hook", webhook.Change{Enabled: &on})
	require.NoError(t, err)
	require.Equal(t, "node.update", other.next(t).Type)

	require.NoError(t, f.admin.DeleteWebhook(t.Context(), "hook"))
	_, err = f.admin.Webhook(t.Context(), "hook")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Zero(t, f.db.Count(t, "MATCH (n:_GraphrestWebhook|_GraphrestDelivery) RETURN count(n)", nil))
}
