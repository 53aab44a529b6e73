import type { ConstructorOptions } from 'pg-boss'
import type { Db } from './schema.ts'

/**
 * An open control database. Both engines speak PostgreSQL; what differs between them is said here, so that
 * no caller asks which one it has.
 */
export interface Database {
  db: Db
  /** How to name it to a person: `PGlite in ./data/pg`, `PostgreSQL at db.example:5432/docent`. */
  description: string
  supports: {
    /** Whether other processes can use the same data: several nodes, separate workers. */
    severalProcesses: boolean
  }
  /** How pg-boss reaches the same data. */
  queueConnection: Pick<ConstructorOptions, 'db' | 'connectionString' | 'backend' | 'max'>
  /** Resolves when the database answers; throws `unavailable` when it does not. */
  ping(): Promise<void>
  /** Housekeeping that a PostgreSQL server does by itself. Cheap; called about once a minute. */
  maintain(): Promise<void>
  /** Waits for running statements, then closes. Safe to call twice. */
  close(): Promise<void>
}
