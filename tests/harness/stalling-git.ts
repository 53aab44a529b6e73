import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The real git behind a script that can stop at one call, so that a test can act at exactly that moment. */
export interface StallingGit {
  /** Folder to put first into PATH. */
  bin: string
  /** What was called since the last `reset`, one subcommand a call. */
  calls(): string[]
  /** Forgets the calls, and stops at none. */
  reset(): void
  /** The next calls are counted from 1; the given one stops before git runs, or after it has. */
  stallAt(call: number, when: 'before' | 'after'): void
  /** Resolves when a call has stopped there, with the process that waits. */
  reached(): Promise<number>
  /** Lets the call that stopped go on. */
  goOn(): void
  /** Ends what waits, and deletes the folder. */
  delete(): void
}

export function createStallingGit(): StallingGit {
  const folder = mkdtempSync(join(tmpdir(), 'docent-stalling-git-'))
  const at = (name: string) => join(folder, name)
  const bin = at('bin')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin)
  // mkdir is atomic, so that calls which come at once get a number each.
  const script = `#!/bin/sh
number=1
while ! mkdir "${folder}/call-$number" 2>/dev/null; do number=$((number + 1)); done
for word in "$@"; do
  case "$skip" in yes) skip=; continue;; esac
  case "$word" in -c) skip=yes; continue;; -*) continue;; esac
  echo "$word" > "${folder}/call-$number/name"; break
done
wait_here() {
  echo $$ > "${folder}/pid.new" && mv "${folder}/pid.new" "${folder}/pid"
  while [ ! -e "${folder}/go" ]; do sleep 0.05; done
}
stall=$(cat "${folder}/stall" 2>/dev/null)
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

  function callNumbers(): number[] {
    const numbers: number[] = []
    for (let number = 1; existsSync(at(`call-${number}`)); number++) numbers.push(number)
    return numbers
  }

  function reset(): void {
    for (const name of ['stall', 'pid', 'go']) rmSync(at(name), { force: true })
    for (const number of callNumbers()) rmSync(at(`call-${number}`), { recursive: true, force: true })
  }

  return {
    bin,
    calls: () =>
      callNumbers().map((number) => {
        const name = at(`call-${number}/name`)
        return existsSync(name) ? readFileSync(name, 'utf8').trim() : ''
      }),
    reset,
    stallAt(call, when) {
      reset()
      writeFileSync(at('stall'), `${call} ${when}`)
    },
    async reached() {
      while (!existsSync(at('pid'))) await sleep(10)
      return Number(readFileSync(at('pid'), 'utf8'))
    },
    goOn: () => writeFileSync(at('go'), ''),
    delete() {
      writeFileSync(at('go'), '')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
