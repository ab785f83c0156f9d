package oidc_test

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"graphrest/internal/auth"
	"graphrest/internal/fault"
	"graphrest/internal/oidctest"
	"graphrest/internal/testmark"
)

func TestIDTokensThatAreRefused(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	p := newProvider(t, idp, nil)
	now := time.Now()
	for _, test := range []struct {
		name    string
		changes oidctest.Claims
		want    fault.Code
	}{
		{"as it should be", oidctest.Claims{"azp": oidctest.ClientID, "aud": []string{"other", oidctest.ClientID}}, ""},
		{"nonce of another login", oidctest.Claims{"nonce": "other"}, fault.InvalidToken},
		{"no nonce", oidctest.Claims{"nonce": nil}, fault.InvalidToken},
		{"other issuer", oidctest.Claims{"iss": "https://evil.example"}, fault.InvalidToken},
		{"other audience", oidctest.Claims{"aud": "other"}, fault.InvalidToken},
		{"several audiences without azp", oidctest.Claims{"aud": []string{"other", oidctest.ClientID}}, fault.InvalidToken},
		{"other azp", oidctest.Claims{"azp": "other"}, fault.InvalidToken},
		{"no subject", oidctest.Claims{"sub": nil}, fault.InvalidToken},
		{"long subject", oidctest.Claims{"sub": strings.Repeat("s", 256)}, fault.InvalidToken},
		{"no exp", oidctest.Claims{"exp": nil}, fault.InvalidToken},
		{"expired, of another login", oidctest.Claims{"exp": now.Add(-time.Second).Unix(), "nonce": "other"}, fault.InvalidToken},
		{"expired", oidctest.Claims{"exp": now.Add(-time.Second).Unix()}, fault.TokenExpired},
		{"not yet valid", oidctest.Claims{"nbf": now.Add(time.Hour).Unix()}, fault.InvalidToken},
		{"issued in the future", oidctest.Claims{"iat": now.Add(time.Hour).Unix()}, fault.InvalidToken},
		{"access token", oidctest.Claims{"typ": "Bearer"}, fault.InvalidToken},
	} {
		t.Run(test.name, func(t *testing.T) {
			address, cookie, err := p.Begin(t.Context())
			require.NoError(t, err)
			idp.Change(func() {
				idp.Token = func(nonce string) string {
					changes := oidctest.Claims{"nonce": nonce}
					for name, value := range test.changes {
						changes[name] = value
					}
					return idp.Key.Sign(t, idp.Claims("ann", changes), nil)
				}
			})
			_, _, err = p.Complete(t.Context(), goThere(t, address), cookie)
			requireCode(t, test.want, err)
		})
	}
}

// A client secret is a key for HS256 that other registrations of the provider may know.
func TestIDTokensSignedInAnotherWay(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	p := newProvider(t, idp, nil)
	encode := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	public, err := x509.MarshalPKIXPublicKey(idp.Key.Private.Public())
	require.NoError(t, err)
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	other := oidctest.NewKey(t, jose.ES256)
	other.ID = idp.Key.ID
	for name, sign := range map[string]func(oidctest.Claims) string{
		"none":                         func(c oidctest.Claims) string { return encode(map[string]any{"alg": "none"}) + "." + encode(c) + "." },
		"HS256 with the client secret": func(c oidctest.Claims) string { return oidctest.Sign(t, jose.HS256, secret32(), c, idp.Key.ID, nil) },
		"HS256 with the public key":    func(c oidctest.Claims) string { return oidctest.Sign(t, jose.HS256, asPEM, c, idp.Key.ID, nil) },
		"another key with a known id":  func(c oidctest.Claims) string { return other.Sign(t, c, nil) },
		"a key inside the token": func(c oidctest.Claims) string {
			return other.Sign(t, c, map[string]any{"jwk": other.Public()})
		},
		"a changed payload": func(c oidctest.Claims) string {
			parts := strings.Split(idp.Key.Sign(t, c, nil), ".")
			c["groups"] = []string{"admins"}
			return parts[0] + "." + encode(c) + "." + parts[2]
		},
	} {
		t.Run(name, func(t *testing.T) {
			address, cookie, err := p.Begin(t.Context())
			require.NoError(t, err)
			idp.Change(func() {
				idp.Token = func(nonce string) string { return sign(idp.Claims("ann", oidctest.Claims{"nonce": nonce})) }
			})
			_, _, err = p.Complete(t.Context(), goThere(t, address), cookie)
			requireCode(t, fault.InvalidToken, err)
		})
	}
}

// secret32 is the client secret, made long enough for HS256.
func secret32() []byte { return []byte(oidctest.ClientSecret + strings.Repeat("\x00", 32)) }

