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

// parameters reads a DSN and adds what every connection needs.
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
			return pq.Config{}, errors.New("open the database: the statement timeout is a setting of its own, not part of the DSN")
		case "timezone":
			delete(params.Runtime, name)
		}
	}
	params.Runtime["timezone"] = "UTC"
	if !strings.Contains(dsn, "binary_parameters") {
		params.BinaryParameters = true // saves a round trip wherever a statement is not prepared
	}
	if params.ApplicationName == "" {
		params.ApplicationName = applicationName
	}
	if params.ConnectTimeout <= 0 { // of each host, so that the last one has its turn in time
		params.ConnectTimeout = cfg.DialTimeout / time.Duration(1+len(params.Multi))
	}
	if len(params.Multi) > 0 && params.TargetSessionAttrs == "" {
		params.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite
	}
	return params, nil
}

const applicationName = "lyceum"

// malformed says which parameter of a DSN is wrong, if one is. The driver's own
// message may quote the DSN, and so the password.
func malformed(err error) error {
	for _, name := range []string{"target_session_attrs", "load_balance_hosts", "sslmode", "connect_timeout"} {
		if strings.Contains(err.Error(), strconv.Quote(name)) {
			return fmt.Errorf("open the database: the DSN has a wrong value for %s", name)
		}
	}
	return errors.New("open the database: the DSN is not well-formed: want a URL such as postgres://host:port/name " +
		"or key=value pairs, with one port or as many as hosts")
}

// listenerDSN returns the DSN of the connection that listens, of which the driver
// takes no other form.
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

// newConnector returns a connector on which no read or write takes longer than
// limit; 0: no limit.
func newConnector(params pq.Config, limit time.Duration, era *atomic.Int64) (connector, error) {
	c, err := pq.NewConnectorConfig(params.Clone())
	if err != nil {
		return connector{}, fmt.Errorf("open the database: %w", err)
	}
	c.Dialer(dialer{limit: limit, over: context.Background()})
	return connector{Connector: c, era: era}, nil
}
