// Made from docs/openapi.json by web/generate-client.ts. Not edited by hand.

export type PageEventInput = {
  /** When: ISO 8601 with an offset. Not before 2000 and at most a day ahead of the server’s clock. Left out: now. */
  timestamp?: string | null | undefined
  /** The page as it was asked for: a path or a full URL. */
  path: string
  /** Your own id for the visitor, of which nothing can be read back from what is kept. */
  visitorId?: string | null | undefined
  /** The visitor’s address, which is never kept. */
  ip?: string | null | undefined
  /** The visitor’s User-Agent header. */
  userAgent?: string | null | undefined
  /** The visitor’s Referer header; only origin and path are kept. */
  referrer?: string | null | undefined
  /** The visitor’s Accept header. Null says that there was none; left out, that you do not know. */
  accept?: string | null | undefined
  /** Who it is, where you know better than the classifier. */
  category?: "human" | "assistant" | "agent" | "ai-search" | "training" | "bot" | "unknown" | null | undefined
  /** Your own id for this view. Of several views with the same one, the first counts. */
  id?: string | null | undefined
}

export type AnalyticsRuleInput = {
  /** Part of the user agent, in any case. */
  userAgent?: string | undefined
  /** Networks of the client’s address. */
  networks?: string[] | undefined
  /** Start of the page’s path. */
  path?: string | undefined
  category: "human" | "assistant" | "agent" | "ai-search" | "training" | "bot" | "unknown"
  /** How the client is called in reports. */
  client?: string | undefined
}

export type Error = {
  /** What went wrong, for people. */
  error: string
  /** The same for programs: `area.reason`. */
  code: string
  /** Each fault of an invalid request, with the field it is about. */
  details?: ({
      message: string
      path: string
  })[] | undefined
}

export type Key = {
  id: string
  name: string
  /** The last four characters of the key. */
  hint: string
  /** `read` is for GET, `write` for everything (it includes `read`). */
  scopes: ("read" | "write")[]
  /** Empty: the key works from any address. */
  allowedAddresses: string[]
  expiresAt: string | null
  /** To within a minute. */
  lastUsedAt: string | null
  revokedAt: string | null
  /** ISO 8601, UTC. */
  createdAt: string
}

export type CreatedKey = {
  id: string
  name: string
  /** The last four characters of the key. */
  hint: string
  /** `read` is for GET, `write` for everything (it includes `read`). */
  scopes: ("read" | "write")[]
  /** Empty: the key works from any address. */
  allowedAddresses: string[]
  expiresAt: string | null
  /** To within a minute. */
  lastUsedAt: string | null
  revokedAt: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  /** The key itself. This is the only time it is shown. */
  key: string
}

export type AuditRecord = {
  id: string
  /** ISO 8601, UTC. */
  at: string
  actor: {
    kind: "key" | "user" | "local" | "system"
    id: string | null
    name: string
  }
  action: string
  /** Id of what was acted on. */
  target: string
  details: Record<string, unknown>
  requestId: string | null
}

export type SessionState = {
  /** Who is signed in. Null: nobody. */
  user: {
    id: string
    name: string
    email: string
  } | null
  /** What they are a member of. */
  organization: {
    id: string
    name: string
    slug: string
  } | null
  /** What they may do there; `viewer` may only read. */
  role: "owner" | "admin" | "viewer" | null
  /** Whether nobody owns this server yet: its log has a link that makes the first owner. */
  setupNeeded: boolean
  /** The provider that people can sign in with, at `/v1/session/oidc`. */
  oidc: {
    name: string
  } | null
  /** Version of this server. */
  version: string
}

export type Session = {
  id: string
  /** Whether this request came with it. */
  current: boolean
  /** ISO 8601, UTC. */
  createdAt: string
  /** To within a minute. */
  lastUsedAt: string
  /** When it ends, unless it is used before. */
  expiresAt: string
  /** What the browser called itself. */
  userAgent: string | null
}

export type Webhook = {
  id: string
  url: string
  events: ("job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed")[]
  enabled: boolean
  /** ISO 8601, UTC. */
  createdAt: string
}

export type WebhookWithSecret = {
  id: string
  url: string
  events: ("job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed")[]
  enabled: boolean
  /** ISO 8601, UTC. */
  createdAt: string
  /** What requests are signed with (Standard Webhooks). This is the only time it is shown. */
  secret: string
}

export type WebhookDelivery = {
  /** Also the request’s `webhook-id`, the same at every attempt. */
  id: string
  event: "job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed" | "webhook.test"
  state: "pending" | "delivered" | "failed"
  attempts: number
  /** Null: the last attempt got no answer. */
  responseStatus: number | null
  /** What went wrong at the last attempt. */
  error: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  lastAttemptAt: string | null
}

export type WebhookDeliveryDetails = {
  /** Also the request’s `webhook-id`, the same at every attempt. */
  id: string
  event: "job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed" | "webhook.test"
  state: "pending" | "delivered" | "failed"
  attempts: number
  /** Null: the last attempt got no answer. */
  responseStatus: number | null
  /** What went wrong at the last attempt. */
  error: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  lastAttemptAt: string | null
  /** The body of the request, as it is signed. */
  body: string
}

export type Member = {
  /** Id of the user. */
  id: string
  name: string
  email: string
  role: "owner" | "admin" | "viewer"
  /** When they joined. */
  createdAt: string
  /** To within a minute. */
  lastSeenAt: string | null
}

export type Invitation = {
  id: string
  /** Who may take it. Null: whoever has the link. */
  email: string | null
  role: "owner" | "admin" | "viewer"
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
  invitedBy: string
}

export type CreatedInvitation = {
  id: string
  /** Who may take it. Null: whoever has the link. */
  email: string | null
  role: "owner" | "admin" | "viewer"
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  expiresAt: string
  invitedBy: string
  /** The link to give to them. This is the only time it is shown; it works once. */
  url: string
}

