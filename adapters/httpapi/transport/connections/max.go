package connections

const (
	// maxByDefault limits the memory of idle connections: 50 KB each with TLS, 90 KB with HTTP/2.
	maxByDefault = 4096
	// reservedFiles is the number of file descriptors for the database, files and listeners.
	reservedFiles = 256
	// filesPerConnection is the maximum number of file descriptors for a connection: its own, and
	// one for a file that is uploaded or downloaded.
	filesPerConnection = 2
	// minMax is the minimum of the default, for a process with a very low limit of open files.
	minMax = 32
)

// DefaultMax returns the default of Config.Max: as many connections as the limit of open files
// allows, at most 4096.
func DefaultMax() int { return maxFor(openFiles()) }

func maxFor(files uint64) int {
	if files > reservedFiles+maxByDefault*filesPerConnection {
		return maxByDefault
	}
	return max(minMax, (int(files)-reservedFiles)/filesPerConnection)
}
