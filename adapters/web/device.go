package web

import "strings"

// names contains texts that the header User-Agent contains, each followed by the name of a browser
// or of a system. Browsers also send the texts of others that they imitate, so the first match
// counts.
type names [][2]string

var (
	browsers = names{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	}
	systems = names{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows", "Windows"},
		{"CrOS", "ChromeOS"},
		{"Macintosh", "macOS"},
		{"Linux", "Linux"},
	}
)

func (all names) in(agent string) string {
	for _, n := range all {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}

// deviceName returns a name for the browser that sent the header User-Agent, such as "Firefox,
// Windows". It returns the header itself if it does not know the browser or the system.
func deviceName(agent string) string {
	browser, system := browsers.in(agent), systems.in(agent)
	if browser == "" || system == "" {
		return agent
	}
	return browser + ", " + system
}
