package neo4jwebhook

import (
	"time"

	"graphrest/internal/bolt"
	"graphrest/internal/fault"
	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/webhook"
)

// encodeWebhook returns the stored form of a new webhook. The secret is stored as it is: signing needs it.
func encodeWebhook(w webhook.Webhook) map[string]any {
	return map[string]any{
		"uid": w.UID, "url": w.URL, "enabled": w.Enabled, "cursor": w.Cursor, "secret": w.Secret.Reveal(),
		"kinds": toTexts(w.Kinds), "types": toTexts(w.Types), "actions": toTexts(w.Actions),
	}
}

func encodeChange(c webhook.Change) bolt.Changes {
	changes := bolt.Changes{Set: map[string]any{}}
	bolt.Give(&changes, "url", c.URL)
	bolt.GiveAs(&changes, "kinds", c.Kinds, toTexts)
	bolt.GiveAs(&changes, "types", c.Types, toTexts)
	bolt.GiveAs(&changes, "actions", c.Actions, toTexts)
	bolt.Give(&changes, "enabled", c.Enabled)
	bolt.GiveAs(&changes, "secret", c.Secret, webhook.Secret.Reveal)
	return changes
}

func decodeWebhook(stored map[string]any) (webhook.Webhook, error) {
	secret, f := webhook.ParseSecret("secret", bolt.AsText(stored["secret"]))
	if f != nil {
		return webhook.Webhook{}, fault.New(fault.Internal, "Internal error") // without the cause, which is about a secret
	}
	w := webhook.Webhook{
		Name: bolt.AsText(stored["name"]), UID: bolt.AsText(stored["uid"]), URL: bolt.AsText(stored["url"]), Secret: secret,
		Kinds: fromTexts[graph.Kind](stored["kinds"]), Types: fromTexts[graph.TypeName](stored["types"]),
		Actions: fromTexts[journal.Action](stored["actions"]), Cursor: bolt.AsText(stored["cursor"]),
		CreatedAt: timeOf(stored["created_at"]), UpdatedAt: timeOf(stored["updated_at"]),
	}
	w.Enabled, _ = stored["enabled"].(bool)
	w.Revision, _ = stored["revision"].(int64)
	return w, nil
}

// encodeDelivery returns the parameters that store a delivery. Times are relative to now.
func encodeDelivery(d *webhook.Delivery, now time.Time) map[string]any {
	row := map[string]any{"id": d.ID, "pause": max(0, d.NextAt.Sub(now).Milliseconds()), "since": nil, "set": map[string]any{
		"change": d.Change, "position": d.Position, "at": d.At.UnixMicro(), "action": string(d.Action), "kind": string(d.Kind),
		"entity": d.Entity, "state": string(d.State), "attempts": d.Attempts, "problem": d.Problem,
	}}
	if !d.AttemptedAt.IsZero() {
		row["since"] = max(0, now.Sub(d.AttemptedAt).Milliseconds())
	}
	return row
}

func decodeDelivery(stored any) webhook.Delivery {
	fields, _ := stored.(map[string]any)
	d := webhook.Delivery{
		ID: bolt.AsText(fields["id"]), Change: bolt.AsText(fields["change"]), Action: journal.Action(bolt.AsText(fields["action"])),
		Kind: graph.Kind(bolt.AsText(fields["kind"])), Entity: bolt.AsText(fields["entity"]),
		State: webhook.State(bolt.AsText(fields["state"])), Problem: bolt.AsText(fields["problem"]),
		CreatedAt: timeOf(fields["created_at"]), AttemptedAt: timeOf(fields["attempted_at"]), NextAt: timeOf(fields["next_at"]),
	}
	d.Position, _ = fields["position"].(int64)
	d.Attempts, _ = fields["attempts"].(int64)
	at, _ := fields["at"].(int64)
	d.At = time.UnixMicro(at).UTC()
	return d
}

// timeOf is a stored time, in milliseconds since 1970; zero if there is none.
func timeOf(stored any) time.Time {
	if ms, isTime := stored.(int64); isTime {
		return time.UnixMilli(ms).UTC()
	}
	return time.Time{}
}

func milliseconds(stored any) time.Duration {
	ms, _ := stored.(int64)
	return time.Duration(ms) * time.Millisecond
}

func toTexts[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}

func fromTexts[T ~string](stored any) []T {
	var out []T
	for _, each := range bolt.AsList(stored) {
		out = append(out, T(bolt.AsText(each)))
	}
	return out
}
