package routes

const AuditPath = "/v2/audit_events"

const ChangesPath = "/v2/changes"

// DownloadPath is the path of submitted files.
const DownloadPath = "/files/submissions/:id/:name"

// ExportPath is the path of the export of a school.
const ExportPath = "/v2/export"

const StructurePath = "/v2/courses/drawing/structure"
