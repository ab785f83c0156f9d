package auth

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"graphrest/internal/fault"
)

const (
	testSecret = "7Qm2xV9rT4kWz8LpYc3NbHd6FsGj1UaE"
	oldSecret  = "Jw5PvR8tBn3XqK7mDz2LhYc9Gs4FaU6E"
)

var testNow = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func testTokens(t testing.TB, keys Keys) tokenIssuer {
	t.Helper()
	c := Config{Keys: keys}
	require.NoError(t, c.applyDefaults())
	return newTokenIssuer(c, func() time.Time { return testNow })
}

func secretKeys(t testing.TB, secret string, previous ...string) Keys {
	t.Helper()
	keys, err := NewKeys(secret, previous...)
	require.NoError(t, err)
	return keys
}

// valid returns the claims and the header of a token that is accepted; each row changes one of them.
func valid() (header, claims map[string]any) {
	return map[string]any{"alg": "HS256", "typ": "JWT"}, map[string]any{
		"iss": "graphrest", "aud": "graphrest", "sub": "0193b0a0-0000-7000-8000-000000000001", "jti": "0193b0a0-0000-7000-8000-000000000002",
		"iat": testNow.Unix() - 10, "exp": testNow.Unix() + 60, "gen": 0,
	}
}

func sign(t testing.TB, method jwt.SigningMethod, key any, header, claims any) string {
	t.Helper()
	encode := func(value any) string {
		if raw, isText := value.(string); isText {
			return base64.RawURLEncoding.EncodeToString([]byte(raw))
		}
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	text := encode(header) + "." + encode(claims)
	signature, err := method.Sign(text, key)
	require.NoError(t, err)
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func TestTokenClaims(t *testing.T) {
	tokens := testTokens(t, secretKeys(t, testSecret))
	now := testNow.Unix()
	for _, row := range []struct {
		name   string
		change func(header, claims map[string]any)
		want   fault.Code // empty: accepted
	}{
		{"unchanged", func(_, _ map[string]any) {}, ""},
		{"aud as a list", func(_, c map[string]any) { c["aud"] = []string{"other", "graphrest"} }, ""},
		{"no typ", func(h, _ map[string]any) { delete(h, "typ") }, ""},
		{"typ in lower case", func(h, _ map[string]any) { h["typ"] = "jwt" }, ""},
		{"exp with a fraction", func(_, c map[string]any) { c["exp"] = float64(now) + 0.5 }, ""},
		{"nbf past", func(_, c map[string]any) { c["nbf"] = now - 1 }, ""},
		{"nbf within the leeway", func(_, c map[string]any) { c["nbf"] = now + 5 }, ""},
		{"jku and x5u are ignored", func(h, _ map[string]any) { h["jku"], h["x5u"] = "http://127.0.0.1:1/", "file:///etc/passwd" }, ""},

		{"exp now", func(_, c map[string]any) { c["exp"] = now }, fault.TokenExpired},
		{"exp a second ago", func(_, c map[string]any) { c["exp"] = now - 1 }, fault.TokenExpired},
		{"exp long ago", func(_, c map[string]any) { c["exp"] = 1 }, fault.TokenExpired},

		{"no exp", func(_, c map[string]any) { delete(c, "exp") }, fault.InvalidToken},
		{"exp null", func(_, c map[string]any) { c["exp"] = nil }, fault.InvalidToken},
		{"exp a string", func(_, c map[string]any) { c["exp"] = fmt.Sprint(now + 60) }, fault.InvalidToken},
		{"exp zero", func(_, c map[string]any) { c["exp"] = 0 }, fault.InvalidToken},
		{"exp negative", func(_, c map[string]any) { c["exp"] = -1 }, fault.InvalidToken},
		{"exp 1e308", func(_, c map[string]any) { c["exp"] = 1e308 }, fault.InvalidToken},
		{"exp true", func(_, c map[string]any) { c["exp"] = true }, fault.InvalidToken},
		{"exp a list", func(_, c map[string]any) { c["exp"] = []int64{now + 60} }, fault.InvalidToken},
		{"nbf ahead", func(_, c map[string]any) { c["nbf"] = now + 6 }, fault.InvalidToken},
		{"nbf a string", func(_, c map[string]any) { c["nbf"] = "1" }, fault.InvalidToken},
		{"no iat", func(_, c map[string]any) { delete(c, "iat") }, fault.InvalidToken},
		{"wrong iss", func(_, c map[string]any) { c["iss"] = "other" }, fault.InvalidToken},
		{"wrong iss and past", func(_, c map[string]any) { c["iss"], c["exp"] = "other", now-1 }, fault.InvalidToken},
		{"no iss", func(_, c map[string]any) { delete(c, "iss") }, fault.InvalidToken},
		{"wrong aud", func(_, c map[string]any) { c["aud"] = "other" }, fault.InvalidToken},
		{"aud a number", func(_, c map[string]any) { c["aud"] = 7 }, fault.InvalidToken},
		{"aud empty", func(_, c map[string]any) { c["aud"] = []string{} }, fault.InvalidToken},
		{"sub a number", func(_, c map[string]any) { c["sub"] = 7 }, fault.InvalidToken},
		{"no sub", func(_, c map[string]any) { delete(c, "sub") }, fault.InvalidToken},
		{"no jti", func(_, c map[string]any) { delete(c, "jti") }, fault.InvalidToken},
		{"jti empty", func(_, c map[string]any) { c["jti"] = "" }, fault.InvalidToken},
		{"jti a number", func(_, c map[string]any) { c["jti"] = 1 }, fault.InvalidToken},
		{"jti endless", func(_, c map[string]any) { c["jti"] = strings.Repeat("a", 129) }, fault.InvalidToken},
		{"no gen", func(_, c map[string]any) { delete(c, "gen") }, fault.InvalidToken},
		{"gen a string", func(_, c map[string]any) { c["gen"] = "0" }, fault.InvalidToken},
		{"typ at+jwt", func(h, _ map[string]any) { h["typ"] = "at+jwt" }, fault.InvalidToken},
		{"typ a number", func(h, _ map[string]any) { h["typ"] = 1 }, fault.InvalidToken},
		{"crit", func(h, _ map[string]any) { h["crit"] = []string{"exp"} }, fault.InvalidToken},
		{"crit empty", func(h, _ map[string]any) { h["crit"] = []string{} }, fault.InvalidToken},
		{"crit null", func(h, _ map[string]any) { h["crit"] = nil }, fault.InvalidToken},
		{"b64", func(h, _ map[string]any) { h["b64"] = true }, fault.InvalidToken},
		{"zip", func(h, _ map[string]any) { h["zip"] = "DEF" }, fault.InvalidToken},
		{"zip null", func(h, _ map[string]any) { h["zip"] = nil }, fault.InvalidToken},
		{"ALG besides alg", func(h, _ map[string]any) { h["ALG"] = "HS256" }, fault.InvalidToken},
		{"CRIT", func(h, _ map[string]any) { h["CRIT"] = []string{"exp"} }, fault.InvalidToken},
		{"EXP for exp", func(_, c map[string]any) { c["EXP"] = c["exp"]; delete(c, "exp") }, fault.InvalidToken},
		{"EXP besides exp", func(_, c map[string]any) { c["EXP"] = now + 3600 }, fault.InvalidToken},
		{"Sub besides sub", func(_, c map[string]any) { c["Sub"] = "somebody else" }, fault.InvalidToken},
		{"a long s for sub", func(_, c map[string]any) { c["\u017fub"] = "somebody else" }, fault.InvalidToken},
		{"iat within the clock skew", func(_, c map[string]any) { c["iat"] = now + 60 }, ""},
		{"iat ahead", func(_, c map[string]any) { c["iat"] = now + 61 }, fault.InvalidToken},
		{"iat in ten years", func(_, c map[string]any) { c["iat"], c["exp"] = now+10*31536000, now+11*31536000 }, fault.InvalidToken},
		{
			"an unknown claim in capitals", func(_, c map[string]any) { c["GROUPS"] = map[string]any{"exp": 1, "EXP": []any{map[string]any{}}} },
			"",
		},
		{"kid unknown", func(h, _ map[string]any) { h["kid"] = "nobody" }, fault.InvalidToken},
		{"kid a path", func(h, _ map[string]any) { h["kid"] = "../../../dev/null" }, fault.InvalidToken},
		{"kid a number", func(h, _ map[string]any) { h["kid"] = 0 }, fault.InvalidToken},
		{"kid null", func(h, _ map[string]any) { h["kid"] = nil }, fault.InvalidToken},
		{"alg hs256", func(h, _ map[string]any) { h["alg"] = "hs256" }, fault.InvalidToken},
		{"alg HS512", func(h, _ map[string]any) { h["alg"] = "HS512" }, fault.InvalidToken},
		{"alg none", func(h, _ map[string]any) { h["alg"] = "none" }, fault.InvalidToken},
		{"alg RS256", func(h, _ map[string]any) { h["alg"] = "RS256" }, fault.InvalidToken},
		{"alg a list", func(h, _ map[string]any) { h["alg"] = []string{"HS256"} }, fault.InvalidToken},
		{"no alg", func(h, _ map[string]any) { delete(h, "alg") }, fault.InvalidToken},
	} {
		t.Run(row.name, func(t *testing.T) {
			header, claims := valid()
			row.change(header, claims)
			c, err := tokens.verify(sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, claims))
			require.Equal(t, row.want, fault.CodeOf(err), "%v", err)
			require.Equal(t, row.want != "", c == nil, "claims and an error exclude each other")
		})
	}
}

func TestTokenSignatures(t *testing.T) {
	tokens := testTokens(t, secretKeys(t, testSecret))
	header, claims := valid()
	good := sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, claims)
	parts := strings.Split(good, ".")
	with := func(alg string) map[string]any { return map[string]any{"alg": alg, "typ": "JWT"} }
	none := sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, with("none"), claims)
	changed := parts[2][:len(parts[2])-1] + string("AEIMQUYcgkosw048"[(strings.IndexByte("AEIMQUYcgkosw048", parts[2][len(parts[2])-1])+1)%16])
	for name, text := range map[string]string{
		"HS384 by its own rules":  sign(t, jwt.SigningMethodHS384, []byte(testSecret), with("HS384"), claims),
		"HS512 by its own rules":  sign(t, jwt.SigningMethodHS512, []byte(testSecret), with("HS512"), claims),
		"none":                    none,
		"none with a signature":   strings.TrimSuffix(none, ".") + "." + parts[2],
		"another secret":          sign(t, jwt.SigningMethodHS256, []byte(oldSecret), header, claims),
		"empty secret":            sign(t, jwt.SigningMethodHS256, []byte{}, header, claims),
		"signature changed":       parts[0] + "." + parts[1] + "." + changed,
		"signature empty":         parts[0] + "." + parts[1] + ".",
		"signature short":         good[:len(good)-4],
		"claims of another":       parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"x"}`)) + "." + parts[2],
		"two parts":               parts[0] + "." + parts[1],
		"four parts":              good + ".",
		"empty":                   "",
		"dots":                    "..",
		"padding":                 good + "=",
		"line break inside":       good[:20] + "\n" + good[20:],
		"carriage return":         good[:len(good)-3] + "\r" + good[len(good)-3:],
		"a second spelling":       good[:len(good)-1] + string(good[len(good)-1]+1),
		"claims not JSON":         sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, "nope"),
		"claims a list":           sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, "[]"),
		"claims null":             sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, "null"),
		"text after the claims":   sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, `{"iss":"graphrest"}{}`),
		"header null":             sign(t, jwt.SigningMethodHS256, []byte(testSecret), "null", claims),
		"header a list":           sign(t, jwt.SigningMethodHS256, []byte(testSecret), "[]", claims),
		"crit beside a later alg": sign(t, jwt.SigningMethodHS256, []byte(testSecret), `{"alg":"HS256","crit":["b64"],"b64":false}`, claims),
	} {
		t.Run(name, func(t *testing.T) {
			c, err := tokens.verify(text)
			require.Nil(t, c)
			require.Equal(t, fault.InvalidToken, fault.CodeOf(err))
		})
	}
	_, err := tokens.verify(good)
	require.NoError(t, err)
}

// TestAmbiguousTokens: JSON that another parser may read differently is rejected, although the signature is ours.
func TestAmbiguousTokens(t *testing.T) {
	tokens := testTokens(t, secretKeys(t, testSecret))
	header, claims := valid()
	raw, err := json.Marshal(claims)
	require.NoError(t, err)
	with := func(more string) string { return string(raw[:len(raw)-1]) + "," + more + "}" }
	for name, c := range map[string]struct {
		header, claims any
		wantRejected   bool
	}{
		"none twice":               {header, with(`"a":{"b":1},"c":[{"b":1},{"b":1}]`), false},
		"sub twice":                {header, with(`"sub":"somebody else"`), true},
		"exp twice, the same":      {header, with(fmt.Sprintf(`"exp":%d`, testNow.Unix()+60)), true},
		"an escaped name":          {header, with(`"\u0073ub":"somebody else"`), true},
		"an unknown claim twice":   {header, with(`"a":1,"a":1`), true},
		"twice in an inner object": {header, with(`"a":[{"b":{"c":1,"c":2}}]`), true},
		"alg twice":                {`{"alg":"none","typ":"JWT","alg":"HS256"}`, claims, true},
		"typ twice":                {`{"alg":"HS256","typ":"JWT","typ":"JWT"}`, claims, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tokens.verify(sign(t, jwt.SigningMethodHS256, []byte(testSecret), c.header, c.claims))
			if c.wantRejected {
				require.Equal(t, fault.InvalidToken, fault.CodeOf(err))
			} else {
				require.NoError(t, err)
			}
		})
	}
}

func TestHugeTokensCostNothing(t *testing.T) {
	tokens := testTokens(t, secretKeys(t, testSecret))
	for name, text := range map[string]string{
		"dots":    strings.Repeat(".", 1<<20),
		"letters": strings.Repeat("a", 1<<20),
		"parts":   strings.Repeat("a", 1<<19) + "." + strings.Repeat("a", 1<<19) + ".",
	} {
		t.Run(name, func(t *testing.T) {
			headers := []string{"Bearer " + text}
			token, err := bearerToken(headers)
			require.NoError(t, err)
			_, err = tokens.verify(token)
			require.Equal(t, fault.InvalidToken, fault.CodeOf(err))
			// Neither split into a million parts nor copied to be decoded: refused as quickly as one without content.
			most := testing.AllocsPerRun(10, func() { _, _ = tokens.verify("a") })
			require.LessOrEqual(t, testing.AllocsPerRun(10, func() { _, _ = tokens.verify(token) }), most)
		})
	}
}

func TestMintedTokens(t *testing.T) {
	tokens := testTokens(t, secretKeys(t, testSecret))
	u := &StoredUser{User: User{ID: "u1", Username: "ann"}, Generation: 3}
	first, err := tokens.issue(u)
	require.NoError(t, err)
	second, err := tokens.issue(u)
	require.NoError(t, err)
	require.Equal(t, time.Hour, first.ExpiresIn)
	a, err := tokens.verify(first.AccessToken)
	require.NoError(t, err)
	b, err := tokens.verify(second.AccessToken)
	require.NoError(t, err)
	require.NotEqual(t, a.ID, b.ID)
	require.Equal(t, "u1", a.Subject)
	require.EqualValues(t, 3, *a.Generation)
	require.Equal(t, testNow.Add(time.Hour), a.ExpiresAt.time())
	require.NotContains(t, first.AccessToken, "ann")

	tokens.now = func() time.Time { return testNow.Add(time.Hour) }
	_, err = tokens.verify(first.AccessToken)
	require.Equal(t, fault.TokenExpired, fault.CodeOf(err))
}

func TestRotationOfSecrets(t *testing.T) {
	before := testTokens(t, secretKeys(t, oldSecret))
	after := testTokens(t, secretKeys(t, testSecret, oldSecret))
	u := &StoredUser{User: User{ID: "u1"}}
	old, err := before.issue(u)
	require.NoError(t, err)
	_, err = after.verify(old.AccessToken)
	require.NoError(t, err, "a previous secret still verifies")
	fresh, err := after.issue(u)
	require.NoError(t, err)
	_, err = before.verify(fresh.AccessToken)
	require.Equal(t, fault.InvalidToken, fault.CodeOf(err), "the new secret signs")

	header, claims := valid()
	_, err = after.verify(sign(t, jwt.SigningMethodHS256, []byte(oldSecret), header, claims))
	require.NoError(t, err, "without a key id each key is tried")
	header["kid"] = secretID([]byte(testSecret))
	_, err = after.verify(sign(t, jwt.SigningMethodHS256, []byte(oldSecret), header, claims))
	require.Equal(t, fault.InvalidToken, fault.CodeOf(err), "the key id of another key")
}

// keyFiles writes an Ed25519 key pair as PEM: the private and the public key.
func keyFiles(t *testing.T, seed byte) (private, public string) {
	t.Helper()
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(seed)), ed25519.SeedSize)))
	write := func(name, kind string, der []byte, err error) string {
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	private = write("private.pem", "PRIVATE KEY", der, err)
	der, err = x509.MarshalPKIXPublicKey(key.Public())
	return private, write("public.pem", "PUBLIC KEY", der, err)
}

func TestEdDSA(t *testing.T) {
	private, public := keyFiles(t, 'a')
	nextPrivate, _ := keyFiles(t, 'b')
	keys, err := ReadKeys(private)
	require.NoError(t, err)
	tokens := testTokens(t, keys)
	u := &StoredUser{User: User{ID: "u1"}}
	token, err := tokens.issue(u)
	require.NoError(t, err)
	_, err = tokens.verify(token.AccessToken)
	require.NoError(t, err)

	next, err := ReadKeys(nextPrivate, public)
	require.NoError(t, err)
	_, err = testTokens(t, next).verify(token.AccessToken)
	require.NoError(t, err, "a previous public key verifies")
	alone, err := ReadKeys(nextPrivate)
	require.NoError(t, err)
	_, err = testTokens(t, alone).verify(token.AccessToken)
	require.Equal(t, fault.InvalidToken, fault.CodeOf(err))

	// The public key is not secret: a token signed with it by HMAC must be rejected.
	header, claims := valid()
	pub := keys.ring.order[0].(ed25519.PublicKey)
	_, err = tokens.verify(sign(t, jwt.SigningMethodHS256, []byte(pub), header, claims))
	require.Equal(t, fault.InvalidToken, fault.CodeOf(err))

	_, err = ReadKeys(public)
	require.ErrorContains(t, err, "private")
	_, err = ReadKeys(filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
}

func TestBearer(t *testing.T) {
	for _, row := range []struct {
		name    string
		headers []string
		want    string // empty: UNAUTHENTICATED
	}{
		{"valid", []string{"Bearer abc"}, "abc"},
		{"scheme in lower case", []string{"bearer abc"}, "abc"},
		{"several spaces", []string{"BEARER   abc "}, "abc"},
		{"none", nil, ""},
		{"empty", []string{""}, ""},
		{"no token", []string{"Bearer"}, ""},
		{"only spaces", []string{"Bearer   "}, ""},
		{"Basic", []string{"Basic YWRtaW46YWRtaW4="}, ""},
		{"no space", []string{"Bearerabc"}, ""},
		{"only the token", []string{"abc.def.ghi"}, ""},
		{"two", []string{"Bearer abc", "Bearer abc"}, ""},
		{"two, one empty", []string{"Bearer abc", ""}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			token, err := bearerToken(row.headers)
			require.Equal(t, row.want, token)
			if row.want == "" {
				require.Equal(t, fault.Unauthenticated, fault.CodeOf(err))
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// FuzzToken: no text causes a panic or an unexpected code, and only tokens that we signed are accepted.
func FuzzToken(f *testing.F) {
	tokens := testTokens(f, secretKeys(f, testSecret, oldSecret))
	header, claims := valid()
	good := sign(f, jwt.SigningMethodHS256, []byte(testSecret), header, claims)
	f.Add(good)
	f.Add(strings.Repeat(".", 100))
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := tokens.verify(text)
		if err == nil {
			require.Equal(t, good, text)
			return
		}
		require.Nil(t, c)
		require.Contains(t, []fault.Code{fault.InvalidToken, fault.TokenExpired}, fault.CodeOf(err))
	})
}

// FuzzSignedClaims: parsing claims signed with our key never panics, and accepted claims are complete.
func FuzzSignedClaims(f *testing.F) {
	tokens := testTokens(f, secretKeys(f, testSecret))
	_, claims := valid()
	raw, err := json.Marshal(claims)
	require.NoError(f, err)
	f.Add(`{"alg":"HS256","typ":"JWT"}`, string(raw))
	f.Add(`{"alg":"HS256","crit":[]}`, `{"exp":1e308}`)
	f.Add(`{"alg":"HS256"}`, `{"exp":"1","sub":7,"gen":-1}`)
	f.Add(`{"alg":"HS256","alg":"HS256"}`, string(raw))
	f.Add(`{"alg":"HS256","zip":"DEF"}`, string(raw))
	f.Add(`{"alg":"HS256"}`, string(raw[:len(raw)-1])+`,"EXP":1,"exp":9e9}`)
	f.Fuzz(func(t *testing.T, header, claims string) {
		c, err := tokens.verify(sign(t, jwt.SigningMethodHS256, []byte(testSecret), header, claims))
		if err != nil {
			require.Contains(t, []fault.Code{fault.InvalidToken, fault.TokenExpired}, fault.CodeOf(err))
			return
		}
		var exact map[string]json.RawMessage // as a case-sensitive parser reads it
		require.NoError(t, json.Unmarshal([]byte(claims), &exact))
		for _, name := range []string{"iss", "aud", "sub", "jti", "iat", "exp", "gen"} {
			require.Contains(t, exact, name)
		}
		require.NotEmpty(t, c.Subject)
		require.NotEmpty(t, c.ID)
		require.NotNil(t, c.Generation)
		require.True(t, c.ExpiresAt.time().After(testNow))
	})
}
