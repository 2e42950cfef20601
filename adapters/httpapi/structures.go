package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/jsonapi/request"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/course"
	"lyceum/domain/fault"
	"lyceum/domain/structure"
)

const dryRunParameter = "dryRun"

func (s *server) getStructure(c *gin.Context, a app.Actor) error {
	found, err := s.app.Structures.Get(c.Request.Context(), a, c.Param("id"))
	if err != nil {
		return err
	}
	return s.OK(c, s.structure(found))
}

// putStructure changes what a course consists of. The tag of the answer is that
// of the document which GET answers with from now on, so that a client can go
// on changing it.
func (s *server) putStructure(c *gin.Context, a app.Actor) error {
	dry, err := dryRun(respond.StateOf(c).Query)
	if err != nil {
		return err
	}
	payload, err := s.readRequired(c)
	if err != nil {
		return err
	}
	d, err := request.Parse(payload)
	if err != nil {
		return err
	}
	d.CheckType(false, []string{structure.Type})
	var tag string // of the document as it is from now on
	change := app.Restructuring{Plan: structurePlan(d), DryRun: dry, Check: func(was structure.Structure) error {
		if err := d.WrongID(was.Course.UUID); err != nil {
			return err
		}
		if tag, err = s.tagOf(c, s.structure(was)); err != nil {
			return err
		}
		return checkMatch(c, tag)
	}}
	s.await(c)
	done, err := try(d.Faults, a, func(a app.Actor) (app.Restructured, error) {
		return s.app.Structures.Put(c.Request.Context(), a, c.Param("id"), change)
	})
	if err != nil {
		return err
	}
	if !dry {
		if tag, err = s.tagOf(c, s.structure(done.After)); err != nil {
			return err
		}
	}
	body, err := respond.Encode(s.restructured(done, dry))
	if err != nil {
		return err
	}
	s.Answer(c, tag, respond.Revalidate, respond.StateOf(c).MediaType, body)
	return nil
}

// tagOf returns the tag of a document that GET would answer with.
func (s *server) tagOf(c *gin.Context, document any) (string, error) {
	body, err := respond.Encode(document)
	return respond.ETag(respond.StateOf(c).MediaType, body), err
}

// checkMatch refuses to change a document that is not as the client knows it
// (If-Match). Tags are weak here, and compared as such.
func checkMatch(c *gin.Context, tag string) error {
	if wanted := c.Request.Header.Values("If-Match"); len(wanted) > 0 && !respond.AnyMatches(wanted, tag) {
		return respond.Refusef(http.StatusPreconditionFailed, "The resource has changed since")
	}
	return nil
}

func dryRun(query []respond.Parameter) (bool, error) {
	dry := false
	for _, p := range query {
		if p.Name != dryRunParameter {
			continue
		}
		switch p.Value {
		case "true":
			dry = true
		case "false", "":
			dry = false
		default:
			return false, fault.Parameterf(dryRunParameter, "must be true or false")
		}
	}
	return dry, nil
}

type structureRelationships struct {
	Course jsonapi.ToOne `json:"course"`
}

type structureLinks struct {
	Self string `json:"self"`
}

func (s *server) structure(found structure.Structure) jsonapi.Single {
	return s.structureDocument(found, newStructureAttributes(found, nil, fullQuizzes))
}

func (s *server) restructured(done app.Restructured, dry bool) jsonapi.Single {
	return s.structureDocument(done.After, newRestructuredAttributes(done, dry))
}

func (s *server) structureDocument(found structure.Structure, attributes any) jsonapi.Single {
	return jsonapi.Single{Data: jsonapi.Resource{
		Type:          structure.Type,
		ID:            found.Course.String(),
		Attributes:    attributes,
		Relationships: structureRelationships{Course: jsonapi.One(course.Type, found.Course.String())},
		Links:         structureLinks{Self: s.links.structure(found.Course.UUID)},
	}}
}
