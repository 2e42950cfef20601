package respond_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app/usecase"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

// A learner with many tokens has the slots and the rate of one key.
func TestOriginOfLearner(t *testing.T) {
	is := is.New(t)
	of, ada := school.ID{UUID: uuid.UUID{1}}, person.ID{UUID: uuid.UUID{2}}
	phone := respond.State{Actor: usecase.ByLearner(of, ada, uuid.UUID{3})}
	laptop := respond.State{Actor: usecase.ByLearner(of, ada, uuid.UUID{4})}
	other := respond.State{Actor: usecase.ByLearner(of, person.ID{UUID: uuid.UUID{5}}, uuid.UUID{6})}
	is.Equal(phone.Origin(), laptop.Origin())
	is.True(phone.Origin() != other.Origin())
	is.Equal(phone.Origin().School, other.Origin().School)
}

// The rate limit of a learner counts the requests with all tokens, and not those of a person with the
// same ID in a copy of the school.
func TestRateKeyOfLearner(t *testing.T) {
	is := is.New(t)
	of, copied, ada := school.ID{UUID: uuid.UUID{1}}, school.ID{UUID: uuid.UUID{2}}, person.ID{UUID: uuid.UUID{3}}
	phone := respond.State{Actor: usecase.ByLearner(of, ada, uuid.UUID{4})}
	laptop := respond.State{Actor: usecase.ByLearner(of, ada, uuid.UUID{5})}
	elsewhere := respond.State{Actor: usecase.ByLearner(copied, ada, uuid.UUID{6})}
	is.Equal(phone.RateKey(), laptop.RateKey())
	is.True(phone.RateKey() != elsewhere.RateKey())
}
