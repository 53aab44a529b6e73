import { bitbucket } from './bitbucket/code-host.ts'
import { type BuiltinCodeHostDeps, createBuiltinCodeHost } from './builtin/code-host.ts'
import type { CodeHost, HostInput } from './code-host.ts'
import { gitea } from './gitea/code-host.ts'
import { github } from './github/code-host.ts'
import { gitlab } from './gitlab/code-host.ts'
import type { HostDeps } from './host-factory.ts'

/** Enough to open a repository on any of them. */
export type HostsDeps = HostDeps & BuiltinCodeHostDeps

/** Every code host, by the name that a project's source gives. */
export const hosts = { builtin: createBuiltinCodeHost, github, gitlab, gitea, bitbucket } satisfies Record<
  string,
  (input: HostInput, deps: HostsDeps) => CodeHost
>
