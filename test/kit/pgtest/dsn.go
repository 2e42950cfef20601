package pgtest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// dsn returns the server's parameters as key=value pairs, with the given database.
func (s *server) dsn(database string) string {
	p := s.params
	pairs := map[string]string{
		"host": p.Host, "port": strconv.Itoa(int(p.Port)), "dbname": database, "user": p.User,
		"password": p.Password, "sslmode": string(p.SSLMode), "sslrootcert": p.SSLRootCert,
		"sslcert": p.SSLCert, "sslkey": p.SSLKey,
	}
	maps.Copy(pairs, p.Runtime)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		if v := pairs[key]; v != "" {
			b.WriteString(key + "='" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v) + "' ")
		}
	}
	return strings.TrimSpace(b.String())
}
