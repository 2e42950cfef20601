package pgdb

import (
	"cmp"
	"net"
	"net/url"
	"strings"
)

// isURL reports whether a DSN is a URL rather than key=value pairs.
func isURL(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// spreadHosts moves several hosts with ports in a URL, such as postgres://h1:5432,h2:5433/name, to
// the parameters host and port, because the driver reads lists only there. It returns any other DSN
// unchanged.
func spreadHosts(dsn string) string {
	if !isURL(dsn) {
		return dsn
	}
	scheme, rest, _ := strings.Cut(dsn, "://")
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	authority, rest := rest[:end], rest[end:]
	at := strings.LastIndexByte(authority, '@') + 1
	list := strings.Split(authority[at:], ",")
	if len(list) < 2 {
		return dsn
	}
	hosts, ports := make([]string, len(list)), make([]string, len(list))
	given := false
	for i, item := range list {
		hosts[i], ports[i] = hostAndPort(item)
		given = given || ports[i] != ""
	}
	path, fragment, _ := strings.Cut(rest, "#")
	path, query, _ := strings.Cut(path, "?")
	for i := range ports {
		ports[i] = cmp.Or(ports[i], "5432")
	}
	more := []string{"host=" + url.QueryEscape(strings.Join(hosts, ","))}
	if given {
		more = append(more, "port="+url.QueryEscape(strings.Join(ports, ",")))
	}
	// The lists come first, because the driver uses the first of two values of a parameter.
	query = strings.TrimSuffix(strings.Join(append(more, query), "&"), "&")
	if fragment != "" {
		fragment = "#" + fragment
	}
	return scheme + "://" + authority[:at] + path + "?" + query + fragment
}

// hostAndPort splits an item of a list of hosts; the port is optional.
func hostAndPort(item string) (host, port string) {
	if h, p, err := net.SplitHostPort(item); err == nil {
		host, port = h, p
	} else {
		host = strings.Trim(item, "[]")
	}
	if plain, err := url.PathUnescape(host); err == nil {
		host = plain
	}
	return host, port
}

// extend adds parameters to a DSN. They override parameters of the same name.
func extend(dsn string, more map[string]string) string {
	if u, err := url.Parse(dsn); isURL(dsn) && err == nil {
		q := u.Query()
		for name, value := range more {
			q.Set(name, value)
		}
		u.RawQuery = q.Encode()
		return u.String()
	}
	var b strings.Builder
	b.WriteString(dsn)
	for name, value := range more {
		b.WriteString(" " + name + "='" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'")
	}
	return b.String()
}
