package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
)

// login answers POST /api/auth/login.
//
//	@Summary		Log in
//	@Description	Returns a bare token object, without the envelope. A wrong name and a wrong password give the same answer; repeated failures are throttled.
//	@Description	A login counts as one request of its user. With me=true the object also has the member me: the data of GET /api/auth/me.
//	@Tags			Authentication
//	@Param			me		query		bool		false	"Adds who has logged in"
//	@Param			body	body		LoginBody	true	"User name and password"
//	@Success		200		{object}	TokenDocument
//	@Header			200		{string}	Cache-Control	"no-store"
//	@Failure		401		"INVALID_CREDENTIALS"
//	@Failure		429		"RATE_LIMITED: too many failed attempts, too many concurrent logins, or the user's rate limit is used up"
//	@Router			/api/auth/login [post]
func (a *API) login(c *call) error {
	var username, password string
	o := c.parseObject()
	if o != nil {
		username, password = o.String("username"), o.String("password")
	}
	withMe := c.readBoolean("me")
	if err := c.finish(o); err != nil {
		return err
	}
	if err := a.requireStarted(); err != nil { // the first administrator's password would be called wrong
		return err
	}
	// ClientIP trusts forwarding headers of configured proxies only.
	var user auth.Principal
	admit := func(p auth.Principal) error {
		user = p
		return c.countLogin(p)
	}
	token, err := a.options.Accounts.Login(c.ctx(), username, password, c.gin.ClientIP(), admit)
	if err != nil {
		return err
	}
	var me *MeDocument
	if withMe != nil && *withMe {
		user.ExpiresAt = token.ExpiresAt
		me = a.documentMe(user)
	}
	return c.sendToken(token, me)
}

// sendToken answers a login: a bare object (RFC 6749, section 5.1, which lets clients ignore further members). me may be nil.
func (c *call) sendToken(token auth.Token, me *MeDocument) error {
	text, err := json.Marshal(TokenDocument{token.AccessToken, "bearer", int64(token.ExpiresIn / time.Second), me})
	if err != nil {
		return err
	}
	c.sendRaw(http.StatusOK, append(text, '\n'))
	return nil
}

// logout answers POST /api/auth/logout.
//
//	@Summary		Log out
//	@Description	Revokes the token of the request, immediately on this replica and within a second on other replicas. A body is ignored.
//	@Tags			Authentication
//	@Success		200	{object}	Answer[LogoutDocument]
//	@Router			/api/auth/logout [post]
func (a *API) logout(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	if err := a.options.Accounts.Logout(c.ctx(), c.principal); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(LogoutDocument{Revoked: true}))
	return nil
}

// me answers GET /api/auth/me.
//
//	@Summary		Who am I
//	@Description	The user of the token, with the current permissions and roles. effective has the actions that they allow together, on some
//	@Description	entities of a kind or on all. A service token is a separate user: its id, and token: and its name. A personal
//	@Description	token is its user, with the rights that it is cut to.
//	@Tags			Authentication
//	@Success		200	{object}	Answer[MeDocument]
//	@Router			/api/auth/me [get]
func (a *API) me(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(a.documentMe(c.principal)))
	return nil
}

func (a *API) documentMe(p auth.Principal) *MeDocument {
	return &MeDocument{
		ID: p.UserID, Username: p.Username, Permissions: permissionNames(p.Permissions), Roles: nonNil(p.Roles), Admin: p.Admin,
		Effective:    EffectivePermissions{Node: effectivePermissions(p, graph.NodeKind), Edge: effectivePermissions(p, graph.EdgeKind)},
		ExpiresAt:    p.ExpiresAt.UTC(),
		SelfApproval: a.options.SelfApproval, ServiceToken: p.ServiceToken, PersonalToken: p.PersonalToken,
	}
}
