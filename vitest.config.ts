import { defineConfig } from 'vitest/config'

/** The whole suite runs twice, once for each database; tests/harness/global-setup.ts prepares it by the name. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: ['pglite', 'postgres'].map((name) => ({
      extends: true as const,
      test: { name, globalSetup: ['tests/harness/global-setup.ts'] },
    })),
  },
})
