package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// List returns all items of a list, page by page. query is empty or has more parameters, such as owner=me.
func (c *Client) List(ctx context.Context, path, query string) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	for cursor := ""; ; {
		var page struct {
			Data []json.RawMessage `json:"data"`
			Meta struct {
				Page struct {
					NextCursor string `json:"next_cursor"`
				} `json:"page"`
			} `json:"meta"`
		}
		asked := query
		if cursor != "" {
			asked += "&cursor=" + url.QueryEscape(cursor)
		}
		if err := c.readJSON(ctx, path+"?"+asked, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if cursor = page.Meta.Page.NextCursor; cursor == "" {
			return all, nil
		}
	}
}

// Read returns one object.
func (c *Client) Read(ctx context.Context, path string) (json.RawMessage, error) {
	var answer struct {
		Data json.RawMessage `json:"data"`
	}
	err := c.readJSON(ctx, path, &answer)
	return answer.Data, err
}

// Send changes an object. The body is JSON, or nil.
func (c *Client) Send(ctx context.Context, method, path string, body []byte) error {
	var media string
	var reader io.Reader = http.NoBody
	if body != nil {
		media, reader = "application/json", bytes.NewReader(body)
	}
	res, err := c.do(ctx, method, path, media, reader)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

func (c *Client) readJSON(ctx context.Context, path string, to any) error {
	res, err := c.do(ctx, http.MethodGet, path, "", http.NoBody)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(to); err != nil {
		return fmt.Errorf("the gateway's answer: %w", err)
	}
	return nil
}
