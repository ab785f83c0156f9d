package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/graph"
	"graphrest/internal/journal"
	"graphrest/internal/typedjson"
	"graphrest/internal/webhook"
)

// webhooks returns the webhooks. CONFLICT: changes are not recorded.
func (a *API) webhooks() (webhook.Registry, error) {
	if a.options.Webhooks == nil {
		return nil, errNotRecorded()
	}
	return a.options.Webhooks, nil
}

// webhooksFor validates a request about one webhook and returns the registry, with the fault of webhooks.
func (a *API) webhooksFor(c *call, name string) (webhook.Registry, error) {
	if err := c.validateWithID("webhook", name); err != nil {
		return nil, err
	}
	return a.webhooks()
}

func webhookDocument(w webhook.Webhook) WebhookDocument {
	return WebhookDocument{
		Name: w.Name, URL: w.URL, Enabled: w.Enabled, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
		Kinds:   mapSlice(w.Kinds, func(k graph.Kind) string { return string(k) }),
		Types:   mapSlice(w.Types, typeNameText),
		Actions: mapSlice(w.Actions, func(a journal.Action) string { return string(a) }),
	}
}

// sendWebhook sends a webhook, with its secret if that was generated.
func (c *call) sendWebhook(status int, w webhook.Webhook, generated bool) {
	document := NewWebhookDocument{WebhookDocument: webhookDocument(w)}
	if generated {
		document.Secret = w.Secret.Reveal()
	}
	c.send(status, appendJSON(document))
}

// listWebhooks answers GET /api/admin/webhooks.
//
//	@Summary		List webhooks
//	@Description	All webhooks by name. Secrets are never shown.
//	@Tags			Webhooks
//	@Success		200	{object}	Answer[[]WebhookDocument]
//	@Router			/api/admin/webhooks [get]
func (a *API) listWebhooks(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	webhooks, err := a.webhooks()
	if err != nil {
		return err
	}
	all, err := webhooks.Webhooks(c.ctx())
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(mapSlice(all, webhookDocument)))
	return nil
}

// createWebhook answers POST /api/admin/webhooks.
//
//	@Summary		Create a webhook
//	@Description	From now on each recorded change that it selects is sent to url as a POST with the body
//	@Description	{"type": "node.create", "timestamp", "data": change}, signed as Standard Webhooks says (headers webhook-id, webhook-timestamp,
//	@Description	webhook-signature), at least once, and in order for each entity. Any status from 200 to 299 confirms a delivery. Others are repeated for
//	@Description	24 hours with growing pauses; then the delivery is dead and can be retried. Redirects are not followed.
//	@Description
//	@Description	A secret is generated if none is given, and shown in this answer only. A url that leads to a loopback, link-local, private or reserved
//	@Description	address is rejected unless the operator allows it (GRAPHREST_WEBHOOK_ALLOW); each delivery checks the address again. There may be 50.
//	@Tags			Webhooks
//	@Param			body	body		NewWebhookBody	true	"The webhook"
//	@Success		201		{object}	Answer[NewWebhookDocument]
//	@Header			201		{string}	Location	"Path of the webhook"
//	@Failure		409		"CONFLICT: the name is taken, there are too many, or changes are not recorded"
//	@Router			/api/admin/webhooks [post]
func (a *API) createWebhook(c *call) error {
	w := webhook.Webhook{Enabled: true}
	generated := false
	o := c.parseObject()
	if o != nil {
		w.Name, w.URL = o.String("name"), o.String("url")
		o.Add(webhook.CheckName("name", w.Name))
		change := readWebhookMembers(o)
		setGiven(&w.Kinds, change.Kinds)
		setGiven(&w.Types, change.Types)
		setGiven(&w.Actions, change.Actions)
		setGiven(&w.Enabled, change.Enabled)
		setGiven(&w.Secret, change.Secret)
		generated = w.Secret.Empty() || o.Null("secret")
	}
	if err := c.finish(o); err != nil {
		return err
	}
	webhooks, err := a.webhooks()
	if err != nil {
		return err
	}
	if w, err = webhooks.CreateWebhook(c.ctx(), w); err != nil {
		return err
	}
	c.setLocation("/api/admin/webhooks", w.Name)
	c.sendWebhook(http.StatusCreated, w, generated)
	return nil
}

// setGiven sets a value if another was given.
func setGiven[T any](target, given *T) {
	if given != nil {
		*target = *given
	}
}

