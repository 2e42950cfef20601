package usecase

import (
	"context"

	"lyceum/domain/property"
	"lyceum/ports"
)

// DefineProperties sets the definitions of the properties in c, for records of the resource r. It
// locks the definitions, so that they do not change before the end of the transaction. Call it
// before any other lock except the lock on the school. If c has no properties, it does nothing.
func DefineProperties(ctx context.Context, repo ports.PropertyRepo, r property.Resource, c *property.Changes) (err error) {
	if len(c.Sent) > 0 {
		c.Defined, err = repo.NamedForShare(ctx, r, c.Names())
	}
	return err
}

// PropertyNames returns the names of the properties that are defined for records of the resource r,
// sorted.
func PropertyNames(ctx context.Context, reader ports.PropertyReader, r property.Resource) ([]string, error) {
	defined, err := reader.Defined(ctx, r)
	var names []string
	for _, d := range defined {
		names = append(names, d.Name)
	}
	return names, err
}
