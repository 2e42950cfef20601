package arch_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Names of packages that occur often in law.
const (
	std  = "the standard library"
	uuid = "github.com/google/uuid"
	fx   = "go.uber.org/fx"
)

// law lists what the packages of each folder may import. The deepest folder that contains a package
// applies to it. A path in the list also allows all packages below it. Only the adapter of a
// library may import that library.
var law = map[string][]string{
	"domain":        {std, uuid, "lyceum/domain"},
	"domain/text":   {std, uuid, "lyceum/domain", "golang.org/x/text"},
	"ports":         {std, uuid, "lyceum/domain"},
	"app":           {std, uuid, "lyceum/app", "lyceum/domain", "lyceum/ports"},
	"app/usecase":   {std, uuid, "lyceum/domain", "lyceum/ports"},
	"app/admission": {std, uuid, "lyceum/app/usecase", "lyceum/domain", "lyceum/ports"},
	"app/auth":      {std, uuid, "lyceum/app/usecase", "lyceum/app/admission", "lyceum/domain", "lyceum/ports"},
	"app/operator":  {std, uuid, "lyceum/app/usecase", "lyceum/app/jobs", "lyceum/domain", "lyceum/ports"},
	"app/jobs":      {std, uuid, "lyceum/app/usecase", "lyceum/domain", "lyceum/ports"},
	"app/bulk":      {std, uuid, "lyceum/app/usecase", "lyceum/app/admission", "lyceum/app/jobs", "lyceum/domain", "lyceum/ports"},
	"app/learning":  {std, uuid, "lyceum/app/usecase", "lyceum/app/admission", "lyceum/app/jobs", "lyceum/domain", "lyceum/ports"},
	"app/transfer": {
		std, uuid, "lyceum/app/usecase", "lyceum/app/admission", "lyceum/app/transfer/csvfile", "lyceum/app/transfer/format",
		"lyceum/domain", "lyceum/ports",
	},
	"app/transfer/csvfile":  {std},
	"app/transfer/format":   {std, uuid, "lyceum/domain"},
	"adapters/limiter":      {std, "golang.org/x/time"},
	"adapters/clock":        {std, uuid, "lyceum/domain", "lyceum/ports"},
	"adapters/files":        {std, uuid, "lyceum/domain", "lyceum/ports"},
	"adapters/outgoing":     {std, "lyceum/adapters/limiter", "lyceum/adapters/tracing"},
	"adapters/mail":         {std, uuid, "lyceum/domain", "lyceum/ports", "github.com/wneessen/go-mail"},
	"adapters/redact":       {std, "lyceum/domain/text"},
	"adapters/sso":          {std, "lyceum/domain", "lyceum/adapters/redact", "lyceum/ports", "github.com/coreos/go-oidc/v3", "golang.org/x/oauth2"},
	"adapters/formdata":     {std},
	"adapters/web":          {std, "lyceum/adapters/formdata", "lyceum/app", "lyceum/domain", "lyceum/adapters/web", "lyceum/adapters/redact", "golang.org/x/text"},
	"adapters/web/teaching": {std, uuid, "lyceum/adapters/redact", "lyceum/app", "lyceum/domain", "lyceum/adapters/web"},
	"adapters/web/markdown": {std, "github.com/yuin/goldmark", "github.com/microcosm-cc/bluemonday"},
	"adapters/tracing":      {std, "lyceum/adapters/redact", "go.opentelemetry.io/otel", "github.com/go-logr/logr"},
	"adapters/worker":       {std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/tracing"},
	"adapters/webhooks":     {std, "lyceum/domain/webhook", "lyceum/ports", "lyceum/adapters/limiter", "lyceum/adapters/outgoing", "github.com/standard-webhooks/standard-webhooks/libraries"},
	"adapters/telemetry": {
		std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/limiter", "github.com/prometheus/client_golang",
	},
	"adapters/memory":                  {std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/memory"},
	"adapters/memory/ordered":          {std, uuid, "lyceum/domain", "lyceum/ports"},
	"adapters/memory/tables":           {std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/memory/ordered"},
	"adapters/memory/jobqueue":         {std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/memory/ordered"},
	"adapters/demo":                    {std, uuid, "lyceum/app/transfer/format", "lyceum/domain"},
	"adapters/httpapi/jsonapi":         {std},
	"adapters/httpapi/jsonapi/request": {std, uuid, "lyceum/adapters/httpapi/jsonapi", "lyceum/domain"},
	"adapters/httpapi/compress":        {std, "github.com/klauspost/compress"},
	"adapters/httpapi/table":           {std, "lyceum/adapters/httpapi/jsonapi", "lyceum/domain/property", "lyceum/domain/text"},
	"adapters/httpapi/limits":          {std, "lyceum/adapters/limiter", "lyceum/domain/fault", "lyceum/domain/school"},
	"adapters/httpapi/respond": {
		std, uuid, "lyceum/adapters/httpapi/compress", "lyceum/adapters/httpapi/jsonapi", "lyceum/adapters/httpapi/limits",
		"lyceum/adapters/redact", "lyceum/adapters/limiter", "lyceum/app/usecase", "lyceum/domain/fault", "lyceum/domain/school",
		"github.com/gin-gonic/gin", "github.com/goccy/go-json", "github.com/cespare/xxhash/v2",
	},
	"adapters/httpapi/idempotency": {
		std, "lyceum/adapters/httpapi/jsonapi", "lyceum/adapters/httpapi/respond", "lyceum/app", "lyceum/domain/idempotency",
		"github.com/gin-gonic/gin",
	},
	"adapters/httpapi/listquery": {
		std, "lyceum/adapters/httpapi/limits", "lyceum/adapters/httpapi/respond", "lyceum/domain/change", "lyceum/domain/fault",
		"lyceum/domain/property", "lyceum/domain/query",
	},
	"adapters/httpapi/middleware": {
		std, uuid, "lyceum/adapters/httpapi/jsonapi", "lyceum/adapters/httpapi/limits", "lyceum/adapters/httpapi/listquery", "lyceum/adapters/redact", "lyceum/adapters/tracing",
		"lyceum/adapters/httpapi/respond", "lyceum/adapters/limiter", "lyceum/app/usecase", "lyceum/domain/fault",
		"lyceum/domain/school", "lyceum/domain/text", "github.com/gin-gonic/gin", "github.com/rs/cors",
	},
	"adapters/httpapi/openapi":   {std, "github.com/goccy/go-yaml"},
	"adapters/httpapi/reference": {std},
	"adapters/httpapi/transport": {
		std, "lyceum/adapters/redact", "lyceum/adapters/httpapi/transport", "lyceum/adapters/limiter", "golang.org/x/crypto/acme",
	},
	"adapters/httpapi/description": {
		std, "lyceum/adapters/httpapi/compress", "lyceum/adapters/httpapi/openapi", "lyceum/adapters/httpapi/reference",
		"lyceum/adapters/httpapi/respond", "lyceum/domain/fault", "github.com/gin-gonic/gin",
	},
	"adapters/httpapi/documents": {
		std, uuid, "lyceum/adapters/httpapi/jsonapi", "lyceum/app", "lyceum/domain",
	},
	"adapters/httpapi/lists": {
		std, uuid, "lyceum/adapters/httpapi/compress", "lyceum/adapters/httpapi/jsonapi", "lyceum/adapters/httpapi/limits",
		"lyceum/adapters/httpapi/listquery", "lyceum/adapters/redact", "lyceum/adapters/httpapi/respond",
		"lyceum/adapters/httpapi/table", "lyceum/adapters/limiter", "lyceum/app", "lyceum/domain", "github.com/gin-gonic/gin",
	},
	"adapters/httpapi/upload": {
		std, uuid, "lyceum/adapters/formdata", "lyceum/adapters/httpapi/jsonapi/request", "lyceum/adapters/httpapi/respond", "lyceum/app/learning", "lyceum/domain",
		"github.com/gin-gonic/gin",
	},
	"adapters/httpapi/downloads": {
		std, uuid, "lyceum/adapters/httpapi/limits", "lyceum/adapters/httpapi/respond", "lyceum/app", "lyceum/domain",
		"github.com/gin-gonic/gin",
	},
	"adapters/httpapi/readiness": {
		std, "lyceum/adapters/httpapi/respond", "lyceum/adapters/redact", "lyceum/domain/fault",
		"github.com/gin-gonic/gin", "github.com/alexliesenfeld/health",
	},
	"adapters/httpapi/homepage":       {std},
	"adapters/httpapi/invitationpage": {std, "golang.org/x/text"},
	"adapters/httpapi": {
		std, uuid, "lyceum/app", "lyceum/domain", "lyceum/adapters/formdata", "lyceum/adapters/httpapi", "lyceum/adapters/limiter", "lyceum/adapters/redact",
		"github.com/gin-gonic/gin", "github.com/goccy/go-json", "github.com/cespare/xxhash/v2",
	},
	"adapters/postgres/listsql":      {std, uuid, "lyceum/domain", "github.com/jmoiron/sqlx", "github.com/lib/pq"},
	"adapters/postgres/learnerlists": {std, uuid, "lyceum/domain", "lyceum/adapters/postgres/listsql", "lyceum/adapters/postgres/pgdb"},
	"adapters/postgres/pgdb": {
		std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/limiter", "lyceum/adapters/tracing", "github.com/jmoiron/sqlx", "github.com/lib/pq",
	},
	"adapters/postgres/derived": {std, uuid, "lyceum/domain", "lyceum/adapters/postgres/pgdb", "github.com/lib/pq"},
	"adapters/postgres/migrations": {
		std, "lyceum/adapters/limiter", "lyceum/adapters/postgres/pgdb", "github.com/lib/pq", "github.com/pressly/goose/v3",
	},
	"adapters/postgres": {
		std, uuid, "lyceum/domain", "lyceum/ports", "lyceum/adapters/postgres", "lyceum/adapters/limiter",
		"github.com/jmoiron/sqlx", "github.com/lib/pq", "github.com/goccy/go-json",
	},
	"cmd": {
		std, uuid, fx, "go.uber.org/dig", "lyceum/app", "lyceum/ports", "lyceum/domain", "lyceum/adapters", "lyceum/cmd",
		"github.com/alecthomas/kong", "github.com/goccy/go-yaml", "github.com/schollz/progressbar/v3",
	},
}

// imports returns the imports that the law does not allow. Tests may import anything.
func imports(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		allowed, ok := lawOf(s.dir)
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: no rules for this folder", s.path))
			continue
		}
		for _, p := range s.imports() {
			if mayWire(s) && p == fx || allows(allowed, p) {
				continue
			}
			bad = append(bad, fmt.Sprintf("%s: imports %s", s.path, p))
		}
	}
	return bad
}

// suite is the folder of the conformance suite of stores.
const suite = "test/conformance/storetest"

// suiteImports returns the imports between packages of the conformance suite, except those that are
// allowed: Run calls all parts, and all parts share fixture and lists.
func suiteImports(tr tree) []string {
	var bad []string
	for _, s := range tr.sources {
		if !s.in(suite) || s.dir == suite {
			continue
		}
		for _, p := range s.imports() {
			inside, ok := strings.CutPrefix(p, module+"/")
			if !ok || !within(inside, suite) || inside == suite+"/fixture" {
				continue
			}
			if inside != suite+"/lists" || s.dir == suite+"/fixture" {
				bad = append(bad, fmt.Sprintf("%s: imports %s", s.path, p))
			}
		}
	}
	return bad
}

// wiring returns imports of fx outside the files that assemble the program, which are module.go in
// app and in the adapters, and the files in cmd.
func wiring(tr tree) []string {
	var bad []string
	for _, s := range tr.production() {
		for _, p := range s.imports() {
			if (p == fx || strings.HasPrefix(p, fx+"/")) && !mayWire(s) {
				bad = append(bad, fmt.Sprintf("%s: imports fx", s.path))
			}
		}
	}
	return bad
}

// purity follows the imports of every domain package through the module. It returns the packages
// that a domain package needs, except the standard library, google/uuid and, through domain/text,
// golang.org/x/text. It does not use law.
func purity(tr tree) []string {
	packages := map[string][]source{}
	for _, s := range tr.production() {
		packages[s.dir] = append(packages[s.dir], s)
	}
	var bad []string
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		if dir != "domain" && !strings.HasPrefix(dir, "domain/") {
			continue
		}
		for _, p := range reached(packages, dir, map[string]bool{}) {
			if !isStd(p) && p != uuid && !within(p, "golang.org/x/text") {
				bad = append(bad, fmt.Sprintf("%s: reaches %s", dir, p))
			}
		}
	}
	return bad
}

// reached returns the packages outside the module that dir needs, and the packages of the module
// outside the domain that it needs.
func reached(packages map[string][]source, dir string, seen map[string]bool) []string {
	if seen[dir] {
		return nil
	}
	seen[dir] = true
	var all []string
	for _, s := range packages[dir] {
		for _, p := range s.imports() {
			inside, ok := strings.CutPrefix(p, module+"/")
			if !ok || !within(inside, "domain") {
				all = append(all, p)
			}
			if ok {
				all = append(all, reached(packages, inside, seen)...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func lawOf(dir string) ([]string, bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if allowed, ok := law[dir]; ok {
			return allowed, true
		}
	}
	return nil, false
}

func allows(allowed []string, p string) bool {
	for _, a := range allowed {
		if a == std && isStd(p) || within(p, a) {
			return true
		}
	}
	return false
}

func mayWire(s source) bool {
	wires := s.in("app") || s.in("adapters")
	return s.in("cmd") || wires && path.Base(s.path) == "module.go"
}

// isStd reports whether p belongs to the standard library. The first element of such a path has no
// dot, and the path is not in this module.
func isStd(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".") && first != module
}

// within reports whether p is root or below it.
func within(p, root string) bool {
	return p == root || strings.HasPrefix(p, root+"/")
}
