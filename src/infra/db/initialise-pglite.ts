// A child process of pglite.ts: makes the files of a new database in the folder it is given. Doing so takes several
// times the memory that running on them takes, and only the end of a process gives all of it back.
import { PGlite } from '@electric-sql/pglite'

const pglite = new PGlite({ dataDir: process.argv[2]! })
await pglite.waitReady
await pglite.close()