export type OneTimeLink = {
  /** Works once. */
  url: string
  /** ISO 8601, UTC. */
  expiresAt: string
}

export type AgentLimits = {
  /** Jobs and follow-ups that the project may ask for in an hour. */
  jobsPerHour: {
    /** What holds now. */
    value: number
    /** What the project has set. Null: it goes by the server. */
    own: number | null
    /** The server’s setting, which no project exceeds. */
    most: number
  }
  /** Steps (answers of the model) for one prompt. */
  maxSteps: {
    /** What holds now. */
    value: number
    /** What the project has set. Null: it goes by the server. */
    own: number | null
    /** The server’s setting, which no project exceeds. */
    most: number
  }
  /** Minutes for one prompt. */
  maxMinutes: {
    /** What holds now. */
    value: number
    /** What the project has set. Null: it goes by the server. */
    own: number | null
    /** The server’s setting, which no project exceeds. */
    most: number
  }
  /** Tokens for one prompt, in and out. */
  maxTokens: {
    /** What holds now. */
    value: number
    /** What the project has set. Null: it goes by the server. */
    own: number | null
    /** The server’s setting, which no project exceeds. */
    most: number
  }
  /** Files that one prompt may change. */
  maxFiles: {
    /** What holds now. */
    value: number
    /** What the project has set. Null: it goes by the server. */
    own: number | null
    /** The server’s setting, which no project exceeds. */
    most: number
  }
}

export type AgentJob = {
  id: string
  /** Poll until it is no longer `active`. */
  status: "active" | "completed" | "archived" | "failed"
  source: {
    /** Full URL. */
    repository: string
    /** Branch that the work starts from. `HEAD` until the default branch was asked of the host. */
    ref: string
  }
  model: string
  /** Address of the pull request. Null while the job is `active`, and when nothing was changed. */
  prLink: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  archivedAt: string | null
  /** What the job was created for. Follow-ups are among its events. */
  prompt: string
  /** The job’s own branch, once it is known. */
  branch: string | null
  title: string | null
  /** What was done, as Markdown. */
  summary: string | null
  /** Why the job failed, and what to do. */
  error: {
    code: string
    message: string
  } | null
  usage: {
    steps: number
    inputTokens: number
    outputTokens: number
  }
}

export type JobDiff = {
  files: ({
      path: string
      /** Where a renamed file was before; null for others. */
      previousPath: string | null
      status: "added" | "changed" | "deleted" | "renamed"
      /** Lines; 0 for binary files. */
      added: number
      /** Lines; 0 for binary files. */
      removed: number
      isBinary: boolean
      /** Its hunks as `git diff` writes them. Null for binary files, for those whose text is the same, and where the whole would be too long. */
      patch: string | null
  })[]
  /** Whether files, lines or ends of lines are left out. */
  truncated: boolean
}

export type ModelTest = {
  /** Whether the model answered. */
  ok: boolean
  /** The model that was asked: the project’s. */
  model: string
  /** How long the answer took. */
  milliseconds: number
  /** How it went, and what to do where it did not go well. */
  message: string
}

export type Explanation = {
  category: "human" | "assistant" | "agent" | "ai-search" | "training" | "bot" | "unknown"
  /** Name of the client; null where there is none to tell. */
  client: string | null
  /** The rule that decided, in words. */
  reason: string
  /** `verified` by a signature or a published address, `claimed` by the user agent alone, `spoofed` when its address is not one that the named operator publishes. */
  verification: "verified" | "claimed" | "spoofed" | "none"
  /** Of the lists that decided. */
  listVersion: string
  /** What it counts as in reports; null: nowhere. */
  countsAs: "human" | "ai" | null
  /** Every rule in its order. */
  rules: ({
      /** Name of the rule. */
      rule: string
      /** Its verdict; null where it has none. */
      category: "human" | "assistant" | "agent" | "ai-search" | "training" | "bot" | "unknown" | null
      /** Why it says so, or why it has nothing to say. */
      says: string
      /** Whether it is the first with a verdict. */
      decides: boolean
  })[]
}

export type Feedback = {
  id: string
  /** Path of the page. */
  path: string
  comment: string | null
  /** ISO 8601, UTC. */
  createdAt: string
  source: "contextual"
  status: "pending" | "in_progress" | "resolved" | "dismissed"
  helpful: boolean
  /** How the reader can be reached, if they said so. */
  contact: string | null
}

export type SearchTerm = {
  /** What was searched for, in lower case. */
  searchQuery: string
  /** How often. */
  hits: number
  /** Of these searches, the part after which a result was opened: 0 to 1. */
  ctr: number
  /** Path of the result that was opened most often. */
  topClickedPage: string | null
  /** ISO 8601, UTC. */
  lastSearchedAt: string
}

export type ImportResult = {
  /** Views that are counted, those included that were counted before. */
  accepted: number
  /** How many were not, by reason. */
  skipped: Record<string, number>
}

export type ImportPosition = {
  /** What tells this log from others, chosen by the caller, such as a digest of its beginning. */
  fingerprint: string
  /** Bytes of the log, uncompressed, that are in. */
  position: number
  /** Lines of it that were read. */
  lines: number
  /** What the log must show before that position to be the same one, such as a digest of a line. */
  checkpoint: string
}

export type VisitorReport = {
  /** Of the whole site in the range, whichever rows are asked for. */
  totals: {
    /** Unique visitors that are people. */
    human: number
    /** Unique visitors that are AI clients. */
    ai: number
    /** Unique visitors; one that was seen as both is one. */
    total: number
  }
  visitors: ({
      /** Path of the page. */
      path: string
      /** Unique visitors that are people. */
      human: number
      /** Unique visitors that are AI clients. */
      ai: number
      /** Unique visitors; one that was seen as both is one. */
      total: number
  })[]
  /** Whether there are rows after these. */
  hasMore: boolean
}

