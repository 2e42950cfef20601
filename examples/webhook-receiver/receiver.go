// Command webhook-receiver is an example of a program that receives the webhooks of a school. It
// verifies the signature of each message and prints what has changed.
//
//	WEBHOOK_SECRET=whsec_… go run . -addr 127.0.0.1:9090
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// maxMessage is the maximum size of a message in bytes.
const maxMessage = 8 << 20

// Message is the body of a message: a change and, unless it was deleted, the record.
type Message struct {
	Data struct {
		ID         string // position in the change feed
		Attributes struct{ Action string }

		Relationships struct{ Record struct{ Data Record } }
	}
	Included []struct {
		Record
		Attributes json.RawMessage
	}
	Meta struct{ Ping bool }
}

// Record identifies a record.
type Record struct{ Type, ID string }

// Receiver is an HTTP handler that receives messages.
type Receiver struct {
	Verify func(body []byte, header http.Header) error
	Handle func(m Message) error

	mu sync.Mutex
	// A real program keeps the following in its database.
	seen   map[string]bool  // IDs of the handled messages
	latest map[Record]int64 // position of the latest handled change of a record
}

// ServeHTTP implements http.Handler. A status other than 2xx makes the server send the message again
// later.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxMessage))
	if err != nil {
		http.Error(w, "the message cannot be read", http.StatusBadRequest)
		return
	}
	if err := r.Verify(body, request.Header); err != nil {
		http.Error(w, "the signature is not valid", http.StatusUnauthorized)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id := request.Header.Get(standardwebhooks.HeaderWebhookID)
	if r.seen[id] {
		return // the message was sent again, because an earlier response was lost
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		http.Error(w, "the message is not JSON", http.StatusBadRequest)
		return
	}
	of := m.Data.Relationships.Record.Data
	position, _ := strconv.ParseInt(m.Data.ID, 10, 64) // 0: a ping
	if position < r.latest[of] {
		return // messages arrive in any order; a later change of the record was handled
	}
	if err := r.Handle(m); err != nil {
		http.Error(w, "the message could not be handled", http.StatusInternalServerError)
		return
	}
	if r.seen == nil {
		r.seen, r.latest = map[string]bool{}, map[Record]int64{}
	}
	r.seen[id], r.latest[of] = true, position
}

// String returns one line about a message.
func (m Message) String() string {
	if m.Meta.Ping {
		return "ping"
	}
	to := m.Data.Relationships.Record.Data
	text := fmt.Sprintf("%s %s %s %s", m.Data.ID, m.Data.Attributes.Action, to.Type, to.ID)
	for _, record := range m.Included {
		text += " " + string(record.Attributes)
	}
	return text
}

func main() {
	addr := flag.String("addr", "127.0.0.1:9090", "address to listen on")
	flag.Parse()
	hook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil || os.Getenv("WEBHOOK_SECRET") == "" {
		log.Fatal("set WEBHOOK_SECRET to the secret of the endpoint")
	}
	server := &http.Server{
		Addr: *addr, ReadTimeout: 10 * time.Second,
		Handler: &Receiver{Verify: hook.Verify, Handle: func(m Message) error {
			fmt.Println(m)
			return nil
		}},
	}
	log.Fatal(server.ListenAndServe())
}
