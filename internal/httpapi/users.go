package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func userDocument(u auth.User) UserDocument {
	return UserDocument{
		ID: u.ID, Username: u.Username, Permissions: permissionNames(u.Permissions), Admin: u.Admin, Disabled: u.Disabled,
		RateLimit: u.RateLimit, CreatedAt: u.CreatedAt.UTC(), UpdatedAt: u.UpdatedAt.UTC(),
	}
}

func permissionNames(p []auth.Permission) []string {
	return mapSlice(p, func(one auth.Permission) string { return string(one) })
}

// listUsers answers GET /api/admin/users.
//
//	@Summary		List users
//	@Description	All users by name.
//	@Tags			Users
//	@Produce		json
//	@Security		BearerAuth
//	@Param			limit	query		int		false	"Users per page"	minimum(1)	maximum(1000)	default(100)
//	@Param			offset	query		int		false	"Users to skip; not together with cursor"	minimum(0)	default(0)
//	@Param			cursor	query		string	false	"next_cursor of the previous page"
//	@Success		200		{object}	UserListAnswer
//	@Failure		400		{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401		{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403		{object}	ErrorAnswer	"PERMISSION_DENIED: administrators only"
//	@Failure		429		{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500		{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503		{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504		{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/admin/users [get]
func (a *API) listUsers(c *call) error {
	page := c.paging()
	if err := c.validate(); err != nil {
		return err
	}
	users, err := a.options.Accounts.Users(c.ctx())
	if err != nil {
		return err
	}
	total := int64(len(users))
	users = slices.Clone(users)
	slices.SortFunc(users, func(x, y auth.User) int { return strings.Compare(x.Username, y.Username) })
	if page.after != nil {
		users = slices.DeleteFunc(users, func(u auth.User) bool { return u.Username <= string(page.after) })
	} else {
		users = users[min(page.offset, total):]
	}
	found := graph.Page[auth.User]{Items: users, Total: &total}
	if len(users) > page.limit {
		found.Items = users[:page.limit]
		found.Next = graph.Position(found.Items[page.limit-1].Username)
	}
	sendList(c, page, found, func(dst []byte, u *auth.User) []byte { return appendJSON(userDocument(*u))(dst) })
	return nil
}

// createUser answers POST /api/admin/users.
//
//	@Summary		Create a user
//	@Description	username and password are required; permissions default to none.
//	@Tags			Users
//	@Accept			json
//	@Produce		json
//	@Security		BearerAuth
//	@Param			body	body		NewUserBody	true	"The user"
//	@Success		201		{object}	UserAnswer
//	@Header			201		{string}	Location	"Path of the user"
//	@Failure		400		{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401		{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403		{object}	ErrorAnswer	"PERMISSION_DENIED: administrators only"
//	@Failure		409		{object}	ErrorAnswer	"CONFLICT: the name is taken"
//	@Failure		413		{object}	ErrorAnswer	"PAYLOAD_TOO_LARGE"
//	@Failure		415		{object}	ErrorAnswer	"UNSUPPORTED_MEDIA_TYPE"
//	@Failure		429		{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500		{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503		{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504		{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/admin/users [post]
func (a *API) createUser(c *call) error {
	var n auth.NewUser
	o := c.parseObject()
	if o != nil {
		n.Username, n.Password = o.String("username"), o.String("password")
		o.Add(auth.CheckUsername("username", n.Username), auth.CheckPassword("password", n.Password))
		change := accountMembers(o)
		if change.Permissions != nil {
			n.Permissions = *change.Permissions
		}
		n.Admin = change.Admin != nil && *change.Admin
		n.Disabled = change.Disabled != nil && *change.Disabled
		if change.RateLimit != nil {
			n.RateLimit = *change.RateLimit
		}
	}
	if err := c.finish(o); err != nil {
		return err
	}
	u, err := a.options.Accounts.CreateUser(c.ctx(), n)
	if err != nil {
		return err
	}
	c.gin.Header("Location", "/api/admin/users/"+url.PathEscape(u.Username))
	c.send(http.StatusCreated, appendJSON(userDocument(u)))
	return nil
}