export type ViewReport = {
  /** Of the whole site in the range, whichever rows are asked for. */
  totals: {
    /** Views by people. */
    human: number
    /** Views by AI clients. */
    ai: number
    /** The sum of both. */
    total: number
  }
  views: ({
      /** Path of the page. */
      path: string
      /** Views by people. */
      human: number
      /** Views by AI clients. */
      ai: number
      /** The sum of both. */
      total: number
  })[]
  /** Whether there are rows after these. */
  hasMore: boolean
}

export type AgentReport = {
  totals: {
    visitors: number
    views: number
  }
  agents: ({
      /** Name of the AI client; `unnamed` when only its kind is known. */
      client: string
      category: "assistant" | "agent" | "ai-search" | "training"
      visitors: number
      views: number
      /** Of the views, those whose client was verified by a signature or a published address. */
      verifiedViews: number
      /** ISO 8601, UTC. */
      lastSeenAt: string
      /** Why its views were taken for this client and category, each reason once. */
      reasons: string[]
  })[]
  /** Whether there are rows after these. */
  hasMore: boolean
}

export type ReferrerReport = {
  /** Of the whole site in the range, whichever rows are asked for. */
  totals: {
    /** Unique visitors that are people. */
    human: number
    /** Unique visitors that are AI clients. */
    ai: number
    /** Unique visitors; one that was seen as both is one. */
    total: number
    /** Views by both. */
    views: number
  }
  referrers: ({
      /** Where the readers came from: a host, or origin and path of an address. Null: they did not say, as from a typed address, a mail or most AI clients. */
      referrer: string | null
      /** Unique visitors that are people. */
      human: number
      /** Unique visitors that are AI clients. */
      ai: number
      /** Unique visitors; one that was seen as both is one. */
      total: number
      /** Views by both. */
      views: number
  })[]
  /** Whether there are rows after these. */
  hasMore: boolean
}

export type Timeseries = {
  interval: "hour" | "day" | "week" | "month"
  timeseries: ({
      /** ISO 8601, UTC. */
      start: string
      visitors: {
        /** Unique visitors that are people. */
        human: number
        /** Unique visitors that are AI clients. */
        ai: number
        /** Unique visitors; one that was seen as both is one. */
        total: number
      }
      views: {
        /** Views by people. */
        human: number
        /** Views by AI clients. */
        ai: number
        /** The sum of both. */
        total: number
      }
  })[]
}

export type AnalyticsRule = {
  /** Part of the user agent, in any case. */
  userAgent?: string | undefined
  /** Networks of the client’s address. */
  networks?: string[] | undefined
  /** Start of the page’s path. */
  path?: string | undefined
  category: "human" | "assistant" | "agent" | "ai-search" | "training" | "bot" | "unknown"
  /** How the client is called in reports. */
  client?: string | undefined
}

export type AnalyticsSettings = {
  /** `ai` counts all AI clients, or only those that read for a person who waits (assistants and agents). */
  aiTraffic: "all" | "direct"
  /** How long one visitor keeps one id. Counts are exact within such a period; over several, somebody who came in two of them counts twice. */
  visitorIds: "stable" | "monthly" | "daily"
  /** Views are deleted after this many days. Null: never. */
  retentionDays: number | null
  origins: string[]
  rules: AnalyticsRule[]
}

export type Problem = {
  /** What kind of problem it is. */
  rule: "mdx" | "frontmatter" | "link" | "anchor" | "navigation" | "snippet" | "config"
  /** File that it is in, relative to the docs folder. */
  path: string
  line: number
  column: number
  message: string
  /** What to do about it, where that is known. */
  hint: string | null
}

export type ProjectCheck = {
  /** The commit that was checked. */
  commit: string
  /** The branch whose head it was. */
  ref: string
  problems: Problem[]
  /** How many pages were looked at. */
  pages: number
  /** How many links were looked at. */
  links: number
}

export type Project = {
  id: string
  name: string
  /** The name in addresses. It stays when the name changes. */
  slug: string
  source: {
    provider: "builtin" | "github" | "gitlab" | "gitea" | "bitbucket"
    /** Full URL. */
    repository: string
    /** Null: the repository’s default branch. */
    ref: string | null
    docsPath: string
    /** API address of a self-managed host. Null: the usual one. */
    apiUrl: string | null
    /** Whether an access token is stored. It is never returned. */
    hasToken: boolean
  }
  model: string
  /** Whether the project chose its model. False: it is the server’s. */
  hasOwnModel: boolean
  /** Whether a secret for push events was made. */
  hasPushHook: boolean
  /** Closed paths that are open to agents here. */
  openPaths: string[]
  siteUrl: string
  /** Whether it is the project that the first start made to look around in. */
  isDemo: boolean
  /** ISO 8601, UTC. */
  createdAt: string
}

export type PushHook = {
  /** Where the host sends its push events, one for each kind of host. */
  urls: {
    /** For GitHub, GitHub Enterprise and Gitea. */
    github: string
    gitlab: string
  }
  /** Shown once. GitHub calls it the secret, GitLab the secret token or the signing token. */
  secret: string
}

export type SourceTest = {
  /** Whether the repository and its branch can be read. */
  ok: boolean
  /** The branch that was found. */
  branch: string | null
  /** The commit that it is at. */
  commit: string | null
  /** How long finding it took. */
  milliseconds: number
  /** How it went, and what to do where it did not go well. */
  message: string
}

