/** What a person can press after a failure. */
export type NextAction = 'settings' | 'again' | 'rephrase' | 'new-job'

export interface NextStep {
  /** What to do, in a sentence or two. */
  words: string
  actions: readonly NextAction[]
  /** Whether the forms that the built-in editor understands help. */
  showsForms?: boolean
}

const less: NextStep = {
  words: 'Ask for less at a time, such as one folder or one kind of change, in a follow-up below.',
  actions: ['rephrase'],
}
const source: NextStep = {
  words:
    'Look at the project’s source in the settings: the repository, the branch, the docs folder and the token. Then send it again.',
  actions: ['settings', 'again'],
}
const token: NextStep = {
  words:
    'The code host refused us. Give the project a token that may read and write the repository and open pull requests, then send it again.',
  actions: ['settings', 'again'],
}
const passing: NextStep = {
  words:
    'This passes by itself as a rule, and it was tried several times already. Wait a few minutes, then send it again.',
  actions: ['again'],
}
const model: NextStep = {
  words: 'Look at the project’s model in the settings and test it there. Then send it again.',
  actions: ['settings', 'again'],
}

/** By the code of the job's error. Those of a kind that are not named here are found by what stands before the dot. */
const nextSteps: Record<string, NextStep> = {
  'editor.not_understood': {
    words: 'Say it in one of the forms below, or choose a model in the settings: it understands your own words.',
    actions: ['rephrase', 'settings'],
    showsForms: true,
  },
  'editor.breaks_page': {
    words: 'Nothing was published. Change the instruction so that the page stays whole, or mend the page first.',
    actions: ['rephrase'],
  },
  'editor.too_many_files': less,
  'editor.patch_too_large': less,
  'agent.too_many_files': less,
  'agent.patch_too_large': less,
  'job.too_many_files': less,
  'job.patch_too_large': less,
  'agent.out_of_budget': {
    words:
      'The limit of steps or tokens for one prompt was reached. Ask for less at a time, or raise the limit in the settings.',
    actions: ['rephrase', 'settings'],
  },
  'agent.out_of_time': {
    words: 'The time for one prompt was over. Ask for less at a time, or raise the limit in the settings.',
    actions: ['rephrase', 'settings'],
  },
  'agent.no_tool_calls': {
    words: 'This model does not call tools, without which it cannot edit anything. Choose another one in the settings.',
    actions: ['settings'],
  },
  'agent.cannot': {
    words: 'The agent says why it could not do it. Say more exactly what you want.',
    actions: ['rephrase'],
  },
  'model.not_configured': {
    words:
      'Whoever runs this server has to set the model’s key; its name is above. Or choose another model in the settings.',
    actions: ['settings', 'again'],
  },
  'model.out_of_credit': {
    words: 'Add credit at the model’s provider, or choose another model in the settings.',
    actions: ['settings', 'again'],
  },
  'model.rate_limited': passing,
  'model.unavailable': passing,
  'model.filtered': {
    words: 'The provider’s filter stopped it. Ask in other words, or choose another model.',
    actions: ['rephrase', 'settings'],
  },
  'model.context_exceeded': less,
  'job.branch_not_found': source,
  'job.docs_missing': source,
  'job.repository_changed': {
    words: 'The project has another repository by now: make a new job.',
    actions: ['new-job'],
  },
  'job.worker_died': {
    words:
      'The server’s log may say why its workers ended. Send it again; if it ends the same way, tell whoever runs the server.',
    actions: ['again'],
  },
  'host.token_refused': token,
  'host.permission_missing': token,
  'host.app_key_invalid': token,
  'git.credential_refused': token,
  'git.push_refused': token,
  'git.branch_moved': {
    words: 'Somebody pushed to the job’s branch at the same moment. Send it again: it then builds on what is there.',
    actions: ['again'],
  },
  'host.rate_limited': passing,
  'host.unreachable': passing,
  'host.away': passing,
  'host.failing': passing,
  'host.timed_out': passing,
  'git.remote_unavailable': passing,
  'git.no_answer': passing,
  'git.stopped': passing,
}

const byArea: Record<string, NextStep> = {
  model,
  host: source,
  git: source,
  // What the built-in editor could not carry out: a page that is not there, a name that is taken.
  path: {
    words: 'Look at the path in the prompt, and send it as it should be in a follow-up below.',
    actions: ['rephrase'],
  },
  move: { words: 'Choose another name, and send it in a follow-up below.', actions: ['rephrase'] },
}
const anyOther: NextStep = {
  words: 'Change the prompt in a follow-up below, or send it again as it is.',
  actions: ['rephrase', 'again'],
}

export function nextStep(code: string): NextStep {
  return nextSteps[code] ?? byArea[code.split('.', 1)[0]!] ?? anyOther
}
