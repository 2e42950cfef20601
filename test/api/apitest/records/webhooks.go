package records

// Webhook endpoints and a delivery of a ping to each.
const (
	OwnEndpoint   = "00000000-0000-4000-8000-0000000000f3"
	OwnDelivery   = "00000000-0000-4000-8000-0000000000f4"
	TheirEndpoint = "00000000-0000-4000-8000-0000000001f3"
	TheirDelivery = "00000000-0000-4000-8000-0000000001f4"
)
