package transport

// Mode is how connections are secured.
type Mode string

// The modes.
const (
	// Off is plain HTTP for clients of this machine, on a loopback address only.
	Off Mode = "off"
	// SelfSigned is HTTPS with a certificate that is generated at startup. Clients check it by its
	// fingerprint.
	SelfSigned Mode = "self-signed"
	// Files is HTTPS with a certificate from files, reloaded when they change.
	Files Mode = "files"
	// ACME is HTTPS with certificates from a certificate authority that issues them by the ACME
	// protocol, such as Let's Encrypt. They are renewed before they expire.
	ACME Mode = "acme"
	// Proxy is plain HTTP from trusted proxies that terminate HTTPS.
	Proxy Mode = "proxy"
	// Insecure is plain HTTP from any address, for containers and test networks.
	Insecure Mode = "insecure"
)

// Modes returns every mode.
func Modes() []Mode { return []Mode{Off, SelfSigned, Files, ACME, Proxy, Insecure} }

// TLS reports whether the server itself terminates HTTPS in mode m.
func (m Mode) TLS() bool { return m == SelfSigned || m == Files || m == ACME }

// Scheme returns the URL scheme of the server in mode m.
func (m Mode) Scheme() string {
	if m.TLS() {
		return "https"
	}
	return "http"
}
