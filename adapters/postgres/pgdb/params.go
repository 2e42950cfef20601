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

// parameters parses a DSN and adds what every connection needs.
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
	if params.ConnectTimeout <= 0 { // for each host, so that the last one is tried in time
		params.ConnectTimeout = cfg.DialTimeout / time.Duration(1+len(params.Multi))
	}
	if len(params.Multi) > 0 && params.TargetSessionAttrs == "" {
		params.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite
	}
	return params, nil
}

const applicationName = "lyceum"

// malformed returns an error that names the invalid parameter of a DSN, if possible. The driver's
// own message may quote the DSN and thus the password.
func malformed(err error) error {
	for _, name := range []string{"target_session_attrs", "load_balance_hosts", "sslmode", "connect_timeout"} {
		if strings.Contains(err.Error(), strconv.Quote(name)) {
			return fmt.Errorf("the URL has an invalid value for %s", name)
		}
	}
	return errors.New("is malformed; expected a URL such as postgres://host:port/name " +
		"or key=value pairs, with one port or one port per host")
}

// listenerDSN returns the DSN for the connection of the listener; the driver accepts no
// other form there.
func listenerDSN(dsn string, params pq.Config) string {
	dsn = spreadHosts(dsn)
	probe := params.Clone()
	for name, value := range keepalive {
		unlessNamed(probe, name, value)
	}
	unlessNamed(probe, "tcp_user_timeout", milliseconds(idleTx))
	more := maps.Clone(probe.Runtime)
	maps.DeleteFunc(more, func(name, _ string) bool { return !strings.HasPrefix(name, "tcp_") })
	more["application_name"] = params.ApplicationName
	if params.TargetSessionAttrs != "" {
		more["target_session_attrs"] = string(params.TargetSessionAttrs)
	}
	return extend(dsn, more)
}

// newConnector returns a connector on whose connections no read or write takes longer than
// limit; 0 means no limit.
func newConnector(params pq.Config, limit time.Duration, era *atomic.Int64) (connector, error) {
	c, err := pq.NewConnectorConfig(params.Clone())
	if err != nil {
		return connector{}, fmt.Errorf("database.url: %w", err)
	}
	c.Dialer(dialer{limit: limit, lifetime: context.Background()})
	return connector{Connector: c, era: era}, nil
}
