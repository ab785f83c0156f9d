package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"graphrest/internal/graph"
	"graphrest/internal/webhook"
)

// listDeliveries answers GET /api/admin/webhooks/{name}/deliveries.
//
//	@Summary		List the deliveries of a webhook
//	@Description	The changes that are not delivered, newest change first: pending ones wait for an earlier one of their entity, failed ones
//	@Description	will be attempted again, dead ones were given up. A delivery that succeeds leaves the list.
//	@Tags			Webhooks
//	@Param			name	path		string	true	"Name of the webhook"
//	@Param			state	query		string	false	"Only this state"	Enums(pending, failed, dead)
//	@Success		200		{object}	ListAnswer[DeliveryDocument]
//	@Header			200		{string}	Link	"rel=next: the next page, absent on the last"
//	@Router			/api/admin/webhooks/{name}/deliveries [get]
func (a *API) listDeliveries(c *call) error {
	name, page := c.readPathValue("name"), c.readPaging()
	q := webhook.DeliveryQuery{State: webhook.State(c.readOptionalEnum("state", webhook.States())), Limit: page.limit}
	if page.after != nil {
		var err error
		if q.Before, err = strconv.ParseInt(string(page.after), 10, 64); err != nil {
			c.invalid("cursor", "must be a next_cursor of the same query; only limit may change between pages")
		}
	}
	webhooks, err := a.webhooksFor(c, name)
	if err != nil {
		return err
	}
	found, err := webhooks.Deliveries(c.ctx(), name, q)
	if err != nil {
		return err
	}
	next := ""
	if found.More {
		next = strconv.FormatInt(found.Deliveries[len(found.Deliveries)-1].Position, 10)
	}
	sendList(c, page, graph.Page[webhook.Delivery]{Items: found.Deliveries, Next: toPosition(next)},
		func(dst []byte, d *webhook.Delivery) []byte { return appendJSON(deliveryDocument(d))(dst) })
	return nil
}

func deliveryDocument(d *webhook.Delivery) DeliveryDocument {
	document := DeliveryDocument{
		ID: d.ID, Change: d.Change, Type: d.Event(), Entity: d.Entity, State: string(d.State), Attempts: d.Attempts,
		CreatedAt: d.CreatedAt, LastAttemptAt: optionalTime(d.AttemptedAt),
	}
	if d.Problem != "" {
		document.Problem = &d.Problem
	}
	if d.State != webhook.Dead {
		document.NextAttemptAt = optionalTime(d.NextAt)
	}
	return document
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// retryDelivery answers POST /api/admin/webhooks/{name}/deliveries/{id}/retry.
//
//	@Summary		Retry a delivery
//	@Description	The delivery begins again, at once, with 24 hours of attempts before it; later changes of a dead one's entity may have
//	@Description	been delivered since.
//	@Tags			Webhooks
//	@Param			name	path		string	true	"Name of the webhook"
//	@Param			id		path		string	true	"Id of the delivery"
//	@Success		202		{object}	Answer[RetryDocument]
//	@Router			/api/admin/webhooks/{name}/deliveries/{id}/retry [post]
func (a *API) retryDelivery(c *call) error {
	name, id := c.readPathValue("name"), c.readPathValue("id")
	if err := c.validateWithID("webhook", name); err != nil {
		return err
	}
	if err := c.validateWithID("delivery", id); err != nil {
		return err
	}
	webhooks, err := a.webhooks()
	if err != nil {
		return err
	}
	if err := webhooks.RetryDelivery(c.ctx(), name, id); err != nil {
		return err
	}
	c.send(http.StatusAccepted, appendJSON(RetryDocument{ID: id, State: string(webhook.Pending)}))
	return nil
}
