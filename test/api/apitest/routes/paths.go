package routes

// AuditPath is the path of the audit trail.
const AuditPath = "/v2/audit_events"

// ChangesPath is the path of the change feed.
const ChangesPath = "/v2/changes"

// DownloadPath is the path of submitted files.
const DownloadPath = "/files/submissions/:id/:name"

// ExportPath is the path of the export of a school.
const ExportPath = "/v2/export"

// StructurePath is the path of the structure of the course drawing.
const StructurePath = "/v2/courses/drawing/structure"
