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

// world is what the server's process reports when it is ready.
type world struct {
	URL, Profiles    string // where the server and its profiles are
	DSN              string
	Files            string // the directory of submitted files
	Attacker, Victim string // keys
	School           string // id of the attacker's
	Assignment       string // id of one of the attacker's
	Course           string // the same
}

// startServer starts the server in a process of its own.
func startServer(ctx context.Context, dsn string) (w world, stop func(), err error) {
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

// attackersPriority is the lowest: attackers are on other machines in earnest, so
// they get here what processor time the server and the database leave over.
const attackersPriority = 19

// startAttack starts the attackers in a process of their own. wait returns how
// many of their operations have ended, by status.
func startAttack(ctx context.Context, w world, a attack, lasts time.Duration) (wait func() (map[int]int, error), err error) {
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
	// Of the group, since on Linux each thread has a priority of its own. The
	// attack begins when the world has come.
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

// runAttack is the process of the attackers.
func runAttack(ctx context.Context, name string, lasts time.Duration) error {
	var w world
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

// run attacks for a while and returns how many operations have ended, by
// status.
func (a attack) run(ctx context.Context, w world, lasts time.Duration) map[int]int {
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
