package httpapi

import (
	"net/http"
	"time"

	"graphrest/internal/audit"
	"graphrest/internal/fault"
	"graphrest/internal/oidc"
)

// Names of the cookies.
const (
	attemptCookie  = "graphrest-sso-attempt"
	handOverCookie = "graphrest-sso"
)

// cookieName adds the prefix that lets browsers accept a cookie by TLS and from this host only, not from its subdomains (RFC 6265bis,
// section 4.1.3). Such cookies are sent to the whole host; under a base path, where other services share the host, the prefix only
// requires TLS.
func (a *API) cookieName(name string) string {
	switch {
	case !a.options.SecureCookies:
		return name
	case a.options.BasePath != "":
		return "__Secure-" + name
	}
	return "__Host-" + name
}

// setCookie sets a cookie for a time, or removes it with zero. SameSite is Lax, because the provider sends the browser back from another
// site.
func (c *call) setCookie(name, value string, ttl time.Duration) {
	age := int(ttl / time.Second)
	if age == 0 {
		age = -1
	}
	http.SetCookie(c.gin.Writer, &http.Cookie{ //nolint:gosec // not Secure only if browsers reach the service without TLS, on loopback
		Name: c.api.cookieName(name), Value: value, Path: c.api.address("/"), MaxAge: age, HttpOnly: true, Secure: c.api.options.SecureCookies,
		SameSite: http.SameSiteLaxMode,
	})
}

// readCookie returns the value of a cookie that is sent once; empty otherwise.
func (c *call) readCookie(name string) string {
	found := c.gin.Request.CookiesNamed(c.api.cookieName(name))
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}

// getLoginMethods answers GET /api/auth/methods.
//
//	@Summary		How users may log in
//	@Tags			Authentication
//	@Success		200	{object}	Answer[LoginMethodsDocument]
//	@Router			/api/auth/methods [get]
func (a *API) getLoginMethods(c *call) error {
	if err := c.validate(); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(LoginMethodsDocument{Password: !a.options.PasswordsClosed, OIDC: a.options.SingleSignOn != nil}))
	return nil
}

// startSignOn answers GET /api/auth/oidc/start.
//
//	@Summary		Begin a login at the identity provider
//	@Description	For browsers: redirects to the provider, and sets the cookie that binds the login to this browser.
//	@Tags			Authentication
//	@Success		303
//	@Header			303	{string}	Location	"The provider's login page"
//	@Failure		404	"NOT_FOUND: no identity provider is configured"
//	@Router			/api/auth/oidc/start [get]
func (a *API) startSignOn(c *call) error {
	if a.options.SingleSignOn == nil {
		return noSingleSignOn()
	}
	if err := c.validate(); err != nil {
		return err
	}
	address, cookie, err := a.options.SingleSignOn.Begin(c.ctx())
	if err != nil {
		return err
	}
	c.setCookie(attemptCookie, cookie, oidc.AttemptTTL)
	c.redirect(address)
	return nil
}

// finishSignOn answers GET /api/auth/oidc/callback. Browsers show no JSON: they get the page, which says that the login failed; the reason
// is in the log and nothing of the query is repeated.
//
//	@Summary		Return from the identity provider
//	@Description	For browsers, with the parameters of the provider: redirects to the web interface with a cookie that POST /api/auth/oidc/session trades for a token. A browser
//	@Description	whose login failed is redirected to `/?sso=failed` or `/?sso=unavailable`; clients that do not accept HTML get the error.
//	@Tags			Authentication
//	@Success		303
//	@Header			303	{string}	Location	"The web interface"
//	@Failure		400	"VALIDATION_ERROR: this browser did not begin the login, or the answer is of another provider"
//	@Failure		401	"INVALID_CREDENTIALS: the provider refused, or the user may not log in; INVALID_TOKEN; TOKEN_EXPIRED"
//	@Failure		404	"NOT_FOUND: no identity provider is configured"
//	@Failure		503	"DATABASE_UNAVAILABLE: the provider or the database does not answer"
//	@Router			/api/auth/oidc/callback [get]
func (a *API) finishSignOn(c *call) error {
	if a.options.SingleSignOn == nil {
		return noSingleSignOn()
	}
	if c.gin.Request.Method == http.MethodHead {
		return fault.New(fault.MethodNotAllowed, "A login is completed by GET only") // a code may be used once
	}
	err := a.completeSignOn(c)
	if err == nil {
		c.redirect(a.address("/"))
		return nil
	}
	if !asksFor(c.gin.Request.Header, "text/html") {
		return err
	}
	code := fault.CodeOf(err)
	requestLogOf(c.gin).code = code
	if StatusOf(code) >= http.StatusInternalServerError {
		requestLogOf(c.gin).cause = err
		c.redirect(a.address("/?sso=unavailable"))
		return nil
	}
	c.redirect(a.address("/?sso=failed"))
	return nil
}

