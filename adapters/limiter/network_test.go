package limiter_test

import (
	"net/netip"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/limiter"
)

func TestNetwork(t *testing.T) {
	for _, tt := range []struct {
		name, one, two string
		same           bool
	}{
		{"one IPv4 address", "192.0.2.7", "192.0.2.7", true},
		{"two IPv4 addresses", "192.0.2.7", "192.0.2.8", false},
		{"IPv4 in IPv6", "192.0.2.7", "::ffff:192.0.2.7", true},
		{"one IPv6 /64", "2001:db8::1", "2001:db8::2", true},
		{"two IPv6 /64", "2001:db8::1", "2001:db8:0:1::1", false},
		{"an IPv6 zone", "fe80::1%eth0", "fe80::1", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			one, two := limiter.Network(netip.MustParseAddr(tt.one)), limiter.Network(netip.MustParseAddr(tt.two))
			is.Equal(one == two, tt.same)
			is.True(one != [16]byte{})
		})
	}
	is.New(t).Equal(limiter.Network(netip.Addr{}), [16]byte{}) // an unknown address
}
