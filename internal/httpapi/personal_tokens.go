package httpapi

import (
	"net/http"
	"time"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/typedjson"
)

func personalTokenDocument(t auth.PersonalToken) PersonalTokenDocument {
	d := PersonalTokenDocument{
		ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt.UTC(), ExpiresAt: t.ExpiresAt.UTC(), LastUsedAt: optionalTime(t.LastUsedAt),
	}
	if !t.Uncut {
		permissions, roles := permissionNames(t.Permissions), nonNil(t.Roles)
		d.Permissions, d.Roles = &permissions, &roles
	}
	return d
}

// listPersonalTokens answers GET /api/auth/tokens.
//
//	@Summary		List your personal tokens
//	@Description	Your personal tokens by name, expired ones included, without their secrets. last_used_at is to the minute, and some minutes
//	@Description	late if another replica was used.
//	@Tags			Personal tokens
//	@Success		200		{object}	ListAnswer[PersonalTokenDocument]
//	@Router			/api/auth/tokens [get]
func (a *API) listPersonalTokens(c *call) error { return a.sendPersonalTokens(c, c.principal.UserID) }

// listTokensOfUser answers GET /api/admin/users/{username}/tokens.
//
//	@Summary		List the personal tokens of a user
//	@Description	As GET /api/auth/tokens, for administrators.
//	@Tags			Personal tokens
//	@Param			username	path	string	true	"User name"
//	@Success		200		{object}	ListAnswer[PersonalTokenDocument]
//	@Router			/api/admin/users/{username}/tokens [get]
func (a *API) listTokensOfUser(c *call) error {
	owner, err := c.readTokenOwner()
	if err != nil {
		return err
	}
	return a.sendPersonalTokens(c, owner.ID)
}

// readTokenOwner finds the user in the path. NOT_FOUND.
func (c *call) readTokenOwner() (auth.User, error) {
	username := c.readPathValue("username")
	if err := c.validateWithID("user", username); err != nil {
		return auth.User{}, err
	}
	return c.api.options.Accounts.User(c.ctx(), username)
}

func (a *API) sendPersonalTokens(c *call, userID string) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	tokens, err := a.options.Accounts.PersonalTokens(c.ctx(), userID)
	if err != nil {
		return err
	}
	// Names may repeat, so that the position of a page is a name and an id.
	found := pageByName(tokens, page, func(t auth.PersonalToken) string { return t.Name + "\x00" + t.ID })
	sendList(c, page, found, func(dst []byte, t *auth.PersonalToken) []byte { return appendJSON(personalTokenDocument(*t))(dst) })
	return nil
}

// createPersonalToken answers POST /api/auth/tokens.
//
//	@Summary		Make a personal token
//	@Description	The answer has the secret, which is not stored and never shown again. A program sends it as a bearer token and acts as you. With
//	@Description	permissions or roles the token has only those of your rights, the other member being empty if it is absent; without both it has
//	@Description	every right that you have at each request. expires_at defaults to 90 days and is at most one year ahead. It needs a login.
//	@Tags			Personal tokens
//	@Param			body	body		NewPersonalTokenBody	true	"The personal token"
//	@Success		201		{object}	Answer[CreatedPersonalTokenDocument]
//	@Failure		409		"CONFLICT: you have 20 personal tokens"
//	@Router			/api/auth/tokens [post]
func (a *API) createPersonalToken(c *call) error {
	var n auth.NewPersonalToken
	o := c.parseObject()
	if o != nil {
		n = newPersonalToken(o)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Accounts.CreatePersonalToken(c.ctx(), c.principal, n)
	if err != nil {
		return err
	}
	c.send(http.StatusCreated, appendJSON(CreatedPersonalTokenDocument{personalTokenDocument(created.PersonalToken), created.Secret}))
	return nil
}

// newPersonalToken reads the members of a token's creation that service tokens have too.
func newPersonalToken(o *typedjson.Object) auth.NewPersonalToken {
	n := auth.NewPersonalToken{Name: o.String("name")}
	if o.Has("name") {
		o.Add(auth.CheckTokenName("name", n.Name))
	}
	n.Permissions = readPermissionsMember(o)
	if names := roleNames(o); names != nil {
		n.Roles = *names
	}
	if text, given := o.OptionalString("expires_at"); given {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			o.Invalid("expires_at", "must be a time such as 2026-11-21T07:00:00Z (RFC 3339)")
		} else {
			o.Add(auth.CheckTokenExpiry("expires_at", at, time.Now()))
		}
		n.ExpiresAt = at
	}
	return n
}

// deletePersonalToken answers DELETE /api/auth/tokens/{id}.
//
//	@Summary		Delete a personal token
//	@Description	The token is refused immediately on this replica and within a second on other replicas; its streams end. A personal token can
//	@Description	delete itself, and no other one.
//	@Tags			Personal tokens
//	@Param			id		path		string	true	"Id of the personal token"
//	@Success		200		{object}	Answer[PersonalTokenDeletionDocument]
//	@Router			/api/auth/tokens/{id} [delete]
func (a *API) deletePersonalToken(c *call) error {
	if c.principal.PersonalToken && c.readPathValue("id") != c.principal.TokenID {
		return fault.New(fault.PermissionDenied, "Permission denied: a personal token can delete only itself; log in")
	}
	return a.endPersonalToken(c, c.principal.UserID)
}

// deleteTokenOfUser answers DELETE /api/admin/users/{username}/tokens/{id}.
//
//	@Summary		Delete a personal token of a user
//	@Description	As DELETE /api/auth/tokens/{id}, for administrators.
//	@Tags			Personal tokens
//	@Param			username	path	string	true	"User name"
//	@Param			id		path		string	true	"Id of the personal token"
//	@Success		200		{object}	Answer[PersonalTokenDeletionDocument]
//	@Router			/api/admin/users/{username}/tokens/{id} [delete]
func (a *API) deleteTokenOfUser(c *call) error {
	owner, err := c.readTokenOwner()
	if err != nil {
		return err
	}
	return a.endPersonalToken(c, owner.ID)
}

func (a *API) endPersonalToken(c *call, userID string) error {
	id := c.readPathValue("id")
	if err := c.validateWithID("personal token", id); err != nil {
		return err
	}
	if err := a.options.Accounts.DeletePersonalToken(c.ctx(), userID, id); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(PersonalTokenDeletionDocument{ID: id, Deleted: true}))
	return nil
}