// readWebhookMembers reads the members that creates and updates of webhooks share. A secret that is null is a new one.
func readWebhookMembers(o *typedjson.Object) webhook.Change {
	c := webhook.Change{
		Kinds:   readWords[graph.Kind](o, "kinds", entityKinds),
		Actions: readWords[journal.Action](o, "actions", journal.Actions()),
	}
	if text, given := o.OptionalString("url"); given {
		c.URL = &text
		o.Add(webhook.CheckURL("url", text))
	}
	if names, given := o.OptionalStrings("types"); given {
		types := mapSlice(names, func(name string) graph.TypeName {
			t, f := graph.ParseTypeName("types", name)
			o.Add(f)
			return t
		})
		if len(types) > webhook.MaxTypes {
			o.Invalid("types", "must have at most %d names", webhook.MaxTypes)
		}
		c.Types = &types
	}
	if enabled, given := o.OptionalBool("enabled"); given {
		c.Enabled = &enabled
	}
	if text, given := o.OptionalString("secret"); given {
		secret, f := webhook.ParseSecret("secret", text)
		o.Add(f)
		c.Secret = &secret
	} else if o.Null("secret") {
		secret := webhook.NewSecret()
		c.Secret = &secret
	}
	return c
}

// readWords reads a list of some of a few words; nil if it is absent.
func readWords[T ~string](o *typedjson.Object, member string, known []string) *[]T {
	given, is := o.OptionalStrings(member)
	if !is {
		return nil
	}
	for i, word := range given {
		if !slices.Contains(known, word) || slices.Contains(given[:i], word) {
			o.Invalid(member, "must have some of %s, each once", strings.Join(known, ", "))
		}
	}
	all := mapSlice(given, func(word string) T { return T(word) })
	return &all
}

// getWebhook answers GET /api/admin/webhooks/{name}.
//
//	@Summary		Read a webhook
//	@Description	Its secret is never shown.
//	@Tags			Webhooks
//	@Param			name	path		string	true	"Name of the webhook"
//	@Success		200		{object}	Answer[WebhookDocument]
//	@Router			/api/admin/webhooks/{name} [get]
func (a *API) getWebhook(c *call) error {
	name := c.readPathValue("name")
	webhooks, err := a.webhooksFor(c, name)
	if err != nil {
		return err
	}
	w, err := webhooks.Webhook(c.ctx(), name)
	if err != nil {
		return err
	}
	c.sendWebhook(http.StatusOK, w, false)
	return nil
}

// updateWebhook answers PUT and PATCH /api/admin/webhooks/{name}.
//
//	@Summary		Update a webhook
//	@Description	Only the given members change. A disabled webhook keeps its position in the change feed: enabled again, it delivers the
//	@Description	changes made meanwhile that are still recorded. secret null generates a new one, shown in this answer only. PUT and PATCH are the same.
//	@Tags			Webhooks
//	@Param			name	path		string				true	"Name of the webhook"
//	@Param			body	body		WebhookChangeBody	true	"The changed members"
//	@Success		200		{object}	Answer[NewWebhookDocument]
//	@Router			/api/admin/webhooks/{name} [put]
//	@Router			/api/admin/webhooks/{name} [patch]
func (a *API) updateWebhook(c *call) error {
	name := c.readPathValue("name")
	var change webhook.Change
	generated := false
	o := c.parseObject()
	if o != nil {
		change = readWebhookMembers(o)
		generated = o.Null("secret")
		if given, is := o.OptionalString("name"); is && given != name {
			o.Invalid("name", "cannot be changed")
		}
		c.addProblem(o.Finish())
	}
	webhooks, err := a.webhooksFor(c, name)
	if err != nil {
		return err
	}
	w, err := webhooks.UpdateWebhook(c.ctx(), name, change)
	if err != nil {
		return err
	}
	c.sendWebhook(http.StatusOK, w, generated)
	return nil
}

// deleteWebhook answers DELETE /api/admin/webhooks/{name}.
//
//	@Summary		Delete a webhook
//	@Description	Also removes its deliveries.
//	@Tags			Webhooks
//	@Param			name	path		string	true	"Name of the webhook"
//	@Success		200		{object}	Answer[WebhookDeletionDocument]
//	@Router			/api/admin/webhooks/{name} [delete]
func (a *API) deleteWebhook(c *call) error {
	name := c.readPathValue("name")
	webhooks, err := a.webhooksFor(c, name)
	if err != nil {
		return err
	}
	if err := webhooks.DeleteWebhook(c.ctx(), name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(WebhookDeletionDocument{Name: name, Deleted: true}))
	return nil
}
