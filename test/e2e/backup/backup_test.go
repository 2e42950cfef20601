package backup_test

import (
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/matryer/is"
)

var withPgBackRest = flag.Bool("pgbackrest", false, "run the test that needs the program pgbackrest")

// TestRestoreToATime runs the commands of docs/operations/backup.md. It backs up the demo school,
// changes it twice, destroys the database and the files, and restores them to the time between the
// changes. Then the export of the school, which contains its files, is what it was at that time,
// and earlier positions of the change feed are invalid. The file of a person who was deleted after
// the backup does not come back.
func TestRestoreToATime(t *testing.T) {
	if !*withPgBackRest {
		t.Skip("needs the flag -pgbackrest; make test-backup sets it")
	}
	is := is.New(t)
	commands := recipe(t)
	is.Equal(len(commands), 4) // backup, restore, the statement for the change feed, and the deletion of files
	c := newCluster(t)
	files, copied := filepath.Join(folder(t), "files"), filepath.Join(folder(t), "copy")
	is.NoErr(c.Shell(t.Context(), "pgbackrest --stanza=lyceum stanza-create"))

	s := start(t, c.DSN(), files)
	load(t, s)
	createCategory(t, s, "Before the backup")
	stays, goes := submit(t, s, 0), submit(t, s, 1)
	allowReading(t, files)
	variables := []string{"FILES=" + files, "FILES_COPY=" + copied}
	is.NoErr(c.Shell(t.Context(), commands[0], variables...))
	time.Sleep(1100 * time.Millisecond) // pgBackRest knows the end of the backup in seconds; the target must be later

	createCategory(t, s, "After the backup")
	send(t, s, http.MethodDelete, "/v2/people/"+goes.person, "", http.StatusNoContent)
	wanted, next := export(t, s), nextChanges(t, s)
	time.Sleep(50 * time.Millisecond) // the target is after the commit
	target := time.Now().UTC().Format("2006-01-02 15:04:05.000000+00")
	time.Sleep(50 * time.Millisecond)
	createCategory(t, s, "After the target")
	is.True(export(t, s) != wanted)
	archive(t, c.DSN())

	is.NoErr(s.Stop())
	c.Stop()
	is.NoErr(os.RemoveAll(files))
	is.NoErr(c.Shell(t.Context(), "rm -r base global pg_wal", "FILES="+files)) // in the data directory
	is.NoErr(c.Shell(t.Context(), commands[1], append(variables, "TARGET="+target)...))
	is.NoErr(c.Restart(t.Context()))
	waitForPrimary(t, c.DSN())
	is.NoErr(c.Shell(t.Context(), commands[2], psqlVariables(c)...))
	is.True(goes.stored(files)) // from the copy
	is.NoErr(c.Shell(t.Context(), commands[3], append(psqlVariables(c), variables...)...))
	is.True(!goes.stored(files))
	is.True(stays.stored(files))

	s = start(t, c.DSN(), files)
	defer func() { is.NoErr(s.Stop()) }()
	is.Equal(export(t, s), wanted)
	send(t, s, http.MethodGet, next, "", http.StatusGone)
}
