package signin

// The types of sessions and links in the audit trail.
const (
	SessionType = "sessions"
	LinkType    = "sign_in_links"
)
