package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"lyceum/adapters/memory/tables"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/ports"
)

var (
	_ ports.BulkReader = bulkReader{}
	_ ports.BulkRepo   = bulkRepo{}
)

// bulkJob is a bulk job as it was accepted, with the ids of its parts in the order of their
// rows. It is immutable.
type bulkJob struct {
	job   bulk.Job
	parts []bulk.PartID
}

// waitingPart is an unfinished part. It is immutable.
type waitingPart struct {
	part     bulk.Part
	subjects []string // of the part
}

// keepPart returns a copy of p.
func keepPart(p bulk.Part) waitingPart {
	return waitingPart{part: clonePart(p), subjects: p.Subjects()}
}

type bulkReader struct{ view view }

// Get implements ports.BulkReader.
func (r bulkReader) Get(ctx context.Context, id bulk.ID) (bulk.Job, error) {
	s, err := r.view.current(ctx)
	if err != nil {
		return bulk.Job{}, err
	}
	kept, ok := s.bulkJobs.table.Get(id.UUID)
	if !ok {
		return bulk.Job{}, fault.RecordNotFound()
	}
	var outcomes []bulk.Outcome
	for _, p := range kept.parts {
		if o, finished := s.bulkOutcomes.table.Get(p.UUID); finished {
			outcomes = append(outcomes, o.Outcome())
		}
	}
	return kept.job.With(outcomes...), nil
}

type bulkRepo struct {
	bulkReader
	tx *tx
}

// Add implements ports.BulkRepo.
func (r bulkRepo) Add(ctx context.Context, j bulk.Job, parts []bulk.Part) error {
	s, err := r.tx.current(ctx)
	if err != nil {
		return err
	}
	if _, ok := s.bulkJobs.table.Get(j.ID.UUID); ok {
		return fmt.Errorf("memory: bulk jobs: duplicate ID %s", j.ID)
	}
	added := bulkJob{job: bulk.Job{ID: j.ID, Kind: j.Kind, By: j.By, RowsTotal: j.RowsTotal, CreatedAt: j.CreatedAt}}
	for _, p := range parts {
		if s.hasBulkPart(p.ID) || slices.Contains(added.parts, p.ID) {
			return fmt.Errorf("memory: bulk parts: duplicate ID %s", p.ID)
		}
		added.parts = append(added.parts, p.ID)
	}
	s.bulkJobs.writable(s.version).Set(j.ID.UUID, added)
	table := s.bulkParts.writable(s.version)
	for _, p := range parts {
		p.Job, p.Kind, p.By = j.ID, j.Kind, j.By
		table.Set(p.ID.UUID, keepPart(p))
	}
	return nil
}

// hasBulkPart reports whether there is a part with the given id, finished or not.
func (s *state) hasBulkPart(id bulk.PartID) bool {
	_, waiting := s.bulkParts.table.Get(id.UUID)
	_, finished := s.bulkOutcomes.table.Get(id.UUID)
	return waiting || finished
}

// GetPartForUpdate implements ports.BulkRepo.
func (r bulkRepo) GetPartForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return bulk.Part{}, err
	}
	kept, ok := s.bulkParts.table.Get(id.UUID)
	if !ok {
		return bulk.Part{}, fault.RecordNotFound()
	}
	return clonePart(kept.part), nil
}

// GetPartNumbersForUpdate implements ports.BulkRepo.
func (r bulkRepo) GetPartNumbersForUpdate(ctx context.Context, id bulk.PartID) (bulk.Part, error) {
	p, err := r.GetPartForUpdate(ctx, id)
	if err != nil {
		return bulk.Part{}, err
	}
	numbers := bulk.Part{ID: p.ID, Job: p.Job}
	for _, row := range p.Rows {
		numbers.Rows = append(numbers.Rows, bulk.Row{Number: row.Number})
	}
	return numbers, nil
}

// WaitingForUpdate implements ports.BulkRepo.
func (r bulkRepo) WaitingForUpdate(ctx context.Context, key string) ([]bulk.Part, error) {
	s, err := r.tx.current(ctx)
	if err != nil {
		return nil, err
	}
	var found []bulk.Part
	for w := range s.bulkParts.table.From(0) {
		if w.part.Kind == bulk.People && slices.Contains(w.subjects, key) {
			found = append(found, clonePart(w.part))
		}
	}
	return found, nil
}

// SaveRows implements ports.BulkRepo.
func (r bulkRepo) SaveRows(ctx context.Context, p bulk.Part) error {
	kept, err := r.GetPartForUpdate(ctx, p.ID)
	if err != nil {
		return err
	}
	s := r.tx.state
	kept.Rows = p.Rows
	s.bulkParts.writable(s.version).Set(p.ID.UUID, keepPart(kept))
	return nil
}

// SplitPart implements ports.BulkRepo.
func (r bulkRepo) SplitPart(ctx context.Context, p, rest bulk.Part) error {
	part, err := r.GetPartForUpdate(ctx, p.ID)
	if err != nil {
		return err
	}
	s := r.tx.state
	if s.hasBulkPart(rest.ID) {
		return fmt.Errorf("memory: bulk parts: duplicate ID %s", rest.ID)
	}
	j, _ := s.bulkJobs.table.Get(part.Job.UUID)
	j.parts = slices.Insert(slices.Clone(j.parts), slices.Index(j.parts, p.ID)+1, rest.ID)
	s.bulkJobs.writable(s.version).Set(part.Job.UUID, j)
	table := s.bulkParts.writable(s.version)
	for _, half := range []bulk.Part{p, rest} {
		half.Job, half.Kind, half.By = part.Job, part.Kind, part.By
		table.Set(half.ID.UUID, keepPart(half))
	}
	return nil
}

// FinishPart implements ports.BulkRepo.
func (r bulkRepo) FinishPart(ctx context.Context, id bulk.PartID, o bulk.Outcome) error {
	if _, err := r.GetPartForUpdate(ctx, id); err != nil {
		return err
	}
	s := r.tx.state
	s.bulkParts.writable(s.version).Remove(id.UUID)
	s.bulkOutcomes.writable(s.version).Set(id.UUID, tables.NewOutcome(o))
	return nil
}

// DeleteExpiredBulkJobs implements ports.Schools.
func (r schools) DeleteExpiredBulkJobs(ctx context.Context, before time.Time, limit int) (int, error) {
	return sweep(ctx, r, limit, func(s *state, n int) []bulkJob { return s.expiredBulkJobs(before, n) }, func(s *state, j bulkJob) error {
		for _, p := range j.parts {
			s.bulkOutcomes.writable(s.version).Remove(p.UUID)
		}
		s.bulkJobs.writable(s.version).Remove(j.job.ID.UUID)
		return nil
	})
}

// expiredBulkJobs returns at most n bulk jobs that were finished at or before the given time.
func (s *state) expiredBulkJobs(before time.Time, n int) (expired []bulkJob) {
	for j := range s.bulkJobs.table.From(0) {
		if len(expired) == n {
			break
		}
		if !j.job.CreatedAt.After(before) && !slices.ContainsFunc(j.parts, func(id bulk.PartID) bool {
			o, finished := s.bulkOutcomes.table.Get(id.UUID)
			return !finished || o.Kept.At.After(before)
		}) {
			expired = append(expired, j)
		}
	}
	return expired
}

func clonePart(p bulk.Part) bulk.Part {
	p.Rows = slices.Clone(p.Rows)
	for i := range p.Rows {
		r := &p.Rows[i]
		r.Targets, r.Errors = slices.Clone(r.Targets), slices.Clone(r.Errors)
		r.Properties = maps.Clone(r.Properties)
	}
	return p
}
