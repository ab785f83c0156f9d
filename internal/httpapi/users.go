package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"graphrest/internal/auth"
	"graphrest/internal/graph"
	"graphrest/internal/typedjson"
)

func userDocument(u auth.User) UserDocument {
	return UserDocument{
		ID: u.ID, Username: u.Username, Permissions: permissionNames(u.Permissions), Admin: u.Admin, Disabled: u.Disabled,
		RateLimit: u.RateLimit, Roles: nonNil(u.Roles), Attributes: typedjson.AppendProperties(nil, u.Attributes),
		CreatedAt: u.CreatedAt.UTC(), UpdatedAt: u.UpdatedAt.UTC(),
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
//	@Success		200		{object}	ListAnswer[UserDocument]
//	@Router			/api/admin/users [get]
func (a *API) listUsers(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	users, err := a.options.Accounts.Users(c.ctx())
	if err != nil {
		return err
	}
	found := pageByName(users, page, func(u auth.User) string { return u.Username })
	sendList(c, page, found, func(dst []byte, u *auth.User) []byte { return appendJSON(userDocument(*u))(dst) })
	return nil
}

// pageByName returns a page of a whole list, in the order of the names.
func pageByName[T any](all []T, page pageRequest, name func(T) string) graph.Page[T] {
	total := int64(len(all))
	items := slices.Clone(all)
	slices.SortFunc(items, func(x, y T) int { return strings.Compare(name(x), name(y)) })
	if page.after != nil {
		items = slices.DeleteFunc(items, func(one T) bool { return name(one) <= string(page.after) })
	} else {
		items = items[min(page.offset, total):]
	}
	found := graph.Page[T]{Items: items, Total: &total}
	if len(items) > page.limit {
		found.Items = items[:page.limit]
		found.Next = graph.Position(name(found.Items[page.limit-1]))
	}
	return found
}

// createUser answers POST /api/admin/users.
//
//	@Summary		Create a user
//	@Description	username and password are required; permissions default to none. attributes are values for the conditions of roles.
//	@Tags			Users
//	@Param			body	body		NewUserBody	true	"The user"
//	@Success		201		{object}	Answer[UserDocument]
//	@Header			201		{string}	Location	"Path of the user"
//	@Failure		409		"CONFLICT: the name is taken"
//	@Router			/api/admin/users [post]
func (a *API) createUser(c *call) error {
	var n auth.NewUser
	o := c.parseObject()
	if o != nil {
		n.Username, n.Password = o.String("username"), o.String("password")
		o.Add(auth.CheckUsername("username", n.Username), auth.CheckPassword("password", n.Password))
		change := c.readAccountMembers(o)
		if change.Permissions != nil {
			n.Permissions = *change.Permissions
		}
		n.Admin = change.Admin != nil && *change.Admin
		n.Disabled = change.Disabled != nil && *change.Disabled
		if change.RateLimit != nil {
			n.RateLimit = *change.RateLimit
		}
		setGiven(&n.Roles, change.Roles)
		setGiven(&n.Attributes, change.Attributes)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	u, err := a.options.Accounts.CreateUser(c.ctx(), n)
	if err != nil {
		return err
	}
	c.setLocation("/api/admin/users", u.Username)
	c.send(http.StatusCreated, appendJSON(userDocument(u)))
	return nil
}

// readAccountMembers reads the members that creates and updates of users share.
func (c *call) readAccountMembers(o *typedjson.Object) auth.UserChange {
	change := auth.UserChange{Roles: roleNames(o)}
	if o.Has("attributes") {
		attributes := o.NewProperties("attributes", true, c.api.options.Limits)
		o.Add(auth.CheckAttributes("attributes", attributes))
		change.Attributes = &attributes
	}
	if permissions := readPermissionsMember(o); permissions != nil {
		change.Permissions = &permissions
	}
	if isAdmin, given := o.OptionalBool("admin"); given {
		change.Admin = &isAdmin
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

// roleNames reads the names of a user's roles; nil if they are not given.
func roleNames(o *typedjson.Object) *[]string {
	names, given := o.OptionalStrings("roles")
	if !given {
		return nil
	}
	o.Add(auth.CheckRoleNames("roles", names))
	return &names
}

// getUser answers GET /api/admin/users/{username}.
//
//	@Summary		Read a user
//	@Description	Passwords are never shown.
//	@Tags			Users
//	@Param			username	path		string	true	"Name of the user"
//	@Success		200			{object}	Answer[UserDocument]
//	@Router			/api/admin/users/{username} [get]
func (a *API) getUser(c *call) error {
	username := c.readPathValue("username")
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
//	@Param			username	path		string			true	"Name of the user"
//	@Param			body		body		UserChangeBody	true	"The changed members"
//	@Success		200			{object}	Answer[UserDocument]
//	@Failure		409			"CONFLICT: the last enabled administrator"
//	@Router			/api/admin/users/{username} [put]
//	@Router			/api/admin/users/{username} [patch]
func (a *API) updateUser(c *call) error {
	username := c.readPathValue("username")
	var change auth.UserChange
	o := c.parseObject()
	if o != nil {
		change = c.readAccountMembers(o)
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
//	@Param			username	path		string	true	"Name of the user"
//	@Success		200			{object}	Answer[UserDeletionDocument]
//	@Failure		409			"CONFLICT: the last enabled administrator"
//	@Router			/api/admin/users/{username} [delete]
func (a *API) deleteUser(c *call) error {
	username := c.readPathValue("username")
	if err := c.validateWithID("user", username); err != nil {
		return err
	}
	if err := a.options.Accounts.DeleteUser(c.ctx(), username); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(UserDeletionDocument{Username: username, Deleted: true}))
	return nil
}