export type Deployment = {
  id: string
  /** Readers get it once it is `ready`; before that they keep what they had. */
  state: "waiting" | "building" | "ready" | "failed"
  /** Why it was made. `return`: somebody went back to an earlier one. */
  reason: "first" | "push" | "poll" | "manual" | "return" | "settings"
  /** Null: not looked up yet, or it could not be. */
  commit: string | null
  /** The branch it is of. Null: not looked up yet. */
  ref: string | null
  /** Who asked for it; null: a push, or Docent itself. */
  by: string | null
  /** Whether readers get it now. */
  isLive: boolean
  /** How many pages it has. */
  pages: number
  /** How many pages differ from what was live before. */
  changes: {
    added: number
    changed: number
    removed: number
  }
  /** How many things readers do not see as their author meant them. */
  warnings: number
  error: {
    code: string
    message: string
  } | null
  /** ISO 8601, UTC. */
  createdAt: string
  finishedAt: string | null
}

export type DeploymentDetails = {
  id: string
  /** Readers get it once it is `ready`; before that they keep what they had. */
  state: "waiting" | "building" | "ready" | "failed"
  /** Why it was made. `return`: somebody went back to an earlier one. */
  reason: "first" | "push" | "poll" | "manual" | "return" | "settings"
  /** Null: not looked up yet, or it could not be. */
  commit: string | null
  /** The branch it is of. Null: not looked up yet. */
  ref: string | null
  /** Who asked for it; null: a push, or Docent itself. */
  by: string | null
  /** Whether readers get it now. */
  isLive: boolean
  /** How many pages it has. */
  pages: number
  /** How many pages differ from what was live before. */
  changes: {
    added: number
    changed: number
    removed: number
  }
  /** How many things readers do not see as their author meant them. */
  warnings: number
  error: {
    code: string
    message: string
  } | null
  /** ISO 8601, UTC. */
  createdAt: string
  finishedAt: string | null
  /** Their addresses, the first 200 of each. */
  changedPages: {
    added: string[]
    changed: string[]
    removed: string[]
  }
  /** The first 200. */
  warningList: ({
      /** Address of the page. Null: of the configuration. */
      route: string | null
      /** The file. */
      path: string
      line: number | null
      message: string
  })[]
}

export type Site = {
  /** Where readers find it on this server. */
  url: string
  domains: string[]
  /** What readers get. Null: nothing was published yet. */
  live: Deployment | null
  /** Whether another deployment is on its way. */
  building: boolean
}

export type SiteDomain = {
  name: string
  url: string
  /** ISO 8601, UTC. */
  createdAt: string
}

export type SitePreview = {
  /** For readers with a key of the organization. */
  url: string
  /** For everybody who has it, until it expires. */
  shareUrl: string
  /** ISO 8601, UTC. */
  expiresAt: string
}

