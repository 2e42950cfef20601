package apitest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/files"
	"lyceum/adapters/httpapi"
	"lyceum/adapters/httpapi/downloads"
	"lyceum/adapters/httpapi/middleware"
	"lyceum/app"
	"lyceum/app/jobs"
	"lyceum/app/learning"
	"lyceum/app/operator"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/api/contract"
	"lyceum/test/kit"
	"lyceum/test/kit/fake"
)

// Secrets of the API keys in testdata/own.jsonl and testdata/other_tenant.jsonl.
const (
	keySecret         = "lyc_EvnIe8dSjyRqewhypwWCXIo7zbOOAb4IdLZj" // #nosec G101 -- for tests only
	otherTenantSecret = "lyc_xmNtMU8sdHu2fyVA4ZuGgd9NiNkumF3wsQfY" // #nosec G101 -- for tests only
)

// Records of testdata/own.jsonl. Every server starts with them.
const (
	design = "00000000-0000-4000-8000-0000000000c1"
	music  = "00000000-0000-4000-8000-0000000000c2"

	ada   = "00000000-0000-4000-8000-0000000000a1" // learner in both courses, activated
	grace = "00000000-0000-4000-8000-0000000000a2" // not enrolled
	alan  = "00000000-0000-4000-8000-0000000000a3" // instructor and manager of drawing, learner in singing
	olga  = "00000000-0000-4000-8000-0000000000a4" // owner of the school

	drawing = "00000000-0000-4000-8000-0000000000d1"
	singing = "00000000-0000-4000-8000-0000000000d2"

	earlyBird = "00000000-0000-4000-8000-0000000000b1" // a percentage, until the end of 2025, enabled
	tenOff    = "00000000-0000-4000-8000-0000000000b2" // an amount, without an end, disabled

	designers = "00000000-0000-4000-8000-0000000000e1" // has the course drawing; member ada, manager alan
	singers   = "00000000-0000-4000-8000-0000000000e2" // no courses and no people

	adaInDesigners  = "595c1846-337b-54ee-8fc4-34fa2b4fb47b"
	alanInDesigners = "af4d348d-1531-5391-abde-b2d54c1e7009"

	alansPartnership = "f120f58a-85d8-56dd-aed9-e2159820ddc9" // alan's partnership as instructor

	olgasPartnership = "557d1f78-ca5f-5a2a-b62b-064b0eff8756" // olga's partnership as owner

	region = "00000000-0000-4000-8000-0000000000d9" // a property of the school

	ownSchoolID = "00000000-0000-4000-8000-000000000001"
	ownKey      = "00000000-0000-4000-8000-0000000000a1"
	bulkJob     = "00000000-0000-4000-8000-0000000000b1" // three rows: one applied, one failed, one waiting

	adasRedemption   = "00000000-0000-4000-8000-0000000000f1" // redemption of tenOff
	gracesInvitation = "00000000-0000-4000-8000-0000000000f2" // invitation of grace
	invitationToken  = "5555555555555555555555555555555555555555"

	unknown = "00000000-0000-4000-8000-00000000ffff" // no record has this id
)

// Records of testdata/other_tenant.jsonl, another school.
const (
	theirCategory   = "00000000-0000-4000-8000-0000000001c1"
	theirProperty   = "00000000-0000-4000-8000-0000000001d9"
	theirCoupon     = "00000000-0000-4000-8000-0000000001b1"
	theirPerson     = "00000000-0000-4000-8000-0000000001a1"
	theirCourse     = "00000000-0000-4000-8000-0000000001d1"
	theirGroup      = "00000000-0000-4000-8000-0000000001e1"
	theirKey        = "00000000-0000-4000-8000-0000000001a1"
	theirBulkJob    = "00000000-0000-4000-8000-0000000001b1"
	theirOwner      = "00000000-0000-4000-8000-0000000001a2" // owner of the school
	theirPart       = "3d742108-6857-55c9-9457-bbd4760ccf0c"
	theirRedemption = "00000000-0000-4000-8000-0000000001f1"
	theirLetter     = "00000000-0000-4000-8000-0000000001f2"
	theirMembership = "cb30ed3e-fbcb-5b1f-9be5-32ba42bc8f08"
)

// URLs in links.
const (
	base    = "https://api.example.test/lyceum"
	appURL  = "https://app.example.test"
	academy = "https://learn.example.test"
	host    = base + "/files" // download links lead to this server
)