func TestAccessTokensThatAreRefused(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	weak := oidctest.NewKey(t, jose.RS256)
	idp.Published = append(idp.Published, weak.Public())
	p := newProvider(t, idp, nil)
	verify := func(token string) error {
		_, err := p.VerifyAccessToken(t.Context(), token)
		return err
	}
	claims := idp.Claims("ann", oidctest.Claims{"scope": "openid"})
	good := idp.Key.Sign(t, claims, nil)
	require.NoError(t, verify(good))
	require.NoError(t, verify(weak.Sign(t, claims, nil)))
	require.True(t, p.Issued(good))
	require.NoError(t, verify(idp.Key.Sign(t, idp.Claims("ann", nil), map[string]any{"typ": "at+jwt"})))

	public, err := x509.MarshalPKIXPublicKey(weak.Private.Public())
	require.NoError(t, err)
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})
	x, err := idp.Key.Private.(*ecdsa.PrivateKey).PublicKey.Bytes()
	require.NoError(t, err)
	evil := oidctest.NewKey(t, jose.ES256)
	evil.ID = idp.Key.ID
	encode := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"none":                        encode(map[string]any{"alg": "none", "typ": "JWT"}) + "." + parts[1] + ".",
		"none with a key id":          encode(map[string]any{"alg": "none", "kid": idp.Key.ID}) + "." + parts[1] + "." + parts[2],
		"HS256 with the public key":   oidctest.Sign(t, jose.HS256, asPEM, claims, weak.ID, nil),
		"HS256 with the raw key":      oidctest.Sign(t, jose.HS256, x, claims, idp.Key.ID, nil),
		"another key with a known id": evil.Sign(t, claims, nil),
		"a key inside the token":      evil.Sign(t, claims, map[string]any{"jwk": evil.Public()}),
		"an algorithm of another key": oidctest.Sign(t, jose.RS256, weak.Private, claims, idp.Key.ID, nil),
		"an algorithm not announced":  oidctest.Sign(t, jose.RS512, weak.Private, claims, weak.ID, nil),
		"a changed payload":           parts[0] + "." + encode(idp.Claims("bob", nil)) + "." + parts[2],
		"no signature":                parts[0] + "." + parts[1] + ".",
		"an id token":                 idp.Key.Sign(t, idp.Claims("ann", nil), nil),
		"an id token with a nonce":    idp.AccessToken("ann", oidctest.Claims{"nonce": "n"}),
		"an id token with at_hash":    idp.AccessToken("ann", oidctest.Claims{"at_hash": "n"}),
		"an id token of Keycloak":     idp.AccessToken("ann", oidctest.Claims{"typ": "ID"}),
		"a refresh token of Keycloak": idp.AccessToken("ann", oidctest.Claims{"typ": "Refresh"}),
		"a logout token":              idp.Key.Sign(t, claims, map[string]any{"typ": "logout+jwt"}),
		"other audience":              idp.AccessToken("ann", oidctest.Claims{"aud": []string{"other"}}),
		"no audience":                 idp.AccessToken("ann", oidctest.Claims{"aud": nil}),
		"audience in other letters":   idp.AccessToken("ann", oidctest.Claims{"aud": "GraphRest"}),
		"no subject":                  idp.AccessToken("ann", oidctest.Claims{"sub": nil}),
		"other issuer, own key":       idp.AccessToken("ann", oidctest.Claims{"iss": idp.Issuer() + "/"}),
		"signed extension not known":  idp.Key.Sign(t, claims, map[string]any{"crit": []string{"x"}, "x": 1}),
		"not a token":                 "a.b.c",
		"JSON instead of three parts": `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
	} {
		t.Run(name, func(t *testing.T) { requireCode(t, fault.InvalidToken, verify(token)) })
	}
	requireCode(t, fault.TokenExpired, verify(idp.AccessToken("ann", oidctest.Claims{"exp": time.Now().Add(-time.Second).Unix()})))
	requireCode(t, fault.TokenExpired, verify(idp.AccessToken("ann", oidctest.Claims{"exp": 0})))
	for name, alsoWrong := range map[string]oidctest.Claims{
		"nothing else": {"exp": nil}, "exp is null": {"exp": json.RawMessage("null")}, "exp is text": {"exp": "never"},
		"no subject": {"sub": nil}, "other audience": {"aud": "other"}, "an id token": {"nonce": "n"},
		"not valid yet": {"nbf": time.Now().Add(time.Hour).Unix()},
	} {
		t.Run("invalid rather than expired: "+name, func(t *testing.T) {
			if _, given := alsoWrong["exp"]; !given {
				alsoWrong["exp"] = time.Now().Add(-time.Hour).Unix()
			}
			requireCode(t, fault.InvalidToken, verify(idp.AccessToken("ann", alsoWrong)))
		})
	}
	requireCode(t, fault.InvalidToken, verify(idp.AccessToken("ann", oidctest.Claims{"nbf": time.Now().Add(time.Hour).Unix()})))
	requireCode(t, fault.InvalidToken, verify(idp.AccessToken("ann", oidctest.Claims{"iat": time.Now().Add(time.Hour).Unix()})))
}

func TestGroups(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	p := newProvider(t, idp, nil)
	for _, test := range []struct {
		name   string
		claims oidctest.Claims
		want   []auth.Permission
		admin  bool
	}{
		{"one text", oidctest.Claims{"groups": "staff"}, []auth.Permission{auth.Read}, false},
		{"none", nil, []auth.Permission{}, false},
		{
			"unknown ones",
			oidctest.Claims{"groups": []string{"x", "read", "admin", "Admins", " admins", "staff ", ""}},
			[]auth.Permission{},
			false,
		},
		{"several in one text", oidctest.Claims{"groups": "staff,admins"}, []auth.Permission{}, false},
		{"not only texts", oidctest.Claims{"groups": []any{"admins", 7}}, []auth.Permission{}, false},
		{"an object", oidctest.Claims{"groups": map[string]any{"admins": true}}, []auth.Permission{}, false},
		{"a claim in other letters", oidctest.Claims{"Groups": []string{"admins"}}, []auth.Permission{}, false},
		{"another claim", oidctest.Claims{"roles": []string{"admins"}, "preferred_username": "admins"}, []auth.Permission{}, false},
		{"too many for the token", oidctest.Claims{
			"_claim_names":   map[string]string{"groups": "src1"},
			"_claim_sources": map[string]any{"src1": map[string]string{"endpoint": "https://graph.example"}},
		}, []auth.Permission{}, false},
		{"administrators", oidctest.Claims{"groups": []string{"admins"}}, []auth.Permission{}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			identity, err := p.VerifyAccessToken(t.Context(), idp.AccessToken("ann", test.claims))
			require.NoError(t, err)
			require.Equal(t, test.want, identity.Permissions)
			require.Equal(t, test.admin, identity.Admin)
		})
	}
}

func TestKeysAreReadAgain(t *testing.T) {
	testmark.Concurrent(t)
	idp := oidctest.New(t)
	at := &clock{}
	p := newProvider(t, idp, at)
	verify := func(key oidctest.Key) error {
		_, err := p.VerifyAccessToken(t.Context(), key.Sign(t, idp.Claims("ann", oidctest.Claims{"scope": "openid"}), nil))
		return err
	}
	old, next := idp.Key, oidctest.NewKey(t, jose.RS256)
	require.NoError(t, verify(old))
	idp.Change(func() { idp.Key, idp.Published = next, []jose.JSONWebKey{old.Public(), next.Public()} })
	requireCode(t, fault.InvalidToken, verify(next)) // a minute has not passed: forged key ids cause no reads
	for range 5 {
		requireCode(t, fault.InvalidToken, verify(oidctest.NewKey(t, jose.ES256)))
	}
	require.EqualValues(t, 1, idp.KeyReads.Load())
	at.advance(time.Minute)
	require.NoError(t, verify(next))
	require.NoError(t, verify(old))
	require.EqualValues(t, 2, idp.KeyReads.Load())

	idp.Change(func() { idp.Published = []jose.JSONWebKey{next.Public()} })
	require.NoError(t, verify(old), "it is still cached")
	at.advance(10 * time.Minute)
	requireCode(t, fault.InvalidToken, verify(old)) // withdrawn

	idp.Change(func() { idp.Away = true })
	at.advance(30 * time.Minute)
	require.NoError(t, verify(next), "the provider is away, and its keys are known")
	at.advance(20*time.Minute + time.Second)
	requireCode(t, fault.TokenExpired, verify(next))
	at.advance(10 * time.Minute)
	_, err := p.VerifyAccessToken(t.Context(), next.Sign(t, idp.Claims("ann", oidctest.Claims{"exp": at.now().Add(time.Hour).Unix()}), nil))
	requireCode(t, fault.DatabaseUnavailable, err) // away for an hour
	idp.Change(func() { idp.Away = false })
	at.advance(2 * time.Second)
	later := oidctest.Claims{"scope": "x", "exp": at.now().Add(time.Hour).Unix()}
	_, err = p.VerifyAccessToken(t.Context(), next.Sign(t, idp.Claims("ann", later), nil))
	require.NoError(t, err)
}