export interface Operations {
  /** Whether the process is up. */
  getHealth: {
    path: undefined
    query: undefined
    body: undefined
    answer: {
      status: "ok"
    }
  }
  /** Whether this node can take traffic. */
  getReadiness: {
    path: undefined
    query: undefined
    body: undefined
    answer: {
      status: "ready"
      checks: Record<string, "ok">
    }
  }
  /** Metrics for Prometheus. */
  getMetrics: {
    path: undefined
    query: undefined
    body: undefined
    answer: unknown
  }
  /** List API keys. */
  listKeys: {
    path: undefined
    query: {
      limit?: number | undefined
      offset?: number | undefined
      includeRevoked?: "true" | "false" | undefined
    }
    body: undefined
    answer: {
      keys: Key[]
      hasMore: boolean
    }
  }
  /** Create an API key. */
  createKey: {
    path: undefined
    query: undefined
    body: {
      name: string
      /** `read` is for GET, `write` for everything (it includes `read`). */
      scopes?: ("read" | "write")[] | undefined
      /** Addresses or networks the key works from. Empty: any. */
      allowedAddresses?: string[] | undefined
      /** When the key stops working. Null: never. */
      expiresAt?: string | null | undefined
    }
    answer: CreatedKey
  }
  /** Revoke an API key. */
  revokeKey: {
    path: {
      keyId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** List audit records. */
  listAudit: {
    path: undefined
    query: {
      limit?: number | undefined
      offset?: number | undefined
    }
    body: undefined
    answer: {
      records: AuditRecord[]
      hasMore: boolean
    }
  }
  /** Get who is signed in. */
  getSession: {
    path: undefined
    query: undefined
    body: undefined
    answer: SessionState
  }
  /** Sign in. */
  signIn: {
    path: undefined
    query: undefined
    body: {
      email: string
      password: string
    }
    answer: SessionState
  }
  /** Sign out. */
  signOut: {
    path: undefined
    query: undefined
    body: undefined
    answer: undefined
  }
  /** List your sessions. */
  listSessions: {
    path: undefined
    query: undefined
    body: undefined
    answer: {
      sessions: Session[]
    }
  }
  /** End one of your sessions. */
  revokeSession: {
    path: {
      sessionId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Change your name or password. */
  changeAccount: {
    path: undefined
    query: undefined
    body: {
      name?: string | undefined
      /** A new password; all other sessions of yours end. */
      password?: {
        current: string
        /** A password of 10 to 128 characters. */
        next: string
      } | undefined
    }
    answer: SessionState
  }
  /** Make the first owner. */
  setUp: {
    path: undefined
    query: undefined
    body: {
      /** What stands behind `token=` in the link. */
      token: string
      name: string
      email: string
      /** A password of 10 to 128 characters. */
      password: string
    }
    answer: SessionState
  }
  /** List members. */
  listMembers: {
    path: undefined
    query: undefined
    body: undefined
    answer: {
      members: Member[]
    }
  }
  /** Change the role of a member. */
  changeMember: {
    path: {
      memberId: string
    }
    query: undefined
    body: {
      role: "owner" | "admin" | "viewer"
    }
    answer: Member
  }
  /** Remove a member. */
  removeMember: {
    path: {
      memberId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Make a link to choose a new password. */
  createPasswordLink: {
    path: {
      memberId: string
    }
    query: undefined
    body: undefined
    answer: OneTimeLink
  }
  /** Choose a new password. */
  choosePassword: {
    path: undefined
    query: undefined
    body: {
      /** What stands behind `token=` in the link. */
      token: string
      /** A password of 10 to 128 characters. */
      password: string
    }
    answer: SessionState
  }
  /** List open invitations. */
  listInvitations: {
    path: undefined
    query: undefined
    body: undefined
    answer: {
      invitations: Invitation[]
    }
  }
  /** Invite somebody. */
  createInvitation: {
    path: undefined
    query: undefined
    body: {
      /** The only address that can take it. Null: whoever has the link. */
      email?: string | null | undefined
      role: "owner" | "admin" | "viewer"
    }
    answer: CreatedInvitation
  }
  /** Take an invitation back. */
  revokeInvitation: {
    path: {
      invitationId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Show what an invitation is for. */
  lookUpInvitation: {
    path: undefined
    query: undefined
    body: {
      /** What stands behind `token=` in the link. */
      token: string
    }
    answer: {
      /** Name of the organization. */
      organization: string
      role: "owner" | "admin" | "viewer"
      email: string | null
      invitedBy: string
    }
  }
  /** Take an invitation. */
  acceptInvitation: {
    path: undefined
    query: undefined
    body: {
      /** What stands behind `token=` in the link. */
      token: string
      name: string
      email: string
      /** A password of 10 to 128 characters. */
      password: string
    }
    answer: SessionState
  }
  /** List projects. */
  listProjects: {
    path: undefined
    query: {
      limit?: number | undefined
      offset?: number | undefined
    }
    body: undefined
    answer: {
      projects: Project[]
      hasMore: boolean
    }
  }
  /** Create a project. */
  createProject: {
    path: undefined
    query: undefined
    body: {
      name: string
      /** Left out: the built-in host makes a repository from a template. */
      source?: {
        provider: "builtin" | "github" | "gitlab" | "gitea" | "bitbucket"
        /** The repository: its full URL, or `owner/name`. Not for `builtin`, which makes its own. */
        repository?: string | undefined
        /** The branch to work from. Left out: the repository’s default branch. */
        ref?: string | undefined
        /** Folder of the docs inside the repository. Empty: its root. */
        docsPath?: string | undefined
        /** API address of a self-managed host. */
        apiUrl?: string | undefined
        /** Access token. Stored encrypted and never returned. */
        token?: string | undefined
      } | undefined
      /** Left out: the server’s default model. */
      model?: string | undefined
      /** Files and folders that agents may change although they are closed to them: what runs in CI, pins dependencies or instructs agents. */
      openPaths?: string[] | undefined
    }
    answer: Project
  }
  /** Get a project. */
  getProject: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: Project
  }
  /** Change a project. */
  changeProject: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      name?: string | undefined
      source?: {
        /** The repository: its full URL, or `owner/name`. Not for `builtin`, which makes its own. */
        repository?: string | undefined
        ref?: string | null | undefined
        /** Folder of the docs inside the repository. Empty: its root. */
        docsPath?: string | undefined
        apiUrl?: string | null | undefined
        /** Null takes it away; so does a repository or apiUrl on another host, unless a new one is given. */
        token?: string | null | undefined
      } | undefined
      /** Null: the server’s default model. */
      model?: string | null | undefined
      /** Files and folders that agents may change although they are closed to them: what runs in CI, pins dependencies or instructs agents. */
      openPaths?: string[] | undefined
    }
    answer: Project
  }
  /** Delete a project. */
  deleteProject: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Try a project’s source. */
  testSource: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: SourceTest
  }
  /** Make a webhook secret for pushes. */
  rotatePushHook: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: PushHook
  }
  /** Check a project’s docs. */
  checkProject: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: ProjectCheck
  }
  /** Get unique visitors. */
  getVisitors: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
      sort?: "total" | "human" | "ai" | "path" | undefined
      order?: "asc" | "desc" | undefined
      path?: string | undefined
    }
    body: undefined
    answer: VisitorReport
  }
  /** Get page views. */
  getViews: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
      sort?: "total" | "human" | "ai" | "path" | undefined
      order?: "asc" | "desc" | undefined
      path?: string | undefined
    }
    body: undefined
    answer: ViewReport
  }
  /** Get AI clients. */
  getAgents: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
    }
    body: undefined
    answer: AgentReport
  }
  /** Get where readers came from. */
  getReferrers: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
      by?: "host" | "url" | undefined
    }
    body: undefined
    answer: ReferrerReport
  }
  /** Get visitors and views over time. */
  getTimeseries: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      interval?: "hour" | "day" | "week" | "month" | undefined
    }
    body: undefined
    answer: Timeseries
  }
  /** Export raw views. */
  exportViews: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      format?: "jsonl" | "parquet" | undefined
    }
    body: undefined
    answer: unknown
  }
  /** Forget a visitor. */
  forgetVisitor: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** The id that your events named the visitor by. */
      visitorId: string
    } | {
      /** `visitor` of an export: 16 hex digits. */
      visitor: string
    } | {
      ip: string
      userAgent: string
    }
    answer: {
      /** How many views were deleted. */
      views: number
    }
  }
  /** Explain what a request would be counted as. */
  explainRequest: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** The User-Agent header. Left out: not known. Null or empty: it was not sent. */
      userAgent?: string | null | undefined
      /** The Accept header. Left out: not known. Null or empty: it was not sent. */
      accept?: string | null | undefined
      /** The Accept-Language header. Left out: not known. Null or empty: it was not sent. */
      acceptLanguage?: string | null | undefined
      /** The client’s address, which is looked at and not kept. */
      ip?: string | null | undefined
      /** Path of the page, for rules of the project. Default `/`. */
      path?: string | null | undefined
    }
    answer: Explanation
  }
  /** Get feedback of readers. */
  getFeedback: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
      status?: string | undefined
      source?: "contextual" | "code_snippet" | "agent" | undefined
    }
    body: undefined
    answer: {
      feedback: Feedback[]
      /** `cursor` of the next page; null on the last. */
      nextCursor: string | null
      hasMore: boolean
    }
  }
  /** Get what readers searched for. */
  getSearches: {
    path: {
      projectId: string
    }
    query: {
      dateFrom?: string | undefined
      dateTo?: string | undefined
      limit?: number | undefined
      cursor?: string | undefined
    }
    body: undefined
    answer: {
      searches: SearchTerm[]
      /** Searches in the range, those for other terms too. */
      totalSearches: number
      /** `cursor` of the next page; null on the last. */
      nextCursor: string | null
    }
  }
  /** Get the settings of visitor analytics. */
  getAnalyticsSettings: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: AnalyticsSettings
  }
  /** Change the settings of visitor analytics. */
  changeAnalyticsSettings: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** `ai` counts all AI clients, or only those that read for a person who waits (assistants and agents). */
      aiTraffic?: "all" | "direct" | undefined
      /** How long one visitor keeps one id. Counts are exact within such a period; over several, somebody who came in two of them counts twice. */
      visitorIds?: "stable" | "monthly" | "daily" | undefined
      /** Views are deleted after this many days. Null: never. */
      retentionDays?: number | null | undefined
      /** Where the browser script may be on. Replaces the list. */
      origins?: string[] | undefined
      /** The project’s own rules, which come before all others. Replaces the list. */
      rules?: AnalyticsRuleInput[] | undefined
    }
    answer: AnalyticsSettings
  }
  /** Send views of pages. */
  sendEvents: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      events: PageEventInput[]
    }
    answer: {
      /** How many are views, and now durable. */
      accepted: number
      /** How many are no views, by reason; only reasons that occurred. */
      skipped: {
        /** Not the path of a page: an image, a script, a feed. */
        notPage?: number | undefined
        prefetch?: number | undefined
        noVisitor?: number | undefined
      }
    }
  }
  /** Import views out of a log. */
  importViews: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** Every address, user agent, path and referrer of this batch, each once. */
      texts: string[]
      /** Columns of equal length, a place for each distinct client. */
      clients: {
        /** Where requests came from. Indexes into `texts`; -1: the request had none. Base64 of signed integers of 32 bits, the lowest byte first. */
        address: string
        /** Their user agents. Indexes into `texts`; -1: the request had none. Base64 of signed integers of 32 bits, the lowest byte first. */
        userAgent: string
        /** Their `Accept` headers. Indexes into `texts`; -1: the request had none; -2, or no column: the log does not tell. Base64 of signed integers of 32 bits, the lowest byte first. */
        accept?: string | undefined
        /** Their `Accept-Language` headers. Indexes into `texts`; -1: the request had none; -2, or no column: the log does not tell. Base64 of signed integers of 32 bits, the lowest byte first. */
        acceptLanguage?: string | undefined
      }
      /** Columns of equal length, a place for each view. */
      views: {
        /** Milliseconds since 1970, from 1970-01-02 to 2149-06-06. Base64 of unsigned integers of 64 bits, the lowest byte first. */
        at: string
        /** Indexes into the columns of `clients`. Base64 of signed integers of 32 bits, the lowest byte first. */
        client: string
        /** Paths as they were asked for. Indexes into `texts`. Base64 of signed integers of 32 bits, the lowest byte first. */
        path: string
        /** Referrers. Indexes into `texts`; -1: the request had none. Base64 of signed integers of 32 bits, the lowest byte first. */
        referrer: string
        /** Of views with the same id, one is counted. Base64 of unsigned integers of 64 bits, the lowest byte first. */
        id: string
      }
      /** How far all of the log is in once this batch is. Who sends several batches at once says how far it was before them. */
      log: {
        /** What tells this log from others, chosen by the caller, such as a digest of its beginning. */
        fingerprint: string
        /** Bytes of the log, uncompressed, that are in. */
        position: number
        /** Lines of it that were read. */
        lines: number
        /** What the log must show before that position to be the same one, such as a digest of a line. */
        checkpoint: string
        /** For people. */
        name: string
      }
    }
    answer: ImportResult
  }
  /** Get how far a log was imported. */
  getImport: {
    path: {
      projectId: string
      fingerprint: string
    }
    query: undefined
    body: undefined
    answer: ImportPosition
  }
  /** Add sample traffic to the demo project. */
  addSampleTraffic: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: {
      /** Made-up views of the last 30 days, those included that were there before. */
      views: number
      /** By how many made-up visitors, those included that count nowhere. */
      visitors: number
    }
  }
  /** Remove sample traffic from the demo project. */
  removeSampleTraffic: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: {
      /** How many views were deleted. */
      views: number
    }
  }
  /** Get the limits of a project’s agents. */
  getAgentLimits: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: AgentLimits
  }
  /** Change the limits of a project’s agents. */
  changeAgentLimits: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** Jobs and follow-ups that the project may ask for in an hour. Null: as many as the server allows. */
      jobsPerHour?: number | null | undefined
      /** Steps (answers of the model) for one prompt. Null: as many as the server allows. */
      maxSteps?: number | null | undefined
      /** Minutes for one prompt. Null: as many as the server allows. */
      maxMinutes?: number | null | undefined
      /** Tokens for one prompt, in and out. Null: as many as the server allows. */
      maxTokens?: number | null | undefined
      /** Files that one prompt may change. Null: as many as the server allows. */
      maxFiles?: number | null | undefined
    }
    answer: AgentLimits
  }
  /** Try a project’s model. */
  testModel: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: ModelTest
  }
  /** Create an agent job. */
  createAgentJob: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** What the agent is to do, in your own words. */
      prompt: string
    }
    answer: AgentJob
  }
  /** Get an agent job. */
  getAgentJob: {
    path: {
      projectId: string
      id: string
    }
    query: undefined
    body: undefined
    answer: AgentJob
  }
  /** Get what a job changed. */
  getAgentJobDiff: {
    path: {
      projectId: string
      id: string
    }
    query: undefined
    body: undefined
    answer: JobDiff
  }
  /** List agent jobs. */
  listAgentJobs: {
    path: {
      projectId: string
    }
    query: {
      limit?: number | undefined
      offset?: number | undefined
      status?: "active" | "completed" | "archived" | "failed" | undefined
    }
    body: undefined
    answer: {
      jobs: AgentJob[]
      hasMore: boolean
    }
  }
  /** Send a follow-up. */
  sendAgentMessage: {
    path: {
      projectId: string
      id: string
    }
    query: undefined
    body: {
      /** What the agent is to do, in your own words. */
      prompt: string
    }
    answer: AgentJob
  }
  /** Archive an agent job. */
  archiveAgentJob: {
    path: {
      projectId: string
      id: string
    }
    query: undefined
    body: undefined
    answer: AgentJob
  }
  /** Watch an agent job. */
  watchAgentJob: {
    path: {
      projectId: string
      id: string
    }
    query: undefined
    body: undefined
    answer: unknown | undefined
  }
  /** List webhooks. */
  listWebhooks: {
    path: {
      projectId: string
    }
    query: {
      limit?: number | undefined
      offset?: number | undefined
    }
    body: undefined
    answer: {
      webhooks: Webhook[]
      hasMore: boolean
    }
  }
  /** Create a webhook. */
  createWebhook: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** Where events are sent. A public address, unless the server allows others. */
      url: string
      /** Which events are sent. */
      events?: ("job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed")[] | undefined
    }
    answer: WebhookWithSecret
  }
  /** Get a webhook. */
  getWebhook: {
    path: {
      projectId: string
      webhookId: string
    }
    query: undefined
    body: undefined
    answer: Webhook
  }
  /** Change a webhook. */
  changeWebhook: {
    path: {
      projectId: string
      webhookId: string
    }
    query: undefined
    body: {
      /** Where events are sent. A public address, unless the server allows others. */
      url?: string | undefined
      /** Which events are sent. */
      events?: ("job.completed" | "job.failed" | "job.archived" | "site.published" | "site.failed")[] | undefined
      /** Whether events are sent. A receiver that answers 410 ends it. */
      enabled?: boolean | undefined
    }
    answer: Webhook
  }
  /** Delete a webhook. */
  deleteWebhook: {
    path: {
      projectId: string
      webhookId: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
  /** Make a new secret for a webhook. */
  rotateWebhookSecret: {
    path: {
      projectId: string
      webhookId: string
    }
    query: undefined
    body: undefined
    answer: WebhookWithSecret
  }
  /** Send a test event to a webhook. */
  testWebhook: {
    path: {
      projectId: string
      webhookId: string
    }
    query: undefined
    body: undefined
    answer: WebhookDelivery
  }
  /** List deliveries of a webhook. */
  listWebhookDeliveries: {
    path: {
      projectId: string
      webhookId: string
    }
    query: {
      limit?: number | undefined
      offset?: number | undefined
      state?: "pending" | "delivered" | "failed" | undefined
    }
    body: undefined
    answer: {
      deliveries: WebhookDelivery[]
      hasMore: boolean
    }
  }
  /** Get a delivery of a webhook. */
  getWebhookDelivery: {
    path: {
      projectId: string
      webhookId: string
      deliveryId: string
    }
    query: undefined
    body: undefined
    answer: WebhookDeliveryDetails
  }
  /** Send a delivery again. */
  retryWebhookDelivery: {
    path: {
      projectId: string
      webhookId: string
      deliveryId: string
    }
    query: undefined
    body: undefined
    answer: WebhookDelivery
  }
  /** Get a project’s site. */
  getSite: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: Site
  }
  /** Share a preview of a branch or commit. */
  createPreview: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** A branch of the project’s repository. */
      ref?: string | undefined
      /** A commit of the project’s repository, or how its id begins. */
      commit?: string | undefined
      /** How long the link to share works. */
      expiresInHours?: number | undefined
    }
    answer: SitePreview
  }
  /** List deployments of a site. */
  listDeployments: {
    path: {
      projectId: string
    }
    query: {
      limit?: number | undefined
      offset?: number | undefined
    }
    body: undefined
    answer: {
      deployments: Deployment[]
      hasMore: boolean
    }
  }
  /** Publish a site now. */
  createDeployment: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** A branch of the project’s repository. */
      ref?: string | undefined
      /** A commit of the project’s repository, or how its id begins. */
      commit?: string | undefined
    }
    answer: Deployment
  }
  /** Get a deployment of a site. */
  getDeployment: {
    path: {
      projectId: string
      deploymentId: string
    }
    query: undefined
    body: undefined
    answer: DeploymentDetails
  }
  /** Return to an earlier deployment. */
  restoreDeployment: {
    path: {
      projectId: string
      deploymentId: string
    }
    query: undefined
    body: undefined
    answer: Deployment
  }
  /** List domains of a site. */
  listSiteDomains: {
    path: {
      projectId: string
    }
    query: undefined
    body: undefined
    answer: {
      domains: SiteDomain[]
    }
  }
  /** Serve a site under a domain. */
  addSiteDomain: {
    path: {
      projectId: string
    }
    query: undefined
    body: {
      /** A name that leads to this server, such as docs.example.com. */
      name: string
    }
    answer: SiteDomain
  }
  /** Remove a domain of a site. */
  removeSiteDomain: {
    path: {
      projectId: string
      name: string
    }
    query: undefined
    body: undefined
    answer: undefined
  }
}

