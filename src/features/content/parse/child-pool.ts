import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { DocentError } from '#base/errors.ts'

/**
 * Child processes for work on what anybody may have written. Parsers are native code, expressions of grammars never end:
 * such work can take its process down, or keep it busy for ever. So it is done in children that may be lost, without this
 * process's environment; each says `ready` when it is, answers one request after the other, and is replaced when lost.
 */
export interface ChildPool<Request, Answer> {
  /**
   * What a child answers; null when it was lost over it, or worked on it for longer than `timeoutMs`. Throws the signal's
   * reason when it is aborted, and `unavailable` when no child starts.
   */
  run(request: Request, options: RunOptions): Promise<Answer | null>
  /** Starts a child if none runs, for whoever will need one soon: starting takes longer than most requests. */
  prepare(): void
  /** Ends the children. What is under way is answered as lost. */
  close(): Promise<void>
}

export interface RunOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Somebody waits for it: it is done before all that is not. */
  isUrgent?: boolean
}

export interface ChildPoolOptions {
  childFile: URL
  memoryMb: number
  /** How many children work at the same time. */
  lanes?: number
}

// Two keep up with the disk; more would take the machine from others.
const usualLanes = 2
const lookEveryMs = 50
// A child that gets no turn for this many times its limit will not get one.
const mostWaiting = 20

export function createChildPool<Request extends object, Answer>(options: ChildPoolOptions): ChildPool<Request, Answer> {
  const all = Array.from({ length: options.lanes ?? usualLanes }, () => createLane<Request, Answer>(options))
  const idle = [...all]
  const urgent: ((lane: Lane<Request, Answer>) => void)[] = []
  const patient: ((lane: Lane<Request, Answer>) => void)[] = []

  return {
    prepare() {
      idle.at(-1)?.start()
    },

    async run(request, { timeoutMs, signal, isUrgent = false }) {
      signal?.throwIfAborted()
      const queue = isUrgent ? urgent : patient
      const lane = idle.pop() ?? (await new Promise<Lane<Request, Answer>>((resolve) => queue.push(resolve)))
      try {
        return await lane.send(request, { timeoutMs, signal })
      } finally {
        const next = urgent.shift() ?? patient.shift()
        if (next) next(lane)
        else idle.push(lane)
      }
    },

    async close() {
      await Promise.all(all.map((lane) => lane.close()))
    },
  }
}

interface Lane<Request, Answer> {
  start(): void
  /** Null when the child was lost over it. */
  send(request: Request, options: Pick<RunOptions, 'timeoutMs' | 'signal'>): Promise<Answer | null>
  close(): Promise<void>
}

function createLane<Request extends object, Answer>(options: ChildPoolOptions): Lane<Request, Answer> {
  let running: Promise<ChildProcess> | null = null

  function run(): Promise<ChildProcess> {
    const used = running ?? startChild(options, () => forget(used))
    running = used
    return used
  }

  return {
    start() {
      const used = run()
      // Whoever sends something tries again, and is told if it does not start.
      used.then(release, () => forget(used))
    },

    async send(request, { timeoutMs, signal }) {
      signal?.throwIfAborted()
      const used = run()
      const child = await used.catch((error: unknown) => {
        forget(used)
        throw error
      })
      // Starting it takes a while, in which the caller may have changed their mind.
      signal?.throwIfAborted()
      // Only while it works does it keep this process from ending.
      child.ref()
      child.channel?.ref()
      let answer: Answer | null = null
      try {
        answer = await ask<Answer>(child, request, { timeoutMs, signal })
        return answer
      } finally {
        // Its end may be told later than the next request comes.
        if (answer === null) forget(used)
        release(child)
      }
    },

    async close() {
      const child = await running?.catch(() => null)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      await new Promise((resolve) => {
        child.once('exit', resolve)
        child.ref()
        child.kill('SIGKILL')
      })
    },
  }

  function forget(used: Promise<ChildProcess>): void {
    if (running === used) running = null
  }
}

/** Nobody waits for it any more. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

/** A child that is ready: what starting it takes counts for no request. */
async function startChild({ childFile, memoryMb }: ChildPoolOptions, onEnd: () => void): Promise<ChildProcess> {
  const child = fork(childFile, [], {
    env: childEnvironment(),
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a parent it ends by itself; it is forgotten before anybody could send it more.
  child.once('exit', onEnd).once('disconnect', onEnd)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('error', (error) => reject(cannotStart(error)))
    child.once('exit', () => reject(cannotStart()))
  })
  child.removeAllListeners('error').on('error', onEnd)
  return child
}

/**
 * Nothing of ours but where compiled code is kept, if it is: the file that a child begins with is compiled before it can
 * say so itself, and for that alone Node would load all of its compiler for types.
 */
function childEnvironment(): Record<string, string> {
  const ownCache = getCompileCacheDir()
  // The last part is of this version of Node, and is added again.
  return ownCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ownCache) }
}

function cannotStart(cause?: unknown): DocentError {
  return new DocentError('unavailable', 'content.no_parser', 'The process that reads pages does not start.', { cause })
}

/** What the child answers; null when it ended, or was ended because it worked on it for too long. */
async function ask<Answer>(
  child: ChildProcess,
  request: object,
  { timeoutMs, signal }: Pick<RunOptions, 'timeoutMs' | 'signal'>,
): Promise<Answer | null> {
  const isLate = createStopwatch(child, timeoutMs)
  return await new Promise((resolve, reject) => {
    const end = (result: Answer | null) => {
      clearInterval(timer)
      child.off('message', onAnswer).off('exit', onLost)
      signal?.removeEventListener('abort', onAbort)
      if (result === null) child.kill('SIGKILL')
      resolve(result)
    }
    const onAnswer = (message: unknown) => end(message as Answer)
    const onLost = () => end(null)
    const onAbort = () => {
      reject(signal?.reason)
      end(null)
    }
    const timer = setInterval(() => {
      if (isLate()) end(null)
    }, lookEveryMs)
    child.on('message', onAnswer).on('exit', onLost)
    signal?.addEventListener('abort', onAbort)
    // It may have ended for want of work since it was last asked.
    if (child.connected) child.send(request, (error) => error && end(null))
    else end(null)
  })
}

/**
 * Says when the child has worked for so long. Where the system tells it, its own time is counted: on a busy machine a
 * good page must not be taken for a bad one because others had their turn.
 */
function createStopwatch(child: ChildProcess, timeoutMs: number): () => boolean {
  const started = performance.now()
  const workedBefore = workedMs(child)
  return () => {
    const passed = performance.now() - started
    const worked = workedMs(child)
    if (worked === null || workedBefore === null) return passed > timeoutMs
    return worked - workedBefore > timeoutMs || passed > timeoutMs * mostWaiting
  }
}

/** Processor time of a process, from Linux's /proc; null elsewhere. */
function workedMs({ pid }: ChildProcess): number | null {
  try {
    // The name comes second, in parentheses, and may hold anything; user and system time are the 12th and 13th after.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return null
  }
}
