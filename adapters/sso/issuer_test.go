package sso_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/test/kit/oidctest"
)

const (
	metadataPath = "/.well-known/openid-configuration"
	keysPath     = "/keys"
)

func TestMetadataAndKeysAreCached(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	for range 3 {
		_, err := w.identify(w.visit())
		is.NoErr(err)
	}
	is.Equal(w.provider.Requests(metadataPath), 1)
	is.Equal(w.provider.Requests(keysPath), 1)

	w.provider.Publish(oidctest.Keys()...) // the provider begins to sign with a new key
	w.provider.Key = oidctest.Keys()[1]
	_, err := w.identify(w.visit())
	is.NoErr(err)
	is.Equal(w.provider.Requests(keysPath), 2)

	w.clock.Advance(time.Hour)
	_, err = w.identify(w.visit())
	is.NoErr(err)
	is.Equal(w.provider.Requests(metadataPath), 2)
}

// Metadata that are known are used for a day while the provider has an outage.
func TestMetadataDuringOutage(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	_, err := w.sso.SignInURL(t.Context(), w.school, w.asked)
	is.NoErr(err)
	w.provider.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	for range 23 {
		w.clock.Advance(time.Hour)
		_, err = w.sso.SignInURL(t.Context(), w.school, w.asked)
		is.NoErr(err)
	}
	w.clock.Advance(time.Hour)
	_, err = w.sso.SignInURL(t.Context(), w.school, w.asked)
	is.True(fault.Is(err, fault.Unavailable))

	before := w.provider.Requests(metadataPath)
	for range 5 { // the failed request is not repeated for each visitor
		_, err = w.sso.SignInURL(t.Context(), w.school, w.asked)
		is.True(fault.Is(err, fault.Unavailable))
	}
	is.Equal(w.provider.Requests(metadataPath), before)
	w.provider.Before = nil
	w.clock.Advance(5 * time.Second)
	_, err = w.sso.SignInURL(t.Context(), w.school, w.asked)
	is.NoErr(err)
}

func TestOutages(t *testing.T) {
	for name, respond := range map[string]func(w http.ResponseWriter, r *http.Request){
		"no response": func(_ http.ResponseWriter, r *http.Request) { _ = r.ParseForm(); <-r.Context().Done() },
		"an error":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t)
			r := w.visit()
			w.provider.Before = func(w http.ResponseWriter, r *http.Request) bool { respond(w, r); return true }
			_, err := w.identify(r)
			is.True(fault.Is(err, fault.Unavailable))
		})
	}
}

// Sign-ins at a slow provider hold its slots, and do not delay sign-ins at another provider.
func TestSlowProviderDelaysNoOther(t *testing.T) {
	is := is.New(t)
	w, slow := newWorld(t), newWorld(t)
	slow.sso = w.sso
	slow.provider.Before = func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }
	var waiting sync.WaitGroup
	for range 50 {
		waiting.Go(func() {
			_, err := slow.sso.SignInURL(t.Context(), slow.school, slow.asked)
			if !fault.Is(err, fault.Unavailable) {
				t.Error("a slow provider: ", err)
			}
		})
	}
	start := time.Now()
	_, err := w.identify(w.visit())
	is.NoErr(err)
	is.True(time.Since(start) < 500*time.Millisecond)
	waiting.Wait()
	is.True(time.Since(start) < 4*time.Second)
	is.True(slow.provider.Requests(metadataPath) < 5)
}

// Sign-ins of a school at a slow provider do not delay those of another school at the same provider.
func TestSlowProviderDelaysNoOtherSchool(t *testing.T) {
	is := is.New(t)
	w := newWorld(t)
	_, err := w.sso.SignInURL(t.Context(), w.school, w.asked)
	is.NoErr(err)
	other := w.asked
	other.Redirect += "/other"
	_, err = w.sso.SignInURL(t.Context(), w.school, other)
	is.NoErr(err)
	r := w.visit()
	w.provider.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		_ = r.ParseForm()
		<-r.Context().Done()
		return true
	}
	var waiting sync.WaitGroup
	for range 50 {
		waiting.Go(func() {
			if _, err := w.identify(r); err == nil {
				t.Error("a sign-in at a provider that does not respond succeeded")
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // until all slots of the first school are taken
	start := time.Now()
	_, err = w.sso.SignInURL(t.Context(), w.school, other)
	is.NoErr(err)
	is.True(time.Since(start) < 500*time.Millisecond)
	waiting.Wait()
}

// A school has one issuer at a time. After a change and back, its metadata are requested again.
func TestEarlierIssuerIsForgotten(t *testing.T) {
	is, w, other := is.New(t), newWorld(t), newWorld(t)
	first := w.school
	for _, p := range []school.Provider{first, other.school, first} {
		_, err := w.sso.SignInURL(t.Context(), p, w.asked)
		is.NoErr(err)
	}
	is.Equal(w.provider.Requests(metadataPath), 2)
	is.Equal(other.provider.Requests(metadataPath), 1)
}
