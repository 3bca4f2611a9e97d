import { appendFileSync } from 'node:fs'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../src/surfaces/http/index.ts'

/** A response with a JSON body. */
export interface Answer {
  readonly method: string
  /** As in the document. */
  readonly path: string
  readonly status: number
  readonly body: unknown
  /** The JSON body that was sent, if any. */
  readonly sent?: unknown
}

/**
 * With RECORD_EXAMPLES=<file>, tests write each successful answer there; `scripts/documents/write-examples.ts` chooses among
 * them.
 */
export function recordExample(answer: Answer): void {
  const file = process.env.RECORD_EXAMPLES
  if (file && answer.status < 300) appendFileSync(file, `${JSON.stringify(answer)}\n`)
}

/** For the routes that are added after it. */
export function recordAnswers(app: App): void {
  if (!process.env.RECORD_EXAMPLES) return
  // As it was sent: the validation adds defaults.
  const bodies = new WeakMap<FastifyRequest, string>()
  app.addHook('preValidation', async (request) => {
    const { body } = request
    if (Buffer.isBuffer(body)) bodies.set(request, body.toString())
    else if (typeof body === 'object' && body !== null) bodies.set(request, JSON.stringify(body))
  })
  app.addHook('onSend', async (request, { statusCode: status }, payload) => {
    const { method, routeOptions } = request
    const path = routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')
    const sent = bodies.get(request) || undefined
    if (path && typeof payload === 'string' && payload.startsWith('{'))
      recordExample({ method, path, status, body: JSON.parse(payload), ...(sent && { sent: JSON.parse(sent) }) })
    return payload
  })
}
