package httpapi

import (
	"net/http"
	"slices"

	"graphrest/internal/auth"
	"graphrest/internal/typedjson"
)

func serviceTokenDocument(t auth.ServiceToken) ServiceTokenDocument {
	return ServiceTokenDocument{
		ID: t.ID, Name: t.Name, Permissions: permissionNames(t.Permissions), Roles: nonNil(t.Roles), RateLimit: t.RateLimit,
		CreatedAt: t.CreatedAt.UTC(), CreatedBy: optionalText(t.CreatedBy), ExpiresAt: t.ExpiresAt.UTC(), LastUsedAt: optionalTime(t.LastUsedAt),
	}
}

func optionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// listServiceTokens answers GET /api/admin/tokens.
//
//	@Summary		List service tokens
//	@Description	All service tokens by name, expired ones included, without their secrets. last_used_at is to the minute, and some
//	@Description	minutes late if another replica was used.
//	@Tags			Service tokens
//	@Success		200		{object}	ListAnswer[ServiceTokenDocument]
//	@Router			/api/admin/tokens [get]
func (a *API) listServiceTokens(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	tokens, err := a.options.Accounts.ServiceTokens(c.ctx())
	if err != nil {
		return err
	}
	found := pageByName(tokens, page, func(t auth.ServiceToken) string { return t.Name })
	sendList(c, page, found, func(dst []byte, t *auth.ServiceToken) []byte { return appendJSON(serviceTokenDocument(*t))(dst) })
	return nil
}

// createServiceToken answers POST /api/admin/tokens.
//
//	@Summary		Create a service token
//	@Description	The answer has the secret, which is not stored and never shown again. A program sends it as a bearer token. name is unique;
//	@Description	permissions default to none, and you must have them yourself; expires_at defaults to 90 days and is at most one year ahead.
//	@Description	The same holds for roles, unless you have all permissions; a role that does not exist is a VALIDATION_ERROR.
//	@Tags			Service tokens
//	@Param			body	body		NewServiceTokenBody	true	"The service token"
//	@Success		201		{object}	Answer[CreatedServiceTokenDocument]
//	@Failure		403		"PERMISSION_DENIED: administrators only, and no permission or role that you do not have yourself"
//	@Failure		409		"CONFLICT: the name is taken"
//	@Router			/api/admin/tokens [post]
func (a *API) createServiceToken(c *call) error {
	var n auth.NewServiceToken
	o := c.parseObject()
	if o != nil {
		n = newServiceToken(o)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Accounts.CreateServiceToken(c.ctx(), &c.principal, n)
	if err != nil {
		return err
	}
	c.send(http.StatusCreated, appendJSON(CreatedServiceTokenDocument{serviceTokenDocument(created.ServiceToken), created.Secret}))
	return nil
}

// newServiceToken reads the members of a service token's creation.
func newServiceToken(o *typedjson.Object) auth.NewServiceToken {
	own := newPersonalToken(o)
	n := auth.NewServiceToken{Name: own.Name, Permissions: own.Permissions, Roles: own.Roles, ExpiresAt: own.ExpiresAt}
	if limit, given := o.OptionalInteger("rate_limit"); given {
		n.RateLimit = &limit
		o.Add(auth.CheckRateLimit(n.RateLimit))
	}
	return n
}

// readPermissionsMember reads the member permissions; nil if it is absent.
func readPermissionsMember(o *typedjson.Object) []auth.Permission {
	names, given := o.OptionalStrings("permissions")
	if !given {
		return nil
	}
	permissions := mapSlice(names, func(name string) auth.Permission { return auth.Permission(name) })
	for _, p := range permissions {
		if !slices.Contains(auth.AllPermissions(), p) {
			o.Invalid("permissions", "must contain only %s", auth.PermissionNames())
		}
	}
	return permissions
}

// deleteServiceToken answers DELETE /api/admin/tokens/{id}.
//
//	@Summary		Delete a service token
//	@Description	The token is refused immediately on this replica and within a second on other replicas; its streams end.
//	@Tags			Service tokens
//	@Param			id		path		string	true	"Id of the service token"
//	@Success		200		{object}	Answer[ServiceTokenDeletionDocument]
//	@Router			/api/admin/tokens/{id} [delete]
func (a *API) deleteServiceToken(c *call) error {
	id := c.readPathValue("id")
	if err := c.validateWithID("service token", id); err != nil {
		return err
	}
	if err := a.options.Accounts.DeleteServiceToken(c.ctx(), id); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(ServiceTokenDeletionDocument{ID: id, Deleted: true}))
	return nil
}
