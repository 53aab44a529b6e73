import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The real git behind a script that can stop at one call a repository, so that a test can act at exactly that moment. */
export interface StallingGit {
  /** Folder to put first into PATH. */
  bin: string
  /** Its calls on one repository, which no other's are counted with. */
  on(gitDir: string): StallingRepository
  /** Lets all calls that stopped go on, and those that would stop from now on. */
  goOn(): void
  /** The same for all repositories, and calls may stop again. */
  reset(): void
  /** Ends what waits, and deletes the folder. */
  delete(): void
}

export interface StallingRepository {
  /** What was called since the last `reset`, one subcommand a call. */
  calls(): string[]
  /** Forgets the calls, and stops at none. */
  reset(): void
  /** Resets, so that the next calls are counted from 1; the given one stops before git runs, or after it has. */
  stallAt(call: number, when: 'before' | 'after'): void
  /** Resolves when a call has stopped there, with the process that waits. */
  reached(): Promise<number>
}

export function createStallingGit(): StallingGit {
  const folder = mkdtempSync(join(tmpdir(), 'docent-stalling-git-'))
  const bin = join(folder, 'bin')
  const repositories = join(folder, 'repositories')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin)
  mkdirSync(repositories)
  // mkdir is atomic, so that calls which come at once get a number each.
  const script = `#!/bin/sh
here="${repositories}/\${GIT_DIR##*/}"
mkdir -p "$here"
number=1
while ! mkdir "$here/call-$number" 2>/dev/null; do number=$((number + 1)); done
for word in "$@"; do
  case "$skip" in yes) skip=; continue;; esac
  case "$word" in -c) skip=yes; continue;; -*) continue;; esac
  echo "$word" > "$here/call-$number/name"; break
done
wait_here() {
  echo $$ > "$here/pid.new" && mv "$here/pid.new" "$here/pid"
  while [ ! -e "${folder}/go" ]; do sleep 0.05; done
}
stall=$(cat "$here/stall" 2>/dev/null)
[ "$stall" = "$number before" ] && wait_here
if [ "$stall" = "$number after" ]; then
  ${real} "$@"
  code=$?
  wait_here
  exit $code
fi
exec ${real} "$@"
`
  writeFileSync(join(bin, 'git'), script)
  chmodSync(join(bin, 'git'), 0o755)

  function onRepository(gitDir: string): StallingRepository {
    const own = join(repositories, basename(gitDir))
    const at = (name: string) => join(own, name)
    const reset = () => removePatiently(own)
    return {
      reset,
      calls() {
        const names: string[] = []
        for (let number = 1; existsSync(at(`call-${number}`)); number++) {
          const name = at(`call-${number}/name`)
          names.push(existsSync(name) ? readFileSync(name, 'utf8').trim() : '')
        }
        return names
      },
      stallAt(call, when) {
        reset()
        mkdirSync(own, { recursive: true })
        writeFileSync(at('stall'), `${call} ${when}`)
      },
      async reached() {
        while (!existsSync(at('pid'))) await sleep(10)
        return Number(readFileSync(at('pid'), 'utf8'))
      },
    }
  }

  return {
    bin,
    on: onRepository,
    goOn: () => writeFileSync(join(folder, 'go'), ''),
    reset() {
      rmSync(join(folder, 'go'), { force: true })
      for (const name of readdirSync(repositories)) removePatiently(join(repositories, name))
    },
    delete() {
      writeFileSync(join(folder, 'go'), '')
      removePatiently(folder)
    },
  }
}

const mostTries = 60
const betweenTriesMs = 50

/** A git that runs just now, or outlived its server for a moment, may still write there; `rmSync` itself tries again too soon. */
function removePatiently(path: string): void {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(path, { recursive: true, force: true })
      return
    } catch (error) {
      if (tries === mostTries) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenTriesMs)
    }
  }
}
