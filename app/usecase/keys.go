package usecase

import (
	"context"
	"slices"

	"lyceum/domain/audit"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

// AddKey inserts a key, and an audit event.
func AddKey(ctx context.Context, tx ports.Tx, k school.Key) error {
	if err := tx.Keys.Add(ctx, k); err != nil {
		return err
	}
	return tx.Audit.Add(ctx, audit.Created, keyRecord(k))
}

// SaveKey updates a key, and adds an audit event with the action.
func SaveKey(ctx context.Context, tx ports.Tx, k school.Key, action audit.Action) error {
	if err := tx.Keys.Save(ctx, k); err != nil {
		return err
	}
	return tx.Audit.Add(ctx, action, keyRecord(k))
}

func keyRecord(k school.Key) change.Record {
	return change.Record{Type: school.KeyType, ID: k.ID.String()}
}

// LockKey locks all keys of the school. It returns all of them and the key with the given
// id, or NotFound if that key does not exist.
func LockKey(ctx context.Context, tx ports.Tx, id school.KeyID) ([]school.Key, school.Key, error) {
	keys, err := tx.Keys.GetAllForUpdate(ctx)
	if err != nil {
		return nil, school.Key{}, err
	}
	i := slices.IndexFunc(keys, func(k school.Key) bool { return k.ID == id })
	if i < 0 {
		return nil, school.Key{}, fault.RecordNotFound()
	}
	return keys, keys[i], nil
}

// CheckOwnKey returns BadCredentials if the key of a is no longer active. Otherwise it locks the key
// until the end of the transaction, so that what the transaction changes was changed before the key
// is revoked. Every use case calls it, as the last lock of its transaction, that would otherwise let
// a client keep its rights while its key is revoked: by another key, a role, the address of a person
// of the staff, a token, a webhook or the settings of the school. An actor without a key is not
// checked here; InTx checks sessions and roles.
func (d Deps) CheckOwnKey(ctx context.Context, tx ports.Tx, a Actor) error {
	if a.Key() == (school.KeyID{}) {
		return nil
	}
	k, err := tx.Keys.GetForShare(ctx, a.Key())
	if fault.Is(err, fault.NotFound) || err == nil && !k.Active(d.Clock.Now()) {
		return fault.BadCredentials()
	}
	return err
}
