import { accessSync, constants } from 'node:fs'

/**
 * The path of a program that not every machine has, or null, when the tests that want it are skipped. One that the
 * environment names must be there: a run that was promised a browser does not quietly go without.
 */
function findProgram(variable: string, usualPath: string): string | null {
  const named = process.env[variable]
  try {
    accessSync(named ?? usualPath, constants.X_OK)
    return named ?? usualPath
  } catch (error) {
    if (named) throw new Error(`${variable} names ${named}, which cannot be run.`, { cause: error })
    return null
  }
}

export const chromiumPath = findProgram('DOCENT_TEST_CHROMIUM', '/usr/bin/chromium')
export const clickhousePath = findProgram('DOCENT_TEST_CLICKHOUSE', '/usr/sbin/clickhouse-server')
