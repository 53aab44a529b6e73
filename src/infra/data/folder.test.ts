import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { dataPaths, findHolder, type Holder, openDataFolder, socketAddress } from './folder.ts'

const holder: Holder = { pid: process.pid, url: 'http://127.0.0.1:4400', startedAt: '2030-01-02T03:04:05.000Z' }
const isRoot = process.getuid?.() === 0

let root: string
let folder: string
const children: ChildProcess[] = []
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'docent-folder-'))
})
let count = 0
beforeEach(() => {
  folder = join(root, `data-${count++}`)
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function refusal(open: () => unknown): DocentError {
  try {
    open()
  } catch (error) {
    expect(error).toBeInstanceOf(DocentError)
    return error as DocentError
  }
  throw new Error('The folder was opened.')
}

/**
 * A process of its own that opens the folder. Resolves when it holds it, rejects with the error's code when it was
 * refused. It keeps nothing of what it got, and collects garbage: the lock must last as long as the process.
 */
async function startHolder(path: string): Promise<ChildProcess> {
  const script = `
    import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'folder.ts'))}
    const note = { pid: process.pid, url: 'http://127.0.0.1:4499', startedAt: '2031-01-01T00:00:00.000Z' }
    try {
      openDataFolder(${JSON.stringify(path)}, note)
      setInterval(gc, 50)
      gc()
      process.stdout.write('held')
    } catch (error) {
      process.stdout.write(error.code)
    }`
  const args = ['--expose-gc', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const said = await new Promise<string>((resolve) => child.stdout!.once('data', (chunk) => resolve(String(chunk))))
  if (said !== 'held') throw new Error(said)
  return child
}

const endOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))

describe('opening', () => {
  test('makes the folder and those above it, for this user alone', () => {
    const nested = join(folder, 'a', 'b')
    openDataFolder(nested, holder).release()
    expect(statSync(nested).mode & 0o777).toBe(0o700)
  })

  test('takes away what others may do in a folder that exists', () => {
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    openDataFolder(folder, holder).release()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('writes down who holds it, readable for this user alone, and releasing removes that', () => {
    const opened = openDataFolder(folder, holder)
    expect(findHolder(folder)).toEqual(holder)
    expect(statSync(opened.paths.holder).mode & 0o777).toBe(0o600)
    opened.release()
    expect(findHolder(folder)).toBeNull()
  })

  test('works again after releasing, and a second release does not disturb the next holder', () => {
    const first = openDataFolder(folder, holder)
    first.release()
    const second = openDataFolder(folder, { ...holder, url: 'http://127.0.0.1:4401' })
    first.release()
    expect(findHolder(folder)?.url).toBe('http://127.0.0.1:4401')
    expect(refusal(() => openDataFolder(folder, holder)).code).toBe('data.locked')
    second.release()
  })

  test('is refused a second time in the same process', () => {
    const first = openDataFolder(folder, holder)
    expect(refusal(() => openDataFolder(folder, holder))).toMatchObject({ kind: 'conflict', code: 'data.locked' })
    first.release()
  })

  test('two folders do not get in each other’s way', () => {
    const first = openDataFolder(folder, holder)
    const second = openDataFolder(`${folder}-other`, holder)
    first.release()
    second.release()
  })
})

describe('while another process holds the folder', () => {
  test('opening is refused and the message names the holder and what to do', async () => {
    const child = await startHolder(folder)
    const error = refusal(() => openDataFolder(folder, holder))
    expect(error).toMatchObject({ kind: 'conflict', code: 'data.locked' })
    expect(error.message).toContain(`running on the data folder ${folder}`)
    expect(error.message).toContain(`(process ${child.pid}, http://127.0.0.1:4499, since 2031-01-01T00:00:00.000Z)`)
    expect(error.message).toContain('set DOCENT_DATA and DOCENT_PORT')
    // Being refused must leave the holder's note alone.
    expect(findHolder(folder)?.pid).toBe(child.pid)
  })

  test('opening is refused also when nobody knows who it is', async () => {
    await startHolder(folder)
    rmSync(dataPaths(folder).holder)
    const error = refusal(() => openDataFolder(folder, holder))
    expect(error.code).toBe('data.locked')
    expect(error.message).toContain(`data folder ${folder}. Stop it first`)
    writeFileSync(dataPaths(folder).holder, '{"pid": 12')
    expect(refusal(() => openDataFolder(folder, holder)).code).toBe('data.locked')
  })

  test('the lock vanishes when that process is killed, although its note stays', async () => {
    const child = await startHolder(folder)
    expect(refusal(() => openDataFolder(folder, holder)).code).toBe('data.locked')
    const ended = endOf(child)
    child.kill('SIGKILL')
    await ended
    expect(findHolder(folder)?.pid).toBe(child.pid)
    const opened = openDataFolder(folder, holder)
    expect(findHolder(folder)).toEqual(holder)
    opened.release()
  })

  test('of many that start at once exactly one gets it', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 4 }, () => startHolder(folder)))
    const outcomes = attempts.map((attempt) => (attempt.status === 'fulfilled' ? 'held' : attempt.reason.message))
    expect(outcomes.sort()).toEqual(['data.locked', 'data.locked', 'data.locked', 'held'])
  })
})

