package pgtest

import (
	"context"
	"errors"
	"os"
)

const (
	// modelVariable is the environment variable that contains the name of a database whose schema is
	// up to date, on the server that Variable names.
	modelVariable = "LYCEUM_TEST_MODEL"

	// go test caches the results of tests only if these variables have the same values again. So a
	// temporary server uses temporaryPort if it is free, and its model has a fixed name.
	temporaryPort = 25432
	modelName     = "lyceum_test_model"
)

// Temporary starts a server that several test binaries can share, and returns the environment
// variables that tell them so. If Variable names a server, Temporary returns no variables, and stop
// does nothing.
func Temporary(ctx context.Context) (env []string, stop func() error, err error) {
	if os.Getenv(Variable) != "" {
		return nil, func() error { return nil }, nil
	}
	bin, err := binaries(ctx)
	if err != nil {
		return nil, nil, missing(err)
	}
	c, err := bootAt(ctx, bin, temporaryPort, unsafeSettings...)
	if err != nil {
		return nil, nil, err
	}
	s, err := connect(ctx, c.dsn, c)
	if err != nil {
		return nil, nil, err
	}
	if err := s.createModel(ctx, modelName); err != nil {
		return nil, nil, errors.Join(err, s.close())
	}
	return []string{Variable + "=" + c.dsn, modelVariable + "=" + modelName}, s.close, nil
}
