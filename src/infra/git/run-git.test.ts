import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { initBareRepository, writeFirstCommit } from './repository.ts'
import { attemptGit, runGit, spawnGit } from './run-git.ts'

let root: string
let gitDir: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-git-'))
})
let count = 0
beforeEach(async () => {
  gitDir = join(root, `repository-${count++}.git`)
  await initBareRepository(gitDir, 'main')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = async (...args: string[]) => (await runGit({ gitDir, args })).toString('utf8')
/** A git command that is a shell script, to see how runGit treats a child that misbehaves. */
const shell = (script: string, timeoutMs?: number) =>
  runGit({
    gitDir,
    args: ['-c', `alias.script=!${script}`, 'script'],
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

describe('what git prints', () => {
  test('comes back byte for byte, and input goes in so', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const id = (await runGit({ gitDir, args: ['hash-object', '-w', '--stdin'], input: bytes })).toString('utf8').trim()
    expect(await runGit({ gitDir, args: ['cat-file', 'blob', id] })).toEqual(bytes)
  })

  test('may be large', async () => {
    const large = Buffer.alloc(20_000_000, 'docs\n')
    const id = (await runGit({ gitDir, args: ['hash-object', '-w', '--stdin'], input: large })).toString('utf8').trim()
    expect((await runGit({ gitDir, args: ['cat-file', 'blob', id] })).equals(large)).toBe(true)
  })

  test('a child that does not read its input does no harm', async () => {
    await expect(runGit({ gitDir, args: ['version'], input: Buffer.alloc(5_000_000) })).resolves.toBeDefined()
  })
})

describe('a failure', () => {
  test('is internal, with the command, its code and what it said', async () => {
    await expect(run('cat-file', '-p', 'nonsense')).rejects.toMatchObject({
      kind: 'internal',
      code: 'git.failed',
      message: expect.stringMatching(/^git cat-file failed with 128: fatal: Not a valid object name nonsense$/),
    })
  })

  test('with endless words is cut', async () => {
    const error = await shell(
      'i=0; while [ $i -lt 2000 ]; do echo "a line of words $i" >&2; i=$((i+1)); done; exit 3',
    ).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'git.failed', message: expect.stringContaining('failed with 3') })
    expect(error.message.length).toBeLessThan(100_000)
  })

  test('to find git is unavailable, and says what to install', async () => {
    vi.stubEnv('PATH', join(root, 'nowhere'))
    await expect(run('version')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.missing',
      message: 'git was not found. Install git 2.38 or newer.',
    })
  })
})

describe('a child that takes too long', () => {
  test('is stopped, which is unavailable', async () => {
    await expect(shell('exec sleep 600', 300)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.stopped',
      message: 'git -c was stopped by SIGKILL.',
    })
  })

  test('is stopped with everything it has started', async () => {
    const trace = join(root, `trace-${count}`)
    // The inner one outlives git when only git is killed, and holds the pipe that runGit waits for.
    const script = `sh -c 'while :; do echo alive >> ${trace}; sleep 0.05; done' & sleep 600; true`
    await expect(shell(script, 500)).rejects.toMatchObject({ code: 'git.stopped' })
    const size = statSync(trace).size
    expect(size).toBeGreaterThan(0)
    await sleep(500)
    expect(statSync(trace).size).toBe(size)
  })

  test('does not stop others', async () => {
    const [slow, quick] = await Promise.allSettled([shell('exec sleep 600', 300), shell('sleep 1; echo done')])
    expect(slow.status).toBe('rejected')
    expect(quick).toMatchObject({ status: 'fulfilled' })
  })
})

describe('a child that is stopped from outside', () => {
  test.each(['SIGKILL', 'SIGTERM', 'SIGSEGV'])('by %s is unavailable', async (signal) => {
    await expect(shell(`kill -${signal.slice(3)} $PPID; exec sleep 600`)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'git.stopped',
      message: `git -c was stopped by ${signal}.`,
    })
  })

  test('by its caller is unavailable, with everything it has started', async () => {
    const trace = join(root, `trace-${count}`)
    const stop = new AbortController()
    const script = `sh -c 'while :; do echo alive >> ${trace}; sleep 0.05; done' & sleep 600; true`
    const running = runGit({ gitDir, args: ['-c', `alias.script=!${script}`, 'script'], signal: stop.signal })
    const outcome = running.catch((thrown) => thrown)
    while (!existsSync(trace)) await sleep(20)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
    const { size } = statSync(trace)
    await sleep(300)
    expect(statSync(trace).size).toBe(size)
  })

  test('before it began does nothing', async () => {
    const running = runGit({ gitDir, args: ['update-ref', 'HEAD', 'x'], signal: AbortSignal.abort() })
    await expect(running).rejects.toMatchObject({ kind: 'unavailable', code: 'git.stopped' })
  })

  test('has its end waited for by a caller who may stop many', async () => {
    const stop = new AbortController()
    for (let run = 0; run < 30; run++) await runGit({ gitDir, args: ['version'], signal: stop.signal })
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  })
})

