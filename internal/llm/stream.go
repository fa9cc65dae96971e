package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

// The rules of every HTTP stream, whatever the format:
//
//   - One whole answer or an error. A stream that merely ended is an error.
//   - Leave at the format's own end mark; some servers hold the socket open.
//   - The time to wait counts between bytes, so that a ping is a sign of life,
//     and only while we wait, so that a slow reader is no stall.
//   - Never follow a redirect: the key would go to another host.
//   - Keys never appear in errors.

// Format is one way to write requests and to read answers.
type Format interface {
	// Encode writes the request for a server at base.
	Encode(base, key string, r Request) (Call, error)
	// Decode makes the reader of one answer to r, which it collects in a.
	Decode(r Request, a *Answer) Decoder
}

// Call is a request on its way.
type Call struct {
	URL    string
	Header map[string]string
	Body   any // sent as JSON
}

// Decoder reads the answer to one request.
type Decoder interface {
	// Feed takes the next event and says how far the answer is.
	Feed(f Frame) (Progress, error)
	// End says why the model stopped and what it used. It is called once, after
	// Feed said that the answer is whole.
	End() (chat.Stop, chat.Usage)
}

// Progress says how far an answer is.
type Progress int

// The steps of an answer.
const (
	More  Progress = iota // the answer goes on
	Whole                 // all is there, but its usage may follow
	Over                  // nothing follows
)

// Client sends requests to one server.
type Client struct {
	Provider  string // the name in the settings
	BaseURL   string
	Key       string
	KeySource string // where the key came from, for the sentences of errors
	HTTP      *http.Client
	// Idle is how long the server may say nothing, 2 minutes if 0. Until the
	// first byte it has two and a half times as long: some servers read the
	// whole prompt before they say anything.
	Idle   time.Duration
	Format Format
}

const (
	defaultIdle = 2 * time.Minute
	// grace is how long the usage may take after an answer that is whole.
	grace    = 2 * time.Second
	maxError = 1 << 20
)

var errGrace = errors.New("no usage after the answer")

// Name is the provider's name in the settings.
func (c *Client) Name() string { return c.Provider }

// Stream sends the request once; see Provider.
func (c *Client) Stream(ctx context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		a := newAnswer(r, yield)
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if err := c.stream(ctx, cancel, r, a); err != nil && !a.left {
			yield(Delta{}, c.explain(ctx, r, err))
		}
	}
}

func (c *Client) stream(ctx context.Context, cancel context.CancelCauseFunc, r Request, a *Answer) error {
	w := newWatch(cmp.Or(c.Idle, defaultIdle), cancel)
	defer w.stop()
	resp, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // nothing of it is needed any more
	w.body = resp.Body
	if resp.StatusCode != http.StatusOK {
		return refusal(resp, w)
	}
	d := c.Format.Decode(r, a)
	whole, err := receive(d, a, w)
	switch {
	case a.left:
		return nil
	case err != nil:
		return err
	case !whole && context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case !whole:
		return &Error{Type: TypeCut, Transient: true, Cause: io.ErrUnexpectedEOF}
	}
	return a.close(d.End())
}

// receive feeds the decoder until the answer is whole, broken or unwanted.
func receive(d Decoder, a *Answer, w *watch) (whole bool, err error) {
	for f, err := range frames(bufio.NewReaderSize(w, 64<<10)) {
		if err != nil {
			if whole { // the usage did not come; the answer did
				return true, nil
			}
			return false, err
		}
		if f.Open && f.Data != "[DONE]" && !json.Valid([]byte(f.Data)) {
			return whole, nil // the last event was cut
		}
		if f.Bare {
			if err := bareError([]byte(f.Data)); err != nil {
				return false, err
			}
		}
		p, err := d.Feed(f)
		if err != nil || a.left {
			return false, err
		}
		if p == Over {
			return true, nil
		}
		if p == Whole {
			whole = true
			w.hurry()
		}
	}
	return whole, nil
}

// bareError reads a body that should have been a stream: an error behind
// status 200, or a web page. Nil means that it may be a whole answer.
func bareError(body []byte) error {
	if bytes.HasPrefix(body, []byte("<")) {
		return &Error{Status: http.StatusOK, Type: TypeBaseURL, Message: clean(plain(body))}
	}
	var b struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &b) == nil && len(b.Error) > 0 && string(b.Error) != "null" {
		return FromBody(http.StatusOK, body)
	}
	return nil
}

func (c *Client) send(ctx context.Context, r Request) (*http.Response, error) {
	call, err := c.Format.Encode(strings.TrimRight(c.BaseURL, "/"), c.Key, r)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(call.Body)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	if u, err := url.Parse(call.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &Error{Type: TypeBaseURL, Message: "it must begin with http:// or https://"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, call.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("User-Agent", "agent")
	// A kept connection may turn out closed. With this key net/http sends again
	// by itself when no byte of an answer came; nil keeps it off the wire.
	req.Header["Idempotency-Key"] = nil
	for k, v := range call.Header {
		req.Header.Set(k, v)
	}
	return c.http().Do(req)
}

// http is the client of the options, but follows no redirect.
func (c *Client) http() *http.Client {
	var h http.Client
	if c.HTTP != nil {
		h = *c.HTTP
	}
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &h
}

// refusal reads the error of an answer that is none.
func refusal(resp *http.Response, body io.Reader) error {
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return &Error{Status: resp.StatusCode, Type: TypeBaseURL, Message: clean("it redirects to " + host(resp.Header.Get("Location")))}
	}
	b, err := io.ReadAll(io.LimitReader(body, maxError))
	if err != nil && len(b) == 0 {
		return err
	}
	e := FromBody(resp.StatusCode, b)
	e.RetryAfter = cmp.Or(retryAfter(resp.Header, time.Now()), e.RetryAfter)
	e.RequestID = cmp.Or(e.RequestID, resp.Header.Get("Request-Id"), resp.Header.Get("X-Request-Id"))
	if e.Message == "" {
		e.Message = http.StatusText(e.Status)
	}
	if e.Status == http.StatusNotFound && !json.Valid(b) {
		e.Type = TypeBaseURL
	}
	switch resp.Header.Get("X-Should-Retry") {
	case "false":
		e.Transient = false
	case "true":
		e.Transient = !e.Overflow && !e.Auth && !e.Quota
	}
	return e
}

// explain turns whatever went wrong into what Provider promises.
func (c *Client) explain(ctx context.Context, r Request, err error) error {
	var e *Error
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errGrace) {
		if !errors.As(cause, &e) {
			return cause
		}
		err = cause
	}
	if !errors.As(err, &e) {
		e = &Error{Type: TypeNetwork, Message: host(c.BaseURL) + ": " + innermost(err), Transient: passing(err), Cause: err}
		if u := (*url.Error)(nil); errors.As(err, &u) { // its text holds the whole address
			e.Cause = u.Err
		}
	}
	e.Provider, e.Model, e.KeySource, e.NoKey = c.Provider, r.Model, c.KeySource, c.Key == ""
	e.Message = without(e.Message, c.Key)
	return e
}
