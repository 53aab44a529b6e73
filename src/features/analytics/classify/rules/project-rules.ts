import type { ProjectRule } from '../../settings/analytics-settings.ts'
import { type Block, isIn, parseBlock } from '../ranges/address.ts'
import type { Question, Rule } from './rule.ts'

export const projectRules: Rule = {
  name: 'the project’s own rules',
  ask(question) {
    if (question.projectRules.length === 0) return 'there are none'
    const place = question.projectRules.findIndex((rule) => matches(rule, question))
    const rule = question.projectRules[place]
    if (!rule) return 'none matches'
    return {
      category: rule.category,
      client: rule.client ?? question.userAgent?.known?.name ?? null,
      reason: `project rule ${place + 1}`,
      verification: 'none',
    }
  },
}

function matches(rule: ProjectRule, { userAgent, address, path }: Question): boolean {
  // Without any test it would swallow everything, which nobody means.
  if (rule.userAgent === undefined && rule.networks === undefined && rule.path === undefined) return false
  if (rule.userAgent !== undefined) {
    if (!userAgent?.text.toLowerCase().includes(rule.userAgent.toLowerCase())) return false
  }
  if (rule.networks !== undefined) {
    if (address === null || !blocksOf(rule.networks).some((block) => isIn(address, block))) return false
  }
  return rule.path === undefined || path.startsWith(rule.path)
}

// Settings are read once and used for many views; so are the networks in them.
const parsed = new WeakMap<string[], Block[]>()

function blocksOf(networks: string[]): Block[] {
  let blocks = parsed.get(networks)
  if (!blocks) {
    blocks = networks.map(parseBlock).filter((block) => block !== null)
    parsed.set(networks, blocks)
  }
  return blocks
}
