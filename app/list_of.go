package app

import (
	"context"

	"github.com/google/uuid"
	"lyceum/app/usecase"
	"lyceum/domain/query"
	"lyceum/ports"
)

// listOf returns a page of the records whose attribute of refers to the record id. It returns
// NotFound if get does not find that record.
func listOf[ID ~struct{ uuid.UUID }, P, T any](
	ctx context.Context, id ID, get func(context.Context, ID) (P, error),
	list func(context.Context, query.Query) (query.Result[T], error), of query.Attr, q query.Query,
) (query.Result[T], error) {
	if _, err := get(ctx, id); err != nil {
		return query.Result[T]{}, err
	}
	return list(ctx, q.And(query.HasAnyID(of, []ID{id})))
}

// listOfCourse is like listOf, but for the course whose ID or permalink is ref.
func listOfCourse[T any](
	ctx context.Context, courses ports.CourseReader, ref string,
	list func(context.Context, query.Query) (query.Result[T], error), of query.Attr, q query.Query,
) (query.Result[T], error) {
	id, err := usecase.CourseID(ctx, courses, ref)
	if err != nil {
		return query.Result[T]{}, err
	}
	return listOf(ctx, id, courses.Get, list, of, q)
}
