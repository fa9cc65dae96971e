package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/url"
	"time"
)

// A watch reads a body and cancels the request when a byte takes too long. The
// clock runs only inside Read, so that a slow consumer is no stall.
type watch struct {
	body    io.Reader
	idle    time.Duration
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	started bool      // the first byte came
	by      time.Time // when an answer that is whole is taken as it is
}

// newWatch starts to wait for the first byte.
func newWatch(idle time.Duration, cancel context.CancelCauseFunc) *watch {
	w := &watch{idle: idle, cancel: cancel}
	w.arm(idle*5/2, nil)
	return w
}

// arm sets the clock; without a reason it is a stall.
func (w *watch) arm(d time.Duration, why error) {
	if why == nil {
		why = &Error{Type: TypeIdle, Message: "nothing came for " + d.String(), Transient: true}
	}
	w.timer = time.AfterFunc(d, func() { w.cancel(why) })
}

// Read waits for the next bytes, but not for ever.
func (w *watch) Read(p []byte) (int, error) {
	switch {
	case !w.by.IsZero():
		w.arm(time.Until(w.by), errGrace)
	case w.started:
		w.arm(w.idle, nil)
	}
	n, err := w.body.Read(p)
	w.timer.Stop()
	w.started = true
	return n, err
}

// hurry says that the answer is whole: what still belongs to it must come soon.
func (w *watch) hurry() {
	if w.by.IsZero() {
		w.by = time.Now().Add(grace)
	}
}

func (w *watch) stop() { w.timer.Stop() }

// innermost is the text of the last error in a chain, which is the one that
// says what happened; the outer ones say what we did, and where.
func innermost(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			break
		}
		err = next
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the connection was closed"
	}
	return clean(err.Error())
}

// passing says whether a broken connection may work the next time: one whose
// certificate is wrong will not.
func passing(err error) bool {
	var verify *tls.CertificateVerificationError
	return !errors.As(err, &verify)
}

// host is the part of an address that may be shown: no path, no password.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "another address"
	}
	return u.Host
}