// accountMembers reads the members that creates and updates of users share.
func accountMembers(o *typedjson.Object) auth.UserChange {
	var change auth.UserChange
	if names, given := o.OptionalStrings("permissions"); given {
		permissions := mapSlice(names, func(name string) auth.Permission { return auth.Permission(name) })
		for _, p := range permissions {
			if !slices.Contains(auth.AllPermissions(), p) {
				o.Invalid("permissions", "must contain only read, create, edit and delete")
			}
		}
		change.Permissions = &permissions
	}
	if admin, given := o.OptionalBool("admin"); given {
		change.Admin = &admin
	}
	if disabled, given := o.OptionalBool("disabled"); given {
		change.Disabled = &disabled
	}
	if limit, given := o.OptionalInteger("rate_limit"); given {
		if limit < 1 {
			o.Invalid("rate_limit", "must be a whole number of at least 1, or null for the default")
		}
		own := &limit
		change.RateLimit = &own
	} else if o.Null("rate_limit") {
		change.RateLimit = new(*int64) // back to the default
	}
	return change
}

// getUser answers GET /api/admin/users/{username}.
//
//	@Summary		Read a user
//	@Description	Passwords are never shown.
//	@Tags			Users
//	@Produce		json
//	@Security		BearerAuth
//	@Param			username	path		string	true	"Name of the user"
//	@Success		200			{object}	UserAnswer
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: administrators only"
//	@Failure		404			{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/admin/users/{username} [get]
func (a *API) getUser(c *call) error {
	username := c.pathValue("username")
	if err := c.validateWithID("user", username); err != nil {
		return err
	}
	u, err := a.options.Accounts.User(c.ctx(), username)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(userDocument(u)))
	return nil
}

// updateUser answers PUT and PATCH /api/admin/users/{username}.
//
//	@Summary		Update a user
//	@Description	Only the given members change; rate_limit null restores the default. A new password or disabling the user revokes the user's tokens.
//	@Description	The user name cannot be changed. PUT and PATCH are the same.
//	@Tags			Users
//	@Accept			json
//	@Produce		json
//	@Security		BearerAuth
//	@Param			username	path		string			true	"Name of the user"
//	@Param			body		body		UserChangeBody	true	"The changed members"
//	@Success		200			{object}	UserAnswer
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: administrators only"
//	@Failure		404			{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		409			{object}	ErrorAnswer	"CONFLICT: the last enabled administrator"
//	@Failure		413			{object}	ErrorAnswer	"PAYLOAD_TOO_LARGE"
//	@Failure		415			{object}	ErrorAnswer	"UNSUPPORTED_MEDIA_TYPE"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/admin/users/{username} [put]
//	@Router			/api/admin/users/{username} [patch]
func (a *API) updateUser(c *call) error {
	username := c.pathValue("username")
	var change auth.UserChange
	o := c.parseObject()
	if o != nil {
		change = accountMembers(o)
		if password, given := o.OptionalString("password"); given {
			change.Password = &password
			o.Add(auth.CheckPassword("password", password))
		}
		if name, given := o.OptionalString("username"); given && auth.FoldUsername(name) != auth.FoldUsername(username) {
			o.Invalid("username", "cannot be changed")
		}
		c.addProblem(o.Finish())
	}
	if err := c.validateWithID("user", username); err != nil {
		return err
	}
	u, err := a.options.Accounts.UpdateUser(c.ctx(), username, change)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(userDocument(u)))
	return nil
}

// deleteUser answers DELETE /api/admin/users/{username}.
//
//	@Summary		Delete a user
//	@Description	Revokes the user's tokens. A user created again with the same name is a different user.
//	@Tags			Users
//	@Produce		json
//	@Security		BearerAuth
//	@Param			username	path		string	true	"Name of the user"
//	@Success		200			{object}	UserDeletionAnswer
//	@Failure		400			{object}	ErrorAnswer	"VALIDATION_ERROR"
//	@Failure		401			{object}	ErrorAnswer	"UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED or TOKEN_REVOKED"
//	@Failure		403			{object}	ErrorAnswer	"PERMISSION_DENIED: administrators only"
//	@Failure		404			{object}	ErrorAnswer	"NOT_FOUND"
//	@Failure		409			{object}	ErrorAnswer	"CONFLICT: the last enabled administrator"
//	@Failure		429			{object}	ErrorAnswer	"RATE_LIMITED"
//	@Failure		500			{object}	ErrorAnswer	"INTERNAL"
//	@Failure		503			{object}	ErrorAnswer	"DATABASE_UNAVAILABLE"
//	@Failure		504			{object}	ErrorAnswer	"DATABASE_TIMEOUT"
//	@Router			/api/admin/users/{username} [delete]
func (a *API) deleteUser(c *call) error {
	username := c.pathValue("username")
	if err := c.validateWithID("user", username); err != nil {
		return err
	}
	if err := a.options.Accounts.DeleteUser(c.ctx(), username); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(UserDeletionDocument{Username: username, Deleted: true}))
	return nil
}
