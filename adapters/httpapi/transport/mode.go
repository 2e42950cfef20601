package transport

// Mode is how connections are secured.
type Mode string

// The modes.
const (
	// Off is plain HTTP for clients of this machine, on a loopback address only.
	Off Mode = "off"
	// SelfSigned is HTTPS with a pair made at start, known by its fingerprint.
	SelfSigned Mode = "self-signed"
	// Files is HTTPS with a pair from files, read again when they change.
	Files Mode = "files"
	// Proxy is plain HTTP from the listed proxies, which ended HTTPS before.
	Proxy Mode = "proxy"
	// Insecure is plain HTTP from anywhere: for containers and test networks.
	Insecure Mode = "insecure"
)

// Modes returns every mode.
func Modes() []Mode { return []Mode{Off, SelfSigned, Files, Proxy, Insecure} }

// TLS tells whether the server itself speaks HTTPS in mode m.
func (m Mode) TLS() bool { return m == SelfSigned || m == Files }

// Scheme returns the scheme of addresses that the server listens on in mode m.
func (m Mode) Scheme() string {
	if m.TLS() {
		return "https"
	}
	return "http"
}
