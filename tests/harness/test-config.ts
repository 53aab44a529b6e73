import { resolveConfig } from '#infra/config/resolve.ts'
import { type Config, environmentName, type SettingName } from '#infra/config/settings.ts'

/** One admin key for all tests; as long as a real one. */
export const testAdminKey = 'docent_0123456789abcdefghijABCDEFGHIJ0123456789abc'

/** The secret that the template database was set up with; a process with another one is refused. */
export const testSecret = 'a secret for tests, long enough to be one'

/** A configuration as the real resolver makes it, with what tests want different from the defaults. */
export function testConfig(settings: Partial<Record<SettingName, string | number | boolean>>): Config {
  const chosen = {
    secret: testSecret,
    adminKey: testAdminKey,
    logLevel: 'silent',
    demo: false,
    rateLimitPerMinute: 1_000_000,
    // Many test files share the machine.
    overloadDelayMs: 0,
    shutdownTimeoutSeconds: 5,
    ...settings,
  }
  const env = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [environmentName(name), String(value)]))
  return resolveConfig({ env, cwd: '/', terminal: false }).config
}
