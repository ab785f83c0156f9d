package config

import (
	"errors"
	"net/url"
	"regexp"
	"strings"

	"graphrest/internal/oidc"
)

const (
	basePathSetting  = "GRAPHREST_BASE_PATH"
	publicURLSetting = "GRAPHREST_PUBLIC_URL"
	redirectSetting  = "GRAPHREST_OIDC_REDIRECT_URL"
)

// addressSettings are where clients reach the gateway, if a proxy stands before it.
func addressSettings() []Setting {
	const group = "HTTP"
	return []Setting{
		{
			Name: basePathSetting, Flag: "base-path", Group: group, Kind: "text",
			Expected: "a path such as /graph: segments of letters, digits and the characters . _ ~ -, the first of them no path of the gateway " +
				"such as /api or /docs",
			Help: "The path under which a proxy publishes the gateway, if that is not the root of a host. Pages, documents, `Location`, `Link` " +
				"and cookies have it. Requests may arrive with it or, if the proxy removes it, without it. Not set: that of GRAPHREST_PUBLIC_URL.",
			set: func(c *Config, v string) (err error) { c.HTTP.BasePath, err = parseBasePath(v); return err },
		},
		{
			Name: publicURLSetting, Flag: "public-url", Group: group, Kind: "text",
			Expected: "an address such as https://data.example.org or https://example.org/graph (http or https), without a query and a fragment",
			Help: "The address that clients use, including the base path. Documents name it, and the web interface may send the cookies of " +
				"single sign-on from it, whatever the header Host says.",
			set: func(c *Config, v string) (err error) { c.HTTP.PublicURL, err = parsePublicURL(v); return err },
		},
	}
}

// segmentPattern has the characters that no software escapes in a path (RFC 3986, section 2.3).
var segmentPattern = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)

// parseBasePath returns a path without a slash at its end; the root is empty.
func parseBasePath(v string) (string, error) {
	base := strings.TrimSuffix(v, "/")
	if base == "" {
		return "", nil
	}
	if base[0] != '/' {
		return "", errors.New("it does not begin with a slash")
	}
	for segment := range strings.SplitSeq(base[1:], "/") {
		if !segmentPattern.MatchString(segment) || segment == "." || segment == ".." {
			return "", errUnusable
		}
	}
	return base, nil
}

func parsePublicURL(v string) (string, error) {
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Opaque != "" ||
		u.RawQuery != "" || u.ForceQuery || strings.Contains(v, "#") || u.Port() != "" && !validPort(u.Port(), 1) {
		return "", errUnusable
	}
	path, err := parseBasePath(u.EscapedPath())
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + path, nil
}

// PublicOrigin returns the origin of the gateway in browsers; empty if it is not configured.
func (h HTTP) PublicOrigin() string {
	u, err := url.Parse(h.PublicURL)
	if err != nil || h.PublicURL == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// requireAddress validates the settings of the gateway's address together, and completes those that follow from others.
func (l *loader) requireAddress(c *Config) {
	h := &c.HTTP
	if h.PublicURL != "" {
		path := strings.TrimPrefix(h.PublicURL, h.PublicOrigin())
		if l.from[basePathSetting].text == "" {
			h.BasePath = path
		}
		if path != h.BasePath {
			l.addProblem(l.from[publicURLSetting].given, "its path is not that of "+basePathSetting, "an address that ends with "+h.BasePath)
		}
	}
	if c.OIDC.RedirectURL == "" {
		return
	}
	u, err := url.Parse(c.OIDC.RedirectURL)
	if err != nil || u.Path != h.BasePath+oidc.CallbackPath {
		l.addProblem(l.from[redirectSetting].given, "its path is not that of the callback",
			"an address with the path "+h.BasePath+oidc.CallbackPath)
	}
}
