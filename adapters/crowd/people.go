package crowd

import (
	"time"

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

// came returns when the i-th person came, in the first quarter of the span.
func (g *generator) came(i int) time.Time { return part(begin, begin.Add(span/4), i, g.People) }

// person makes the i-th person, at example.test, where no mail arrives.
func (g *generator) person(i int) (person.Person, error) {
	bits, at := g.chance(ofPerson, i), g.came(i)
	first := firstNames[bits%uint64(len(firstNames))]
	last := lastNames[bits>>32%uint64(len(lastNames))]
	p, err := person.New(g.personID(i), person.Profile{
		Email:     text.Slugify(first+" "+last) + "." + g.number(i) + "@example.test",
		FirstName: first, LastName: last,
	}, at)
	if err == nil && i%waitingEvery != waitingEvery-1 {
		p.Activate(at)
	}
	return p, err
}

func (g *generator) personID(i int) person.ID { return person.ID{UUID: g.id(ofPerson, i, g.came(i))} }

// people makes the people and the roles of instructors.
func (g *generator) people() error {
	for i := range g.People {
		p, err := g.person(i)
		if err != nil {
			return err
		}
		g.batch.People = append(g.batch.People, p)
		if i%instructorEvery == 0 {
			at := g.came(i)
			g.batch.Partnerships = append(g.batch.Partnerships, person.Partnership{
				ID:     person.PartnershipID{UUID: g.id(ofPart, i, at)},
				Person: p.State().ID, Role: person.Instructor, CreatedAt: at,
			})
		}
		if err := g.made(1); err != nil {
			return err
		}
	}
	return nil
}
