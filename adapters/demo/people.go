package demo

import (
	"time"

	"lyceum/app/transfer/format"
	"lyceum/domain/person"
	"lyceum/domain/text"
)

var firstNames = []string{
	"Ada", "Amir", "Ana", "Bela", "Chidi", "Clara", "Daniel", "Elif", "Emma", "Farah", "Gita", "Hiro", "Ines", "Ivan",
	"Jan", "Keiko", "Lena", "Luca", "Maja", "Mateo", "Nadia", "Noor", "Olga", "Omar", "Paul", "Priya", "Rosa", "Sami",
	"Sofia", "Tariq", "Uma", "Vera", "Wei", "Yara", "Zoe", "Élodie", "Søren", "Łukasz",
}

var lastNames = []string{
	"Adeyemi", "Andersen", "Bianchi", "Carvalho", "Chen", "Dubois", "Eriksen", "Fischer", "García", "Haddad", "Horvat",
	"Ito", "Jensen", "Kaya", "Kim", "Kowalski", "Lopez", "Maier", "Moreau", "Nakamura", "Novák", "Okafor", "Patel",
	"Petrov", "Quist", "Rossi", "Santos", "Schmidt", "Silva", "Singh", "Tanaka", "Ueda", "Varga", "Weber", "Yilmaz", "Zhang",
}

// createdAt returns the time at which the i-th person was added, in the first quarter of the
// span.
func (s Size) createdAt(i int) time.Time { return part(begin, begin.Add(span/4), i, s.People) }

// names returns the names of the i-th person.
func (s Size) names(i int) (first, last string) {
	bits := s.randomBits(ofPerson, i)
	return firstNames[bits%uint64(len(firstNames))], lastNames[bits>>32%uint64(len(lastNames))]
}

// Email returns the address of the i-th person, at the reserved domain example.test.
func (s Size) Email(i int) string {
	first, last := s.names(i)
	return text.Slugify(first+" "+last) + "." + s.number(i) + "@example.test"
}

// people writes the people and the partnerships of instructors.
func (g *generator) people() {
	for i := range g.People {
		first, last := g.names(i)
		at := format.NewInstant(g.createdAt(i))
		line := format.Person{
			Kind: format.PersonKind, Email: g.Email(i), FirstName: &first, LastName: &last, CreatedAt: at,
		}
		if i%waitingEvery != waitingEvery-1 {
			line.ActivatedAt = at
		}
		g.write(line)
		if i%instructorEvery == 0 {
			g.write(format.Partnership{
				Kind: format.PartnershipKind, Person: line.Email, Role: person.Instructor.String(), CreatedAt: at,
			})
		}
	}
}
