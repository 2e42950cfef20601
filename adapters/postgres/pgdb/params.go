package pgdb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

// parameters parses a DSN and adds the parameters that every connection needs.
func parameters(dsn string, cfg Config) (pq.Config, error) {
	params, err := pq.NewConfig(spreadHosts(dsn))
	if err != nil {
		return pq.Config{}, malformed(err)
	}
	if params.Runtime == nil {
		params.Runtime = map[string]string{}
	}
	for name := range params.Runtime {
		switch strings.ToLower(name) {
		case "statement_timeout":
			return pq.Config{}, errors.New("the URL must not set statement_timeout; use database.statement-timeout")
		case "timezone":
			delete(params.Runtime, name)
		}
	}
	params.Runtime["timezone"] = "UTC"
	if !strings.Contains(dsn, "binary_parameters") {
		params.BinaryParameters = true // saves a round trip for unprepared statements
	}
	if params.ApplicationName == "" {
		params.ApplicationName = applicationName
	}
	if params.ConnectTimeout <= 0 { // per host, so that there is time to try all hosts
		params.ConnectTimeout = cfg.DialTimeout / time.Duration(1+len(params.Multi))
	}
	if len(params.Multi) > 0 && params.TargetSessionAttrs == "" {
		params.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite
	}
	return params, nil
}

const applicationName = "lyceum"

// malformed returns an error that names the invalid parameter of a DSN, if possible. The driver's
// own message could contain the DSN and thus the password.
func malformed(err error) error {
	for _, name := range []string{"target_session_attrs", "load_balance_hosts", "sslmode", "connect_timeout"} {
		if strings.Contains(err.Error(), strconv.Quote(name)) {
			return fmt.Errorf("the URL has an invalid value for %s", name)
		}
	}
	return errors.New("is malformed; expected a URL such as postgres://host:port/name " +
		"or key=value pairs, with one port or one port per host")
}

// listenerDSN returns dsn with the application name, the TCP settings and the target_session_attrs
// of params. It is a DSN and not a pq.Config, because the driver's listener accepts only a DSN.
func listenerDSN(dsn string, params pq.Config) string {
	dsn = spreadHosts(dsn)
	probe := params.Clone()
	for name, value := range keepalive {
		setDefault(probe, name, value)
	}
	setDefault(probe, "tcp_user_timeout", milliseconds(idleTx))
	more := maps.Clone(probe.Runtime)
	maps.DeleteFunc(more, func(name, _ string) bool { return !strings.HasPrefix(name, "tcp_") })
	more["application_name"] = params.ApplicationName
	if params.TargetSessionAttrs != "" {
		more["target_session_attrs"] = string(params.TargetSessionAttrs)
	}
	return extend(dsn, more)
}

// newConnector returns a connector with the given current generation. On its connections, no read
// or write takes longer than limit; 0 means no limit.
func newConnector(params pq.Config, limit time.Duration, generation *atomic.Int64) (connector, error) {
	c, err := pq.NewConnectorConfig(params.Clone())
	if err != nil {
		return connector{}, fmt.Errorf("database.url: %w", err)
	}
	c.Dialer(dialer{limit: limit, lifetime: context.Background()})
	return connector{Connector: c, generation: generation}, nil
}
