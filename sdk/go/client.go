// Package lyceum is a client of the Lyceum API (version 2). Start with New; the fields of Client
// are the resources of the school:
//
//	client, err := lyceum.New("http://127.0.0.1:8080", key)
//	…
//	for person, err := range client.People.List(ctx, lyceum.Query{Filter: lyceum.Start("email", "ada")}) {
//
// models.gen.go contains the types of the documents, which are generated from the description of
// the API.
package lyceum

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client sends requests with the API key of one school. It is safe for concurrent use. The methods
// of its resources return a *ResponseError if the API refuses a request.
type Client struct {
	base     string // without a trailing slash
	key      string
	http     *http.Client
	attempts int
	maxWait  time.Duration

	resources
}

// Option configures the Client that New returns.
type Option func(*Client)

// WithHTTPClient makes the Client send requests with h instead of http.DefaultClient.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) { c.http = h }
}

// WithRetries sets how often a request is sent again after 429, 503 or a broken connection. The
// default is 4. A request is not sent again if the API asks to wait longer than maxWait, which is a
// minute by default.
func WithRetries(retries int, maxWait time.Duration) Option {
	return func(c *Client) { c.attempts, c.maxWait = 1+max(retries, 0), maxWait }
}

// New returns a client of the server at baseURL, such as https://api.example.test. It sends no
// request.
func New(baseURL, key string, options ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("lyceum: the base URL must be an absolute http or https URL")
	}
	if key == "" {
		return nil, errors.New("lyceum: the API key must not be empty")
	}
	c := &Client{
		base: strings.TrimRight(baseURL, "/"), key: key,
		http: http.DefaultClient, attempts: 5, maxWait: time.Minute,
	}
	for _, option := range options {
		option(c)
	}
	c.resources = newResources(c)
	return c, nil
}
