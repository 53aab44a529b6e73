import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import type { PullRequest } from './code-host.ts'

/** An address that people will open: never one that runs something. */
export const webAddress = z.url({ protocol: /^https?$/ }).max(2_000)

export function pullRequestExists(vendor: string, branch: string): DocentError {
  const message = `${vendor} has an open pull request of ${branch} already.`
  return new DocentError('conflict', 'host.pull_request_exists', message)
}

/** Such as: a branch does not exist, or has nothing new. */
export function pullRequestRefused(vendor: string, reason: string): DocentError {
  const message = `${vendor} does not take the pull request: ${reason || 'it does not say why.'}`
  return new DocentError('invalid', 'host.pull_request_refused', message)
}

/** An open one before any other, then the newest. */
export function pickPullRequest(found: PullRequest[]): PullRequest | null {
  const newestFirst = found.toSorted((a, b) => b.number - a.number)
  return newestFirst.find(({ state }) => state === 'open') ?? newestFirst[0] ?? null
}

export function repositoryEmpty(vendor: string): DocentError {
  const message = `The repository on ${vendor} is empty. Push a first commit.`
  return new DocentError('invalid', 'host.repository_empty', message)
}
