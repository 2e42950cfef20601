package records

// Secrets of the API keys in testdata/own.jsonl and testdata/other_tenant.jsonl.
const (
	KeySecret         = "lyc_EvnIe8dSjyRqewhypwWCXIo7zbOOAb4IdLZj" // #nosec G101 -- for tests only
	OtherTenantSecret = "lyc_xmNtMU8sdHu2fyVA4ZuGgd9NiNkumF3wsQfY" // #nosec G101 -- for tests only
)

// Records of testdata/own.jsonl. Every server starts with them.
const (
	Design = "00000000-0000-4000-8000-0000000000c1"
	Music  = "00000000-0000-4000-8000-0000000000c2"

	Ada   = "00000000-0000-4000-8000-0000000000a1" // learner in both courses, activated
	Grace = "00000000-0000-4000-8000-0000000000a2" // not enrolled
	Alan  = "00000000-0000-4000-8000-0000000000a3" // instructor and manager of drawing, learner in singing
	Olga  = "00000000-0000-4000-8000-0000000000a4" // owner of the school

	Drawing = "00000000-0000-4000-8000-0000000000d1"
	Singing = "00000000-0000-4000-8000-0000000000d2"

	EarlyBird = "00000000-0000-4000-8000-0000000000b1" // a percentage, until the end of 2025, enabled
	TenOff    = "00000000-0000-4000-8000-0000000000b2" // an amount, without an end, disabled

	Designers = "00000000-0000-4000-8000-0000000000e1" // has the course drawing; member ada, manager alan
	Singers   = "00000000-0000-4000-8000-0000000000e2" // no courses and no people

	AdaInDesigners  = "595c1846-337b-54ee-8fc4-34fa2b4fb47b"
	AlanInDesigners = "af4d348d-1531-5391-abde-b2d54c1e7009"

	AlansPartnership = "f120f58a-85d8-56dd-aed9-e2159820ddc9" // alan's partnership as instructor

	OlgasPartnership = "557d1f78-ca5f-5a2a-b62b-064b0eff8756" // olga's partnership as owner

	Region = "00000000-0000-4000-8000-0000000000d9" // a property of the school

	OwnSchoolID = "00000000-0000-4000-8000-000000000001"
	OwnKey      = "00000000-0000-4000-8000-0000000000a1"
	BulkJob     = "00000000-0000-4000-8000-0000000000b1" // three rows: one applied, one failed, one waiting

	AdasRedemption   = "00000000-0000-4000-8000-0000000000f1" // redemption of TenOff
	GracesInvitation = "00000000-0000-4000-8000-0000000000f2" // invitation of grace
	InvitationToken  = "5555555555555555555555555555555555555555"

	Unknown = "00000000-0000-4000-8000-00000000ffff" // no record has this id
)

// Records of testdata/other_tenant.jsonl, another school.
const (
	TheirCategory   = "00000000-0000-4000-8000-0000000001c1"
	TheirProperty   = "00000000-0000-4000-8000-0000000001d9"
	TheirCoupon     = "00000000-0000-4000-8000-0000000001b1"
	TheirPerson     = "00000000-0000-4000-8000-0000000001a1"
	TheirCourse     = "00000000-0000-4000-8000-0000000001d1"
	TheirGroup      = "00000000-0000-4000-8000-0000000001e1"
	TheirKey        = "00000000-0000-4000-8000-0000000001a1"
	TheirBulkJob    = "00000000-0000-4000-8000-0000000001b1"
	TheirOwner      = "00000000-0000-4000-8000-0000000001a2" // owner of the school
	TheirPart       = "3d742108-6857-55c9-9457-bbd4760ccf0c"
	TheirRedemption = "00000000-0000-4000-8000-0000000001f1"
	TheirLetter     = "00000000-0000-4000-8000-0000000001f2"
	TheirMembership = "cb30ed3e-fbcb-5b1f-9be5-32ba42bc8f08"
)

// URLs in links.
const (
	Base    = "https://api.example.test/lyceum"
	AppURL  = "https://app.example.test"
	Academy = "https://learn.example.test"
	Host    = Base + "/files" // download links lead to this server
)

// Tokens in the links to courses and groups.
const (
	TokenDrawing   = "1111111111111111111111111111111111111111"
	TokenSinging   = "2222222222222222222222222222222222222222"
	TokenDesigners = "3333333333333333333333333333333333333333"
	TokenSingers   = "4444444444444444444444444444444444444444"
)
