import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { PARSE_ERROR } from '../../chains/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { SandboxParts } from '../../sandbox/index.ts'
import { type App, blockchainText } from '../http/index.ts'
import { isLoopbackHost, requireLocalCaller } from './local-caller.ts'

const url = '/sandbox/rpc/:blockchain'
const config = { access: 'open', limit: 'sandbox.rpc', localOnly: true } as const
const params = Type.Object({ blockchain: blockchainText('An embedded chain.') })
const tags = ['Sandbox']

/**
 * The embedded chains for ordinary client libraries on this machine (contract 13): JSON-RPC, single or batch, without
 * a key. Requests must come over loopback and name a loopback host, which keeps out the network and web pages that use
 * DNS rebinding. JSON-RPC errors have status 200.
 */
export function sandboxRpcRoute(app: App, { sandbox }: Pick<SandboxParts, 'sandbox'>): void {
  app.post(
    url,
    {
      config,
      preValidation: async (request, reply) => {
        admit(request, reply)
        if (!isJson(request.body)) return reply.send(PARSE_ERROR)
      },
      schema: {
        tags,
        operationId: 'callSandboxRpc',
        summary: 'Call the JSON-RPC of an embedded chain',
        description:
          'Supports the public `eth_`, `net_` and `web3_` methods, or the methods of Solana, single or in a batch; all others return error -32601. Only callers on the same machine with a loopback Host are accepted; others get 403 FORBIDDEN. Faults set by `/v1/sandbox/chain-faults` apply here too. Returns 204 if only notifications were sent.',
        params,
        body: Type.Unknown({ description: 'A JSON-RPC 2.0 request, or an array of them.' }),
        response: {
          200: Type.Unknown({ description: 'A JSON-RPC 2.0 response, or an array of them; errors too.' }),
          204: Type.Null({ description: 'Only notifications were sent.' }),
        },
      },
    },
    async (request, reply) => {
      const chain = sandbox.get(request.params.blockchain)
      if (chain === undefined) throw new Failure('NOT_FOUND', { message: 'No embedded chain has this name.' })
      const response = await chain.dev.proxy.handle(request.body)
      return response === undefined ? reply.code(204).send(null) : response
    },
  )

  app.options(
    url,
    {
      config,
      schema: {
        tags,
        operationId: 'preflightSandboxRpc',
        summary: 'Preflight a JSON-RPC call (CORS)',
        description: 'Handles preflight requests of browsers. Pages on loopback origins are allowed.',
        params,
        response: { 204: Type.Null({ description: 'The CORS headers.' }) },
      },
    },
    async (request, reply) => {
      admit(request, reply)
      reply.header('Access-Control-Allow-Methods', 'POST, OPTIONS')
      reply.header('Access-Control-Allow-Headers', 'content-type, solana-client')
      return reply.code(204).send(null)
    },
  )
}

/** Admits callers on this machine and pages served from it. Error: FORBIDDEN. */
function admit(request: FastifyRequest, reply: FastifyReply): void {
  requireLocalCaller(request)
  reply.header('Vary', 'Origin')
  const { origin } = request.headers
  if (origin !== undefined && isLoopbackOrigin(origin)) reply.header('Access-Control-Allow-Origin', origin)
}

function isLoopbackOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  return host !== undefined && isLoopbackHost(host)
}

/** Checks the raw bytes, because JSON-RPC has its own response for a parse error. */
function isJson(body: unknown): boolean {
  if (!Buffer.isBuffer(body) || body.length === 0) return true
  try {
    JSON.parse(body.toString('utf8'))
    return true
  } catch {
    return false
  }
}