describe('a child that prints without end', () => {
  test('is ended when it has printed enough', async () => {
    const args = ['-c', 'alias.script=!while :; do echo 0123456789; done', 'script']
    const { stdout, isCut } = await attemptGit({ gitDir, args, mostBytes: 25 })
    expect({ text: String(stdout), isCut }).toEqual({ text: '0123456789\n0123456789\n012', isCut: true })
  })
})

describe('a child that lives on', () => {
  test('has raw streams, its own variables, and our hardening', async () => {
    const script = 'alias.script=!cat; env; git config core.hooksPath; pwd'
    const child = spawnGit({ args: ['-c', script, 'script'], env: { GIT_PROJECT_ROOT: '/x' } })
    const out: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stdin.end(Buffer.from([0, 255, 10]))
    expect(await child.ended).toEqual({ code: 0, signal: null })
    const all = Buffer.concat(out)
    expect(all.subarray(0, 3)).toEqual(Buffer.from([0, 255, 10]))
    const lines = all.toString('utf8', 3).split('\n')
    expect(lines).toContain('GIT_PROJECT_ROOT=/x')
    expect(lines).toContain('GIT_CONFIG_NOSYSTEM=1')
    expect(lines).toContain('/dev/null')
    expect(lines).toContain('/')
    expect(lines.some((line) => /^(GIT_DIR|NODE_|DOCENT_|USER)/.test(line))).toBe(false)
  })

  test('ends when it is told to', async () => {
    const child = spawnGit({ gitDir, args: ['cat-file', '--batch'] })
    child.kill()
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' })
  })
})

