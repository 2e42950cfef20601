// Command bare handles some requests of the API with minimal code: gin, sqlx and lib/pq, the best
// SQL for each request, typed structs and encoding/json. It has no API keys, one school, no filter
// language, no logs and no layers. Measurements compare it with the server on the same database;
// see docs/performance.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
)

// bare contains the database and the school.
type bare struct {
	db     *sqlx.DB
	school uuid.UUID
	base   string // prefix of links
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8081", "address to listen on")
	database := flag.String("database", "", "DSN of the database")
	school := flag.String("school", "", "id of the school")
	flag.Parse()
	if err := run(*addr, *database, *school); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func run(addr, database, school string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	id, err := uuid.Parse(school)
	if err != nil {
		return fmt.Errorf("-school: %w", err)
	}
	db, err := sqlx.ConnectContext(ctx, "postgres", database)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(8) // the fastest of 2, 4, 8 and 32 on two cores
	db.SetMaxIdleConns(8)
	handler, err := routes(ctx, &bare{db: db, school: id, base: "http://" + addr})
	if err != nil {
		return err
	}
	server := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.ListenAndServe(); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

func routes(ctx context.Context, b *bare) (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	for _, add := range []func(context.Context, gin.IRoutes) error{
		b.people, b.writing, b.courses, b.groups, b.coupons, b.events, b.courseAnalytics, b.quizScores, b.rawAnswers,
	} {
		if err := add(ctx, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}
