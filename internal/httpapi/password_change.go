package httpapi

import (
	"net/http"

	"graphrest/internal/auth"
)

// changePassword answers PUT /api/auth/password.
//
//	@Summary		Change your own password
//	@Description	Requires the current password. Revokes all tokens of the user, including the one of this request: log in again.
//	@Tags			Authentication
//	@Param			body	body		PasswordBody	true	"The current and the new password"
//	@Success		200		{object}	Answer[PasswordDocument]
//	@Failure		401		"INVALID_CREDENTIALS, or UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED"
//	@Failure		409		"CONFLICT: the user signs in at the identity provider and has no password"
//	@Router			/api/auth/password [put]
func (a *API) changePassword(c *call) error {
	var current, next string
	o := c.parseObject()
	if o != nil {
		current, next = o.String("current_password"), o.String("new_password")
		o.Add(auth.CheckPassword("new_password", next))
	}
	if err := c.finish(o); err != nil {
		return err
	}
	if err := a.options.Accounts.ChangePassword(c.ctx(), c.principal, current, next); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(PasswordDocument{Changed: true}))
	return nil
}
