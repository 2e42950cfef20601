package lists

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/adapters/httpapi/limits"
	"lyceum/adapters/httpapi/respond"
	"lyceum/app"
	"lyceum/domain/property"
)

const (
	// ListTime is the time limit of a whole list.
	ListTime = time.Hour
	// ExportTime is the time limit of an export.
	ExportTime = 15 * time.Minute
)

// Server contains what the handlers of all lists share.
type Server struct {
	*respond.Responder
	Base  string // base URL of the API
	Waits *Waits

	// ListPace and ExportPace limit how slowly a client may read a whole list or an export.
	ListPace, ExportPace limits.Pace

	// Defined returns the properties that the actor's school has defined for a resource.
	Defined func(ctx context.Context, a app.Actor, r property.Resource) ([]property.State, error)
	// Reauthenticate checks the credentials of a request again after it has waited for changes.
	Reauthenticate func(c *gin.Context) error
	// Exported records that the actor reads all records of a type.
	Exported func(ctx context.Context, a app.Actor, typ string) error
	// Relationships maps each relationship that can be included to its resource type.
	Relationships map[string]string
	// Records contains the types of the resources to which the relationship Record can lead.
	Records []string
	// Related describes how to read the resources of each type in Relationships or Records.
	Related map[string]Related
}

// Record is the name of the relationship of a change to the changed record.
const Record = "record"

// Related describes how to read the resources of a type that can be included.
type Related struct {
	Sample jsonapi.Resource // any resource of the type
	// Load returns the resources with these IDs, in any order; it omits resources that do not
	// exist. It reads them in one call.
	Load func(ctx context.Context, a app.Actor, ids []string) ([]jsonapi.Resource, error)
}
