package usecase

import "context"

type repo[ID, T any] interface {
	GetForUpdate(ctx context.Context, id ID) (T, error)
	Save(ctx context.Context, record T) error
}

// Update gets a record for update, calls edit, saves the record if edit reports a change, and
// returns it.
func Update[ID, T any](
	ctx context.Context, r repo[ID, T], id ID, edit func(record *T) (changed bool, err error),
) (T, error) {
	record, err := r.GetForUpdate(ctx, id)
	if err != nil {
		return record, err
	}
	changed, err := edit(&record)
	if err != nil || !changed {
		return record, err
	}
	return record, r.Save(ctx, record)
}
