package outgoing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// ErrPrivate means that the address of a server is not public.
var ErrPrivate = errors.New("outgoing: the address is not public")

// reserved contains the networks of global unicast addresses that do not belong to servers on the
// internet, or that lead to an IPv4 address of any kind.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),   // shared by the customers of a provider
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"),     // protocol assignments, such as Teredo
	netip.MustParsePrefix("2001:db8::/32"), // documentation
	netip.MustParsePrefix("2002::/16"),     // 6to4
	netip.MustParsePrefix("3fff::/20"),     // documentation
}

// internet contains the IPv6 addresses that are assigned to networks on the internet.
var internet = netip.MustParsePrefix("2000::/3")

// Public reports whether an address belongs to a server on the internet.
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !internet.Contains(a) {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// refusePrivate returns a function that returns an error for a connection to an address that is
// neither public nor allowed.
func refusePrivate(allowed []netip.Prefix) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		a := to.Addr().Unmap()
		if Public(a) || slices.ContainsFunc(allowed, func(p netip.Prefix) bool { return p.Contains(a.WithZone("")) }) {
			return nil
		}
		return fmt.Errorf("%w: %s", ErrPrivate, a)
	}
}