describe('a hostile machine', () => {
  const marker = () => join(root, `touched-${count}`)

  test.each([
    ['GIT_DIR', () => join(root, 'elsewhere.git')],
    ['GIT_WORK_TREE', () => root],
    ['GIT_INDEX_FILE', () => join(root, 'elsewhere.index')],
    ['GIT_OBJECT_DIRECTORY', () => join(root, 'elsewhere')],
    ['GIT_ALTERNATE_OBJECT_DIRECTORIES', () => join(root, 'elsewhere')],
    ['GIT_NAMESPACE', () => 'elsewhere'],
    ['GIT_EXEC_PATH', () => join(root, 'elsewhere')],
    ['GIT_TRACE', () => join(root, 'trace')],
    ['GIT_AUTHOR_NAME', () => 'Somebody Else'],
    ['GIT_COMMITTER_DATE', () => '1999-01-01T00:00:00Z'],
    ['GIT_CONFIG', () => join(root, 'elsewhere.config')],
    ['GIT_CONFIG_PARAMETERS', () => `'core.bare=false'`],
    ['GIT_SSH_COMMAND', () => `touch ${marker()}`],
    ['GIT_EXTERNAL_DIFF', () => `touch ${marker()}`],
    ['GIT_TEMPLATE_DIR', () => root],
    ['LD_PRELOAD', () => '/nonexistent.so'],
    ['LC_ALL', () => 'de_DE.UTF-8'],
    ['TZ', () => 'Pacific/Kiritimati'],
  ])('with %s set changes nothing', async (name, value) => {
    const expected = await commitIn(join(root, `plain-${count}.git`))
    vi.stubEnv(name, value())
    const repository = join(root, `hostile-${count}.git`)
    expect(await commitIn(repository)).toEqual(expected)
    expect(existsSync(join(repository, 'HEAD'))).toBe(true)
    expect(existsSync(join(root, 'elsewhere.git'))).toBe(false)
    expect(existsSync(join(root, 'trace'))).toBe(false)
    expect(existsSync(marker())).toBe(false)
  })

  test('with settings in variables changes nothing', async () => {
    vi.stubEnv('GIT_CONFIG_COUNT', '2')
    vi.stubEnv('GIT_CONFIG_KEY_0', 'user.name')
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'Somebody Else')
    vi.stubEnv('GIT_CONFIG_KEY_1', 'alias.cat-file')
    vi.stubEnv('GIT_CONFIG_VALUE_1', `!touch ${marker()}`)
    await expect(run('config', 'user.name')).rejects.toMatchObject({ code: 'git.failed' })
  })

  test('with a HOME full of settings and hooks changes nothing, and runs none of them', async () => {
    const home = join(root, `home-${count}`)
    const hooks = join(home, 'hooks')
    mkdirSync(join(home, '.config', 'git'), { recursive: true })
    mkdirSync(hooks)
    for (const hook of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change', 'pre-auto-gc']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${marker()}\n`)
      chmodSync(join(hooks, hook), 0o755)
    }
    const settings = [
      `[core]\n\thooksPath = ${hooks}\n\tfsmonitor = touch ${marker()}\n\tautocrlf = true\n\tattributesFile = ${home}/attributes`,
      `[filter "evil"]\n\tclean = touch ${marker()}; cat\n\tsmudge = touch ${marker()}; cat\n\trequired = true`,
      `[user]\n\tname = Somebody Else\n\temail = else@example.com`,
      `[init]\n\ttemplateDir = ${home}\n\tdefaultBranch = other`,
      `[commit]\n\tgpgSign = true\n[i18n]\n\tcommitEncoding = latin1`,
    ].join('\n')
    writeFileSync(join(home, '.gitconfig'), settings)
    writeFileSync(join(home, '.config', 'git', 'config'), settings)
    writeFileSync(join(home, 'attributes'), '* filter=evil text\n')
    const expected = await commitIn(join(root, `plain-${count}.git`))
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE']) vi.stubEnv(name, home)
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'))
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, '.gitconfig'))
    vi.stubEnv('GIT_CONFIG_SYSTEM', join(home, '.gitconfig'))
    // Plain git does see them, so that this test tests something.
    expect(execFileSync('git', ['config', 'user.name'], { encoding: 'utf8', cwd: root }).trim()).toBe('Somebody Else')
    rmSync(marker(), { force: true })

    expect(await commitIn(join(root, `hostile-${count}.git`))).toEqual(expected)
    await expect(run('config', 'user.name')).rejects.toMatchObject({ code: 'git.failed' })
    expect(existsSync(marker())).toBe(false)
  })

  test('a repository with hooks, a monitor and filters of its own runs none of them', async () => {
    const hooks = join(gitDir, 'hooks')
    mkdirSync(hooks, { recursive: true })
    for (const hook of ['reference-transaction', 'post-index-change', 'post-update', 'update', 'pre-receive']) {
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${marker()}\nexit 1\n`)
      chmodSync(join(hooks, hook), 0o755)
    }
    await run('config', 'core.hooksPath', hooks)
    await run('config', 'core.fsmonitor', `touch ${marker()}`)
    await run('config', 'filter.evil.clean', `touch ${marker()}; cat`)
    mkdirSync(join(gitDir, 'info'), { recursive: true })
    writeFileSync(join(gitDir, 'info', 'attributes'), '* filter=evil\n')
    await writeFirstCommit(gitDir, first)
    expect(existsSync(marker())).toBe(false)
    expect(await run('cat-file', 'blob', 'main:a.md')).toBe('one\r\n')
  })

  test.each([
    'https://127.0.0.1:1/x.git',
    'ssh://127.0.0.1/x',
    'git://127.0.0.1/x',
    'file:///etc',
    'ext::sh -c id',
    '/etc',
  ])('no protocol is spoken unless it was asked for: %s', async (url) => {
    await expect(run('ls-remote', url)).rejects.toMatchObject({
      code: 'git.failed',
      message: expect.stringContaining('not allowed'),
    })
  })

  test('a protocol that was asked for is spoken, and no other', async () => {
    await writeFirstCommit(gitDir, first)
    const list = (url: string) => runGit({ gitDir, args: ['ls-remote', url], protocols: ['file'] })
    expect(String(await list(`file://${gitDir}`))).toContain('refs/heads/main')
    for (const url of ['https://127.0.0.1:1/x.git', 'ext::sh -c id', 'ssh://127.0.0.1/x']) {
      await expect(list(url)).rejects.toMatchObject({ message: expect.stringContaining('not allowed') })
    }
  })

  test('a variable that is given for one child reaches that child alone', async () => {
    const args = ['config', 'user.name']
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Given' }
    expect((await runGit({ gitDir, args, env })).toString('utf8')).toBe('Given\n')
    await expect(runGit({ gitDir, args })).rejects.toMatchObject({ code: 'git.failed' })
  })
})

const first = {
  branch: 'main',
  files: [
    { path: 'a.md', content: 'one\r\n' },
    { path: 'b/c.md', content: 'two\n' },
  ],
  message: 'Start\n',
  author: { name: 'Docent', email: 'docent@localhost' },
  date: new Date('2030-01-02T03:04:05Z'),
}

/** What a new repository with one commit looks like from inside. */
async function commitIn(repository: string): Promise<{ id: string; commit: string; branch: string }> {
  await initBareRepository(repository, 'main')
  const id = await writeFirstCommit(repository, first)
  const commit = (await runGit({ gitDir: repository, args: ['cat-file', 'commit', id] })).toString('utf8')
  return { id, commit, branch: readFileSync(join(repository, 'HEAD'), 'utf8') }
}
