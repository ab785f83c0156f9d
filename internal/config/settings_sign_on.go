package config

import (
	"errors"
	"slices"
	"strings"

	"graphrest/internal/oidc"
)

// OIDC is the gateway's registration at an identity provider. Without an issuer there is no single sign-on.
type OIDC struct {
	Issuer       string
	ClientID     string
	ClientSecret Secret // empty for a public client
	RedirectURL  string
	Scopes       []string
	GroupsClaim  string
	RoleMap      map[string][]string // permissions and roles of each group
	AdminGroup   string
}

func signOnSettings() []Setting {
	const group = "Single sign-on"
	return []Setting{
		{
			Name: "GRAPHREST_OIDC_ISSUER", Flag: "oidc-issuer", Group: group, Kind: "text",
			Expected: "the address of an issuer, https or, on 127.0.0.1, ::1 and localhost, http, exactly as its discovery document names it",
			Help:     "Identity provider (OpenID Connect) by which users log in. Not set: none. The following settings need it.",
			set:      setText(func(c *Config) *string { return &c.OIDC.Issuer }, oidc.CheckIssuer),
		},
		{
			Name: "GRAPHREST_OIDC_CLIENT_ID", Flag: "oidc-client-id", Group: group, Kind: "text", Expected: "a client id of at most 255 bytes",
			Help: "Id under which the gateway is registered there. Tokens for other clients are refused.",
			set:  setText(func(c *Config) *string { return &c.OIDC.ClientID }, printable(255)),
		},
		{
			Name: "GRAPHREST_OIDC_CLIENT_SECRET", Group: group, Kind: "secret", Secret: true, Expected: "the client's secret",
			Help: "Secret of that client. Not set: the client is a public one.",
			set:  func(c *Config, v string) error { c.OIDC.ClientSecret = NewSecret(v); return nil },
		},
		{
			Name: "GRAPHREST_OIDC_REDIRECT_URL", Flag: "oidc-redirect-url", Group: group, Kind: "text",
			Expected: "the https address of this gateway for browsers, with its base path, followed by " + oidc.CallbackPath +
				"; http on 127.0.0.1, ::1 and localhost",
			Help: "Where the provider sends browsers back to, as registered there.",
			set:  setText(func(c *Config) *string { return &c.OIDC.RedirectURL }, oidc.CheckRedirectURL),
		},
		{
			Name: "GRAPHREST_OIDC_SCOPES", Flag: "oidc-scopes", Group: group, Kind: "text", Default: "openid profile",
			Expected: "names of scopes, separated by spaces", Help: "What is requested at a login. openid is always requested.",
			set: func(c *Config, v string) (err error) { c.OIDC.Scopes, err = parseScopes(v); return err },
		},
		{
			Name: "GRAPHREST_OIDC_GROUPS_CLAIM", Flag: "oidc-groups-claim", Group: group, Kind: "text", Default: "groups",
			Expected: "the name of a claim, of at most 255 bytes",
			Help:     "The claim of the provider's tokens that lists the user's groups.",
			set:      setText(func(c *Config) *string { return &c.OIDC.GroupsClaim }, printable(255)),
		},
		{
			Name: "GRAPHREST_OIDC_ROLE_MAP", Flag: "oidc-role-map", Group: group, Kind: "list",
			Expected: "pairs group=permission or group=role, separated by commas; a group may occur several times",
			Help: "What the members of a group may do: read, create, edit, delete, query, console, or a role. The names of permissions are " +
				"permissions, even if a role has one. Names of groups are compared exactly. Users without a group that is named here have no rights.",
			set: func(c *Config, v string) (err error) { c.OIDC.RoleMap, err = oidc.ParseRoleMap(v); return err },
		},
		{
			Name: "GRAPHREST_OIDC_ADMIN_GROUP", Flag: "oidc-admin-group", Group: group, Kind: "text",
			Expected: "the name of a group, of at most 255 bytes",
			Help:     "The group whose members are administrators. Not set: nobody who logs in by single sign-on is one.",
			set:      setText(func(c *Config) *string { return &c.OIDC.AdminGroup }, printable(255)),
		},
		{
			Name: "GRAPHREST_PASSWORD_LOGIN", Flag: "password-login", Group: group, Kind: "switch", Default: "on", Expected: "on or off",
			Help: "Let users with a password log in with it. Off: only the user GRAPHREST_ADMIN_USERNAME may, for emergencies.",
			set:  setBoolean(func(c *Config) *bool { return &c.PasswordLogin }),
		},
	}
}

// parseScopes splits at spaces. A scope has the characters that RFC 6749, section 3.3, allows.
func parseScopes(v string) ([]string, error) {
	scopes := strings.Fields(v)
	for _, scope := range scopes {
		if strings.ContainsFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) {
			return nil, errors.New("a scope has a character that is not allowed")
		}
	}
	return scopes, nil
}

// requireSignOn validates the settings of single sign-on together.
func (l *loader) requireSignOn(c *Config) {
	given := func(name string) bool { return l.from[name].text != "" }
	const issuer = "GRAPHREST_OIDC_ISSUER"
	names := []string{
		"GRAPHREST_OIDC_CLIENT_ID", "GRAPHREST_OIDC_REDIRECT_URL", "GRAPHREST_OIDC_CLIENT_SECRET", "GRAPHREST_OIDC_ROLE_MAP",
		"GRAPHREST_OIDC_ADMIN_GROUP",
	}
	const required = 2 // of names
	if given(issuer) {
		for _, name := range names[:required] {
			if !given(name) {
				l.addProblem(name, "is not set, although "+issuer+" is", settingNamed(name).Expected)
			}
		}
		return
	}
	if at := slices.IndexFunc(names, given); at >= 0 {
		l.addProblem(issuer, "is not set, although "+names[at]+" is", settingNamed(issuer).Expected)
	}
	if given("GRAPHREST_PASSWORD_LOGIN") && !c.PasswordLogin {
		l.addProblem("GRAPHREST_PASSWORD_LOGIN", "is off without "+issuer, "on, or an identity provider by which users log in")
	}
}
