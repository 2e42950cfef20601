package limiter

import "net/netip"

// Network returns the network of a client: its IPv4 address, or the first 64 bits of its IPv6
// address, because one client usually controls all addresses with the same 64 bits. It returns zero
// if the address is invalid.
func Network(address netip.Addr) [16]byte {
	address = address.Unmap()
	if address.Is6() {
		prefix, _ := address.WithZone("").Prefix(64) // 64 is always valid for IPv6
		address = prefix.Addr()
	}
	if !address.IsValid() {
		return [16]byte{}
	}
	return address.As16()
}