const (
	tokenDrawing   = "1111111111111111111111111111111111111111"
	tokenSinging   = "2222222222222222222222222222222222222222"
	tokenDesigners = "3333333333333333333333333333333333333333"
	tokenSingers   = "4444444444444444444444444444444444444444"
)

// server serves the API on a store. It has an API key of each school in the store.
type server struct {
	url            string
	second         string // URL of another instance on the same store
	app            *app.App
	routes         []middleware.Route
	contract       *contract.Contract // description with which every response is compared
	clock          *fake.Clock
	provision      *operator.Provision
	learning       *learning.Learning
	discards       *jobs.FileCleanup
	files          ports.Files
	queue          ports.Queue
	store          ports.Store
	own, theirs    school.ID
	key            string // key of the school under test
	otherTenantKey string
	urlKey         string // key of a school with URL authentication
}

// uploadLimit is the maximum size of a file, in bytes.
const uploadLimit = 128 << 10

// start serves b until the end of the test.
func start(t *testing.T, b Backend) *server {
	t.Helper()
	clock := fake.NewClock(fake.Start)
	kept := files.NewMemory()
	ids := fake.NewIDs()
	ids.Random(2 * school.SecretBytes) // skip the bytes from which the keys in testdata were made
	a := app.New(b.Store, b.Schools, b.Queue, kept, fake.NewInvitationSender(), clock, ids)
	a.SetServerSecret(secret)
	a.SetQuotas(app.Quotas{People: 1 << 40, Bytes: 1 << 40}) // with quotas, requests lock the school
	s := &server{app: a, clock: clock, provision: a.Provision, queue: b.Queue, store: b.Store}
	s.learning, s.discards, s.files = a.Learning, a.FileCleanup, kept
	var err error
	if s.contract, err = contract.Description(); err != nil {
		t.Fatal(err)
	}
	s.own = s.load(t, "own")
	s.theirs = s.load(t, "other_tenant")
	s.key, s.otherTenantKey = keySecret, otherTenantSecret
	s.saveBulkJob(t, s.own, bulkJob)
	s.saveBulkJob(t, s.theirs, theirBulkJob)
	s.saveRedemption(t, s.own, adasRedemption, tenOff, ada)
	s.saveRedemption(t, s.theirs, theirRedemption, theirCoupon, theirPerson)
	s.saveInvitation(t, s.own, gracesInvitation, grace, invitationToken)
	s.saveInvitation(t, s.theirs, theirLetter, theirPerson, strings.Repeat("6", 40))
	s.saveWebhook(t, s.own, ownEndpoint, ownDelivery)
	s.saveWebhook(t, s.theirs, theirEndpoint, theirDelivery)
	if _, s.urlKey, err = (kit.School{Name: "Elsewhere", Auth: school.URL}).Import(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	h := httpapi.New(a, httpapi.Config{
		UploadLimit: uploadLimit,
		Links:       httpapi.Links{Base: base, App: appURL, Academy: academy, Download: host},
		Begin:       academy,
		Downloads:   downloads.Config{Secret: []byte(secret), Now: clock.Now},
	}, slog.New(slog.DiscardHandler))
	s.routes = h.Routes()
	var served http.Handler = h
	if b.wrap != nil {
		served = b.wrap(h)
	}
	s.url = serveOn(t, served)
	if s.second = s.url; b.Second != nil {
		again := app.New(b.Second, b.Schools, b.Queue, kept, fake.NewInvitationSender(), clock, fake.NewIDs())
		s.second = serveOn(t, httpapi.New(again, httpapi.Config{Links: httpapi.Links{Base: base}}, slog.New(slog.DiscardHandler)))
	}
	clock.Advance(time.Hour)
	return s
}

func serveOn(t *testing.T, h http.Handler) string {
	listening := httptest.NewServer(h)
	t.Cleanup(listening.Close)
	return listening.URL
}

// activate marks a person as activated and saves it.
func (s *server) activate(t *testing.T, id string) {
	t.Helper()
	err := s.store.InTx(t.Context(), s.own, func(ctx context.Context, tx ports.Tx) error {
		p, err := tx.People.GetForUpdate(ctx, person.ID{UUID: uuid.MustParse(id)})
		if err != nil {
			return err
		}
		p.Activate(s.clock.Now())
		return tx.People.Save(ctx, p)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// load imports the school in testdata/<name>.jsonl and returns its id.
func (s *server) load(t *testing.T, name string) school.ID {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.app.Transfers.ImportNew(t.Context(), kit.Reading(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return made.School.ID
}