describe('a folder that cannot be used', () => {
  const unusable: Record<string, () => string> = {
    'below a file': () => {
      writeFileSync(folder, 'a file')
      return join(folder, 'data')
    },
    'that is a file': () => {
      writeFileSync(folder, 'a file')
      return folder
    },
    'with a folder in place of the lock': () => {
      mkdirSync(dataPaths(folder).lock, { recursive: true })
      return folder
    },
    'with something else in place of the lock': () => {
      mkdirSync(folder)
      writeFileSync(dataPaths(folder).lock, 'this is no lock, and longer than the header of one: '.repeat(50))
      return folder
    },
    'with a folder in place of the holder': () => {
      mkdirSync(dataPaths(folder).holder, { recursive: true })
      return folder
    },
  }
  test.each(Object.keys(unusable))('%s gives data.unwritable, the reason and what to do', (kind) => {
    const path = unusable[kind]!()
    const error = refusal(() => openDataFolder(path, holder))
    expect(error).toMatchObject({ kind: 'unavailable', code: 'data.unwritable' })
    expect(error.message).toContain(`The data folder ${path} cannot be used: `)
    expect(error.message).toContain('Set DOCENT_DATA')
    expect(error.cause).toBeInstanceOf(Error)
  })

  test('leaves no lock behind when it fails half-way', () => {
    const path = unusable['with a folder in place of the holder']!()
    refusal(() => openDataFolder(path, holder))
    rmSync(dataPaths(path).holder, { recursive: true })
    openDataFolder(path, holder).release()
  })

  test.skipIf(isRoot)(
    'below one that this user may not write gives data.unwritable (root may write everywhere)',
    () => {
      mkdirSync(folder)
      chmodSync(folder, 0o500)
      expect(refusal(() => openDataFolder(join(folder, 'data'), holder)).code).toBe('data.unwritable')
    },
  )
})

describe('the socket', () => {
  test('has the shorter of its two paths', () => {
    const here = process.cwd()
    expect(socketAddress(join(here, 'data'))).toBe(join('data', 'docent.sock'))
    // From deep inside a checkout, an absolute path is shorter than the way up and down again.
    const far = '/srv/docent'
    const expected = relative(here, far).length < far.length ? relative(here, far) : far
    expect(socketAddress(far)).toBe(join(expected, 'docent.sock'))
  })

  test('may have as long a path as the kernel takes, and not a byte more', () => {
    const longest = `/${'x'.repeat(103 - '/docent.sock'.length - 1)}`
    expect(Buffer.byteLength(socketAddress(longest))).toBe(103)
    const error = refusal(() => socketAddress(`${longest}x`))
    expect(error).toMatchObject({ kind: 'invalid', code: 'data.path_too_long' })
    expect(error.message).toContain('(104 bytes with /docent.sock, at most 103)')
    expect(error.message).toContain('Set DOCENT_DATA to a shorter path.')
  })

  test('is measured in bytes, not in letters', () => {
    expect(refusal(() => socketAddress(`/${'é'.repeat(60)}`)).code).toBe('data.path_too_long')
  })
})

test('asking for the holder of a folder that does not exist creates nothing', () => {
  expect(findHolder(folder)).toBeNull()
  expect(existsSync(folder)).toBe(false)
})
