package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// NewPersonalToken is the body of a personal token's creation.
type NewPersonalToken struct {
	Name        string    `json:"name"`
	Permissions []string  `json:"permissions,omitzero"` // nil: every right of its user, unless roles are named
	Roles       []string  `json:"roles,omitempty"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// PersonalToken is a new personal token.
type PersonalToken struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expires_at"`
	Secret    string    `json:"secret"`
}

// CreatePersonalToken makes a personal token of the user whose login the client has.
func (c *Client) CreatePersonalToken(ctx context.Context, n NewPersonalToken) (PersonalToken, error) {
	body, err := json.Marshal(n)
	if err != nil {
		return PersonalToken{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	res, err := c.do(ctx, http.MethodPost, "/api/auth/tokens", "application/json", bytes.NewReader(body))
	if err != nil {
		return PersonalToken{}, err
	}
	defer func() { _ = res.Body.Close() }()
	return decodePersonalToken(res.Body)
}

// Expiry returns when the client's personal token ends.
func (c *Client) Expiry(ctx context.Context) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	res, err := c.do(ctx, http.MethodGet, "/api/auth/me", "", nil)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = res.Body.Close() }()
	me, err := decodePersonalToken(res.Body)
	return me.ExpiresAt, err
}

func decodePersonalToken(body io.Reader) (PersonalToken, error) {
	var answer struct {
		Data PersonalToken `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(body, maxErrorBody)).Decode(&answer); err != nil {
		return PersonalToken{}, fmt.Errorf("the gateway's answer: %w", err)
	}
	return answer.Data, nil
}