// completeSignOn verifies the answer of the provider, and leaves the hand-over cookie in the browser.
func (a *API) completeSignOn(c *call) error {
	identity, id, err := a.options.SingleSignOn.Complete(c.ctx(), c.gin.Request.URL.Query(), c.readCookie(attemptCookie))
	if err != nil {
		if code := fault.CodeOf(err); StatusOf(code) < http.StatusInternalServerError {
			c.api.options.RefusalAudit.AddRefusal(audit.Entry{
				Actor: c.identifyActor(), Action: audit.Login, Kind: audit.Session, Code: string(code), Fields: []string{"oidc"},
			})
		}
		return err
	}
	c.setCookie(attemptCookie, "", 0)
	user, err := a.options.Accounts.SignIn(audit.WithActor(c.ctx(), c.identifyActor()), identity)
	if err != nil {
		return err
	}
	cookie, err := a.options.SingleSignOn.HandOver(id, user.ID)
	if err != nil {
		return err
	}
	c.setCookie(handOverCookie, cookie, oidc.HandOverTTL)
	return nil
}

// redeemSignOn answers POST /api/auth/oidc/session. Cross-site requests cannot use the cookie: it is SameSite=Lax, which browsers do not
// send with a POST from another site, and a request that says that it comes from elsewhere (Sec-Fetch-Site, Origin) is refused besides.
// Nor would one gain: without CORS for credentials no other page reads the answer, and the cookie was set for a login that this browser
// began.
//
//	@Summary		Trade a finished login at the identity provider for a token
//	@Description	Returns a bare token object, without the envelope. Needs the cookie of the callback, which works once and for a minute.
//	@Description	A body is ignored.
//	@Tags			Authentication
//	@Success		200	{object}	TokenDocument
//	@Failure		401	"INVALID_CREDENTIALS: there is no login to continue, or it was completed before"
//	@Failure		403	"PERMISSION_DENIED: the request comes from another site"
//	@Failure		404	"NOT_FOUND: no identity provider is configured"
//	@Failure		429	"RATE_LIMITED: the user's rate limit is used up"
//	@Router			/api/auth/oidc/session [post]
func (a *API) redeemSignOn(c *call) error {
	if a.options.SingleSignOn == nil {
		return noSingleSignOn()
	}
	if err := c.validate(); err != nil {
		return err
	}
	if err := a.crossOriginProtection.Check(c.gin.Request); err != nil {
		return fault.Wrap(err, fault.PermissionDenied, "Permission denied: the request comes from another site")
	}
	cookie := c.readCookie(handOverCookie)
	if cookie == "" {
		return fault.New(fault.InvalidCredentials, "There is no login to continue; begin again")
	}
	c.setCookie(handOverCookie, "", 0)
	h, err := a.options.SingleSignOn.OpenHandOver(cookie)
	if err != nil {
		return err
	}
	token, err := a.options.Accounts.RedeemSignIn(c.ctx(), h.ID, h.UserID, h.ExpiresAt, c.countLogin)
	if err != nil {
		return err
	}
	return c.sendToken(token, nil)
}

func noSingleSignOn() error {
	return fault.New(fault.NotFound, "Single sign-on is not configured")
}

// redirect sends a browser to another address by GET (RFC 9110, section 15.4.4). Callers choose the address; none comes from the request.
func (c *call) redirect(address string) {
	c.gin.Header("Location", address)
	c.gin.Status(http.StatusSeeOther)
	c.gin.Writer.WriteHeaderNow()
}
