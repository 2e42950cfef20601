package httpapi

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/documents"
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
	if a.IsLearner() {
		return s.WriteOK(c, s.structureDocument(found, documents.NewStructure(found).WithoutSolutions()))
	}
	return s.WriteOK(c, s.structure(found))
}

// putStructure replaces the structure of a course. The response has the ETag of the document that
// GET returns from now on, so that the client can send another change.
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
	var tag string // ETag of the updated document
	change := app.StructureUpdate{Plan: documents.Plan(d), DryRun: dry, Check: func(was structure.Structure) error {
		if err := d.WrongID(was.Course.UUID); err != nil {
			return err
		}
		if tag, err = s.etagOf(c, s.structure(was)); err != nil {
			return err
		}
		return checkMatch(c, tag)
	}}
	s.ExtendWriteDeadline(c)
	done, err := collectFaults(d.Faults, a, func(a app.Actor) (app.StructureResult, error) {
		return s.app.Structures.Replace(c.Request.Context(), a, c.Param("id"), change)
	})
	if err != nil {
		return err
	}
	if !dry {
		if tag, err = s.etagOf(c, s.structure(done.After)); err != nil {
			return err
		}
	}
	body, err := respond.Encode(s.structureUpdate(done, dry))
	if err != nil {
		return err
	}
	s.WriteBody(c, tag, respond.Revalidate, respond.StateOf(c).MediaType, body)
	return nil
}

// etagOf returns the ETag of a document.
func (s *server) etagOf(c *gin.Context, document any) (string, error) {
	body, err := respond.Encode(document)
	return respond.ETag(respond.StateOf(c).MediaType, body), err
}

// checkMatch returns an error if tag, the ETag of the current document, does not match If-Match.
// The comparison is weak, because the ETags of documents are weak.
func checkMatch(c *gin.Context, tag string) error {
	if wanted := c.Request.Header.Values("If-Match"); len(wanted) > 0 && !respond.AnyMatches(wanted, tag) {
		return respond.HTTPErrorf(http.StatusPreconditionFailed, "The resource has changed since it was fetched")
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
			return false, fault.Malformedf(dryRunParameter, "must be true or false")
		}
	}
	return dry, nil
}

type structureRelationships struct {
	Course jsonapi.ToOne `json:"course"`
}

func (s *server) structure(found structure.Structure) jsonapi.Single {
	return s.structureDocument(found, documents.NewStructure(found))
}

func (s *server) structureUpdate(done app.StructureResult, dry bool) jsonapi.Single {
	return s.structureDocument(done.After, documents.NewStructureUpdate(done, dry))
}

func (s *server) structureDocument(found structure.Structure, attributes any) jsonapi.Single {
	return jsonapi.Single{Data: jsonapi.Resource{
		Type:          structure.Type,
		ID:            found.Course.String(),
		Attributes:    attributes,
		Relationships: structureRelationships{Course: jsonapi.One(course.Type, found.Course.String())},
		Links:         selfLink{Self: s.links.structure(found.Course.UUID)},
	}}
}
