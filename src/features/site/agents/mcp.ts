import { z } from 'zod'
import { oneLine } from '#base/one-line.ts'
import { answerJson, answerNothing } from '../serve/answers.ts'
import { readJson } from '../serve/read-json.ts'
import type { SiteAnswer, SiteRequest } from '../serve/served-site.ts'
import { type ToolContext, ToolFault, tools } from './mcp-tools.ts'

/** Newest first. What we use of the protocol is the same in all of them. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const mostMessages = 20
// Of the messages of one request; how many requests there may be is limited, and each call costs as much as one.
const mostCalls = 3

// JSON-RPC's own.
const parseError = -32700
const invalidRequest = -32600
const methodNotFound = -32601
const invalidParams = -32602
const internalError = -32603

const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number()]).optional(),
  method: z.string().max(200).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
})
type Message = z.output<typeof Message>

type Reply = { jsonrpc: '2.0'; id: string | number | null; result?: unknown; error?: { code: number; message: string } }

/**
 * The Model Context Protocol over plain HTTP: each request is answered with JSON and nothing is remembered between two of
 * them, so any node answers, and there is no stream to keep open. The caller has checked where the request comes from.
 */
export async function answerMcp(request: SiteRequest, context: ToolContext): Promise<SiteAnswer> {
  if (request.method !== 'POST') return answerNothing(405, { allow: 'POST' })
  const version = request.headers['mcp-protocol-version']
  if (version !== undefined && !versions.includes(String(version))) {
    return answerFault(400, invalidRequest, `Expected MCP-Protocol-Version to be one of ${versions.join(', ')}.`)
  }
  const body = readJson(request.body)
  if (body === undefined) return answerFault(400, parseError, 'The body is not valid JSON.')
  const isBatch = Array.isArray(body)
  const parsed = z
    .array(Message)
    .min(1)
    .max(mostMessages)
    .safeParse(isBatch ? body : [body])
  if (!parsed.success) return answerFault(400, invalidRequest, 'Expected a JSON-RPC 2.0 message.')
  const replies: Reply[] = []
  let calls = 0
  for (const message of parsed.data) {
    if (message.method === 'tools/call') calls++
    const reply = calls > mostCalls ? refuse(message) : await replyTo(message, context)
    if (reply) replies.push(reply)
  }
  // Notifications, and answers to what we never ask, are only taken.
  if (replies.length === 0) return answerNothing(202)
  return answerJson(200, isBatch ? replies : replies[0])
}

/** One too many of a batch. */
function refuse({ id }: Message): Reply | null {
  const message = `At most ${mostCalls} calls of tools are taken in one request. Send the others by themselves.`
  return id === undefined ? null : { jsonrpc: '2.0', id, error: { code: invalidRequest, message } }
}

async function replyTo({ id, method, params = {} }: Message, context: ToolContext): Promise<Reply | null> {
  if (id === undefined || method === undefined) return null
  const done = (result: unknown): Reply => ({ jsonrpc: '2.0', id, result })
  const failed = (code: number, message: string): Reply => ({ jsonrpc: '2.0', id, error: { code, message } })
  switch (method) {
    case 'initialize':
      return done(initialize(params, context))
    case 'ping':
      return done({})
    case 'tools/list':
      return done({ tools: toolList })
    case 'tools/call': {
      const tool = typeof params.name === 'string' && Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
      if (!tool) return failed(invalidParams, `There is no such tool. Expected ${Object.keys(tools).join(' or ')}.`)
      const input = tool.input.safeParse(params.arguments ?? {})
      if (!input.success) return done(toolResult(z.prettifyError(input.error), true))
      try {
        return done(toolResult(await tool.run(input.data, context), false))
      } catch (error) {
        if (error instanceof ToolFault) return done(toolResult(error.message, true))
        return failed(internalError, 'Something went wrong on our side.')
      }
    }
    default:
      return failed(methodNotFound, `There is no method ${oneLine(method, 100)}.`)
  }
}

function initialize(params: Record<string, unknown>, { site }: ToolContext) {
  const wanted = String(params.protocolVersion)
  const name = oneLine(site.edition.model.settings.name ?? site.name, 100)
  return {
    protocolVersion: versions.includes(wanted) ? wanted : versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: `${name} documentation`, version: '1' },
    instructions: `The documentation of ${name}. Find sections with search, and read whole pages with read_page.`,
  }
}

const toolList = Object.entries(tools).map(([name, { title, description, input }]) => ({
  name,
  title,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }),
  annotations: { title, readOnlyHint: true, openWorldHint: false },
}))

function toolResult(text: string, isError: boolean) {
  return { content: [{ type: 'text', text }], isError }
}

function answerFault(status: number, code: number, message: string): SiteAnswer {
  return answerJson(status, { jsonrpc: '2.0', id: null, error: { code, message } })
}
