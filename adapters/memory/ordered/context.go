package ordered

import (
	"context"
	"fmt"
)

// CheckContext returns the error of ctx if it has ended.
func CheckContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memory: %w", err)
	}
	return nil
}
