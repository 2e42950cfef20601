package operator

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/fault"
	"lyceum/domain/school"
	"lyceum/ports"
)

const (
	// SuspensionDelay is the time within which every server refuses a suspended school.
	SuspensionDelay = 5 * time.Second
	// schoolBatch is the maximum number of records that one transaction deletes. Such a transaction
	// takes tens of milliseconds.
	schoolBatch = 2000
)

// CheckRename returns an error if RenameSchool would refuse the name. It changes nothing.
func (u *Provision) CheckRename(ctx context.Context, id school.ID, name string) error {
	s, err := u.deps.Schools.Get(ctx, id)
	if err != nil {
		return err
	}
	if _, err := s.Update(school.Changes{Name: &name}, u.deps.Clock.Now()); err != nil {
		return err
	}
	return u.checkNameIsFree(ctx, s.State().Name, id)
}

// checkNameIsFree returns a fault if a school other than own has the same name according to
// school.SameName. The fault contains the name of that school, which only an operator may see. When
// the name of a school changes, the store compares it again under a lock.
func (u *Provision) checkNameIsFree(ctx context.Context, name string, own school.ID) error {
	all, err := u.deps.Schools.List(ctx)
	if err != nil {
		return err
	}
	for _, s := range all {
		if school.SameName(s.State().Name, name) && s.State().ID != own {
			return fault.Invalidf("name", "a school named %q already exists", s.State().Name)
		}
	}
	return nil
}

// checkSlugIsFree returns a fault if a school other than own has the slug.
func (u *Provision) checkSlugIsFree(ctx context.Context, slug string, own school.ID) error {
	switch found, err := u.deps.Schools.BySlug(ctx, slug); {
	case err == nil && found.State().ID != own:
		return fault.Invalidf("slug", "a school with the slug %q already exists", slug)
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	}
	return nil
}

// UpdateSchool changes attributes of a school, such as its slug. It returns a fault if another
// school has the slug.
func (u *Provision) UpdateSchool(ctx context.Context, id school.ID, changes school.Changes) (school.State, error) {
	action := audit.Updated
	if changes.EntrySecret != nil {
		action = audit.Rotated
	}
	return u.change(ctx, id, action, func(s *school.School, now time.Time) (bool, error) {
		sealed := changes // a copy, because the transaction may be tried again
		if err := u.deps.SealSecrets(s.State(), &sealed); err != nil {
			return false, err
		}
		changed, err := s.Update(sealed, now)
		if err == nil {
			err = u.checkSlugIsFree(ctx, s.State().Slug, id)
		}
		return changed, err
	})
}

// NewEntrySecret replaces the secret that signs the entry links of a school, and returns the new
// one. Links that are signed with the previous secret are no longer accepted. It returns Forbidden
// if the server has no secret that encrypts the secrets of schools.
func (u *Provision) NewEntrySecret(ctx context.Context, id school.ID) (string, error) {
	secret := school.NewEntrySecret(u.deps.IDs.Random(school.EntrySecretBytes))
	_, err := u.UpdateSchool(ctx, id, school.Changes{EntrySecret: &secret})
	return secret, err
}

// RenameSchool changes the name of a school. It returns a fault if another school has the name.
func (u *Provision) RenameSchool(ctx context.Context, id school.ID, name string) (school.State, error) {
	return u.change(ctx, id, audit.Updated, func(s *school.School, now time.Time) (bool, error) {
		changed, err := s.Update(school.Changes{Name: &name}, now)
		if err == nil {
			err = u.checkNameIsFree(ctx, s.State().Name, id)
		}
		return changed, err
	})
}

// SuspendSchool makes every server refuse the API keys, learner tokens and pages of a school, within
// SuspensionDelay. It changes nothing else.
func (u *Provision) SuspendSchool(ctx context.Context, id school.ID) (school.State, error) {
	return u.change(ctx, id, audit.Suspended, func(s *school.School, now time.Time) (bool, error) { return s.Suspend(now), nil })
}

// ResumeSchool ends the suspension of a school, on every server within SuspensionDelay.
func (u *Provision) ResumeSchool(ctx context.Context, id school.ID) (school.State, error) {
	return u.change(ctx, id, audit.Resumed, func(s *school.School, now time.Time) (bool, error) { return s.Resume(now), nil })
}

// change updates the school with apply. If that changed it, change also adds an audit event with the
// action, unless the action is Updated: saving the school records that event itself.
func (u *Provision) change(
	ctx context.Context, id school.ID, action audit.Action, apply func(*school.School, time.Time) (bool, error),
) (after school.State, err error) {
	now := u.deps.Clock.Now()
	err = u.deps.InTx(ctx, usecase.SystemActor(id), func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.GetForUpdate(ctx)
		if err != nil {
			return err
		}
		changed, err := apply(&s, now)
		if err == nil && changed {
			err = tx.School.Save(ctx, s)
		}
		if err == nil && changed && action != audit.Updated {
			err = tx.Audit.Add(ctx, action, usecase.SchoolRecord(id))
		}
		after = s.State()
		return err
	})
	return after, err
}

// DeleteSchool deletes a school with all its records and files, in short transactions. It returns
// Forbidden unless the school has been suspended for at least SuspensionDelay. If it fails, the
// school remains suspended with the remaining records, and DeleteSchool can be called again. For an
// unknown school it deletes the files that an interrupted call has left, and returns NotFound.
func (u *Provision) DeleteSchool(ctx context.Context, id school.ID) error {
	s, err := u.deps.Schools.Get(ctx, id)
	if fault.Is(err, fault.NotFound) {
		if err := u.files.DeleteFolder(ctx, usecase.FolderOf(id)); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if at := s.State().SuspendedAt; at.IsZero() || u.deps.Clock.Now().Sub(at) < SuspensionDelay {
		return fault.Forbiddenf("A school can be deleted only after it has been suspended for %s", SuspensionDelay)
	}
	err = u.deps.InTx(ctx, usecase.SystemActor(id), func(ctx context.Context, tx ports.Tx) error {
		return tx.Audit.Add(ctx, audit.Deleted, usecase.SchoolRecord(id))
	})
	if err != nil {
		return err
	}
	// Most files are deleted before the school, so that an interrupted call can be repeated with
	// its name.
	if err := u.files.DeleteFolder(ctx, usecase.FolderOf(id)); err != nil {
		return err
	}
	for gone := false; !gone; {
		if gone, err = u.deps.Schools.Delete(ctx, id, schoolBatch); err != nil {
			return err
		}
	}
	// Until its last record was deleted, an import or an upload may have stored further files.
	return u.files.DeleteFolder(ctx, usecase.FolderOf(id))
}
