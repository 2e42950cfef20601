package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// serverInfo is the data that the server process prints when it is ready.
type serverInfo struct {
	URL, Profiles    string // URLs of the server and of its profiles
	DSN              string
	Files            string    // the directory of submitted files
	Attacker, Victim string    // API keys
	Rare             string    // key of a school that sends few requests
	Suspended        []string  // ids of schools that can be deleted
	Wide             string    // key of a second school that attacks, whose people have long properties
	Crowded          string    // key of a third school that attacks, whose pages are large
	Owner            visitor   // the owner of that school
	Additions        [2]string // keys of two schools that attack, with a group of very many people
	Reader           visitor   // a person of the victim
	School           string    // id of the attacker's school
	Assignment       string    // id of an assignment of that school
	Course           string    // id of a course of that school
	Key              []byte    // of the certificates of its webhook receivers
}

// startServer starts the server in a separate process.
func startServer(ctx context.Context, dsn string) (w serverInfo, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return w, nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-serve", dsn)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return w, nil, err
	}
	if err := cmd.Start(); err != nil {
		return w, nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if w.Files != "" {
			_ = os.RemoveAll(w.Files)
		}
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &w)
	}
	if err != nil {
		stop()
	}
	return w, stop, err
}

// attackersPriority is the lowest priority. Real attackers run on other machines, so the attackers
// here get only the processor time that the server and the database do not use.
const attackersPriority = 19

// startAttack starts the attackers in a separate process. wait waits for the end of the process and
// returns the number of its operations by status.
func startAttack(ctx context.Context, w serverInfo, a attack, lasts time.Duration) (wait func() (map[int]int, error), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-attack", a.name, "-duration", lasts.String())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = os.Stderr
	var out bytes.Buffer
	cmd.Stdout = &out
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// This sets the priority of the process group, because on Linux each thread has its own
	// priority. The attack starts when the process receives serverInfo.
	if err := syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, attackersPriority); err != nil {
		return nil, err
	}
	if err := json.NewEncoder(in).Encode(w); err != nil {
		return nil, err
	}
	return func() (ended map[int]int, err error) {
		if err := cmd.Wait(); err != nil {
			return nil, fmt.Errorf("attackers: %w", err)
		}
		return ended, json.Unmarshal(out.Bytes(), &ended)
	}, nil
}

// runAttack is the main function of the attackers' process.
func runAttack(ctx context.Context, name string, lasts time.Duration) error {
	var w serverInfo
	if err := json.NewDecoder(os.Stdin).Decode(&w); err != nil {
		return err
	}
	for _, a := range attacks {
		if a.name == name {
			return json.NewEncoder(os.Stdout).Encode(a.run(ctx, w, lasts))
		}
	}
	return fmt.Errorf("there is no attack %q", name)
}

// run attacks for the given duration and returns the number of operations by status.
func (a attack) run(ctx context.Context, w serverInfo, lasts time.Duration) map[int]int {
	ctx, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	var mu sync.Mutex
	ended := map[int]int{}
	var attackers sync.WaitGroup
	for range a.clients {
		client := newClient()
		attackers.Go(func() {
			for ctx.Err() == nil {
				status := a.once(ctx, client, w)
				if ctx.Err() != nil {
					return
				}
				mu.Lock()
				ended[status]++
				mu.Unlock()
			}
		})
	}
	attackers.Wait()
	return ended
}
