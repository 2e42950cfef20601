// Command provider is an OpenID Connect provider for tests: the example server of zitadel/oidc with
// the people and the client of the tests. It prints its issuer. The only argument is the redirect
// URL of the client.
package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

// password is the password of all people, and the secret of the client.
const password = "only for tests"

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(redirect string) error {
	people, err := users()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	issuer := "http://" + listener.Addr().String() + "/"
	storage.RegisterClients(storage.WebClient("lyceum", password, redirect))
	router := exampleop.SetupServer(issuer, storage.NewStorage(people), slog.New(slog.DiscardHandler), false)
	fmt.Println(issuer)
	return http.Serve(listener, router)
}

// users returns a learner of the demo school, a person whom the school does not know, and a person
// whose address is not verified.
func users() (storage.UserStore, error) {
	all := map[string]storage.User{}
	for _, u := range []storage.User{
		{ID: "1", Username: "jiwoo", Email: "jiwoo.park@example.test", EmailVerified: true, FirstName: "Jiwoo", LastName: "Park"},
		{ID: "2", Username: "eve", Email: "eve@example.test", EmailVerified: true, FirstName: "Eve", LastName: "Moss"},
		{ID: "3", Username: "mallory", Email: "mei.tanaka@example.test", FirstName: "Mallory"},
	} {
		u.Password = password
		all[u.ID] = u
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "provider-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "users.json") // the store of the example reads only files
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return storage.StoreFromFile(file)
}
