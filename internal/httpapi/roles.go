package httpapi

import (
	"encoding/json"
	"net/http"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/rules"
	"graphrest/internal/typedjson"
)

func roleDocument(r auth.Role) RoleDocument {
	d := RoleDocument{
		Name: r.Name, Description: r.Description, Grants: []GrantBody{}, Queries: nonNil(r.Queries),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	_ = json.Unmarshal(rules.AppendGrants(nil, r.Grants), &d.Grants) // it is the form that AppendGrants writes
	return d
}

// listRoles answers GET /api/admin/roles.
//
//	@Summary		List roles
//	@Description	All roles by name.
//	@Tags			Roles
//	@Success		200		{object}	ListAnswer[RoleDocument]
//	@Router			/api/admin/roles [get]
func (a *API) listRoles(c *call) error {
	page := c.readPaging()
	if err := c.validate(); err != nil {
		return err
	}
	roles, err := a.options.Accounts.Roles(c.ctx())
	if err != nil {
		return err
	}
	found := pageByName(roles, page, func(r auth.Role) string { return r.Name })
	sendList(c, page, found, func(dst []byte, r *auth.Role) []byte { return appendJSON(roleDocument(*r))(dst) })
	return nil
}

// createRole answers POST /api/admin/roles.
//
//	@Summary		Create a role
//	@Description	A role grants actions on parts of the graph: on the nodes with a label or the edges of a type (* for all) that meet the conditions
//	@Description	of where, without the properties in hidden. A value in where may be of the caller; prefer {"$user":"id"}, since who gets a
//	@Description	deleted user's name meets conditions on {"$user":"username"}. Users have roles beside permissions, which are for everything; both add up. See
//	@Description	docs/permissions.md. There may be 500 roles.
//	@Tags			Roles
//	@Param			body	body		NewRoleBody	true	"The role"
//	@Success		201		{object}	Answer[RoleDocument]
//	@Header			201		{string}	Location	"Path of the role"
//	@Failure		409		"CONFLICT: the name is taken, or there are too many"
//	@Router			/api/admin/roles [post]
func (a *API) createRole(c *call) error {
	var r rules.Role
	o := c.parseObject()
	if o != nil {
		r.Name = o.String("name")
		o.Add(rules.CheckRoleName("name", r.Name))
		change := a.readRoleMembers(o)
		if change.Grants == nil && change.Queries == nil {
			o.Invalid("grants", "is required")
		}
		setGiven(&r.Description, change.Description)
		setGiven(&r.Grants, change.Grants)
		setGiven(&r.Queries, change.Queries)
	}
	if err := c.finish(o); err != nil {
		return err
	}
	created, err := a.options.Accounts.CreateRole(c.ctx(), r)
	if err != nil {
		return err
	}
	c.setLocation("/api/admin/roles", r.Name)
	c.send(http.StatusCreated, appendJSON(roleDocument(created)))
	return nil
}

// readRoleMembers reads the members that creates and updates of roles share.
func (a *API) readRoleMembers(o *typedjson.Object) auth.RoleChange {
	var change auth.RoleChange
	if text, given := o.OptionalString("description"); given {
		o.Add(auth.CheckRoleDescription("description", text))
		change.Description = &text
	}
	if names, given := o.OptionalStrings("queries"); given {
		o.Add(rules.CheckQueries("queries", names))
		change.Queries = &names
	}
	change.Grants = a.readGrantsMember(o)
	return change
}

// readGrantsMember reads the grants of a role; nil if they are absent. The property that contains ids is not among the properties of an
// entity, so that a condition on it would mean one thing in a statement and another where properties are checked.
func (a *API) readGrantsMember(o *typedjson.Object) *[]rules.Grant {
	tree, given := o.Tree("grants")
	if !given {
		if o.Null("grants") {
			o.Invalid("grants", "must be an array")
		}
		return nil
	}
	grants, f := rules.ParseGrants("grants", string(typedjson.AppendTree(nil, tree)))
	o.Add(f)
	for i := range grants {
		for _, condition := range grants[i].Where {
			if condition.Property == a.options.IDProperty {
				o.Invalid(condition.Field, "is a condition on the property that contains ids, which no grant can have")
			}
		}
	}
	return &grants
}

// getRole answers GET /api/admin/roles/{name}.
//
//	@Summary		Read a role
//	@Tags			Roles
//	@Param			name	path		string	true	"Name of the role"
//	@Success		200		{object}	Answer[RoleDocument]
//	@Router			/api/admin/roles/{name} [get]
func (a *API) getRole(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("role", name); err != nil {
		return err
	}
	r, err := a.options.Accounts.Role(c.ctx(), name)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(roleDocument(r)))
	return nil
}

// updateRole answers PUT and PATCH /api/admin/roles/{name}.
//
//	@Summary		Update a role
//	@Description	Only the given members change, for all users that have the role, from their next request on; on other replicas within a second.
//	@Description	grants are replaced as a whole. The name cannot be changed. PUT and PATCH are the same.
//	@Tags			Roles
//	@Param			name	path		string			true	"Name of the role"
//	@Param			body	body		RoleChangeBody	true	"The changed members"
//	@Success		200		{object}	Answer[RoleDocument]
//	@Router			/api/admin/roles/{name} [put]
//	@Router			/api/admin/roles/{name} [patch]
func (a *API) updateRole(c *call) error {
	name := c.readPathValue("name")
	var change auth.RoleChange
	o := c.parseObject()
	if o != nil {
		change = a.readRoleMembers(o)
		if given, is := o.OptionalString("name"); is && given != name {
			o.Add(fault.Invalid("name", "cannot be changed"))
		}
		c.addProblem(o.Finish())
	}
	if err := c.validateWithID("role", name); err != nil {
		return err
	}
	r, err := a.options.Accounts.UpdateRole(c.ctx(), name, change)
	if err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(roleDocument(r)))
	return nil
}

// deleteRole answers DELETE /api/admin/roles/{name}.
//
//	@Summary		Delete a role
//	@Description	Takes the role from its users, in the same transaction. A role created again with the same name is a different role.
//	@Tags			Roles
//	@Param			name	path		string	true	"Name of the role"
//	@Success		200		{object}	Answer[RoleDeletionDocument]
//	@Router			/api/admin/roles/{name} [delete]
func (a *API) deleteRole(c *call) error {
	name := c.readPathValue("name")
	if err := c.validateWithID("role", name); err != nil {
		return err
	}
	if err := a.options.Accounts.DeleteRole(c.ctx(), name); err != nil {
		return err
	}
	c.send(http.StatusOK, appendJSON(RoleDeletionDocument{Name: name, Deleted: true}))
	return nil
}
