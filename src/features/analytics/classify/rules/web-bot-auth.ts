import { signatureAgents } from '../signature/signature-agents.ts'
import { verifySignature } from '../signature/verify-signature.ts'
import type { Rule } from './rule.ts'

export const webBotAuth: Rule = {
  name: 'Web Bot Auth signature',
  ask({ evidence: { request }, published, at, userAgent }) {
    if (request === undefined) return 'signatures are not known'
    if (request.headers['signature-input'] === undefined) return 'there is no signature'
    const found = verifySignature(request, { keys: published.keys, at })
    if ('fault' in found) return `there is a signature, but ${found.fault}`
    const agent = signatureAgents.find(({ host }) => host === found.host)!
    // The signature proves whose it is; which of its clients, the user agent may tell more exactly.
    const named = userAgent?.known?.operator === agent.operator ? userAgent.known : null
    const client = named?.name ?? agent.client
    const category = named?.category ?? agent.category
    return { category, client, reason: `signed by ${agent.host}`, verification: 'verified' }
  },
}