export const addresses = {
  getHealth: ['GET', '/healthz'],
  getReadiness: ['GET', '/readyz'],
  getMetrics: ['GET', '/metrics'],
  listKeys: ['GET', '/v1/keys'],
  createKey: ['POST', '/v1/keys'],
  revokeKey: ['DELETE', '/v1/keys/{keyId}'],
  listAudit: ['GET', '/v1/audit'],
  getSession: ['GET', '/v1/session'],
  signIn: ['POST', '/v1/session'],
  signOut: ['DELETE', '/v1/session'],
  listSessions: ['GET', '/v1/sessions'],
  revokeSession: ['DELETE', '/v1/sessions/{sessionId}'],
  changeAccount: ['PATCH', '/v1/account'],
  setUp: ['POST', '/v1/setup'],
  listMembers: ['GET', '/v1/members'],
  changeMember: ['PATCH', '/v1/members/{memberId}'],
  removeMember: ['DELETE', '/v1/members/{memberId}'],
  createPasswordLink: ['POST', '/v1/members/{memberId}/password-link'],
  choosePassword: ['POST', '/v1/password'],
  listInvitations: ['GET', '/v1/invitations'],
  createInvitation: ['POST', '/v1/invitations'],
  revokeInvitation: ['DELETE', '/v1/invitations/{invitationId}'],
  lookUpInvitation: ['POST', '/v1/invitations/lookup'],
  acceptInvitation: ['POST', '/v1/invitations/accept'],
  listProjects: ['GET', '/v1/projects'],
  createProject: ['POST', '/v1/projects'],
  getProject: ['GET', '/v1/projects/{projectId}'],
  changeProject: ['PATCH', '/v1/projects/{projectId}'],
  deleteProject: ['DELETE', '/v1/projects/{projectId}'],
  testSource: ['POST', '/v1/projects/{projectId}/source/test'],
  rotatePushHook: ['POST', '/v1/projects/{projectId}/push-hook'],
  checkProject: ['GET', '/v1/projects/{projectId}/check'],
  getVisitors: ['GET', '/v1/analytics/{projectId}/visitors'],
  getViews: ['GET', '/v1/analytics/{projectId}/views'],
  getAgents: ['GET', '/v1/analytics/{projectId}/agents'],
  getReferrers: ['GET', '/v1/analytics/{projectId}/referrers'],
  getTimeseries: ['GET', '/v1/analytics/{projectId}/timeseries'],
  exportViews: ['GET', '/v1/analytics/{projectId}/export'],
  forgetVisitor: ['POST', '/v1/analytics/{projectId}/forget'],
  explainRequest: ['POST', '/v1/analytics/{projectId}/explain'],
  getFeedback: ['GET', '/v1/analytics/{projectId}/feedback'],
  getSearches: ['GET', '/v1/analytics/{projectId}/searches'],
  getAnalyticsSettings: ['GET', '/v1/analytics/{projectId}/settings'],
  changeAnalyticsSettings: ['PATCH', '/v1/analytics/{projectId}/settings'],
  sendEvents: ['POST', '/v1/analytics/{projectId}/events'],
  importViews: ['POST', '/v1/analytics/{projectId}/imports'],
  getImport: ['GET', '/v1/analytics/{projectId}/imports/{fingerprint}'],
  addSampleTraffic: ['POST', '/v1/projects/{projectId}/sample-traffic'],
  removeSampleTraffic: ['DELETE', '/v1/projects/{projectId}/sample-traffic'],
  getAgentLimits: ['GET', '/v1/projects/{projectId}/agent-limits'],
  changeAgentLimits: ['PATCH', '/v1/projects/{projectId}/agent-limits'],
  testModel: ['POST', '/v1/projects/{projectId}/model/test'],
  createAgentJob: ['POST', '/v2/agent/{projectId}/job'],
  getAgentJob: ['GET', '/v2/agent/{projectId}/job/{id}'],
  getAgentJobDiff: ['GET', '/v2/agent/{projectId}/job/{id}/diff'],
  listAgentJobs: ['GET', '/v2/agent/{projectId}/jobs'],
  sendAgentMessage: ['POST', '/v2/agent/{projectId}/job/{id}/message'],
  archiveAgentJob: ['POST', '/v2/agent/{projectId}/job/{id}/archive'],
  watchAgentJob: ['GET', '/v2/agent/{projectId}/job/{id}/events'],
  listWebhooks: ['GET', '/v1/projects/{projectId}/webhooks'],
  createWebhook: ['POST', '/v1/projects/{projectId}/webhooks'],
  getWebhook: ['GET', '/v1/projects/{projectId}/webhooks/{webhookId}'],
  changeWebhook: ['PATCH', '/v1/projects/{projectId}/webhooks/{webhookId}'],
  deleteWebhook: ['DELETE', '/v1/projects/{projectId}/webhooks/{webhookId}'],
  rotateWebhookSecret: ['POST', '/v1/projects/{projectId}/webhooks/{webhookId}/secret'],
  testWebhook: ['POST', '/v1/projects/{projectId}/webhooks/{webhookId}/test'],
  listWebhookDeliveries: ['GET', '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries'],
  getWebhookDelivery: ['GET', '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}'],
  retryWebhookDelivery: ['POST', '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/retry'],
  getSite: ['GET', '/v1/projects/{projectId}/site'],
  createPreview: ['POST', '/v1/projects/{projectId}/previews'],
  listDeployments: ['GET', '/v1/projects/{projectId}/deployments'],
  createDeployment: ['POST', '/v1/projects/{projectId}/deployments'],
  getDeployment: ['GET', '/v1/projects/{projectId}/deployments/{deploymentId}'],
  restoreDeployment: ['POST', '/v1/projects/{projectId}/deployments/{deploymentId}/restore'],
  listSiteDomains: ['GET', '/v1/projects/{projectId}/domains'],
  addSiteDomain: ['POST', '/v1/projects/{projectId}/domains'],
  removeSiteDomain: ['DELETE', '/v1/projects/{projectId}/domains/{name}'],
} satisfies Record<keyof Operations, [method: string, path: string]>
